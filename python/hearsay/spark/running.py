# SPDX-License-Identifier: Apache-2.0
"""A study over shares: pass by pass, each a job of Spark's."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from .. import _core
from .._progress import Progress, Report
from .._results import Results
from .._study import Study
from .._warnings import warn_of
from .kernels import Batches, _column
from .shares import Shares, make_shares, opened, step

ROWS = "key binary, value binary"

_TOLD_A_MERGER = 4 << 20  # bytes: some 16 MB come of it (docs/spark.md)

_range_candidates = 0  # of a place, planned for at a time; 0: as many as is usual. Tests make it small.


def _batches(source: Any) -> Batches:
    while True:
        rows, keys, values = source.next()
        if rows == 0:
            return
        columns = [_column(pa.binary(), rows, keys), _column(pa.binary(), rows, values)]
        yield pa.RecordBatch.from_arrays(columns, ["key", "value"])


def _told_of(broadcast: Any) -> _core.ClusterTold:
    """Read once by each worker, not once a task: a worker has one object for each broadcast."""
    told = getattr(broadcast, "_hearsay_told", None)
    if told is None:
        told = broadcast._hearsay_told = _core.ClusterTold(broadcast.value)
    return told


@dataclass(frozen=True)
class WorkOnShare:
    """The people of a share -> what they have to say at this pass."""

    told: Any  # broadcast

    def __call__(self, batches: Batches) -> Batches:
        from pyspark import TaskContext

        share = _core.ClusterShare()
        for batch in batches:
            share.add(pa.Table.from_batches([batch]))
        share.run(_told_of(self.told), TaskContext.get().partitionId(), 1)
        yield from _batches(share)


@dataclass(frozen=True)
class MergeRows:
    """What shares say, sorted by what it is about -> what everybody comes to."""

    told: Any  # broadcast

    def __call__(self, batches: Batches) -> Batches:
        merger = _core.ClusterMerger(_told_of(self.told))
        for batch in batches:
            merger.add(pa.Table.from_batches([batch]))
            yield from _batches(merger)
        merger.finish()
        yield from _batches(merger)


def _pass_over(spark: Any, shares: Shares, told: bytes) -> Iterator[tuple[bytes, bytes]]:
    """One pass: every share by itself, then all that is about one thing put together, then to the driver."""
    broadcast = spark.sparkContext.broadcast(told)
    # Merging is little work; a task for each share would be mostly Spark's. But what one task gives is several times in Java's
    # memory at once, and it grows with what is told.
    few = min(len(shares.users), max(spark.sparkContext.defaultParallelism, len(shares.users) // 4))
    partitions = few + len(told) // _TOLD_A_MERGER
    said = shares.frame.select("uid", "visits").mapInArrow(WorkOnShare(broadcast), ROWS)
    together = said.repartition(partitions, "key").sortWithinPartitions("key")
    try:
        for batch in together.mapInArrow(MergeRows(broadcast), ROWS).toArrow().to_batches():
            for key, value in zip(*batch.columns):
                yield key.as_py(), value.as_py()
    finally:
        broadcast.destroy()


_MEMORY = re.compile(
    "MemoryError|OutOfMemory|bad_alloc|Java heap space|code 137|Cannot allocate memory|worker exited unexpectedly"
)


@contextmanager
def _explained(shares: Shares | None) -> Iterator[None]:
    """What the executors had too little of, in words. Everything else as Spark says it."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if "maxResultSize" in text:
            sentence = "the driver takes too little from the executors: set spark.driver.maxResultSize higher"
            raise MemoryError(sentence) from error
        if not _MEMORY.search(text):
            raise
        size = ""
        if shares is not None:
            size = f"; the largest share has {max(shares.reports):,} visits of {max(shares.users):,} people"
        raise MemoryError(
            f"an executor ran out of memory{size}: give more partitions, so that shares are smaller, or more memory to "
            "each executor, for Java (spark.executor.memory) or outside it (spark.executor.memoryOverhead)"
        ) from error


