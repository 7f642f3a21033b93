# SPDX-License-Identifier: Apache-2.0
"""Events and trips from data frames and files."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from . import _core, _frames
from ._core import Dataset
from ._places import Grid, Stations, as_places
from ._progress import Progress, Report
from ._toml import study_text
from ._warnings import warn_of

Length = str | int | timedelta


def _read(
    source: Any,
    form: str,
    columns: dict[str, str | None],
    settings: dict[str, Any],
    places: Grid | Stations,
    period: dict[str, Any],
    threads: int,
    progress: bool | Report,
) -> Dataset:
    from_files = _frames.is_path(source)
    mapped = {ours: theirs for ours, theirs in columns.items() if theirs not in (None, ours)}
    sections = {
        "data": {
            **settings,
            "format": form,
            "path": _frames.paths(source) if from_files else "data frame",
            "columns": mapped or None,
        },
        "rois": places._settings(),
        "period": period,
    }
    # No adversary yet: a prior that needs a longer observation period must not stand in the way.
    toml = study_text({**sections, "study": {"priors": ["FREQ_ROI"]}})
    table = None if from_files else _frames.table(source, toml)
    stations = places._table() if isinstance(places, Stations) else None
    if stations is not None:
        stations = _frames.table(stations)
    with Progress(progress) as report:
        data = _core.read(toml, "", os.getcwd(), [], table, stations, threads, report)
    warn_of(data.warnings, stacklevel=3)
    if settings["timezone"] is None:
        sections["data"]["timezone"] = data._timezone or None
    data._sections = sections
    return data


def read_events(
    source: Any,
    *,
    uid: str = "uid",
    lat: str = "lat",
    lng: str = "lng",
    datetime: str = "datetime",
    roi: str = "roi",
    tz: str | None = None,
    rois: Any = Stations(),
    start: Any,
    length: Length,
    observe: Length,
    epoch: Length = "1h",
    name: str = "data",
    time_format: str | list[str] = "auto",
    bad_rows: str = "stop",
    users: int | None = None,
    threads: int = 0,
    progress: bool | Report = False,
) -> Dataset:
    """Reads who was where when: one row an event.

    source: a pandas, Polars or pyarrow table, anything else with __arrow_c_stream__, or a path, glob or list of them.
    uid, lat, lng, datetime, roi: your names for the columns; usual other names are found without. With a Grid, places
        are lat and lng; with Stations they are roi.
    rois: a Grid, Stations, or the list of stations itself: a table or a path.
    tz: IANA name of the civil time the study runs in. Times without an offset are in it; times with a zone or an
        offset are converted to it. Without it, the study runs in the zone that the column of times has, or else in UTC.
    start, length, observe, epoch: the study period, how much of it the adversary sees first, and the length of an
        epoch, such as "2010-03-01", "4 weeks", "3 weeks", "1h". A length may be a timedelta (of datetime, pandas or
        NumPy) or a number of epochs (of seconds, for epoch).
    name, time_format, bad_rows, users: data.* of docs/study.md.
    threads: 0 uses every core. progress: True for a line, or a function of stage, done and total.
    """
    places = as_places(rois)
    columns: dict[str, str | None] = {"uid": uid, "datetime": datetime}
    columns |= {"lat": lat, "lng": lng} if isinstance(places, Grid) else {"roi": roi}
    settings = {"name": name, "timezone": tz, "time_format": time_format, "bad_rows": bad_rows, "users": users}
    period = {"start": start, "length": length, "observe": observe, "epoch": epoch}
    return _read(source, "events", columns, settings, places, period, threads, progress)


def read_trips(
    source: Any,
    *,
    uid: str = "uid",
    start_time: str = "start_time",
    start_roi: str = "start_roi",
    end_time: str = "end_time",
    end_roi: str = "end_roi",
    tz: str | None = None,
    rois: Any = Stations(),
    start: Any,
    length: Length,
    observe: Length,
    epoch: Length = "1h",
    name: str = "data",
    time_format: str | list[str] = "auto",
    bad_rows: str = "stop",
    users: int | None = None,
    threads: int = 0,
    progress: bool | Report = False,
) -> Dataset:
    """Reads trips from place to place, one a row: two events each. The rest is as for read_events."""
    columns: dict[str, str | None] = {
        "uid": uid,
        "start_time": start_time,
        "start_roi": start_roi,
        "end_time": end_time,
        "end_roi": end_roi,
    }
    settings = {"name": name, "timezone": tz, "time_format": time_format, "bad_rows": bad_rows, "users": users}
    period = {"start": start, "length": length, "observe": observe, "epoch": epoch}
    return _read(source, "trips", columns, settings, as_places(rois), period, threads, progress)


def read_cabs(
    directory: Any,
    *,
    rois: Grid,
    start: Any,
    length: Length,
    observe: Length,
    epoch: Length = "1h",
    tz: str | None = None,
    name: str = "data",
    bad_rows: str = "stop",
    users: int | None = None,
    threads: int = 0,
    progress: bool | Report = False,
) -> Dataset:
    """Reads a directory of cab traces, `new_<cab>.txt` of `lat lng occupied unixtime`. The rest is as for
    read_events."""
    settings = {"name": name, "timezone": tz, "bad_rows": bad_rows, "users": users}
    period = {"start": start, "length": length, "observe": observe, "epoch": epoch}
    return _read(directory, "cabs", {}, settings, rois, period, threads, progress)
