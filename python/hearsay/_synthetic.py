# SPDX-License-Identifier: Apache-2.0
"""Synthetic data."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from . import _core
from ._core import Dataset
from ._places import Stations
from ._reading import read_trips


def commuters(users: int = 10000, *, seed: int = 1, folder: str | os.PathLike[str] | None = None) -> Dataset:
    """The card holders of a synthetic city, four weeks at 582 stations, the first three observed: what `hearsay demo`
    studies. `folder` keeps the trips and the stations."""
    with tempfile.TemporaryDirectory(prefix="hearsay-") as temporary:
        place = Path(temporary if folder is None else folder)
        place.mkdir(parents=True, exist_ok=True)
        _core.generate_commuters(str(place / "trips.parquet"), users, 4, seed, 0)
        return read_trips(
            place / "trips.parquet",
            tz="Europe/London",
            rois=Stations(place / "stations.csv"),
            start="2010-03-01",
            length="4 weeks",
            observe="3 weeks",
            name="commuters",
        )
