# SPDX-License-Identifier: Apache-2.0
"""What data looks like that nothing is known about yet."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _core, _frames


class Look(dict[str, Any]):
    """What was seen of data, as `hearsay describe FILE --json` has it. Prints as text.

    study: a study of it with the guesses marked, as `hearsay init` writes it; empty where none can be made.
    problem: why none can be made, or None. odd: sentences on what may be wrong with the data.
    """

    def __init__(self, content: str, text: str, study: str, settings: str) -> None:
        super().__init__(json.loads(content))
        self._text = text
        self._settings: dict[str, Any] = json.loads(settings) if settings else {}
        self.study = study

    @property
    def problem(self) -> str | None:
        problem: str | None = self["problem"]
        return problem

    @property
    def odd(self) -> list[str]:
        return list(self["odd"])

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def look(source: Any, *, threads: int = 0) -> Look:
    """Looks at a file, a folder, a pattern, a list of files, or a data frame, and guesses how to study it."""
    if _frames.is_path(source):
        named = _frames.paths(source)
        return Look(*_core.look([named] if isinstance(named, str) else named, None, os.getcwd(), threads))
    return Look(*_core.look([], _frames.table(source), os.getcwd(), threads))
