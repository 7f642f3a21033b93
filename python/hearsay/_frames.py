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


def _module(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]


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


def _from_pandas(frame: Any) -> Any:
    pyarrow = library("pyarrow", "pandas", "reading a pandas frame")
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        # pyarrow says "Conversion failed for column NAME with type TYPE" last.
        reason, *where = error.args
        column = str(where[-1]).partition("for column ")[2].partition(" with type ")[0] if where else ""
        named = f" column {column}:" if column else ""
        raise _core.InputError(f"data frame:{named} cannot be read: {reason}") from error


def table(frame: Any, toml: str | None = None) -> Any:
    """An object with __arrow_c_stream__; with `toml`, of the columns that these settings need."""
    kind = _module(frame)
    if kind == "polars" and hasattr(frame, "collect"):
        frame = frame.collect()
    if kind == "pandas":
        names = [str(name) for name in frame.columns]
        if toml is not None:
            wanted = _core.needed_columns(toml, names)
            frame = frame.iloc[:, [names.index(name) for name in wanted]]
        return _from_pandas(frame)
    if toml is not None and kind in ("polars", "pyarrow") and hasattr(frame, "select"):
        names = list(frame.columns) if kind == "polars" else list(frame.schema.names)
        return frame.select(_core.needed_columns(toml, names))
    return frame
