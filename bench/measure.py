#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what docs/performance.md promises and prints it as the tables of that page: measure.py BUILD [PART...].

Needs the program and bench/ built in BUILD; the San Francisco cabs where HEARSAY_CABS names their folder. Parts: grid
city cabs events growth loops threads membership startup page. Data is made in BUILD/measure and kept; growth also writes docs/growth.svg.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
DATA = BUILD / "measure"
WEEKS = '[period]\nstart = 2010-03-01\nepoch = "{epoch}"\nlength = "4 weeks"\nobserve = "3 weeks"\n'
TRIPS = '[data]\nname = "x"\nformat = "trips"\npath = "trips.parquet"\ntimezone = "Europe/London"\n' \
        '[rois]\nkind = "ids"\nlist = "stations.csv"\n' + WEEKS
EVENTS = '[data]\nname = "x"\npath = "{file}"\ntimezone = "Europe/London"\n' \
         '[rois]\nkind = "grid"\nsouth = 0\nnorth = 1\nwest = 0\neast = 1\nrows = {side}\ncols = {side}\n' + WEEKS
PAPER = 'priors = ["FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK", "LAST_WEEK", "LAST_DAY", "LAST_HOUR"]\n' \
        'attacks = ["AGGREGATES", "BAYES", "MAX_ROI", "MAX_USER"]\ndecisions = ["ALL", "POP"]\n'
QUIET = '[results]\nusers = "none"\n'


