# SPDX-License-Identifier: Apache-2.0
"""The same study on Apache Spark. Needs pyspark 4 (the extra `spark`) and Java 17."""

from __future__ import annotations

from .running import run
from .shares import Shares, make_shares

__all__ = ["Shares", "make_shares", "run"]
