# SPDX-License-Identifier: Apache-2.0
"""Defences: how counts are perturbed before they are published. Signatures and documentation come from the registry of the engine."""

from ._core import mechanisms as _entries
from ._core.mechanisms import *  # noqa: F403

__all__ = [name for name in dir(_entries) if name.isupper()]