def program(*arguments):
    return subprocess.run([BUILD / "hearsay", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def people(kind, count):
    """Trips of `count` commuters, or of a population of that size."""
    folder = DATA / f"{kind}-{count}"
    if not (folder / "trips.parquet").exists():
        folder.mkdir(parents=True, exist_ok=True)
        program("generate", "commuters", f"--{kind}", count, "--out", folder / "trips.parquet", "--quiet")
    return folder


def events(rows, users, ending):
    DATA.mkdir(parents=True, exist_ok=True)
    file = DATA / f"events-{rows}-{users}.{ending}"
    if not file.exists():
        subprocess.run([BUILD / "bench/make_events", str(rows), str(users), file], check=True)
    return file


def study(folder, text, *flags, tries=1, control=False):
    """Seconds and peak bytes by stage of the run whose attacks took least time, with data.visits among them."""
    best = None
    flags += ("--set", f"study.control={str(control).lower()}")
    (folder / "study.toml").write_text(text + QUIET)
    for _ in range(tries):
        program("study", folder / "study.toml", "--out", folder / "results", "--quiet", *flags)
        manifest = json.loads((folder / "results/manifest.json").read_text())
        run = {stage["name"]: stage["seconds"] for stage in manifest["stages"]}
        run["peak"] = max(stage["peak_bytes"] for stage in manifest["stages"])
        run["reading peak"] = manifest["stages"][0]["peak_bytes"]
        run["visits"] = manifest["dataset"]["visits"]
        run["total"] = sum(stage["seconds"] for stage in manifest["stages"])
        if best is None or run["attack"] < best["attack"]:
            best = run
    return best


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def bench(pattern):
    out = subprocess.run([BUILD / "bench/hearsay_bench", f"--benchmark_filter={pattern}", "--benchmark_format=json"],
                         check=True, capture_output=True, text=True).stdout
    return {entry["name"]: entry for entry in json.loads(out)["benchmarks"]}


def grid():
    folder = people("users", 10000)
    log = "[study]\nlog_base = \"e\"\n"
    every = study(folder, TRIPS.format(epoch="1h") + log, tries=3)
    row("10,000 commuters, all priors, attacks and decisions", "5 s of compute", f"{every['attack']:.2f} s")
    every = study(folder, TRIPS.format(epoch="1h") + log, tries=3, control=True)
    row("the same with the control", "", f"{every['attack']:.2f} s")
    run = study(folder, TRIPS.format(epoch="1h") + log + PAPER, tries=5)
    row("10,000 commuters, the paper's grid", "1 s of compute", f"{run['attack']:.2f} s")
    controlled = study(folder, TRIPS.format(epoch="1h") + log + PAPER, tries=5, control=True)
    row("the same with the control", "1.6 s", f"{controlled['attack']:.2f} s, {controlled['attack'] / run['attack']:.2f} times")
    csv = folder / "trips.csv"
    if not csv.exists():
        program("generate", "commuters", "--users", 10000, "--out", csv, "--quiet")
    out = subprocess.run([sys.executable, ROOT / "bench/dense_numpy.py", csv, folder / "stations.csv",
                          folder / "results/epochs.csv", "4"], check=True, capture_output=True, text=True).stdout
    dense = json.loads(out)
    row("dense NumPy, the same", f"{dense['epochs']} of 168 epochs timed, times 168",
        f"{dense['seconds_an_epoch']:.1f} s an epoch, {dense['seconds']:.0f} s; worst difference {dense['worst_difference']:.0e}")
    row("ratio", "1,000", f"{dense['seconds'] / run['attack']:,.0f}")


def city():
    folder = people("population", 4000000)
    text = TRIPS.format(epoch="1h") + "[study]\n"
    run = study(folder, text + PAPER)
    row("4 million cards, reading", "60 s", f"{run['ingest'] + run['dataset']:.0f} s, {run['visits']:,} visits")
    row("4 million cards, grid", "120 s of compute", f"{run['attack']:.0f} s")
    row("4 million cards, memory", "10 GiB", f"{run['peak'] / 2**30:.1f} GiB")
    strongest()
    controlled = study(folder, text + PAPER, control=True)
    row("the same with the control", "180 s, 8 GiB",
        f"{controlled['attack']:.0f} s, {controlled['attack'] / run['attack']:.2f} times, {controlled['peak'] / 2**30:.1f} GiB")


def strongest():
    folder = people("population", 4000000)
    text = TRIPS.format(epoch="1h") + '[study]\nattacks = ["TILT"]\ndecisions = ["BEST"]\ngoals = ["localization"]\n'
    run = study(folder, text + 'priors = ["FREQ_ROI", "ROI_DAY"]\n')
    row("4 million cards, TILT and BEST on two priors", "200 s, 10 GiB",
        f"{run['attack']:.0f} s, {run['peak'] / 2**30:.1f} GiB")
    run = study(folder, text + 'priors = ["HISTORY"]\n')
    row("4 million cards, HISTORY fitted, TILT and BEST", "300 s", f"{run['attack']:.0f} s, {run['peak'] / 2**30:.1f} GiB")


def cabs():
    if not os.environ.get("HEARSAY_CABS"):
        return
    folder = DATA / "cabs"
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "examples/cabs/study.toml").read_text().split("[[release]]")[0]  # the grid of the raw release
    lines = [f'path = "{os.environ["HEARSAY_CABS"]}"' if line.startswith("path") else line for line in text.splitlines()]
    run = study(folder, "\n".join(lines) + "\n", tries=5)
    controlled = study(folder, "\n".join(lines) + "\n", tries=5, control=True)
    row("cabs, text to results", "4 s", f"{run['total']:.2f} s; {controlled['total']:.2f} s with the control")
    entries = bench("^cabs/read/")
    ours, count = (entries[f"cabs/read/{name}/real_time"]["real_time"] / 1000 for name in ("hearsay", "duckdb_count"))
    row("cabs, reading against DuckDB's count", "1.5", f"{ours:.2f} s / {count:.2f} s = {ours / count:.2f}")


def reading():
    """Events into visits."""
    for ending, target in (("parquet", 10), ("csv", 5)):
        rates, peaks = [], {}
        for rows in (10_000_000, 20_000_000):
            folder = DATA / f"events-{ending}-{rows}"
            folder.mkdir(parents=True, exist_ok=True)
            text = EVENTS.format(file=events(rows, 100000, ending), side=20, epoch="1h")
            run = study(folder, text + '[study]\npriors = ["LAST_HOUR"]\nattacks = ["PRIOR"]\n', tries=3)
            rates.append(rows / run["ingest"] / 1e6)
            peaks[rows] = run["reading peak"], run["visits"]
        (low, few), (high, many) = peaks.values()
        row(f"events, {ending}", f"{target} million rows/s", f"{max(rates):.1f} million rows/s")
        row(f"events, {ending}, memory", "16 bytes a visit", f"{(high - low) / (many - few):.1f} bytes for each further visit")


def exponent(sizes, seconds):
    return np.polyfit(np.log(sizes), np.log(seconds), 1)[0]


def growth():
    series = {}
    sizes, seconds = [], []
    for users in (10_000, 30_000, 100_000, 300_000, 1_000_000):
        run = study(people("population", users), TRIPS.format(epoch="1h"), tries=3 if users < 300_000 else 1)
        sizes.append(run["visits"])
        seconds.append(run["total"])
    series["visits (population 10,000 to 1,000,000)"] = sizes, seconds
    file = events(3_000_000, 10000, "parquet")
    for name, epoch in (("ROIs, epochs of 1 h", "1h"), ("ROIs, epochs of 15 min", "15min")):
        sizes, seconds = [], []
        for side in (10, 32, 100, 316):
            folder = DATA / f"rois-{side}"
            folder.mkdir(parents=True, exist_ok=True)
            run = study(folder, EVENTS.format(file=file, side=side, epoch=epoch), tries=2)
            sizes.append(side * side)
            seconds.append(run["attack"])
        series[name] = sizes, seconds
    sizes, seconds = [], []
    for count in (1, 2, 4, 8, 16):
        folder = people("users", 10000)
        sweep = '[[release]]\nmechanism = "SCM"\nsensitivity = "event"\nepsilon = ' \
                f'{[round(0.01 * 1.5**i, 6) for i in range(count)]}\n'
        run = study(folder, TRIPS.format(epoch="1h") + sweep, tries=2)
        sizes.append(count)
        seconds.append(run["attack"])
    series["settings swept"] = sizes, seconds
    for name, (sizes, seconds) in series.items():
        row(name, ", ".join(f"{size:,}" for size in sizes), ", ".join(f"{second:.2f}" for second in seconds),
            f"{exponent(sizes, seconds):.2f}")
    plot(series)


def plot(series):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "hearsay"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(series), figsize=(4 * len(series), 3.4))
    for axis, (name, (sizes, seconds)) in zip(axes, series.items()):
        axis.loglog(sizes, seconds, "o-")
        axis.set_title(f"{name}\nexponent {exponent(sizes, seconds):.2f}", fontsize=9)
        axis.set_ylabel("seconds")
        axis.grid(True, which="both", alpha=0.3)
    figure.tight_layout()
    figure.savefig(ROOT / "docs/growth.svg", metadata={"Date": None})


