# SPDX-License-Identifier: Apache-2.0
"""What a study found."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from . import _core
from ._chart import chart, summary_table
from ._frames import library


class Table:
    """One table of the results, as docs/results.md describes it. Any library that reads Arrow reads it."""

    def __init__(self, path: Path, owner: Any = None) -> None:
        self._path = str(path)
        self._owner = owner  # keeps a temporary folder

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _core.arrow_stream(self._path)

    def to_dict(self) -> dict[str, list[Any]]:
        """Lists by column."""
        return _core.columns(self._path)

    def rows(self) -> list[dict[str, Any]]:
        """A dictionary a row."""
        columns = self.to_dict()
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def to_arrow(self) -> Any:
        """A pyarrow.Table."""
        return self._arrow("to_arrow()")

    def _arrow(self, need: str) -> Any:
        return library("pyarrow", "pandas", need).RecordBatchReader.from_stream(self).read_all()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        library("pandas", "pandas", "to_pandas()")
        return self._arrow("to_pandas()").to_pandas()

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        return library("polars", "polars", "to_polars()").DataFrame(self)

    def __reduce__(self) -> Any:
        path = Path(self._path)
        return _unpack_table, (path.name, path.read_bytes())

    def __len__(self) -> int:
        return len(next(iter(self.to_dict().values()), []))


class Results:
    """A result folder. In a notebook it shows its summary and how much the counts took away. Pickled, or copied by
    copy.deepcopy, it takes the files of the folder along."""

    def __init__(self, folder: Path, findings: list[str] | None = None, owner: Any = None) -> None:
        self.folder = folder
        self._owner = owner
        self._findings = findings

    def _table(self, name: str) -> Table:
        path = self.folder / name
        if not path.exists():
            raise FileNotFoundError(f"{name} is not among the results; docs/results.md says when it is written")
        return Table(path, self._owner)

    @property
    def summary(self) -> Table:
        """One row a combination and baseline."""
        return self._table("summary.csv")

    @property
    def best(self) -> Table:
        """The best she can do without each release and with it."""
        return self._table("best.csv")

    @property
    def epochs(self) -> Table:
        """The mean error by epoch."""
        return self._table("epochs.csv")

    @property
    def users(self) -> Table:
        """One row a user, combination and baseline."""
        return self._table("users.parquet")

    @property
    def utility(self) -> Table:
        """What every release is still good for, beside baselines (`kind`) for which nobody is counted."""
        return self._table("utility.csv")

    @property
    def means(self) -> Table:
        """Every combination over its repeats."""
        return self._table("means.csv")

    @property
    def rois(self) -> Table:
        """Where profiling succeeds."""
        return self._table("rois.csv")

    def measured(self, goal: str) -> Table:
        """What a goal other than the errors found: a row for each thing it measured."""
        return self._table(f"{goal}.csv")

    def targets(self, goal: str = "membership") -> Table:
        """The same target by target, of a goal that asks about some of the people."""
        return self._table(f"{goal}_targets.parquet")

    @property
    def manifest(self) -> dict[str, Any]:
        """What was run on what."""
        return dict(json.loads((self.folder / "manifest.json").read_text(encoding="utf-8")))

    def _document(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "report.json").read_text(encoding="utf-8")))

    @property
    def findings(self) -> list[str]:
        """What was found, in sentences."""
        if self._findings is None:
            self._findings = list(self._document()["findings"])
        return self._findings

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes the report: one page for a browser, with no network."""
        return Path(shutil.copyfile(self.folder / "report.html", path))

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Copies the result folder to a new one."""
        return Path(shutil.copytree(self.folder, folder))

    def __reduce__(self) -> Any:
        files = {
            file.relative_to(self.folder).as_posix(): file.read_bytes()
            for file in sorted(self.folder.rglob("*"))
            if file.is_file()
        }
        return _unpack_results, (files, self._findings)

    def __copy__(self) -> Results:
        return Results(self.folder, self._findings, self._owner)

    def __repr__(self) -> str:
        return "\n".join(self.findings) or f"Results in {self.folder}"

    def _repr_html_(self) -> str:
        rows = self.summary.rows()
        blind = {entry["name"] for entry in self._document()["entries"]["attacks"] if not entry["uses_release"]}
        return chart(rows) + summary_table(rows, self.findings, blind)


def _unpack(files: dict[str, bytes]) -> tuple[Path, Any]:
    """A folder of these files, and what removes it once nobody needs it."""
    owner = tempfile.TemporaryDirectory(prefix="hearsay-")
    folder = Path(owner.name) / "results"
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder, owner


def _unpack_results(files: dict[str, bytes], findings: list[str] | None) -> Results:
    folder, owner = _unpack(files)
    return Results(folder, findings, owner)


def _unpack_table(name: str, content: bytes) -> Table:
    folder, owner = _unpack({name: content})
    return Table(folder / name, owner)


def open_results(folder: str | os.PathLike[str]) -> Results:
    """The results in a folder that a study wrote, here or on the command line."""
    path = Path(folder)
    _core.check_results(str(path))
    return Results(path)
