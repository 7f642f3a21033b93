# SPDX-License-Identifier: Apache-2.0
"""What the adversary makes of a prior and a release. Signatures and documentation come from the registry of the engine."""

from ._core import attacks as _entries
from ._core.attacks import *  # noqa: F403

__all__ = [name for name in dir(_entries) if name.isupper()]