def loops():
    entries = bench("^loops/")
    copy = entries["loops/copy"]["bytes_per_second"]
    for name, entry in entries.items():
        row(name.removeprefix("loops/"), f"{entry['bytes_per_second'] / 1e9:.1f} GB/s",
            f"{entry['bytes_per_second'] / copy:.2f}")


def threads():
    folder = people("population", 400000)
    times = [study(folder, TRIPS.format(epoch="1h"), "--threads", count, tries=2)["attack"] for count in (1, 2)]
    row("two threads against one, population of 400,000", "1.7", f"{times[0]:.1f} s / {times[1]:.1f} s = {times[0] / times[1]:.2f}")


GAME = "[study]\ngoals = [\"membership\"]\npriors = [\"FREQ_ROI\"]\n[membership]\ntrials = 200\n"


def membership():
    folder = people("users", 10000)
    game = TRIPS.format(epoch="1h") + GAME + "targets = 300\ngroups = [100, 1000]\n"
    run = study(folder, game, tries=3)
    scores = 300 * 2 * 200 * 2
    row("10,000 commuters, 300 targets, groups of 100 and 1,000", "3 s", f"{run['attack']:.2f} s")
    csv = folder / "trips.csv"
    if not csv.exists():
        program("generate", "commuters", "--users", 10000, "--out", csv, "--quiet")
    out = subprocess.run([sys.executable, ROOT / "bench/membership_numpy.py", csv, folder / "stations.csv", "100", "3", "20"],
                         check=True, capture_output=True, text=True).stdout
    dense = json.loads(out)
    row("dense NumPy, a score in groups of 100", f"median AUC {dense['median']:.3f}",
        f"{1e3 * dense['seconds_a_score']:.1f} ms, {dense['seconds_a_score'] * scores / run['attack']:,.0f} times as long")
    if not os.environ.get("HEARSAY_CABS"):
        return
    folder = DATA / "cabs"
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "examples/cabs/study.toml").read_text().split("[study]")[0]
    lines = [f'path = "{os.environ["HEARSAY_CABS"]}"' if line.startswith("path") else line for line in text.splitlines()]
    text = "\n".join(lines) + "\n" + GAME
    kinds = 'knows = ["trace", "trace(share=0.1)", "habits"]\nbeyond_half = true\n'
    run = study(folder, text + kinds + "targets = 150\ngroups = [5, 10, 50, 100, 300, 500]\n", tries=2)
    row("cabs, 150 targets, six sizes of groups, three kinds of knowledge", "10 s", f"{run['attack']:.1f} s")
    ours = study(folder, text + "targets = 150\ngroups = [100]\n", tries=2)["attack"] / 150
    theirs = study(folder, text + 'targets = 6\ngroups = [100]\nattacks = ["ZERO_KNOWLEDGE"]\n')["attack"] / 6
    row("cabs, groups of 100, a target: LIKELIHOOD against ZERO_KNOWLEDGE", "100",
        f"{1e3 * ours:.1f} ms / {theirs:.2f} s = {theirs / ours:,.0f}")


