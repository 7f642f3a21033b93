#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/spark.md says of time and memory: spark.py BUILD PYTHON [CARDS...].

BUILD has the program, PYTHON is an interpreter with the package and pyspark. For each number of cards the same study by
the command line and by Spark's local[2]: seconds by pass, and the most memory that any one worker of Python, and Java,
took. Data is made in BUILD/measure and kept.
"""
import json
import math
import pathlib
import subprocess
import sys
import threading
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
PYTHON = sys.argv[2]
CARDS = [int(text) for text in sys.argv[3:]] or [400_000, 1_300_000, 4_000_000]
STUDY = """
[data]
name = "cards"
format = "trips"
path = "trips.parquet"
timezone = "Europe/London"
[rois]
kind = "ids"
list = "stations.csv"
[period]
start = 2010-03-01
epoch = "1h"
length = "4 weeks"
observe = "3 weeks"
[study]
priors = ["ROI_DAY_WEEK"]
attacks = ["BAYES", "MAX_ROI", "TILT"]
[results]
users = "none"
[[release]]
mechanism = "LAPLACE"
epsilon = 1
"""
RUN = """
import sys, json, time
from pyspark.sql import SparkSession
import hearsay.spark as hs
study, out, partitions = sys.argv[1], sys.argv[2], int(sys.argv[3]) or None
spark = SparkSession.builder.master("local[2]").config("spark.driver.memory", "3g").config("spark.ui.enabled", "false") \
    .config("spark.ui.showConsoleProgress", "false").config("spark.local.dir", out + ".spark").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
began = time.time()
steps = []
hs.run(spark, study, out=out, partitions=partitions, progress=lambda what, done, total: steps.append((what, time.time() - began)))
steps.append(("end", time.time() - began))
print(json.dumps(steps))
"""


def program(*arguments):
    subprocess.run([BUILD / "hearsay", *map(str, arguments)], check=True, capture_output=True)


def resident(pid):
    """The most it ever had, and its command; nothing where it is gone."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        command = pathlib.Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return None
    most = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return (int(most[0].split()[1]) * 1024 if most else 0, command)


def children(pid):
    of = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            of += map(int, task.read_text().split())
        except OSError:
            continue
    return of + [inner for child in of for inner in children(child)]


def watched(command):
    """What it prints, and the most memory by kind of process."""
    work = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most = {"driver": 0, "java": 0, "worker": 0}
    done = threading.Event()

    def watch():
        while not done.wait(0.5):
            for pid in [work.pid, *children(work.pid)]:
                found = resident(pid)
                if found is None:
                    continue
                size, text = found
                kind = "driver" if pid == work.pid else "java" if "java" in text.split(" ")[0] else "worker"
                most[kind] = max(most[kind], size)

    watcher = threading.Thread(target=watch)
    watcher.start()
    text, _ = work.communicate()
    done.set()
    watcher.join()
    assert work.returncode == 0
    return text, most


def measure(cards):
    folder = BUILD / "measure" / f"population-{cards}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "trips.parquet").exists():
        program("generate", "commuters", "--population", cards, "--out", folder / "trips.parquet", "--quiet")
    study = folder / "spark.toml"
    study.write_text(STUDY)
    began = time.time()
    one = "refused"
    done = subprocess.run([BUILD / "hearsay", "study", study, "--out", folder / "alone", "--quiet"], capture_output=True, text=True)
    if done.returncode == 0:
        one = f"{time.time() - began:.0f} s, {json.loads((folder / 'alone/manifest.json').read_text())['peak_bytes'] / 2**30:.1f} GiB"
    else:
        print(done.stderr)
    began = time.time()
    text, most = watched([PYTHON, "-c", RUN, str(study), str(folder / "shared"), "0"])
    shared = time.time() - began
    steps = json.loads(text.splitlines()[-1])
    manifest = json.loads((folder / "shared/manifest.json").read_text())
    files = [folder / name / "epochs.csv" for name in ("alone", "shared")]
    same = "" if one == "refused" else "the same" if files[0].read_bytes() == files[1].read_bytes() else "DIFFERS"
    print(f"{cards} cards, {manifest['dataset']['visits']} visits: command line {one}; {manifest['ran_on']}: {shared:.0f} s, "
          + ", ".join(f"{kind} {size / 2**30:.2f} GiB" for kind, size in most.items()) + f"; epochs.csv {same}")
    for (what, start), (_, end) in zip(steps, steps[1:]):
        print(f"    {what}: {end - start:.1f} s")
    sys.stdout.flush()
    return shared


if __name__ == "__main__":
    seconds = [measure(cards) for cards in CARDS]
    for (a, x), (b, y) in zip(zip(CARDS, seconds), list(zip(CARDS, seconds))[1:]):
        print(f"{a} to {b} cards: time grows with the power {math.log(y / x) / math.log(b / a):.2f}")
