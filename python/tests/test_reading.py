# SPDX-License-Identifier: Apache-2.0
import json
import warnings
from datetime import timedelta

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import GRID, PERIOD, ROOT, same

import hearsay as hs


def read(source, **settings):
    return hs.read_events(source, **{"tz": "UTC", "rois": GRID, **PERIOD, **settings})


def run(data):
    return hs.Study(data, priors=["FREQ_ROI", "LAST_HOUR"], attacks=["BAYES", "MAX_ROI"]).run()


@pytest.mark.parametrize(
    "convert",
    [
        pl.from_pandas,
        lambda frame: pl.from_pandas(frame).lazy(),
        lambda frame: pa.Table.from_pandas(frame),
        lambda frame: pa.Table.from_pandas(frame).to_reader(max_chunksize=777),
        lambda frame: pa.Table.from_pandas(frame).slice(0, 12345),
        lambda frame: frame.assign(uid=frame.uid.astype("category")),
        lambda frame: frame.assign(datetime=frame.datetime.dt.tz_localize("UTC")),
        lambda frame: frame.assign(datetime=frame.datetime.astype("datetime64[s]")),
        lambda frame: frame.assign(extra=[{"not": "read"}] * len(frame), other=1j)[::-1],
    ],
    ids="polars lazy pyarrow stream slice category aware seconds more".split(),
)
def test_tables_give_the_same_results_as_pandas(events, convert):
    table = convert(events)
    frame = events[:12345] if isinstance(table, pa.Table) and len(table) == 12345 else events
    first, second = read(frame), read(table)
    assert first.user_ids == second.user_ids
    assert same(run(first), run(second))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_give_the_same_results_as_frames(events, tmp_path, ending):
    path = tmp_path / f"events.{ending}"
    events.to_csv(path, index=False) if ending == "csv" else events.to_parquet(path)
    assert same(run(read(events)), run(read(path)))


def test_names_of_columns_are_found_or_given(events, town):
    renamed = events.rename(columns={"uid": "user", "lat": "latitude", "lng": "x", "datetime": "timestamp"})
    assert read(renamed, lng="x").user_ids == town.user_ids


def test_numbers_as_ids_and_unix_times(events):
    numbered = events.assign(
        uid=events.uid.str[1:].astype(int), datetime=events.datetime.astype("datetime64[s]").astype("int64")
    )
    texts = numbered.assign(uid=numbered.uid.astype(str))
    assert read(numbered).user_ids == read(texts).user_ids
    np.testing.assert_array_equal(read(numbered).aggregates(), read(events).aggregates())


def test_trips_and_stations_from_frames():
    folder = ROOT / "examples" / "small"
    settings = {"tz": "Europe/London", "start": "2010-03-01", "length": "3 weeks", "observe": "2 weeks"}
    by_path = hs.read_trips(folder / "trips.csv", rois=hs.Stations(folder / "stations.csv"), **settings)
    for read_csv in (pd.read_csv, pl.read_csv):
        by_frame = hs.read_trips(
            read_csv(folder / "trips.csv"), rois=hs.Stations(read_csv(folder / "stations.csv")), **settings
        )
        assert by_frame.roi_ids == by_path.roi_ids
        np.testing.assert_array_equal(by_frame.aggregates(), by_path.aggregates())


def test_a_list_of_stations_may_stand_for_them():
    folder = ROOT / "examples" / "small"
    settings = {"tz": "Europe/London", "start": "2010-03-01", "length": "3 weeks", "observe": "2 weeks"}
    trips, stations = folder / "trips.csv", folder / "stations.csv"
    expected = hs.read_trips(trips, rois=hs.Stations(stations), **settings).roi_ids
    for rois in (stations, pd.read_csv(stations), pl.read_csv(stations), pa.Table.from_pandas(pd.read_csv(stations))):
        assert hs.read_trips(trips, rois=rois, **settings).roi_ids == expected
    with pytest.raises(hs.InputError, match="stations: a dict is neither a path nor a table"):
        hs.read_trips(trips, rois={"roi": ["a"]}, **settings)


BERLIN = "Europe/Berlin"
of_every_library = pytest.mark.parametrize(
    "convert", [lambda frame: frame, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "arrow"]
)


def in_zone(events, zone):
    return events.assign(datetime=events.datetime.dt.tz_localize(BERLIN).dt.tz_convert(zone))


