# SPDX-License-Identifier: Apache-2.0
import re

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in cells), "clear the outputs before committing"
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    client.execute()
    shown = [output for cell in cells for output in cell.outputs if "data" in output]
    assert any("<svg" in output["data"].get("text/html", "") for output in shown)


def test_the_paper_takes_ten_cells():
    notebook = nbformat.read(ROOT / "examples" / "paper.ipynb", as_version=4)
    assert len(notebook.cells) == 10


@pytest.mark.long
@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_the_documentation_runs(name, tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), flags=re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    scope = {}
    for block in blocks:
        exec(compile(block, name, "exec"), scope)
