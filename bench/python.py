#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Python package costs: python.py PROGRAM, with an interpreter that has the package and pandas.

Prints the seconds of the paper's grid of priors and attacks on 10,000 commuters, from the command line PROGRAM and from
Python, and of reading 10 million events from a pandas frame, the best of several tries each. docs/python.md has figures.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

import hearsay as hs

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRIES = 5
GRID = (
    'priors = ["FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK", "LAST_WEEK", "LAST_DAY", "LAST_HOUR"]\n'
    'attacks = ["AGGREGATES", "BAYES", "MAX_ROI", "MAX_USER"]\ndecisions = ["ALL", "POP"]\n'
)


def best_of(tries, work):
    """The least seconds that work(number) took."""
    took = []
    for number in range(tries):
        began = time.perf_counter()
        work(number)
        took.append(time.perf_counter() - began)
    return min(took)


def study(program, folder):
    made = [program, "generate", "commuters", "--users", "10000", "--quiet", "--out", folder / "trips.parquet"]
    subprocess.run(made, check=True)
    text = (ROOT / "examples" / "demo" / "study.toml").read_text()
    file = folder / "study.toml"
    file.write_text(text[: text.index("# Section 5")] + GRID)
    command = [program, "study", file, "--quiet", "--out"]
    cli = best_of(TRIES, lambda number: subprocess.run([*command, folder / f"cli{number}"], check=True, capture_output=True))
    python = best_of(TRIES, lambda number: hs.Study.from_toml(file).run(out=folder / f"python{number}"))
    print(f"grid of 10,000 commuters: command line {cli:.2f} s, Python {python:.2f} s ({python / cli - 1:+.1%})")


def read():
    random = np.random.default_rng(1)
    rows = 10_000_000
    seconds = random.integers(0, 21 * 86400, rows)
    events = pd.DataFrame(
        {
            "uid": random.integers(0, 100_000, rows),
            "lat": random.uniform(50.0, 50.4, rows),
            "lng": random.uniform(8.0, 8.5, rows),
            "datetime": np.datetime64("2024-01-01", "ns") + seconds * np.timedelta64(10**9, "ns"),
        }
    )
    box = hs.Grid(south=50.0, north=50.4, west=8.0, east=8.5, rows=4, cols=5)
    settings = {"tz": "UTC", "rois": box, "start": "2024-01-01", "length": "3 weeks", "observe": "2 weeks"}
    took = best_of(TRIES, lambda number: hs.read_events(events, **settings))
    print(f"10 million events from pandas: {took:.2f} s")


def main():
    with tempfile.TemporaryDirectory(prefix="hearsay-") as folder:
        study(sys.argv[1], pathlib.Path(folder))
    read()


if __name__ == "__main__":
    main()
