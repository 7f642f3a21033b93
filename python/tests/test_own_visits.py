# SPDX-License-Identifier: Apache-2.0
"""Mechanisms written in Python that act on visits before they are counted."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import GRID, PERIOD, make_events, same

import hearsay as hs

NOISE = "GAUSSIAN(epsilon=1,unit=user)"


class First:
    """Keeps the first visits of each person."""

    name = "FIRST"
    by_person = True

    def __init__(self, at_most, per="release"):
        self.at_most = at_most
        self.per = per

    def sensitivity(self):
        return {"at_most": self.at_most, "per": self.per}

    def keep(self, visits):
        return visits.rank(self.per) < self.at_most


class Some(First):
    """Keeps any visits of each person, each as likely as others."""

    name = "SOME"

    def keep(self, visits):
        return visits.rank(self.per, by=visits.random) < self.at_most


class SomePeople:
    """Keeps all visits of about half of the people."""

    name = "SOME_PEOPLE"
    by_person = True

    def keep(self, visits):
        drawn = [np.random.default_rng(seed).random() < 0.5 for seed in visits.seeds]
        return np.repeat(drawn, np.diff(visits.begins))


def keeps(answer, **said):
    """A class that keeps what a function of visits says."""
    return type("MINE", (), {"keep": lambda self, visits: answer(visits), "sensitivity": lambda self: None, **said})


def counts_of(data, *steps, **settings):
    return np.asarray(hs.chain(*steps).perturb(data, **settings))


@pytest.fixture(scope="module")
def village():
    return hs.read_events(make_events(1500, 12), tz="UTC", rois=GRID, **PERIOD)


@pytest.mark.parametrize(("at_most", "per"), [(5, "release"), (2, "day"), (7, "week"), (1, "epoch")])
def test_bound_in_python_gives_the_counts_and_guarantee_of_the_built_in(town, at_most, per):
    own = hs.step(First, at_most=at_most, per=per)
    built_in = f"BOUND(at_most={at_most},per={per},choice=first)"
    counts = counts_of(town, own)
    np.testing.assert_array_equal(counts, counts_of(town, built_in))
    assert 0 < counts[:, :-1].sum() < town.aggregates()[:, :-1].sum() or per == "epoch"
    for noise in (NOISE, "LAPLACE(epsilon=0.5,unit=user)", "TREE(epsilon=1,unit=user)"):
        mine = hs.chain(own, noise).guarantee(town)
        theirs = hs.chain(built_in, noise).guarantee(town)
        assert "It rests on FIRST" in mine["note"]
        assert {**mine, "note": ""} == {**theirs, "note": ""}
        assert mine["epsilon"] is not None
        assert mine["unit"] == "a user"
    # As much noise, too: the same distribution from another stream.
    errors = [np.std(counts_of(town, step, NOISE, post_process="none") - counts) for step in (own, built_in)]
    assert errors[0] == pytest.approx(errors[1], rel=0.1)


def test_a_study_of_it_is_that_of_the_built_in(town):
    settings = {"priors": ["FREQ_ROI"], "attacks": ["BAYES", "MAX_USER"], "control_sample": 5}
    mine, theirs = (
        hs.Study(town, **settings, releases=[hs.release([step])]).run().summary.to_pandas()
        for step in (hs.step(First, at_most=9), "BOUND(at_most=9,choice=first)")
    )
    assert "FIRST" in set(mine["release"])
    numbers = mine.select_dtypes("number").columns
    pd.testing.assert_frame_equal(mine[numbers], theirs[numbers], check_exact=True)
    assert mine.loc[mine["release"] == "FIRST", "without_mean"].notna().any()


@pytest.mark.parametrize("given", [First, Some, SomePeople])
def test_batches_change_nothing(town, given):
    found = []
    for size in (1, 7, 10**6):
        sizes = set()

        class Batched(given):
            batch = size

            def keep(self, visits):
                sizes.add(len(visits.people))
                return super().keep(visits)

        settings = {} if given is SomePeople else {"at_most": 6, "per": "week"}
        found.append(counts_of(town, hs.step(Batched, **settings), NOISE, seed=3).tobytes())
        assert max(sizes) == min(size, town.users)
    assert found[0] == found[1] == found[2]
    assert found[0] != counts_of(town, hs.step(given, **settings), NOISE, seed=4).tobytes()


def test_what_it_gets_is_the_data(town):
    seen = []

    def answer(visits):
        assert (np.diff(visits.people.astype(int)) > 0).all()
        assert (np.repeat(visits.people, np.diff(visits.begins)) == visits.person).all()
        assert (np.lexsort((visits.place, visits.epoch, visits.person)) == np.arange(len(visits))).all()
        assert ((visits.random >= 0) & (visits.random < 1)).all()
        counts = np.zeros((town.epochs, town.rois))
        np.add.at(counts, (visits.epoch, visits.place), 1)
        seen.append((counts, visits))
        return np.zeros(len(visits), dtype=bool)

    emptied = counts_of(town, keeps(answer))
    assert len(seen) == 1
    np.testing.assert_array_equal(seen[0][0], town.aggregates()[:, : town.rois])
    assert emptied[:, :-1].sum() == 0
    assert (emptied[:, -1] == town.users).all()
    visits = seen[0][1]
    assert set(visits.window("day")) == set(range(7))
    assert set(visits.window("week")) == {0}
    with pytest.raises(ValueError, match="must be 'epoch', 'day', 'week' or 'release'"):
        visits.window("month")


def test_a_lie_about_sensitivity_is_found(town):
    class Lies(First):
        name = "LIES"

        def keep(self, visits):
            return visits.rank(self.per) < self.at_most + (visits.person == 17)

    for per, where in (("release", "all"), ("day", r"day 0 \(the first is 0\)")):
        chain = hs.chain(hs.step(Lies, at_most=2, per=per), NOISE)
        message = f"LIES.keep: kept 3 visits of person 17 in {where}, though it states at most 2 per {per}"
        with pytest.raises(hs.InputError, match=message):
            chain.perturb(town)
        with pytest.raises(hs.InputError, match=message):
            chain.guarantee(town)


def test_a_lie_about_people_is_found(town):
    fewest = keeps(lambda visits: visits.person == visits.person[0], by_person=True)
    with pytest.raises(hs.InputError, match="kept other visits of person 30 among 60 people than when asked about that"):
        counts_of(town, fewest)


def test_visits_may_be_given_but_not_invented(town):
    def first(visits, change=lambda *columns: columns):
        kept = visits.rank() < 3
        return change(*(column[kept][::-1].copy() for column in (visits.person, visits.place, visits.epoch)))

    np.testing.assert_array_equal(counts_of(town, keeps(first)), counts_of(town, hs.step(First, at_most=3)))
    for change, message in (
        (lambda person, place, epoch: (person + 1, place, epoch), "did not get: person 60, place"),
        (lambda person, place, epoch: (person, place + 20, epoch), r"did not get: person 59, place \d+, epoch \d+; it may"),
        (lambda person, place, epoch: (person, place, epoch.astype(int) - 9999), "did not get: person 59"),
        (lambda *columns: tuple(np.repeat(column, 2) for column in columns), "gave a visit twice: person 59"),
        (lambda person, place, epoch: (person, place), "expected person, place and epoch of the visits kept"),
        (lambda person, place, epoch: (person, place, epoch[:1]), "as many of each"),
        (lambda person, place, epoch: (person, place, epoch + 0.5), "whole numbers"),
    ):
        with pytest.raises(hs.InputError, match=message):
            counts_of(town, keeps(lambda visits, change=change: first(visits, change)))


@pytest.mark.parametrize(
    "answer",
    [
        lambda visits: np.ones(3, dtype=bool),
        lambda visits: np.ones(len(visits)),
        lambda visits: np.ones((len(visits), 1), dtype=bool),
        lambda visits: None,
        lambda visits: np.arange(len(visits)),
    ],
)
def test_a_wrong_answer_is_named(town, answer):
    with pytest.raises(hs.InputError, match=r"MINE.keep: gave .*; expected True or False for each of \d+ visits"):
        counts_of(town, keeps(answer))


def test_an_error_is_raised_as_it_was(town, tmp_path):
    def fails(visits):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        counts_of(town, keeps(fails))
    with pytest.raises(KeyError, match="mine"):
        hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"], releases=[hs.release(keeps(fails))]).run()
    with pytest.raises(KeyError, match="mine"):
        hs.publish(town, [keeps(fails), NOISE], out=tmp_path / "a.csv", account="a", budget=1, ledger=tmp_path / "state")
    assert not (tmp_path / "a.csv").exists()


def test_what_is_not_stated_is_not_promised(town):
    everything = {"answer": lambda visits: np.ones(len(visits), dtype=bool)}
    unstated = hs.chain(keeps(**everything, by_person=True), NOISE).guarantee(town)
    assert unstated["epsilon"] is None
    assert unstated["note"].startswith("MINE states no sensitivity")

    class Together(First):
        by_person = False

    together = hs.chain(hs.step(Together, at_most=3), NOISE).guarantee(town)
    assert together["epsilon"] is None
    assert "does not say by_person" in together["note"]
    for noise in ("GAUSSIAN(epsilon=1,unit=event)", "SCM(sensitivity=event,epsilon=1)"):
        smaller = hs.chain(hs.step(First, at_most=3), noise).guarantee(town)
        assert smaller["epsilon"] is None
        assert "only noise for a whole one" in smaller["note"]
    assert hs.chain(hs.step(First, at_most=3)).guarantee(town)["note"] == "No noise is added."


def test_a_statement_must_be_one(town):
    for said in ({"at_most": 0}, {"at_most": 1.5}, {"at_most": 2, "per": "month"}, {}, 3):
        with pytest.raises(hs.ConfigError, match="MINE.sensitivity = .*: must be"):
            hs.chain(keeps(len, sensitivity=lambda self, said=said: said))
    with pytest.raises(hs.ConfigError, match="MINE.batch = 0: must be a number of people"):
        hs.chain(keeps(len, batch=0))
    with pytest.raises(hs.ConfigError, match="give two classes"):
        hs.chain(keeps(len, perturb=lambda self, counts, random: counts))
    with pytest.raises(hs.ConfigError, match="must come first: after GAUSSIAN there are counts"):
        hs.chain(NOISE, hs.step(First, at_most=3))
    with pytest.raises(hs.ConfigError, match="FIRST.at_most: is required"):
        hs.chain(First)


def test_people_taken_out_one_by_one_agree_with_all_at_once(village):
    class OneByOne(Some):
        by_person = False

    users = []
    for given in (Some, OneByOne):
        results = hs.Study(
            village,
            priors=["FREQ_ROI"],
            attacks=["BAYES", "MAX_ROI"],
            control_sample=village.users,
            releases=[hs.release([hs.step(given, at_most=8, per="week"), "GAUSSIAN(epsilon=50)", "SUPPRESS(at_most=1)"])],
            users="all",
        ).run()
        users.append(results.users.to_pandas())
    assert len(users[0]) == len(users[1])
    for one in users:
        assert one["without"].notna().all()
    defended = users[0]["release"].str.startswith("SOME")
    assert (users[0]["without"] != users[0]["error"])[defended].any()
    for name in ("error", "without", "active_without"):
        np.testing.assert_allclose(users[0][name], users[1][name], atol=1e-12, rtol=0)


def test_it_is_published_with_secure_noise_and_its_guarantee(town, tmp_path):
    drawn = []

    class Watched(Some):
        name = "WATCHED"

        def keep(self, visits):
            drawn.append((visits.seeds[0], visits.random[0], len(visits.people)))
            return super().keep(visits)

    def publish(name, *steps, **settings):
        settings = {"account": "riders", "budget": 10, "accept_noise": True, **settings}
        return hs.publish(town, list(steps), out=tmp_path / name, ledger=tmp_path / "state", **settings)

    made = [publish(name, hs.step(Watched, at_most=4), NOISE) for name in ("one.csv", "two.csv")]
    assert made[0].epsilon == pytest.approx(1, abs=1e-6)
    assert made[0].unit == "a user"
    told = json.loads(made[0].guarantee_file.read_text())
    assert told["sound"]
    assert told["steps"] == "WATCHED(at_most=4), GAUSSIAN(epsilon=1)"
    assert "It rests on WATCHED" in told["note"]
    assert told["other_units"] == []
    # The first draw of each is the one published; those after it, for what counts are worth, are seeded and agree.
    whole = [one for one in drawn if one[2] == town.users]
    half = len(whole) // 2
    assert whole[0] != whole[half]
    assert whole[1:half] == whole[half + 1 :]
    with pytest.raises(hs.ConfigError, match="no sound guarantee here: MINE states no sensitivity"):
        publish("three.csv", keeps(lambda visits: visits.random < 0.5), NOISE)

    class Noisy:
        def perturb(self, counts, random):
            return counts + random.normal(size=counts.shape)

        def guarantee(self):
            return {"epsilon": 1, "unit": "a user"}

    with pytest.raises(hs.ConfigError, match="Noisy.perturb: is for evaluation, as its noise is seeded"):
        publish("four.csv", Noisy)
    assert len(json.loads((tmp_path / "state" / "ledger.json").read_text())["accounts"]["riders"]["releases"]) == 2


def test_a_study_file_may_name_it_in_a_chain(town, tmp_path, events):
    events.to_parquet(tmp_path / "events.parquet")
    study = hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"], releases=[hs.release([hs.step(First, at_most=4), NOISE])])
    assert f'steps = ["FIRST(at_most=4)", "{NOISE}"]' in study.toml
    (tmp_path / "study.toml").write_text(study.toml.replace("data frame", "events.parquet"))
    with pytest.raises(hs.ConfigError, match="FIRST: is not known"):
        hs.Study.from_toml(tmp_path / "study.toml")
    results = hs.Study.from_toml(tmp_path / "study.toml", own=[First]).run(threads=1)
    assert same(results, study.run(threads=2))


PROGRAM = """
import hearsay as hs
import numpy as np

class ALL:
    def keep(self, visits):
        return np.ones(len(visits), dtype=bool)

data = hs.commuters(20)
defence = hs.chain(ALL, "LAPLACE(epsilon=1)")
defence.perturb(data)
study = hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES"], releases=[hs.release([ALL, "LAPLACE(epsilon=1)"])])
study.run()
"""


def test_nothing_of_it_outlives_the_interpreter():
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")
