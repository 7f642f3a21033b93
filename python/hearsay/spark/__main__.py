# SPDX-License-Identifier: Apache-2.0
"""python -m hearsay.spark study.toml --out results: what spark-submit runs."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import Any

# Not relative: spark-submit runs this file by itself.
from hearsay import _core
from hearsay._study import Study
from hearsay.spark import run
from hearsay.spark.shares import opened


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m hearsay.spark",
        description="Runs a study on Apache Spark: the numbers, the folder and the page of `hearsay study`.",
        epilog="Where and with how much memory it runs is Spark's to say: spark-submit --master, --conf.",
    )
    parser.add_argument("study", help="the study file")
    parser.add_argument("--out", required=True, help="folder for the results: here, or any path that Hadoop writes")
    parser.add_argument("--events", nargs="+", help="files or folders of events that Spark reads, or the name of a table; "
                        "those of the study where left out")  # fmt: skip
    parser.add_argument("--partitions", type=int, help="shares that people are divided into; a few million visits in each "
                        "where left out")  # fmt: skip
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="changes a setting of the study")
    parser.add_argument("--quiet", action="store_true", help="no line that says how far it is")
    given = parser.parse_args(arguments)

    events = given.events[0] if given.events and len(given.events) == 1 else given.events
    try:
        # Before Spark is started, which takes seconds.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of the file alone; said below with what --set changes
            study = opened(given.study, events)
        study._parts[3].extend(given.set)
        study._text = _core.StudyText(*study._parts)
        for sentence in study._text.deprecated:
            print(f"hearsay: warning: {sentence}", file=sys.stderr)
        return _run(given, study, events)
    except (_core.InputError, _core.ConfigError, MemoryError) as error:
        print(f"hearsay: {error}", file=sys.stderr)
        return 2


def _run(given: argparse.Namespace, study: Study, events: Any) -> int:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName(f"hearsay {given.study}").getOrCreate()
    try:
        with warnings.catch_warnings(record=True) as odd:
            warnings.simplefilter("always", UserWarning)
            found = run(spark, study, events, out=given.out, partitions=given.partitions, progress=not given.quiet)
    finally:
        spark.stop()
    for warning in odd:
        print(f"warning: {warning.message}", file=sys.stderr)
    for sentence in found.findings:
        print(sentence)
    print(f"results: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
