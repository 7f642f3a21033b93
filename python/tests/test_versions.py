# SPDX-License-Identifier: Apache-2.0
"""What the package is, what it loads, and files and spellings of other versions (tests/versions)."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import hearsay as hs

VERSIONS = Path(__file__).resolve().parents[2] / "tests/versions"


def test_package_and_program_say_the_same_of_themselves():
    printed = subprocess.run([os.environ["HEARSAY_PROGRAM"], "--version"], check=True, capture_output=True, text=True)
    first, *lines = printed.stdout.splitlines()
    told = {line[:15].strip(): line[15:].strip() for line in lines}
    facts = hs.build_info()
    assert first == f"hearsay {hs.__version__}"
    assert facts.pop("hearsay") == hs.__version__
    for own in ("commit", "compiler", "build", "date"):  # two builds
        told.pop(own, None)
        facts.pop(own, None)
    assert facts == told
    assert facts["study schema"] == "1" and facts["DuckDB"].startswith("v")


def test_import_loads_no_library_that_may_not_be_used():
    heavy = "numpy pandas pyarrow polars pyspark matplotlib IPython".split()
    code = f"import sys, hearsay; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "[]"


def test_studies_of_a_newer_schema_are_refused():
    with pytest.raises(hs.ConfigError, match="schema = 2: this is hearsay .*upgrade hearsay"):
        hs.Study.from_toml(VERSIONS / "newer/study.toml")
    with pytest.raises(hs.ConfigError, match="schema = 'the first': must be a whole number"):
        hs.Study.from_toml(VERSIONS / "garbage/study.toml")


def test_old_spellings_warn_once_and_give_the_same():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        old = hs.Study.from_toml(VERSIONS / "older/study.toml")
    assert [str(one.message).rpartition("study.toml:")[2] for one in said] == [
        '21: study.delta is an old spelling, read until hearsay 1.0: write study.decisions = '
        '["ALL", "POP(delta=0.3)", "BEST", "COMMIT"]',
        '23: post_process = false is an old spelling, read until hearsay 1.0: write "none"',
    ]
    assert {one.category for one in said} == {FutureWarning}
    assert {Path(one.filename).name for one in said} == {Path(__file__).name}
    before = old.run().summary.rows()
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        after = hs.Study.from_toml(VERSIONS / "today.toml").run().summary.rows()
    assert {row["decision"] for row in after} >= {"ALL", "POP(delta=0.3)"}
    named = json.loads(json.dumps(after).replace("POP(delta=0.3)", "POP"))
    assert named == before


def test_a_study_in_code_warns_of_delta_only_where_it_is_given():
    data = hs.commuters(50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES"])
    assert study.toml.startswith("schema = 1\n")
    with pytest.warns(FutureWarning, match=r'write study.decisions = \["ALL", "POP\(delta=0.25\)", "BEST"'):
        hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES"], delta=0.25)


def test_results_of_other_versions_are_opened_or_refused(tmp_path):
    assert hs.open_results(VERSIONS / "older").manifest["hearsay"] == "0.1.0"
    with pytest.raises(hs.InputError, match="results of version 2, made by hearsay 0.9.0; .*: upgrade hearsay"):
        hs.open_results(VERSIONS / "newer")
    with pytest.raises(hs.InputError, match="not results: it has no number of its version"):
        hs.open_results(VERSIONS / "garbage")
    shutil.copy(VERSIONS / "older/study.toml", tmp_path)
    with pytest.raises(hs.InputError, match="not a folder of results: it has no manifest.json"):
        hs.open_results(tmp_path)
