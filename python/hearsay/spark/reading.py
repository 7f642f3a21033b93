# SPDX-License-Identifier: Apache-2.0
"""Data frames of what Spark reads: files on any file system it knows, tables, and frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any

from .. import _core
from .kernels import BROKEN

CORRUPT = "_hearsay_corrupt"
_KINDS = {
    "parquet": "parquet",
    "pq": "parquet",
    "csv": "csv",
    "tsv": "csv",
    "txt": "csv",
    "json": "json",
    "jsonl": "json",
    "ndjson": "json",
}
_PACKED = ("gz", "bz2", "zst", "snappy", "lz4", "deflate")
_ENCODINGS = {"latin-1": "ISO-8859-1", "utf-16": "UTF-16", "utf-8": "UTF-8", "": "UTF-8"}


def _ending(path: str) -> str:
    """The last ending of the name that says what is in the file; empty where none does."""
    name = path.rstrip("/").rpartition("/")[2]
    endings = name.lower().split(".")[1:]
    while endings and endings[-1] in _PACKED:
        endings.pop()
    return endings[-1] if endings and endings[-1] in _KINDS else ""


def _first_file(spark: Any, path: str) -> str:
    """The first file below a path, for its ending; empty where there is none."""
    files = spark._jvm.org.apache.hadoop.fs
    pattern = files.Path(path)
    system = pattern.getFileSystem(spark._jsc.hadoopConfiguration())
    waiting = [found.getPath() for found in system.globStatus(pattern) or []]
    while waiting:
        place = waiting.pop(0)
        if not system.getFileStatus(place).isDirectory():
            return str(place.toString())
        inside = [found.getPath() for found in system.listStatus(place)]
        waiting = [found for found in inside if not found.getName().startswith(("_", "."))] + waiting
    return ""


def _kind(spark: Any, path: str) -> tuple[str, str]:
    """The format of the files at a path, and their ending."""
    first = _first_file(spark, path)
    if not first:
        raise _core.InputError(f"{path}: no such file")
    ending = _ending(path) or _ending(first)
    if not ending:
        raise _core.InputError(
            f"{path}: neither Parquet, CSV nor JSON by its ending; convert it first, or read it with Spark and give the "
            "data frame"
        )
    return _KINDS[ending], ending


def _csv(spark: Any, paths: list[str], ending: str, files: dict[str, Any]) -> Any:
    from pyspark.sql import functions as F
    from pyspark.sql.types import StringType, StructField, StructType

    if files["skip"] > 0:
        raise _core.ConfigError(
            f"data.skip = {files['skip']}: Spark skips no lines; convert the files first, or give a data frame"
        )
    options = {
        "header": files["header"],
        "sep": files["separator"] or ("\t" if ending == "tsv" else ","),
        "encoding": _ENCODINGS[files["encoding"]],
        "quote": '"',
        "escape": '"',
        "mode": "PERMISSIVE",
    }
    # All columns as text: what a value is, ingest decides.
    names = spark.read.csv(paths, **options).columns
    if not names:
        raise _core.InputError(f"{paths[0]}: no rows")
    if not files["header"]:
        names = [str(number + 1) for number in range(len(names))]
    fields = [StructField(name, StringType()) for name in names]
    schema = StructType([*fields, StructField(CORRUPT, StringType())])
    frame = spark.read.csv(paths, schema=schema, columnNameOfCorruptRecord=CORRUPT, enforceSchema=True, **options)
    few = F.col(f"`{names[-1]}`").isNull()
    problem = F.when(few, "too few columns").otherwise("too many columns")
    return frame.withColumn(BROKEN, F.when(F.col(CORRUPT).isNotNull(), problem)).drop(CORRUPT)


def _json(spark: Any, paths: list[str]) -> Any:
    from pyspark.sql import functions as F

    frame = spark.read.json(paths, primitivesAsString=True, columnNameOfCorruptRecord=CORRUPT)
    if CORRUPT not in frame.columns:
        return frame
    if frame.columns == [CORRUPT]:
        raise _core.InputError(f"{paths[0]}: not JSON; expected an object a line")
    frame = spark.read.json(paths, schema=frame.schema, columnNameOfCorruptRecord=CORRUPT)
    return frame.withColumn(BROKEN, F.when(F.col(CORRUPT).isNotNull(), "not JSON")).drop(CORRUPT)


_ZONE = "spark.sql.session.timeZone"


@contextmanager
def clock_of_study(spark: Any, zone: str) -> Iterator[None]:
    """Spark makes time stamps of text in files when it reads them. Within, text without a zone is on this clock."""
    before = spark.conf.get(_ZONE)
    spark.conf.set(_ZONE, zone)
    try:
        yield
    finally:
        spark.conf.set(_ZONE, before)


def _straight_from_files(plan: Any) -> set[int]:
    """The ids of the columns of a logical plan whose values are those of files, whatever their names."""
    children = list(_listed(plan.children()))
    if not children:
        kind = plan.getClass().getSimpleName()
        is_files = kind == "LogicalRelation" and plan.relation().getClass().getSimpleName() == "HadoopFsRelation"
        found = plan.output() if is_files or kind == "DataSourceV2Relation" else None
        return set() if found is None else {column.exprId().id() for column in _listed(found)}
    known = set().union(*map(_straight_from_files, children))
    if plan.nodeName() == "Project":
        for column in _listed(plan.projectList()):
            renames = column.nodeName() == "Alias" and column.child().nodeName() == "AttributeReference"
            if renames and column.child().exprId().id() in known:
                known.add(column.exprId().id())
    return known


def _listed(scala: Any) -> Iterator[Any]:
    items = scala.iterator()
    while items.hasNext():
        yield items.next()


def odd_clock(spark: Any, frame: Any, name: str, zone: str) -> list[str]:
    """Sentences on columns of the type TIMESTAMP that may have been made by another clock than that of the study, before
    it was known. A TIMESTAMP is an instant, whatever text it was made of."""
    session = spark.conf.get(_ZONE)
    times = [field.name for field in frame.schema if field.dataType.typeName() == "timestamp"]
    if session == zone or not times:
        return []
    plan = frame._jdf.queryExecution().withCachedData()
    known = _straight_from_files(plan)
    unknown = [c.name() for c in _listed(plan.output()) if c.name() in times and c.exprId().id() not in known]
    return [
        f"{name}: column {column}: is a TIMESTAMP, so it is studied as the instant that Spark has. Spark's session is in "
        f"{session} and the study in {zone}: where Spark made it of local times, set {_ZONE} to {zone} before the frame "
        "is made, or make the column a TIMESTAMP_NTZ"
        for column in unknown
    ]


def open_events(spark: Any, events: Any, files: dict[str, Any]) -> tuple[Any, str]:
    """A data frame of events and what messages call it. `events`: a data frame, a path or several, the name of a
    table, or None for what the study says; `files`: how the study says to read text."""
    from pyspark.errors import AnalysisException

    if hasattr(events, "mapInArrow"):
        return events, "data frame"
    if isinstance(events, str) and "/" not in events and not _ending(events) and spark.catalog.tableExists(events):
        return spark.table(events), events
    given: Sequence[Any] = files["paths"] if events is None else [events]
    if isinstance(events, (list, tuple)):
        given = events
    if not given or not all(isinstance(path, (str, PathLike)) for path in given):
        raise _core.InputError(f"a {type(events).__name__} is neither a Spark data frame, a path nor a table")
    paths = [fspath(path) for path in given]
    kinds = {_kind(spark, path) for path in paths}
    if len({kind for kind, _ in kinds}) > 1:
        raise _core.InputError(f"{paths[0]}: files of one format are read at a time; give a data frame of all")
    kind, ending = min(kinds)
    try:
        if kind == "csv":
            return _csv(spark, paths, ending, files), paths[0]
        return (_json(spark, paths) if kind == "json" else spark.read.parquet(*paths)), paths[0]
    except AnalysisException as error:
        problem = str(error).splitlines()[0]
        hint = '; write times in microseconds, as pandas does with coerce_timestamps="us"' if "NANOS" in problem else ""
        raise _core.InputError(f"{paths[0]}: cannot be read: {problem}{hint}") from error
