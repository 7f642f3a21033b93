# SPDX-License-Identifier: Apache-2.0
"""People split into shares: each a range of users by id with all their visits, one partition of Spark's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from .. import _core
from .._study import Study
from . import kernels
from .kernels import BLOCK, BROKEN, FILE, Task
from .reading import clock_of_study, odd_clock, open_events


@dataclass(frozen=True)
class Shares:
    """Everybody's visits on the cluster, and what is known of all of them where the study runs.

    frame: uid string, visits binary (uint64, little-endian: epoch << 32 | place, ascending and distinct), reports int
        (visits in the study), observed int (those in the observation period). Users of a partition are in byte order
        and before those of the next. Persisted.
    places: in the order of their numbers. users, reports, observed: sums by partition.
    tally: what became of the rows, first and last event, and what is odd about them ("warnings").
    facts: the same as bytes, of ingest::Facts. patterns: of times, where they had to be found.
    name: stands for the data in messages.
    """

    frame: Any
    places: _core.Places
    users: list[int]
    reports: list[int]
    observed: list[int]
    tally: dict[str, Any]
    facts: bytes
    patterns: list[str]
    name: str

    def close(self) -> None:
        """Lets the cluster forget the visits."""
        self.frame.unpersist()


@contextmanager
def step(spark: Any, text: str) -> Iterator[None]:
    """Jobs started within are called so in Spark's page."""
    context = spark.sparkContext
    before = context.getLocalProperty("spark.job.description")
    context.setJobDescription(text)
    try:
        yield
    finally:
        context.setLocalProperty("spark.job.description", before)


def opened(study: Study | str | PathLike[str], events: Any) -> Study:
    """The study of a file. With events of its own, it need not say where its data is."""
    if isinstance(study, Study):
        return study
    return Study.from_toml(study, overrides={} if events is None else {"data.path": "events"})


