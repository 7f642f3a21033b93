# SPDX-License-Identifier: Apache-2.0
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import psutil
import pyarrow as pa
import pytest
from conftest import GRID, PERIOD, ROOT, make_events

import hearsay as hs

RUNS = 1000
SMALL = ROOT / "examples" / "small" / "study.toml"


def tasks():
    return len(os.listdir("/proc/self/task"))


class Interrupter:
    """Sends Ctrl-C once work was seen to begin: by its first report of progress or, without one, by a thread of its own."""

    def __init__(self, reports):
        self.reports = reports
        self._begun = threading.Event()
        self._over = False

    def progress(self, *_):
        self._begun.set()

    def wait_for(self, has_begun):
        while not self._over and not has_begun():
            time.sleep(0.001)
        if not self._over:
            signal.raise_signal(signal.SIGINT)

    def __enter__(self):
        before = tasks() + 1  # with the thread that waits
        has_begun = self._begun.is_set if self.reports else lambda: tasks() > before
        self._thread = threading.Thread(target=self.wait_for, args=[has_begun])
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over = True
        self._thread.join()


@pytest.fixture(scope="module")
def city():
    return hs.commuters(3000)


def long_run(city, progress):
    hs.Study(city, releases=[hs.release("SCM", sensitivity="event", epsilon=0.1, repeats=1000)]).run()


def long_read(city, progress):
    part = make_events(100000, 5000)
    part["datetime"] = part["datetime"].astype(str)
    events = pa.concat_tables([pa.Table.from_pandas(part, preserve_index=False)] * 1000)  # which all share their values
    hs.read_events(events, tz="UTC", rois=GRID, progress=progress, **PERIOD)


def long_prior(city, progress):
    for _ in range(1000):
        hs.priors.HISTORY(city)


def long_generation(city, progress):
    hs.commuters(10_000_000)


def long_perturbation(city, progress):
    for _ in range(100000):
        hs.mechanisms.SCM(sensitivity="event", epsilon=1).perturb(city)


def long_advice(city, progress):
    hs.advise(hs.Study(city), mae=1, seconds=3600)


@pytest.mark.parametrize(
    ("work", "reports"),
    [
        (long_run, False),
        (long_read, True),
        (long_prior, False),
        (long_generation, False),
        (long_perturbation, False),
        (long_advice, False),
    ],
)
def test_ctrl_c_ends_long_work_and_leaves_the_interpreter_usable(city, work, reports):
    """Each of these takes minutes, so that one which is not interrupted runs into the time limit of the tests."""
    with Interrupter(reports) as interrupter:
        with pytest.raises(KeyboardInterrupt):
            work(city, interrupter.progress)
    assert hs.Study(city, priors=["FREQ_ROI"], attacks=["BAYES"], goals=["profiling"], control=False).run().findings


def test_an_interrupted_run_leaves_nothing_behind(town, tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    study = hs.Study(town, releases=[hs.release("SCM", sensitivity="event", epsilon=0.1, repeats=50)])
    with pytest.raises(KeyboardInterrupt):
        study.run(out=tmp_path / "results", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_run_in_a_thread_does_not_block_others(town):
    defence = hs.release("SCM", sensitivity="event", epsilon=0.1, repeats=50)
    study = hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"], releases=[defence])
    done = threading.Event()
    found = []

    def work():
        found.append(study.run(threads=1))
        done.set()

    thread = threading.Thread(target=work)
    ticks = 0
    thread.start()
    while not done.is_set():
        time.sleep(0.001)  # lets go of the interpreter, and waits until it is free
        ticks += 1
    thread.join()
    assert len(found) == 1
    # A run that held the interpreter would let this thread on a few times in all.
    assert ticks > 50


def test_runs_in_several_threads_agree(town):
    study = hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES", "MAX_USER"])
    expected = study.run().summary.to_dict()
    found = []
    threads = [threading.Thread(target=lambda: found.append(study.run().summary.to_dict())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


class Own:
    """An attack in Python, for a run that crosses the border both ways."""

    def infer(self, prior, counts):
        return prior


@pytest.mark.long
def test_no_leak_over_a_thousand_runs():
    frame = make_events(2000, 20, days=3)
    period = {"start": "2024-01-01", "length": "3 days", "observe": "2 days"}
    process = psutil.Process()

    kept = []

    def once(number):
        if number % 5 == 0:  # reading costs most
            kept[:] = [hs.read_events(frame, tz="UTC", rois=GRID, threads=1, **period)]
        [data] = kept
        results = hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES", Own], decisions=["POP"]).run(threads=1)
        results.summary.to_arrow()

    def most_resident(numbers):
        # Allocators give back and take again some 10 MiB as they like: the most of a hundred runs is steady.
        most = 0
        for number in numbers:
            once(number)
            gc.collect()
            most = max(most, process.memory_info().rss)
        return most

    window = RUNS // 10
    for number in range(window):
        once(number)
    before, files = most_resident(range(window, 2 * window)), process.num_fds()
    for number in range(2 * window, RUNS - window):
        once(number)
    grown = most_resident(range(RUNS - window, RUNS)) - before
    print(f"\n{grown / 2**20:.1f} MiB more after {RUNS - 2 * window} further runs")
    # A run's data and results take more than 100 KB: losing a hundredth of them would show.
    assert grown < 8 * 2**20
    assert process.num_fds() <= files


def test_tables_in_memory_are_given_back():
    before = pa.total_allocated_bytes()
    for _ in range(20):
        table = pa.Table.from_pandas(make_events(50000, 20))
        hs.read_events(table, tz="UTC", rois=GRID, **PERIOD)
        del table
    gc.collect()
    assert pa.total_allocated_bytes() - before < 2**20


def test_classes_of_a_module_are_given_back_at_its_end(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(f"""
        import hearsay as hs

        class Same:
            def infer(self, prior, counts):
                return prior

        study = hs.Study.from_toml({str(SMALL)!r}, own=[Same])
        """)
    )
    ended = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_trajectories(town):
    study = hs.Study(town, trajectories={"days": "all", "methods": ["memory", "published"]}, goals=["trajectories"])
    results = study.run()
    rows = results.measured("trajectories").to_pandas()
    assert list(rows["method"]) == ["memory", "published"]
    assert (rows["release"] == "RAW").all()
    assert rows["right_mean"].between(0, 1).all()
    assert rows["shuffled_mean"].between(0, 1).all()
    assert any(sentence.startswith("Paths: ") for sentence in results.findings)


def test_membership_and_audit(town):
    study = hs.Study(
        town,
        goals=["membership"],
        releases=[hs.release("SCM", sensitivity="event", epsilon=1)],
        membership={"groups": [3], "trials": 20, "targets": "all", "knows": ["trace", "habits"], "audit_trials": 200},
    )
    results = study.run()
    rows = results.measured("membership").to_pandas()
    assert set(rows["target"]) == {"trace", "habits"}
    assert set(rows["release"]) == {"RAW", "SCM"}
    assert (rows["group"] == 3).all()
    targets = results.targets().to_pandas()
    assert len(targets) == rows["count"].sum()
    assert targets["auc"].between(0, 1).all()
    assert (targets["auc_low"] <= targets["auc"]).all()
    assert targets["tpr_01"].isna().all()  # too few trials to tell
    audit = results.measured("audit").to_pandas()
    assert list(audit["claimed_mean"]) == [1]
    assert (audit["found_mean"] <= 1).all()
    assert any("AUC" in sentence for sentence in results.findings)