def _place_of(spark: Any, partitions: int) -> str:
    """Where it ran, without the names of machines."""
    master = str(spark.sparkContext.master)
    kind = master if master.startswith("local") else master.partition(":")[0]
    kind = {"spark": "standalone", "k8s": "Kubernetes", "yarn": "YARN"}.get(kind, kind)
    return f"Apache Spark {spark.version}, {kind}, {partitions} share" + ("s" if partitions != 1 else "")


def _is_remote(path: str) -> bool:
    return "://" in path and not path.startswith("file://")


def _open(spark: Any, target: str) -> tuple[Any, Any, Any]:
    """Hadoop's classes, file system and path of a folder that results may go to."""
    files = spark._jvm.org.apache.hadoop.fs
    place = files.Path(target)
    system = place.getFileSystem(spark._jsc.hadoopConfiguration())
    if system.exists(place) and not system.exists(files.Path(place, "manifest.json")):
        raise _core.ConfigError(f"--out = {target}: is a folder of something else than results; choose a new one")
    return files, system, place


def _put(spark: Any, folder: Path, target: str) -> None:
    """Copies a folder to where Hadoop can write, in the place of earlier results."""
    files, system, place = _open(spark, target)
    staged = files.Path(place.getParent(), f".{place.getName()}.partial")
    system.delete(staged, True)
    system.copyFromLocalFile(False, True, files.Path(folder.as_uri()), staged)
    system.delete(place, True)
    if not system.rename(staged, place):
        raise OSError(f"cannot put results into {target}")


def run(
    spark: Any,
    study: Study | str | os.PathLike[str],
    events: Any = None,
    *,
    out: str | os.PathLike[str] | None = None,
    partitions: int | None = None,
    progress: bool | Report = False,
) -> Results:
    """Runs a study on the cluster of a Spark session, with the numbers, the folder and the page of one machine.

    study: a file, or what Study.from_toml gave. events: a Spark data frame, the path of Parquet, CSV or JSON files on any
    file system that Spark reads, several of them, the name of a table, or None for what the study says. out: as in
    Study.run, or where Hadoop can write. partitions: shares that people are divided into; None: such that each has a few
    million visits. More shares take less memory each, and give the same numbers.
    """
    if isinstance(study, Study) and study._data is not None:
        raise _core.ConfigError("study: is about data in this process; give the study's file, or Study.from_toml")
    study = opened(study, events)
    _, name, _, _, own = study._parts
    if own:
        raise _core.ConfigError("study: classes of your own run on one machine only")
    text = _core.StudyText(*study._parts)
    target = "" if out is None else os.fspath(out)
    if _is_remote(target):
        _open(spark, target)  # before anything is read
    parent = tempfile.TemporaryDirectory(prefix="hearsay-") if out is None or _is_remote(target) else None
    local = os.path.join(parent.name, "results") if parent is not None else target.removeprefix("file://")
    with Progress(progress) as report:

        def tell(what: str, done: int = 0, total: int = 0) -> None:
            if report is not None:
                report(what, done, total)

        tell("reading")
        with _explained(None):
            shares = make_shares(spark, study, events, partitions)
        try:
            number = len(shares.users)
            work = _core.ClusterStudy(
                text,
                shares.places,
                shares.tally,
                [(shares.name, 0)],
                number,
                local,
                Path(name).name or "study",
                _place_of(spark, number),
                _range_candidates,
            )
            with _explained(shares):
                while (told := work.next()) is not None:
                    title, message = told
                    tell(title)
                    with step(spark, f"hearsay: {title}"):
                        for key, value in _pass_over(spark, shares, message):
                            work.take(key, value)
            tell("writing")
            found = work.write()
        finally:
            shares.close()
        if parent is not None and out is not None:
            _put(spark, Path(local), target)
    warn_of(found["warnings"])
    return Results(Path(local), found["findings"], parent)
