# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the command line to compare with, and a small town."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hearsay as hs

ROOT = Path(__file__).resolve().parents[2]
PERIOD = {"start": "2024-01-01", "length": "3 weeks", "observe": "2 weeks"}
GRID = hs.Grid(south=50.0, north=50.4, west=8.0, east=8.5, rows=4, cols=5)


# The tests on Spark that the short tier has, since starting it and its tasks take long: a whole study of a data frame, and
# how times are read. That shares give the numbers of one machine is what cluster_test is about, too.
SHORT_ON_SPARK = {
    "test_frames_words_and_errors",
    "test_text_that_spark_makes_times_of_is_on_the_clock_of_the_study[read-local]",
}


def pytest_collection_modifyitems(items):
    for item in items:
        if "spark" in item.fixturenames and item.name not in SHORT_ON_SPARK:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory):
    """Never the ledger of whoever runs the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def program():
    """Runs the command line and returns what it did."""
    path = os.environ["HEARSAY_PROGRAM"]

    def run(*arguments, **options):
        return subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, **options)

    return run


def make_events(rows, users, seed=7, days=21):
    """Fixes of people who have a home and wander from it."""
    random = np.random.default_rng(seed)
    person = random.integers(0, users, rows)
    homes = random.uniform(0.05, 0.95, (users, 2))
    where = np.clip(homes[person] + random.normal(0, 0.1, (rows, 2)), 0, 0.999)
    seconds = random.integers(0, days * 86400, rows)
    return pd.DataFrame(
        {
            "uid": np.char.add("u", person.astype(str)),
            "lat": 50.0 + 0.4 * where[:, 0],
            "lng": 8.0 + 0.5 * where[:, 1],
            "datetime": pd.Timestamp("2024-01-01") + pd.to_timedelta(seconds, unit="s"),
        }
    )


@pytest.fixture(scope="session")
def events():
    return make_events(20000, 60)


@pytest.fixture(scope="session")
def town(events):
    return hs.read_events(events, tz="UTC", rois=GRID, **PERIOD)


def same(a, b):
    """Two results with the same numbers to the bit."""
    names = ("summary.csv", "epochs.csv", "rois.csv")
    return all((a.folder / name).read_bytes() == (b.folder / name).read_bytes() for name in names)


@pytest.fixture(scope="session")
def spark():
    """Spark in this process, with two workers."""
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
        "spark.sql.session.timeZone": "America/New_York",  # must not matter
    }
    builder = SparkSession.builder.master("local[2]").appName("test")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