def quickest(*command, tries=30):
    """Least milliseconds of a command, by the clock and of processor time: what it takes with nothing else in its way."""
    clock, processor = [], []
    for _ in range(tries):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        clock.append(1e3 * (time.perf_counter() - begin))
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command)
        processor.append(1e3 * (used.ru_utime + used.ru_stime))
    return min(clock), min(processor)


def start(name, most, command, nothing, beside):
    clock, processor = quickest(*command)
    row(f"`{name}`", most, f"{clock:.0f} ms, {processor:.0f} ms of processor time; {clock / nothing:.1f} times `{beside}`")


def startup():
    """Each beside what does nothing, in the same run. The package is that of HEARSAY_PYTHON, or of the tests."""
    nothing, _ = quickest("true")
    row("`true`", "", f"{nothing:.1f} ms")
    for argument, most in (("--help", "30 ms"), ("list", "50 ms"), ("--version", "")):
        start(f"hearsay {argument}", most, (BUILD / "hearsay", argument), nothing, "true")
    python = os.environ.get("HEARSAY_PYTHON", BUILD / "python-environment/bin/python")
    if not pathlib.Path(python).exists():
        return
    nothing, _ = quickest(python, "-c", "pass")
    row("`python -c pass`", "", f"{nothing:.1f} ms")
    for module, most in (("numpy", ""), ("hearsay", "150 ms")):
        start(f"import {module}", most, (python, "-c", f"import {module}"), nothing, "python -c pass")


def page():
    """The page and the studio in Chromium, on the demo; a table of its own."""
    sys.stdout.flush()
    subprocess.run([ROOT / "scripts/measure_latency", BUILD / "hearsay", DATA / "demo"], check=True)


PARTS = {"startup": startup, "membership": membership, "grid": grid, "city": city, "strongest": strongest, "cabs": cabs, "events": reading, "growth": growth, "loops": loops, "threads": threads, "page": page}

if __name__ == "__main__":
    for part in sys.argv[2:] or PARTS:
        PARTS[part]()
