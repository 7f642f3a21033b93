# SPDX-License-Identifier: Apache-2.0
"""What is in a data set."""

from __future__ import annotations

import json
from typing import Any


class Description(dict[str, Any]):
    """The statistics of a data set, as in the paper's data section, and what became of its rows. Prints as a table."""

    def __init__(self, content: str, text: str) -> None:
        super().__init__(json.loads(content))
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__