@of_every_library
@pytest.mark.parametrize("zone", [BERLIN, "UTC", "Asia/Tokyo"])
def test_times_with_a_zone_are_studied_in_the_zone_of_the_study(events, convert, zone):
    expected = read(events, tz=BERLIN).aggregates()
    np.testing.assert_array_equal(read(convert(in_zone(events, zone)), tz=BERLIN).aggregates(), expected)


@of_every_library
def test_without_a_zone_the_study_takes_that_of_the_times(events, convert):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = read(convert(in_zone(events, BERLIN)), tz=None)
    np.testing.assert_array_equal(data.aggregates(), read(events, tz=BERLIN).aggregates())
    study = hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES"])
    assert f'timezone = "{BERLIN}"' in study.toml
    assert study.run().manifest["input"]["timezone"] == BERLIN


def test_times_in_utc_or_at_an_offset_name_no_zone(events):
    with pytest.warns(hs.DataWarning, match="data.timezone is not set: UTC is used"):
        read(in_zone(events, "UTC"), tz=None)
    with pytest.raises(hs.ConfigError, match=r"^data.timezone: is not set, and column datetime has the offset \+01:00; name"):
        read(in_zone(events, "+01:00"), tz=None)
    trips = {"tz": None, "start": "2010-03-01", "length": "3 weeks", "observe": "2 weeks"}
    frame = pd.read_csv(ROOT / "examples/small/trips.csv", parse_dates=["start_time", "end_time"])
    for column, zone in (("start_time", "Europe/London"), ("end_time", "Europe/Paris")):
        frame[column] = frame[column].dt.tz_localize("UTC").dt.tz_convert(zone)
    with pytest.raises(hs.ConfigError, match="column end_time has another zone than the column before it, Europe/Paris"):
        hs.read_trips(frame, **trips)


class TracksFrame(pd.DataFrame):
    """A data frame that keeps a name, such as those for traces and for shapes on a map."""

    _metadata = ["kept"]

    def __init__(self, data, *, kept):
        super().__init__(data)
        self.kept = kept

    @property
    def _constructor(self):
        return lambda *given, **named: TracksFrame(pd.DataFrame(*given, **named), kept=self.kept)


class Point:
    """A shape that Arrow does not know."""


def test_a_subclass_of_a_pandas_frame_is_read(events):
    frame = TracksFrame(events.assign(geometry=[Point()] * len(events)), kept="name")
    assert same(run(read(frame)), run(read(events)))
    seen, expected = hs.look(frame), hs.look(events)
    assert (str(seen), seen.study) == (str(expected), expected.study)
    with pytest.warns(hs.DataWarning, match="guessed data.timezone"):
        assert hs.Study.guess(frame, priors=["FREQ_ROI"]).toml


@pytest.mark.parametrize("kind", [timedelta, pd.Timedelta, lambda **kept: pd.Timedelta(**kept).to_timedelta64()])
def test_lengths_may_be_timedeltas(events, kind):
    text = read(events, length="3 weeks", observe="2 weeks", epoch="2h")
    data = read(events, length=kind(days=21), observe=kind(days=14), epoch=kind(hours=2))
    assert repr(data) == repr(text)
    with pytest.raises(hs.ConfigError, match="^period.length .*: must be a length of time"):
        read(events, length=kind(milliseconds=1500))
    with pytest.raises(hs.ConfigError, match="^period.epoch .*: must be a length of time"):
        read(events, epoch=kind(hours=-1))
    with pytest.raises(hs.ConfigError, match=r"must be shorter than period.length \(504 epochs\)"):
        hs.Study.from_toml(ROOT / "examples/small/study.toml", overrides={"period.observe": kind(days=21)})


@pytest.mark.parametrize("start", [np.datetime64("2024-01-01"), np.datetime64("2024-01-01", "ns"), pd.Timestamp("2024-01-01")])
def test_the_start_may_be_a_time_of_numpy_or_pandas(events, town, start):
    assert repr(read(events, start=start)) == repr(town)


def test_a_data_set_says_what_it_is(town):
    assert repr(town) == (
        f'<Dataset "data": 60 users, 20 ROIs, {town.describe()["dataset"]["visits"]} visits, '
        "from 2024-01-01 00:00:00 336 epochs of 3600 s observed and 168 inferred>"
    )


