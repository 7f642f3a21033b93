# SPDX-License-Identifier: Apache-2.0
"""The places of a study."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any


@dataclass(frozen=True)
class Grid:
    """A box of rows x cols equal cells, in degrees. South and west edges belong to it, north and east do not."""

    south: float
    north: float
    west: float
    east: float
    rows: int
    cols: int

    def _settings(self) -> dict[str, Any]:
        return {"kind": "grid", **self.__dict__}


@dataclass(frozen=True)
class Stations:
    """Places with ids: those seen in the data, or those of a list with the column `roi` and optionally `name`, `lat`
    and `lng`, in a file or a data frame."""

    list: Any = None

    def _settings(self) -> dict[str, Any]:
        if self.list is None:
            return {"kind": "ids"}
        return {"kind": "ids", "list": fspath(self.list) if self._is_path() else "stations"}

    def _is_path(self) -> bool:
        return isinstance(self.list, (str, PathLike))

    def _table(self) -> Any:
        return None if self.list is None or self._is_path() else self.list


def as_places(given: Any) -> Grid | Stations:
    """Places as they are, or the stations of a list."""
    return given if isinstance(given, (Grid, Stations)) else Stations(given)
