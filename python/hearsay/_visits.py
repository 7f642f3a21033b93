# SPDX-License-Identifier: Apache-2.0
"""What a class with `keep` gets: visits of some people, before they are counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it takes longer to import than all the rest, and only classes with `keep` need it here
    import numpy as np
    import numpy.typing as npt

_SECONDS = {"day": 86400, "week": 7 * 86400}


@dataclass(frozen=True)
class Visits:
    """All visits of some people, by person, then epoch, then place.

    By person: `people`, their numbers; `seeds`, a random number each; `begins`, where the visits of each begin, and where
    those of the last end. By visit: `person`, `place`, `epoch`, and `random`, uniform from 0 to 1. What is random depends
    on the draw and the person alone, never on who else is in the batch.
    """

    people: npt.NDArray[np.uint32]
    seeds: npt.NDArray[np.uint64]
    begins: npt.NDArray[np.uint32]
    person: npt.NDArray[np.uint32]
    place: npt.NDArray[np.uint32]
    epoch: npt.NDArray[np.uint32]
    random: npt.NDArray[np.float64]
    epoch_seconds: int

    def __len__(self) -> int:
        return len(self.person)

    def window(self, per: str = "release") -> npt.NDArray[np.int64]:
        """The number of each visit's epoch, day or week, counted from the start of the release; or 0."""
        import numpy as np

        epoch = self.epoch.astype(np.int64)
        if per == "epoch":
            return epoch
        if per == "release":
            return np.zeros_like(epoch)
        if per not in _SECONDS:
            raise ValueError(f"per = {per!r}: must be 'epoch', 'day', 'week' or 'release'")
        return epoch * self.epoch_seconds // _SECONDS[per]

    def rank(self, per: str = "release", by: npt.ArrayLike | None = None) -> npt.NDArray[np.int64]:
        """How many visits of the same person and window come before each: by time, or by the numbers given."""
        import numpy as np

        window = self.window(per)
        place = np.arange(len(self)) if by is None else np.asarray(by)
        order = np.lexsort((place, window, self.person))
        new = np.ones(len(self), dtype=bool)
        new[1:] = (np.diff(self.person[order].astype(np.int64)) != 0) | (np.diff(window[order]) != 0)
        position = np.arange(len(self))
        rank = np.empty(len(self), dtype=np.int64)
        rank[order] = position - np.maximum.accumulate(np.where(new, position, 0))
        return rank
