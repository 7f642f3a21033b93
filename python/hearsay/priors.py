# SPDX-License-Identifier: Apache-2.0
"""What the adversary knows before she sees the release. Signatures and documentation come from the registry of the engine."""

from ._core import priors as _entries
from ._core.priors import *  # noqa: F403

__all__ = [name for name in dir(_entries) if name.isupper()]
