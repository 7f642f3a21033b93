# SPDX-License-Identifier: Apache-2.0
"""What runs inside Spark's tasks: Arrow batches in, C++, Arrow batches out. Each of these is what mapInArrow calls, and
what it gives depends on its input alone, so that a task may run twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .. import _core

# Reading a part opens a database, which takes as long as some thousand rows.
PART_ROWS = 250_000

# Of a row that Spark could not take apart: what is wrong with it. Only frames read from CSV and JSON have it.
BROKEN = "_hearsay_broken"
FILE = "_hearsay_file"
BLOCK = "_hearsay_block"

PLACED = "uid string, visits binary, ids binary, facts binary"
VISITS = "uid string, visits binary"
SHARES = "uid string, visits binary, reports int, observed int"
SHAPES = "shapes binary"
BAD_ROW = "file string, block long, partition int, row long, what string, values string"
NAMED = "id string, name string, lat double, lng double, rows long"

Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True)
class Task:
    """What a task must know of the study."""

    study: tuple[str, str, str, list[str], list[Any]]  # of StudyText
    patterns: list[str]  # of times, where they were found in the data
    listed: bytes | None  # what the file of places holds: executors need not see it
    name: str  # stands for the data in messages

    def placer(self) -> _core.Placer:
        return _core.Placer(_core.StudyText(*self.study), self.patterns, self.listed)


def parts(batches: Batches) -> Iterator[pa.Table]:
    """Batches put together until they are worth a call."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= PART_ROWS:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows > 0:
        yield pa.Table.from_batches(waiting)


def _column(kind: pa.DataType, rows: int, buffers: tuple[Any, Any]) -> pa.Array:
    offsets, data = buffers
    return pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def _sound(part: pa.Table) -> tuple[pa.Table, dict[str, int]]:
    """The rows that Spark could take apart, and how many others there are by reason."""
    if BROKEN not in part.column_names:
        return part, {}
    broken = part[BROKEN]
    part = part.drop_columns([BROKEN])
    if broken.null_count == len(broken):
        return part, {}
    counts = {item["values"]: item["counts"] for item in pc.value_counts(broken.drop_null()).to_pylist()}
    return part.filter(broken.is_null()), counts


def _placed(uid: Any = None, visits: Any = None, ids: Any = None, facts: Any = None, rows: int = 1) -> pa.RecordBatch:
    def column(given: Any, kind: pa.DataType) -> pa.Array:
        if given is None:
            return pa.nulls(rows, kind)
        return given if isinstance(given, pa.Array) else pa.array([given], kind)

    columns = [column(uid, pa.string()), *(column(given, pa.binary()) for given in (visits, ids, facts))]
    return pa.RecordBatch.from_arrays(columns, ["uid", "visits", "ids", "facts"])


@dataclass(frozen=True)
class Place:
    """Events -> visits of each person in each part, and one row of facts for the task. Where places are those seen,
    they are numbered within the part, and a row with their ids comes before."""

    task: Task
    until_odd_time: bool

    def __call__(self, batches: Batches) -> Batches:
        placer = self.task.placer()
        odd = False
        for part in parts(batches):
            if odd:
                continue  # Spark wants its input read to the end
            rows, broken = _sound(part)
            for reason, count in broken.items():
                placer.add_bad(reason, count)
            if rows.num_rows == 0:
                continue
            placed = placer.place(rows, self.task.name, self.until_odd_time)
            if placed is None:
                odd = True
                continue
            people, users, visits, ids = placed
            if ids is not None:
                yield _placed(ids=ids)
            if people > 0:
                yield _placed(
                    _column(pa.string(), people, users), _column(pa.binary(), people, visits), rows=people
                )
        yield _placed(facts=placer.facts())


def add_facts(batches: Batches) -> Batches:
    """Facts of tasks -> facts of all."""
    total = _core.add_facts([])
    for batch in batches:
        total = _core.add_facts([total, *batch.column(0).to_pylist()])
    yield pa.RecordBatch.from_arrays([pa.array([total], pa.binary())], ["facts"])


@dataclass(frozen=True)
class Survey:
    """Events -> the shapes that their times have."""

    task: Task

    def __call__(self, batches: Batches) -> Batches:
        placer = self.task.placer()
        for part in parts(batches):
            rows, _ = _sound(part)
            if rows.num_rows > 0:
                placer.survey(rows, self.task.name)
        yield pa.RecordBatch.from_arrays([pa.array([placer.shapes()], pa.binary())], ["shapes"])


