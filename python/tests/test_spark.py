# SPDX-License-Identifier: Apache-2.0
"""Studies on Spark give the folder that the command line writes, however people are divided and whatever dies meanwhile."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, make_events

import hearsay as hs

pytest.importorskip("pyspark", reason="pyspark is not installed")

import hearsay.spark  # noqa: E402
from hearsay.spark import running  # noqa: E402

STUDY = """
[data]
name = "town"
path = "{path}"
timezone = "UTC"
{data}
[rois]
kind = "grid"
south = 50.0
north = 50.4
west = 8.0
east = 8.5
rows = 4
cols = 5
[period]
start = 2024-01-01
length = "3 weeks"
observe = "2 weeks"
{more}
"""

CHAINS = """
[[release]]
steps = ["SAMPLE(rate=0.5)", "LAPLACE(epsilon=1)"]
repeats = 2
[[release]]
steps = ["BOUND(at_most=5,per=day)", "GAUSSIAN(epsilon=1)", "ROUND(base=5)"]
[[release]]
steps = ["PLACES(of=2)", "EPOCHS(of=4)", "SUPPRESS(at_most=4)"]
[[release]]
mechanism = "FPA"
k = 25
epsilon = 1
[[release]]
mechanism = "KRR"
p = 0.5
[[release]]
mechanism = "SCM"
sensitivity = "delta"
epsilon = 1
"""

GROUPS = """
[study]
priors = ["FREQ_ROI"]
goals = ["localization", "membership", "audit", "trajectories"]
[membership]
groups = [10]
trials = 50
targets = 10
audit_trials = 200
[results]
show_users = true
least_people = 1
[[release]]
mechanism = "LAPLACE"
epsilon = 1
"""


@pytest.fixture(scope="module")
def spark():
    return _session("local[2]")


def _session(master, **more):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.files.openCostInBytes": "0",
        **more,
    }
    builder = SparkSession.builder.master(master).appName("test")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def world(folder, seed, users=40, rows=4000, data="", more=""):
    """Events of a random town, and a study of them."""
    folder.mkdir(parents=True, exist_ok=True)
    make_events(rows, users, seed=seed).to_csv(folder / "events.csv", index=False)
    study = folder / "study.toml"
    study.write_text(STUDY.format(path="events.csv", data=data, more=more))
    return study


def alone(program, study, out):
    found = program("study", study, "--out", out, "--quiet")
    assert found.returncode == 0, found.stderr
    return out


def expect_same(alone, shared):
    """Every file with the same bytes but those that say where and when, and the rows of Parquet."""
    names = sorted(file.name for file in alone.iterdir())
    assert sorted(file.name for file in shared.iterdir()) == names
    for name in names:
        ours, theirs = shared / name, alone / name
        if name.endswith(".parquet"):
            assert pq.read_table(ours).equals(pq.read_table(theirs)), name
        elif name == "manifest.json":
            expect_same_json(ours, theirs, ("input", "stages", "seconds", "peak_bytes", "files", "settings", "ran_on", "study"))
        elif name == "report.json":
            expect_same_json(ours, theirs, ("inputs", "settings"))
        elif name != "report.html":  # made of report.json
            assert ours.read_bytes() == theirs.read_bytes(), name


def expect_same_json(ours, theirs, but):
    ours, theirs = json.loads(ours.read_text()), json.loads(theirs.read_text())
    assert ours.keys() == theirs.keys()
    for key in ours.keys() - set(but):
        assert ours[key] == theirs[key], key


def run(spark, study, out, partitions):
    with pytest.warns() if False else _quiet():
        hs.spark.run(spark, study, out=out, partitions=partitions)
    return out


class _quiet:
    def __enter__(self):
        import warnings

        self.caught = warnings.catch_warnings()
        self.caught.__enter__()
        warnings.simplefilter("ignore")

    def __exit__(self, *problem):
        self.caught.__exit__(*problem)


def test_small_town_in_any_number_of_shares(spark, program, tmp_path):
    study = ROOT / "examples" / "small" / "study.toml"
    expected = alone(program, study, tmp_path / "alone")
    for partitions in (1, 2, 7, 64):
        expect_same(expected, run(spark, study, tmp_path / f"in {partitions}", partitions))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_worlds(spark, program, tmp_path, seed, monkeypatch):
    monkeypatch.setattr(running, "_range_candidates", 50)  # several ranges of places
    study = world(tmp_path, seed, users=25 + 20 * seed, data="users = 30" if seed == 2 else "")
    expected = alone(program, study, tmp_path / "alone")
    expect_same(expected, run(spark, study, tmp_path / "shared", 3 + 4 * seed))


def test_chains_of_defences(spark, program, tmp_path):
    study = world(tmp_path, 3, more=CHAINS, data="population = 60")
    expected = alone(program, study, tmp_path / "alone")
    for partitions in (1, 7):
        expect_same(expected, run(spark, study, tmp_path / f"in {partitions}", partitions))


def test_goals_about_groups_and_paths(spark, program, tmp_path):
    study = world(tmp_path, 4, more=GROUPS)
    expected = alone(program, study, tmp_path / "alone")
    expect_same(expected, run(spark, study, tmp_path / "shared", 5))
