# SPDX-License-Identifier: Apache-2.0
import json
import math

import pandas as pd
import pytest
from conftest import GRID, PERIOD, make_events

import hearsay as hs

EVENT = {"sensitivity": "event"}


@pytest.fixture
def publish(town, tmp_path):
    def made(source=town, mechanism="SCM", out="counts.csv", **settings):
        settings = {"account": "riders", "ledger": tmp_path / "state", "accept_noise": True, **settings}
        if mechanism == "SCM" and "bound" not in settings:
            settings = {**EVENT, **settings}
        return hs.publish(source, mechanism, out=tmp_path / "published" / out, **settings)

    return made


def test_counts_are_published_with_guarantee_and_ledger(publish, tmp_path, town):
    made = publish(epsilon=0.5, budget=1)
    counts = pd.read_csv(made.file)
    assert len(counts) == made.counts == town.epochs * town.rois
    assert json.loads(made.guarantee_file.read_text())["epsilon"] == 0.5
    assert (made.epsilon, made.unit, made.spent, made.budget) == (0.5, "one event", 0.5, 1)
    assert "52 times a year: one event is in one of them alone, and epsilon stays 0.5." in made.a_year
    assert "account riders has spent 0.5 of 1" in repr(made)
    ledger = json.loads((tmp_path / "state" / "ledger.json").read_text())
    assert ledger["accounts"]["riders"]["releases"][0]["file"] == str(made.file)
    with pytest.raises(hs.ConfigError, match="never replaced"):
        publish(epsilon=0.1)
    with pytest.raises(hs.ConfigError, match="has spent 0.5 of 1"):
        publish(epsilon=0.6, out="two.csv")


@pytest.mark.parametrize(
    "mechanism", [hs.mechanisms.SCM(**EVENT, epsilon=0.5), hs.step("SCM", **EVENT, epsilon=0.5)], ids=["defence", "step"]
)
def test_a_defence_with_its_parameters_is_published(publish, mechanism):
    made = publish(mechanism=mechanism, budget=1)
    assert (made.epsilon, made.unit) == (0.5, "one event")
    assert publish(mechanism=hs.mechanisms.SCM, **EVENT, epsilon=0.25, out="two.csv").epsilon == 0.25


def test_noise_is_not_seeded(publish):
    one, two = (publish(epsilon=0.01, budget=1, out=name) for name in ("one.csv", "two.csv"))
    assert one.file.read_bytes() != two.file.read_bytes()


def test_what_must_be_said_is_asked_for(publish):
    with pytest.raises(hs.ConfigError, match=r"^data.account: is not set"):
        publish(epsilon=1, account=None)
    with pytest.raises(hs.ConfigError, match=r"^--budget: account riders has none yet"):
        publish(epsilon=1)
    publish(epsilon=1, budget=10)
    grown = hs.read_events(make_events(20001, 60), tz="UTC", rois=GRID, **PERIOD)
    with pytest.raises(hs.ConfigError, match="new_data=True"):
        publish(grown, epsilon=1, out="two.csv")
    assert publish(grown, epsilon=1, out="two.csv", new_data=True).spent == 2
    with pytest.raises(hs.ConfigError, match="mix_units=True"):
        publish(epsilon=1, bound=5, out="three.csv")
    assert "the smallest only" in publish(epsilon=1, bound=5, out="three.csv", mix_units=True).standing


def test_unsafe_releases_are_without_bound(publish):
    made = publish(mechanism="SPOTME", p=0.5, budget=1, unsafe=True)
    assert made.epsilon is None and made.unsafe
    assert math.isinf(made.spent) and "without bound" in repr(made) and "without bound" in made.standing


def test_python_and_command_line_share_a_ledger(program, publish, tmp_path, events):
    events.to_parquet(tmp_path / "events.parquet")
    data = hs.read_events(tmp_path / "events.parquet", tz="UTC", rois=GRID, **PERIOD)
    publish(data, epsilon=0.6, budget=1)
    (tmp_path / "study.toml").write_text(hs.Study(data).toml)
    flags = ["--mechanism", "SCM", "--parameter", "sensitivity=event", "--parameter", "epsilon=0.6"]
    flags += ["--account", "riders", "--ledger", tmp_path / "state", "--out", tmp_path / "x.csv"]
    said = program("release", tmp_path / "study.toml", *flags)
    assert said.returncode == 2 and "account riders has spent 0.6 of 1" in said.stderr
    assert publish(tmp_path / "study.toml", epsilon=0.1, out="two.csv").spent == pytest.approx(0.7)


def test_counts_that_are_mostly_noise_are_refused(publish):
    with pytest.raises(hs.ConfigError, match=r"mostly noise.*accept_noise=True"):
        publish(epsilon=0.001, budget=1, accept_noise=False)
    made = publish(epsilon=0.001, budget=1, post_process="none")
    assert made.expected_error > made.typical_count > 0
    assert (pd.read_csv(made.file)["count"] < 0).any()


def test_randomized_response_needs_a_population(publish, town):
    with pytest.raises(hs.ConfigError, match="declared in advance"):
        publish(mechanism="KRR", p=0.5, budget=1000)
    assert publish(mechanism="KRR", p=0.5, budget=1000, population=town.users + 5).epsilon > 0
    with pytest.raises(ValueError, match="belongs to the Study"):
        publish(hs.Study(town), mechanism="KRR", p=0.5, population=1000, out="two.csv")


def test_a_chain_is_published_with_its_delta_and_intervals(publish):
    made = publish(mechanism=["BOUND(at_most=5)", "GAUSSIAN(epsilon=2)", "SUPPRESS(at_most=1)"], budget=10)
    assert made.epsilon == pytest.approx(2, abs=1e-6)
    assert (made.delta, made.unit) == (1e-6, "a user")
    told = json.loads(made.guarantee_file.read_text())["a_year"]
    assert (told["times"], told["times_with_a_unit"], told["meaning"]) == (52, 52, made.a_year)
    assert 2 * made.epsilon < told["epsilon"] < 52 * made.epsilon
    assert "but for a chance of 1e-06" in repr(made)
    counts = pd.read_csv(made.file).dropna()
    assert (counts["count"] > 1).all()
    assert (counts["low"] <= counts["count"]).all()
    assert (counts["high"] >= counts["count"]).all()
    with pytest.raises(TypeError, match="belong to the steps"):
        publish(mechanism=["LAPLACE(epsilon=1)"], epsilon=1, out="two.csv")
    with pytest.raises(hs.ConfigError, match="no sound guarantee"):
        publish(mechanism="ine-spain", out="two.csv")
