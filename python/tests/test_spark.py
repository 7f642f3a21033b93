# SPDX-License-Identifier: Apache-2.0
"""Studies on Spark give the folder that the command line writes, however people are divided and whatever dies meanwhile."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import ROOT, make_events

import hearsay as hs

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")

import hearsay.spark  # noqa: E402
from hearsay.spark import __main__ as command  # noqa: E402
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


def run(spark, study, out, partitions, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hs.spark.run(spark, study, out=out, partitions=partitions, **more)
    return out


def test_small_town_in_any_number_of_shares(spark, program, tmp_path):
    study = ROOT / "examples" / "small" / "study.toml"
    expected = alone(program, study, tmp_path / "alone")
    for partitions in (1, 2, 7, 64):
        expect_same(expected, run(spark, study, tmp_path / f"in {partitions}", partitions))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_worlds(spark, program, tmp_path, seed, monkeypatch):
    monkeypatch.setattr(running, "_range_candidates", 50)  # several ranges of places
    monkeypatch.setattr(running, "_TOLD_A_MERGER", 1 << 15)  # several tasks that merge
    study = world(tmp_path, seed, users=25 + 20 * seed, data="users = 30" if seed == 2 else "")
    expected = alone(program, study, tmp_path / "alone")
    expect_same(expected, run(spark, study, tmp_path / "shared", 3 + 4 * seed))


def test_chains_of_defences(spark, program, tmp_path):
    study = world(tmp_path, 3, more=CHAINS, data="population = 60")
    expected = alone(program, study, tmp_path / "alone")
    expect_same(expected, run(spark, study, tmp_path / "shared", 7))


def test_goals_about_groups_and_paths(spark, program, tmp_path):
    study = world(tmp_path, 4, more=GROUPS)
    expected = alone(program, study, tmp_path / "alone")
    expect_same(expected, run(spark, study, tmp_path / "shared", 5))


def test_demo(spark, program, tmp_path):
    """Thousands of people, every defence of the demo."""
    shutil.copy(ROOT / "examples" / "demo" / "study.toml", tmp_path)
    made = program("generate", "commuters", "--users", 2000, "--out", tmp_path / "trips.parquet", "--quiet")
    assert made.returncode == 0, made.stderr
    study = tmp_path / "study.toml"
    expected = alone(program, study, tmp_path / "alone")
    expect_same(expected, run(spark, study, tmp_path / "shared", 7))


@pytest.mark.long
def test_executors_of_their_own_one_of_which_is_killed(program, tmp_path):
    studies = {
        ROOT / "examples" / "small" / "study.toml": 7,
        world(tmp_path / "chains", 11, users=30, more=CHAINS, data="population = 60"): 2,
    }
    jobs = []
    for number, (study, shares) in enumerate(studies.items()):
        alone(program, study, tmp_path / f"alone {number}")
        jobs += [study, tmp_path / f"shared {number}", str(shares)]
    script = Path(__file__).with_name("spark_cluster.py")
    done = subprocess.run([sys.executable, script, "planning", *jobs], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    for number in range(len(studies)):
        expect_same(tmp_path / f"alone {number}", tmp_path / f"shared {number}")


def test_nothing_on_the_driver_grows_with_people(spark, tmp_path, monkeypatch):
    """Ten times the people, the same places: the driver is sent little more, as more places have somebody at some hour.
    Fitted priors are left out: they learn from up to a million visits."""
    sent = []
    over = running._pass_over

    def weighed(*arguments):
        for key, value in over(*arguments):
            sent[-1] += len(key) + len(value)
            yield key, value

    monkeypatch.setattr(running, "_pass_over", weighed)
    more = "[study]\npriors = ['FREQ_ROI', 'ROI_DAY_WEEK']\n[results]\nusers = 'none'\n" + CHAINS
    for users in (400, 4000):
        sent.append(0)
        study = world(tmp_path / str(users), 5, users=users, rows=60 * users, more=more)
        run(spark, study, tmp_path / f"{users}.out", 4)
    assert sent[1] < 1.3 * sent[0], sent


def test_frames_words_and_errors(spark, program, tmp_path):
    study = world(tmp_path, 6, more="[study]\npriors = ['FREQ_ROI']\n")
    expected = alone(program, study, tmp_path / "alone")
    frame = spark.read.option("header", True).csv(str(tmp_path / "events.csv"))
    told = []
    run(spark, study, tmp_path / "shared", 3, events=frame, progress=lambda what, done, total: told.append(what))
    expect_same(expected, tmp_path / "shared")
    assert told == ["reading", "counting", "steps of defences that act on people", "planning", "attacking", "writing"]
    manifest = json.loads((tmp_path / "shared" / "manifest.json").read_text())
    assert manifest["ran_on"].startswith("Apache Spark 4") and manifest["ran_on"].endswith("local[2], 3 shares")
    assert json.loads((expected / "manifest.json").read_text())["ran_on"] == "one machine"
    with pytest.raises(hs.ConfigError, match="partitions = 0: must be at least 1"):
        run(spark, study, tmp_path / "none", 0)
    with pytest.raises(hs.ConfigError, match="is a folder of something else than results"):
        run(spark, study, ROOT / "python", 2)
    with pytest.raises(hs.ConfigError, match="classes of your own run on one machine only"):
        run(spark, hs.Study.from_toml(study, own=[Own]), tmp_path / "none", 2)


class Own:
    """She believes what she believed."""

    name = "OWN"

    def infer(self, prior_epoch, counts_epoch):
        return prior_epoch


def test_results_where_hadoop_writes(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_is_remote", lambda path: "://" in path)  # by way of Hadoop, though it is here
    study = world(tmp_path, 7, more="[study]\npriors = ['FREQ_ROI']\n")
    target = tmp_path / "far" / "results"
    for _ in range(2):
        found = hs.spark.run(spark, study, out=target.as_uri(), partitions=2)
        assert (target / "report.html").exists()
        assert found.findings
    (tmp_path / "other").mkdir()
    with pytest.raises(hs.ConfigError, match="is a folder of something else than results"):
        hs.spark.run(spark, study, out=(tmp_path / "other").as_uri(), partitions=2)


def test_memory_that_gives_out_is_told_of(monkeypatch, spark, tmp_path):
    study = world(tmp_path, 8, more="[study]\npriors = ['FREQ_ROI']\n")

    def broken(*arguments):
        raise RuntimeError("SparkException: ExecutorLostFailure: Command exited with code 137, exit code 137")
        yield

    monkeypatch.setattr(running, "_pass_over", broken)
    with pytest.raises(MemoryError, match=r"an executor ran out of memory; the largest share has [0-9,]+ visits of [0-9]+ people"):
        run(spark, study, tmp_path / "none", 2)


@pytest.mark.long
def test_command(program, tmp_path):
    study = world(tmp_path, 9, more="[study]\npriors = ['FREQ_ROI']\n")
    expected = alone(program, study, tmp_path / "alone")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    arguments = [study, "--out", tmp_path / "shared", "--partitions", "2", "--quiet"]
    main = Path(hs.spark.__file__).with_name("__main__.py")
    home = Path(pyspark.__file__).parent  # where spark-submit of this PySpark is, whatever environment it was installed into
    submit = [home / "bin/spark-submit", "--master", "local[1]", main, *arguments]
    environment["SPARK_HOME"] = str(home)
    done = subprocess.run(submit, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "What leaks: " in done.stdout
    expect_same(expected, tmp_path / "shared")
    command = [sys.executable, "-m", "hearsay.spark", *arguments]
    wrong = subprocess.run([*command, "--set", "study.priors=['NONE']"], capture_output=True, text=True, env=environment)
    assert wrong.returncode == 2
    assert "hearsay: " in wrong.stderr and "known: FREQ_ROI, ROI_DAY" in wrong.stderr


def test_old_spellings_are_said_once(tmp_path, monkeypatch, capsys):
    study = world(tmp_path, 10, more="[study]\npriors = ['FREQ_ROI']\ndelta = 0.25\n")
    monkeypatch.setattr(command, "_run", lambda *given: 0)
    for changes, new in [([], "POP(delta=0.25)"), (["--set", "study.delta=0.3"], "POP(delta=0.3)")]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert command.main([str(study), "--out", "none", *changes]) == 0
        said = capsys.readouterr().err
        assert said.startswith("hearsay: warning: ") and said.count("old spelling") == 1 and new in said
