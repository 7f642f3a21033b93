# SPDX-License-Identifier: Apache-2.0
"""How far the adversary is from the truth. Signatures and documentation come from the registry of the engine."""

from ._core import metrics as _entries
from ._core.metrics import *  # noqa: F403

__all__ = [name for name in dir(_entries) if name.isupper()]
