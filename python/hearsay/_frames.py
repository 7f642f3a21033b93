# SPDX-License-Identifier: Apache-2.0
"""Tables of other libraries, handed over as Arrow without copying where they allow it."""

from __future__ import annotations

import importlib
from os import PathLike, fspath
from typing import Any

from . import _core


def is_path(source: Any) -> bool:
    return isinstance(source, (str, PathLike)) or (
        isinstance(source, (list, tuple)) and bool(source) and all(isinstance(s, (str, PathLike)) for s in source)
    )


def paths(source: Any) -> str | list[str]:
    return [fspath(s) for s in source] if isinstance(source, (list, tuple)) else fspath(source)


def _library_of(frame: Any) -> str:
    """The library whose table this is, or a subclass of it: pandas, polars or pyarrow; empty for anything else."""
    for kind in type(frame).__mro__:
        name = kind.__module__.partition(".")[0]
        if name in ("pandas", "polars", "pyarrow"):
            return name
    return ""


def library(name: str, extra: str, need: str) -> Any:
    """A library that the package does without until it is needed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(
            f"{need} needs {name}, which is not installed: pip install '.[{extra}]' in the folder of hearsay, "
            f"or pip install {name}",
            name=name,
        ) from None


def _from_pandas(frame: Any, chosen: list[int] | None) -> Any:
    """These columns of a frame, or all that Arrow can hold. Values are copied only where Arrow has another form of them."""
    pyarrow = library("pyarrow", "pandas", "reading a pandas frame")
    # A subclass may want arguments wherever a frame is made of it, and may make series of its own.
    frame = importlib.import_module("pandas").DataFrame(frame)
    names, columns = [], []
    for i in range(frame.shape[1]) if chosen is None else chosen:
        name = str(frame.columns[i])
        try:
            columns.append(pyarrow.array(frame.iloc[:, i], from_pandas=True))
        except pyarrow.ArrowException as error:
            unknown = isinstance(error, pyarrow.ArrowNotImplementedError)
            if chosen is None and (unknown or "did not recognize Python value type" in str(error)):
                continue  # objects such as shapes on a map, which no study needs
            raise _core.InputError(f"data frame: column {name}: cannot be read: {error}") from error
        names.append(name)
    return pyarrow.Table.from_arrays(columns, names)


def table(frame: Any, toml: str | None = None) -> Any:
    """An object with __arrow_c_stream__; with `toml`, of the columns that these settings need. Without it, columns of
    pandas that Arrow cannot hold are left out."""
    kind = _library_of(frame)
    if kind == "polars" and hasattr(frame, "collect"):
        frame = frame.collect()
    if kind == "pandas" and hasattr(frame, "columns"):
        if toml is None:
            return _from_pandas(frame, None)
        names = [str(name) for name in frame.columns]
        return _from_pandas(frame, [names.index(name) for name in _core.needed_columns(toml, names)])
    if toml is not None and kind in ("polars", "pyarrow") and hasattr(frame, "select"):
        names = list(frame.columns) if kind == "polars" else list(frame.schema.names)
        return frame.select(_core.needed_columns(toml, names))
    return frame
