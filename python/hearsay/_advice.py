# SPDX-License-Identifier: Apache-2.0
"""What may be published: the most useful release within limits."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import Any

from . import _core
from ._core import Dataset
from ._frames import library
from ._progress import Progress, Report
from ._study import Study, expect_data
from ._warnings import warn_of

_COSTS = ("mae", "own_loss", "membership")


class Advice:
    """What `advise` found. Made by looking at the data: for its owner's eyes, not for publication.

    found: everything, as advice.json of `hearsay advise --out` has it (docs/report-schema.md).
    """

    def __init__(self, found: dict[str, Any], page: str) -> None:
        self.found = found
        self._page = page

    @property
    def chosen(self) -> dict[str, Any] | None:
        """The release that is advised; None where nothing tried keeps to the limits."""
        return None if self.found["chosen"] is None else self.found["frontier"][self.found["chosen"]]

    @property
    def nearest(self) -> dict[str, Any] | None:
        """Where nothing keeps to the limits, what misses them least."""
        return None if self.found["nearest"] is None else self.found["frontier"][self.found["nearest"]]

    @property
    def command(self) -> str:
        """The `hearsay release` command that publishes the one chosen, or the nearest; `command_notes` say what to fill
        in. Its STUDY.toml is yet to be written where the study was not read from a file."""
        return str(self.found["command"])

    @property
    def command_notes(self) -> list[str]:
        """What to fill in in the command, and what its flags are for."""
        return list(self.found["command_notes"])

    @property
    def sentences(self) -> list[str]:
        """The answer first; last, what may be published of it."""
        return list(self.found["sentences"])

    @property
    def frontier(self) -> Any:
        """A pandas data frame of the candidates that no other is better than, by MAE."""
        pandas = library("pandas", "pandas", "frontier")
        rows = []
        for number, one in enumerate(self.found["frontier"]):
            row = {"candidate": one["label"]}
            for cost in _COSTS:
                value = one[cost] or {}
                row |= {cost: value.get("mean"), f"{cost}_low": value.get("low"), f"{cost}_high": value.get("high")}
            row |= {key: one[key] for key in ("epsilon", "delta", "unit", "keeps", "draws", "people", "targets", "trials")}
            row["chosen"] = number == self.found["chosen"]
            rows.append(row)
        return pandas.DataFrame(rows)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page, and gives its path."""
        target = Path(path)
        target.write_text(self._page, encoding="utf-8")
        return target

    def __repr__(self) -> str:
        return f"<Advice: {self.sentences[0]}>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self._page)}" style="width:100%;height:44rem;border:0" title="Hearsay advice"></iframe>'


def advise(
    source: Dataset | Study | str | os.PathLike[str],
    *,
    own_loss: float | None = None,
    membership: float | None = None,
    mae: float | None = None,
    seconds: float = 60,
    seed: int = 1,
    threads: int = 0,
    progress: bool | Report = False,
) -> Advice:
    """Searches chains of defences for the most useful release within the limits, as `hearsay advise` does.

    source: a data set, a study (its priors, attacks, goals and membership are what counts), or the path of a study file.
    own_loss: most that being counted may take of an adversary's error about people, as a share.
    membership: most with which somebody may tell who was counted: an AUC, 0.5 is a blind guess.
    mae: most that a count may be off on average. A limit left out does not bind; one at least is needed.
    seconds: how long to search. The same seed gives the same advice, unless the clock cuts it short, which it then says.
    """
    if isinstance(source, Study):
        study = source
    elif isinstance(source, Dataset):
        study = Study(source)
    else:
        expect_data(source, or_file=True)
        study = Study.from_toml(source)
    _, file, *_ = study._parts
    with Progress(progress) as report:
        found, page, odd = _core.advise(
            study._knowing([]), study._data, own_loss, membership, mae, seconds, seed, file, threads, report
        )
    warn_of(odd)
    return Advice(json.loads(found), page)
