# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
from pathlib import Path

import pytest

import hearsay as hs

PACKAGE = Path(hs.__file__).parent

GOOD = """
import hearsay as hs
import numpy as np
import numpy.typing as npt

data: hs.Dataset = hs.commuters(10)
prior = hs.priors.FREQ_ROI(data)
inference = hs.attacks.BAYES(prior, data.release())
errors = hs.metrics.LOCALIZATION(data, inference, delta=0.4, decision="POP")
total: float = errors.mean
release = hs.mechanisms.FPA(k=20, epsilon=1).perturb(data, seed=2)
counts: npt.NDArray[np.float64] = data.aggregates()
results: hs.Results = hs.Study(data, attacks=["BAYES"]).run(progress=True)
path = results.report("report.html")
class First:
    by_person = True

    def sensitivity(self) -> dict[str, object]:
        return {"at_most": 5, "per": "week"}

    def keep(self, visits: hs.Visits) -> npt.NDArray[np.bool_]:
        return visits.rank("week", by=visits.random) < 5


steps = [hs.step(First), "GAUSSIAN(epsilon=1)"]
noisy: hs.Release = hs.chain(*steps).perturb(data)
hs.publish(data, steps, out="y.csv", account="riders", budget=1)
made: hs.Publication = hs.publish(data, "SCM", out="x.csv", account="riders", budget=1, bound=20, epsilon=0.5)
"""

BAD = """
import hearsay as hs

data = hs.commuters("many")
hs.mechanisms.SCM(epsilom=1)
hs.attacks.BAYES(data, data.release())
hs.priors.FREQUENT(data)
"""


def check(folder, text):
    (folder / "program.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", folder / "cache", "program.py"],
        cwd=folder,
        capture_output=True,
        text=True,
    ).stdout.splitlines()


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()
    stub = (PACKAGE / "_core" / "mechanisms.pyi").read_text()
    for name in hs.mechanisms.__all__:
        assert f"def {name}(" in stub


@pytest.mark.long
def test_a_type_checker_follows_it(tmp_path):
    assert check(tmp_path, GOOD) == []


@pytest.mark.long
def test_a_type_checker_finds_mistakes(tmp_path):
    lines = [line.split(":")[1] for line in check(tmp_path, BAD) if "error" in line]
    assert lines == ["4", "5", "6", "7"]


@pytest.mark.long  # pip puts the library inside; the build does not
def test_the_library_travels_inside():
    assert (PACKAGE / "libduckdb.so").stat().st_size > 10**7
    maps = Path("/proc/self/maps").read_text()
    assert str(PACKAGE / "libduckdb.so") in maps
