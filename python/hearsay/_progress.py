# SPDX-License-Identifier: Apache-2.0
"""A line that says how far a run is."""

from __future__ import annotations

import sys
from collections.abc import Callable

Report = Callable[[str, int, int], None]


class _Line:
    def __init__(self) -> None:
        self.width = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        text = f"{stage} {100 * done // total}%" if total else stage
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = max(self.width, len(text))

    def close(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class Progress:
    """What to tell: nothing, a line on standard error, or a function of stage, done and total."""

    def __init__(self, wanted: bool | Report) -> None:
        self._line = _Line() if wanted is True else None
        self.report: Report | None = self._line if wanted is True else (wanted or None)  # type: ignore[assignment]

    def __enter__(self) -> Report | None:
        return self.report

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.close()
