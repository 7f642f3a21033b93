# SPDX-License-Identifier: Apache-2.0
"""What the engine finds odd about data, as warnings of Python."""

from __future__ import annotations

import warnings
from collections.abc import Iterable


class DataWarning(UserWarning):
    """Something about the data or how it was read may not be what you meant, such as rows that were left out."""


def warn_of(sentences: Iterable[str], stacklevel: int = 2) -> None:
    """Issues one DataWarning for each sentence. A stacklevel of 2 names the caller of the function that calls this."""
    for sentence in sentences:
        warnings.warn(sentence, DataWarning, stacklevel=stacklevel + 1)
