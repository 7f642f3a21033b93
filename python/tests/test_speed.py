# SPDX-License-Identifier: Apache-2.0
"""The two promises about time. A busy machine is met by trying again, best of several, never by a wider margin."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from conftest import GRID, PERIOD, ROOT

import hearsay as hs

TRIES = 10


@pytest.fixture(scope="module")
def city(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("city")
    made = program("generate", "commuters", "--users", 10000, "--quiet", "--out", folder / "trips.parquet")
    assert made.returncode == 0, made.stderr
    text = (ROOT / "examples" / "demo" / "study.toml").read_text()
    grid = (
        'priors = ["FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK", "LAST_WEEK", "LAST_DAY", "LAST_HOUR"]\n'
        'attacks = ["AGGREGATES", "BAYES", "MAX_ROI", "MAX_USER"]\ndecisions = ["ALL", "POP"]\n'
    )
    (folder / "study.toml").write_text(text[: text.index("# Section 5")] + grid)
    return folder


def test_python_costs_at_most_a_tenth_more_than_the_command_line(program, city, tmp_path):
    """The paper's grid of priors and attacks on 10,000 commuters."""
    cli, python = [], []
    for number in range(TRIES):
        out = tmp_path / f"cli{number}"
        began = time.perf_counter()
        assert program("study", city / "study.toml", "--quiet", "--out", out).returncode == 0
        cli.append(time.perf_counter() - began)
        began = time.perf_counter()
        hs.Study.from_toml(city / "study.toml").run(out=tmp_path / f"python{number}")
        python.append(time.perf_counter() - began)
        if number > 0 and min(python) <= 1.1 * min(cli):
            break
    print(f"\ncommand line {min(cli):.2f} s, Python {min(python):.2f} s ({min(python) / min(cli) - 1:+.1%})")
    assert (tmp_path / "cli0/summary.csv").read_bytes() == (tmp_path / "python0/summary.csv").read_bytes()
    assert json.loads((tmp_path / "python0/manifest.json").read_text())["dataset"]["users"] == 10000
    assert min(python) <= 1.1 * min(cli)


def test_ten_million_events_from_pandas_in_three_seconds():
    random = np.random.default_rng(1)
    rows, users = 10_000_000, 100_000
    events = pd.DataFrame(
        {
            "uid": random.integers(0, users, rows),
            "lat": random.uniform(GRID.south, GRID.north, rows),
            "lng": random.uniform(GRID.west, GRID.east, rows),
            "datetime": np.datetime64("2024-01-01", "ns")
            + random.integers(0, 21 * 86400, rows) * np.timedelta64(10**9, "ns"),
        }
    )
    took = []
    for _ in range(TRIES):
        began = time.perf_counter()
        data = hs.read_events(events, tz="UTC", rois=GRID, **PERIOD)
        took.append(time.perf_counter() - began)
        assert data.users == users
        del data
        if took[-1] <= 3:
            break
    print(f"\n10 million events in {min(took):.2f} s")
    assert min(took) <= 3