class _Reading:
    """One way from events to shares."""

    def __init__(self, spark: Any, study: Study, events: Any) -> None:
        from pyspark.storagelevel import StorageLevel

        self.spark = spark
        self.level = StorageLevel.DISK_ONLY
        parts = study._parts
        self.placer = _core.Placer(_core.StudyText(*parts), [], None)
        listed = Path(self.placer.list).read_bytes() if self.placer.list else None
        with step(spark, "hearsay: open the events"):
            frame, name = open_events(spark, events, self.placer.files)
        self.task = Task(parts, [], listed, name)
        self.events = self._select(frame)
        self.odd = odd_clock(spark, self.events, name, self.placer.clock)
        self._check_columns()

    def _select(self, frame: Any) -> Any:
        """The columns that are read."""
        from pyspark.sql import functions as F

        columns = [name for name in frame.columns if name != BROKEN]
        needed = self.placer.needed_columns(columns, self.task.name)
        # A column named by its number keeps its place only among all.
        if self.placer.needed_columns(needed, self.task.name) != needed:
            needed = columns
        self.columns = needed
        kept = needed + [BROKEN] * (BROKEN in frame.columns)
        return frame.select(*(F.col("`" + name.replace("`", "``") + "`") for name in kept))

    def _check_columns(self) -> None:
        """Wrong types are told of here, before anything is read."""
        import pyarrow as pa

        schema = self.events.drop(BROKEN).limit(0).toArrow().schema
        row = pa.Table.from_arrays([pa.nulls(1, field.type) for field in schema], schema.names)
        self.placer.place(row, self.task.name, False)

    def place(self) -> tuple[Any, bytes]:
        """Visits by person and part of the data, and the facts of all rows. Times that are neither ISO 8601 nor Unix
        time end the first try; then all times are surveyed, and read by the patterns found."""
        placed, facts = self._placed(until_odd_time=True)
        if placed is not None:
            return placed, facts
        with step(self.spark, "hearsay: find how times are written"):
            for row in self.events.mapInArrow(kernels.Survey(self.task), kernels.SHAPES).toLocalIterator():
                self.placer.add_shapes(bytes(row.shapes))
        patterns = self.placer.find_patterns(self.task.name, self.columns)
        self.task = replace(self.task, patterns=patterns)
        self.placer = self.task.placer()
        return self._placed(until_odd_time=False)

    def _placed(self, until_odd_time: bool) -> tuple[Any, bytes]:
        placed = self.events.mapInArrow(kernels.Place(self.task, until_odd_time), kernels.PLACED).persist(self.level)
        with step(self.spark, "hearsay: place the events"):
            facts = placed.where("facts IS NOT NULL").select("facts").repartition(1)
            found = bytes(facts.mapInArrow(kernels.add_facts, "facts binary").collect()[0].facts)
        if not _core.is_odd(found):
            return placed, found
        placed.unpersist()
        return None, found

    def name_bad_row(self) -> None:
        """Raises for the first bad row, by file and place in it where Spark knows them."""
        from pyspark.sql import functions as F

        located = self.events.select(
            "*", F.input_file_name().alias(FILE), F.input_file_block_start().alias(BLOCK)
        )
        with step(self.spark, "hearsay: find the first bad row"):
            bad = located.mapInArrow(kernels.FindBadRow(self.task), kernels.BAD_ROW)
            first = bad.orderBy("file", "block", "partition", "row").limit(1).collect()
        if not first:
            raise _core.InputError(f"{self.task.name}: bad rows were found, but not a second time; did the data change?")
        where = first[0].file or self.task.name
        raise _core.InputError(f"{where}: {first[0].what} (the row: {first[0]['values']})")

    def conclude(self, facts: bytes) -> dict[str, Any]:
        tally = self.placer.conclude(facts, self.task.name, self.name_bad_row)
        return {**tally, "warnings": [*tally["warnings"], *self.odd]}

    def number_places(self, placed: Any) -> tuple[_core.Places, Any]:
        """The places, and visits that say them by number."""
        if not self.placer.places_seen:
            return self.placer.places, placed.where("uid IS NOT NULL").select("uid", "visits")
        with step(self.spark, "hearsay: list the places seen"):
            ids = placed.where("ids IS NOT NULL").select("ids")
            found = ids.mapInArrow(kernels.list_places, "id string").distinct().collect()
        seen = sorted((row.id for row in found), key=lambda text: text.encode())
        rows = placed.where("facts IS NULL").select("uid", "visits", "ids")
        return self._named(seen), rows.mapInArrow(kernels.Renumber(seen), kernels.VISITS)

    def _named(self, seen: list[str]) -> _core.Places:
        """Places with the name and the position that trips give them: the last name, the median position."""
        from pyspark.sql import functions as F

        known: dict[str, Any] = {}
        if self.placer.names_places(self.columns, self.task.name):
            rows = self.events.mapInArrow(kernels.NamePlaces(self.task), kernels.NAMED)
            # A position counts as often as rows have it.
            middle = [F.expr(f"percentile({name}, 0.5, rows) AS {name}") for name in ("lat", "lng")]
            with step(self.spark, "hearsay: name the places of trips"):
                known = {row.id: row for row in rows.groupBy("id").agg(F.max("name").alias("name"), *middle).collect()}
        none = (None, "", None, None)
        return _core.Places([(id, *(known.get(id, none)[1:])) for id in seen])

    def gather(self, visits: Any, partitions: int) -> Any:
        """All visits of a person in one row, people in order of their ids."""
        ranged = visits.repartitionByRange(partitions, "uid")
        return ranged.mapInArrow(kernels.Gather(self.placer.observe), kernels.SHARES).persist(self.level)

    def sums(self, frame: Any) -> list[list[int]]:
        """People, reports and observed reports by partition."""
        from pyspark.sql import functions as F

        with step(self.spark, "hearsay: gather visits by person"):
            partitions = frame.rdd.getNumPartitions()
            found = (
                frame.groupBy(F.spark_partition_id().alias("partition"))
                .agg(F.count("*"), F.sum("reports"), F.sum("observed"))
                .collect()
            )
        sums = [[0] * partitions for _ in range(3)]
        for partition, *values in found:
            for total, value in zip(sums, values):
                total[partition] = int(value)
        return sums


# Of which a share has about so many, where nobody says how many shares there are: 0.7 GiB in a worker (docs/spark.md).
VISITS_A_SHARE = 4_000_000


def make_shares(
    spark: Any, study: Study | str | PathLike[str], events: Any = None, partitions: int | None = None
) -> Shares:
    """Reads events on the cluster and splits people into at most so many shares.

    study: a file, or what Study.from_toml gave. events: a Spark data frame, the path of Parquet, CSV or JSON files on any
    file system that Spark reads, several of them, the name of a table, or None for what the study says. Raises what
    reading the same data on one machine raises.
    """
    if partitions is not None and partitions < 1:
        raise _core.ConfigError(f"partitions = {partitions}: must be at least 1")
    reading = _Reading(spark, opened(study, events), events)
    with clock_of_study(spark, reading.placer.clock):
        placed, facts = reading.place()
        try:
            tally = reading.conclude(facts)
            places, visits = reading.number_places(placed)
            least = spark.sparkContext.defaultParallelism
            frame = reading.gather(visits, partitions or max(least, -(-tally["used"] // VISITS_A_SHARE)))
            users, reports, observed = reading.sums(frame)
        finally:
            placed.unpersist()
    return Shares(frame, places, users, reports, observed, tally, facts, reading.task.patterns, reading.task.name)