def test_describe_says_what_the_command_line_says(program):
    folder = ROOT / "examples" / "gps"
    said = program("describe", folder / "study.toml", "--quiet").stdout
    data = hs.read_events(
        pd.read_csv(folder / "fixes.csv"),
        name="phones",
        tz="Europe/Paris",
        rois=hs.Grid(48.81, 48.91, 2.27, 2.42, rows=12, cols=12),
        start="2024-05-06",
        epoch="2h",
        length="2 weeks",
        observe="1 week",
    )
    assert str(data.describe()) == said
    numbers = json.loads(program("describe", folder / "study.toml", "--quiet", "--json").stdout)
    assert data.describe()["statistics"] == numbers["statistics"]


def test_a_missing_column_is_named(events):
    with pytest.raises(hs.InputError, match=r"data frame: column lat: not found; the columns are uid, lng, datetime"):
        read(events.drop(columns="lat"))
    with pytest.raises(hs.InputError, match=r"data frame: column card: not found, though data.columns.uid names it"):
        read(pl.from_pandas(events), uid="card")


@pytest.mark.parametrize("library", [lambda frame: frame, pl.from_pandas, pa.Table.from_pandas])
def test_a_wrong_type_is_named(events, library):
    with pytest.raises(hs.InputError, match=r"data frame: column lat: has type BOOLEAN; expected numbers"):
        read(library(events.assign(lat=events.lat > 50.2)))
    with pytest.raises(hs.InputError, match=r"data frame: column datetime: has type .*; expected times"):
        read(library(events.assign(datetime=events.lat > 50.2)))
    with pytest.raises(hs.InputError, match=r"data frame: column uid: has type .*; expected ids"):
        read(library(events.assign(uid=[[1]] * len(events))))


def test_a_bad_value_is_named_with_its_row(events):
    bad = events.assign(lat=events.lat.astype(object))
    bad.loc[16, "lat"] = None
    with pytest.raises(hs.InputError, match=r"^data frame:17: column lat: no value; expected degrees from -90 to 90"):
        read(bad)
    bad = events.copy()
    bad.loc[4, "lng"] = 200
    with pytest.raises(ValueError, match=r'^data frame:5: column lng: "200.0" is out of range'):
        read(bad)


@of_every_library
def test_rows_that_are_left_out_are_told_of(events, convert):
    bad = events.copy()
    bad.loc[4::10, "lng"] = 200
    bad.loc[17, "lat"] = -91
    with pytest.warns(hs.DataWarning) as told:
        data = read(convert(bad), bad_rows="skip")
    sentences = [str(warning.message) for warning in told]
    assert sentences == data.warnings
    assert {warning.filename for warning in told} == {__file__}
    count, first = sentences
    assert count.startswith("2,001 of 20,000 rows are bad and left out (lat out of range: 1, lng out of range: 2,000)")
    assert first.startswith('the first row left out is data frame:5: column lng: "200.0" is out of range; expected')
    assert data.describe()["input"]["bad_rows"] == 2001


def test_rows_of_files_that_are_left_out_are_told_of(events, tmp_path):
    bad = events.copy()
    bad.loc[4, "lng"] = 200
    bad.to_csv(tmp_path / "events.csv", index=False)
    with pytest.warns(hs.DataWarning, match=r"^the first row left out is .*/events.csv:6: column lng: "):
        data = read(tmp_path / "events.csv", bad_rows="skip")
    text = hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES"], goals=["profiling"]).toml
    (tmp_path / "study.toml").write_text(text)
    with pytest.warns(hs.DataWarning, match="^1 of 20,000 rows are bad and left out"):
        hs.Study.from_toml(tmp_path / "study.toml").run()


def test_mixed_objects_are_named(events):
    mixed = events.assign(uid=[1, "a"] * (len(events) // 2))
    with pytest.raises(hs.InputError, match="data frame: column uid: cannot be read"):
        read(mixed)


def test_what_is_no_table_is_refused(events):
    with pytest.raises(hs.InputError, match="a dict is neither a path nor a table"):
        read(events.to_dict())
    with pytest.raises(hs.InputError, match="data frame: no rows"):
        read(events[:0])
    with pytest.raises(hs.InputError, match="nowhere.csv: no such file"):
        read("nowhere.csv")


def test_settings_are_checked_as_in_a_file(events):
    with pytest.raises(hs.ConfigError, match=r"^period.length = 'three weeks': must be a length of time"):
        read(events, length="three weeks")
    with pytest.raises(hs.ConfigError, match="Mars/Base"):
        read(events, tz="Mars/Base")
    with pytest.warns(UserWarning, match="data.timezone is not set: UTC is used"):
        read(events, tz=None)