def _shown(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 40 else text[:37] + "..."


@dataclass(frozen=True)
class FindBadRow:
    """Events with the file that each is of -> the first bad row of the task, if there is one."""

    task: Task

    def __call__(self, batches: Batches) -> Batches:
        from pyspark import TaskContext

        context = TaskContext.get()
        placer = self.task.placer()
        before = 0
        found = False
        for part in parts(batches):
            if found:
                continue
            rows = part.drop_columns([FILE, BLOCK])
            bad = self._first(placer, rows)
            if bad is not None:
                found = True
                row, what = bad
                values = ", ".join(
                    f"{name} = {_shown(rows[name][row].as_py())}" for name in rows.column_names if name != BROKEN
                )
                fields = {
                    "file": part[FILE][row].as_py() or "",
                    "block": part[BLOCK][row].as_py(),
                    "partition": context.partitionId() if context is not None else 0,
                    "row": before + row,
                    "what": what,
                    "values": values,
                }
                kinds = [pa.string(), pa.int64(), pa.int32(), pa.int64(), pa.string(), pa.string()]
                columns = [pa.array([value], kind) for value, kind in zip(fields.values(), kinds)]
                yield pa.RecordBatch.from_arrays(columns, list(fields))
            before += part.num_rows

    def _first(self, placer: _core.Placer, part: pa.Table) -> tuple[int, str] | None:
        """Its place in the part, and what is wrong with it."""
        rows = part
        sound = None
        first = None
        if BROKEN in part.column_names:
            broken = part[BROKEN]
            rows, counts = _sound(part)
            if counts:
                valid = broken.is_valid()
                sound = pc.indices_nonzero(pc.invert(valid))
                row = pc.indices_nonzero(valid)[0].as_py()
                first = (row, broken[row].as_py())
        bad = placer.first_bad_row(rows, self.task.name) if rows.num_rows > 0 else None
        if bad is None:
            return first
        row, column, problem = bad
        row = row if sound is None else sound[row].as_py()
        if first is not None and first[0] < row:
            return first
        return row, f"column {column}: {problem}" if column else problem


@dataclass(frozen=True)
class NamePlaces:
    """Trips -> what they say of their places besides the id."""

    task: Task

    def __call__(self, batches: Batches) -> Batches:
        placer = self.task.placer()
        for part in parts(batches):
            sound, _ = _sound(part)
            if sound.num_rows == 0:
                continue
            count, ids, names, lats, lngs, rows = placer.survey_places(sound, self.task.name)
            if count == 0:
                continue
            texts = [_column(pa.string(), count, ids), _column(pa.string(), count, names)]
            degrees = [pa.array(lats, from_pandas=True), pa.array(lngs, from_pandas=True)]  # NaN is none
            yield pa.RecordBatch.from_arrays(
                [*texts, *degrees, pa.array(rows)], ["id", "name", "lat", "lng", "rows"]
            )


def list_places(batches: Batches) -> Batches:
    """Rows of ids -> the ids, each once for the task."""
    seen: set[str] = set()
    for batch in batches:
        for ids in batch.column(0).to_pylist():
            seen.update(_core.ids_of(ids))
    yield pa.RecordBatch.from_arrays([pa.array(sorted(seen), pa.string())], ["id"])


@dataclass(frozen=True)
class Renumber:
    """Visits with the numbers that places have in a part -> with those they have among all. A task's rows are in the
    order in which Place gave them."""

    ids: list[str]

    def __call__(self, batches: Batches) -> Batches:
        renumberer = _core.Renumberer(self.ids)
        for batch in batches:
            people, users, visits = renumberer.renumber(pa.Table.from_batches([batch]))
            if people > 0:
                columns = [_column(pa.string(), people, users), _column(pa.binary(), people, visits)]
                yield pa.RecordBatch.from_arrays(columns, ["uid", "visits"])


@dataclass(frozen=True)
class Gather:
    """All visits of some people, in pieces -> a row for each person, by id in byte order."""

    observe: int

    def __call__(self, batches: Batches) -> Batches:
        gathering = _core.Gathering()
        for batch in batches:
            gathering.add(pa.Table.from_batches([batch]))
        gathering.finish()
        while True:
            people, users, visits, reports, observed = gathering.next(self.observe)
            if people == 0:
                return
            columns = [_column(pa.string(), people, users), _column(pa.binary(), people, visits)]
            columns += [pa.array(reports), pa.array(observed)]
            yield pa.RecordBatch.from_arrays(columns, ["uid", "visits", "reports", "observed"])
