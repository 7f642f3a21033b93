# SPDX-License-Identifier: Apache-2.0
import json

import numpy as np
import pytest
from conftest import GRID, PERIOD

import hearsay as hs


class MyBayes:
    """She reweighs each person's prior by the crowd's profile, in Python."""

    name = "MY_BAYES"

    def infer(self, prior_epoch, counts_epoch):
        return np.asarray(prior_epoch) * counts_epoch


class MyBayesInRows:
    """The same on rows."""

    name = "MY_BAYES_ROWS"

    def infer(self, prior, counts):
        if prior.background is not None:
            return np.asarray(prior) * counts
        weights = (prior.weights if len(prior.weights) else np.ones(len(prior.rois))) * counts[prior.rois]
        owner = np.repeat(prior.users, np.diff(prior.begins))
        kept = weights > 0
        users, sizes = np.unique(owner[kept], return_counts=True)
        begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        return hs.Beliefs(prior.shape, users, begins, prior.rois[kept], weights[kept])


class Busiest:
    """She takes everybody to be in the busiest place."""

    output = "assignment"

    def infer(self, prior, counts):
        cells = np.zeros(prior.shape)
        cells[:, np.argmax(counts)] = 1
        return cells


class MyTilt:
    """She bends rates to the counts, in Python."""

    name = "MY_TILT"
    output = "rates"
    needs_rates = True

    def infer(self, prior, counts):
        rates = np.clip(prior.rates(), 1e-5, 1 - 1e-5)
        odds = rates / (1 - rates)
        low, high = np.full(odds.shape[1], -60.0), np.full(odds.shape[1], 60.0)
        for _ in range(200):
            middle = (low + high) / 2
            bent = odds * np.exp(middle)
            few = (bent / (1 + bent)).sum(axis=0) < counts
            low, high = np.where(few, middle, low), np.where(few, high, middle)
        bent = odds * np.exp((low + high) / 2)
        return np.where(counts <= 0, 0.0, np.where(counts >= len(odds), 1.0, bent / (1 + bent)))


class MyRates:
    """She knows how often each person was in each place, as chances."""

    name = "MY_RATES"
    rates = True

    def build(self, observation):
        self.cells = np.zeros((observation.users, observation.rois))
        for epoch in range(observation.epochs):
            users, rois = observation.visits(epoch)
            np.add.at(self.cells, (users, rois), 1 / observation.epochs)
            nowhere = np.setdiff1d(np.arange(observation.users), users)
            self.cells[nowhere, -1] += 1 / observation.epochs

    def believe(self, epoch, past):
        return np.clip(self.cells, 0, 1)


class MyFreqRoi:
    """She knows how often each person was in each place."""

    name = "MY_FREQ_ROI"

    def build(self, observation):
        self.cells = np.zeros((observation.users, observation.rois))
        for epoch in range(observation.epochs):
            users, rois = observation.visits(epoch)
            np.add.at(self.cells, (users, rois), 1)

    def believe(self, epoch, past):
        return self.cells


class MyLastHour:
    """She knows where everybody was an epoch ago."""

    binary = True
    name = "MY_LAST_HOUR"

    def build(self, observation):
        self.shape = (observation.users, observation.rois)

    def believe(self, epoch, past):
        cells = np.zeros(self.shape)
        cells[past(1)] = 1
        return cells


class Rounding:
    """Counts rounded to a multiple."""

    def __init__(self, step, jitter=0.0):
        self.step = step
        self.jitter = jitter

    def perturb(self, counts, random):
        return np.round((counts + self.jitter * random.random(counts.shape)) / self.step) * self.step

    def guarantee(self):
        return {"epsilon": None, "unit": "none", "note": "Rounding promises nothing."}


def rows_of(results, **wanted):
    rows = results.summary.rows()
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def assert_rows_agree(first, second, tolerance=1e-12):
    assert len(first) == len(second) > 0
    for a, b in zip(first, second):
        for key, value in a.items():
            if isinstance(value, float):
                assert value == pytest.approx(b[key], abs=tolerance, rel=0), key


@pytest.mark.parametrize(
    "priors",
    [
        ["FREQ_ROI"],
        pytest.param([name for name in hs.priors.__all__ if name not in ("HISTORY", "RECENT")], marks=pytest.mark.long),
    ],
    ids=["one", "all"],
)
def test_bayes_in_python_gives_the_numbers_of_the_built_in(town, priors):
    results = hs.Study(
        town,
        priors=priors,
        # These look at beliefs once. No ratio of whole counts is at this threshold, where the last bit of a float would decide.
        decisions=["ALL", "POP(delta=0.4321)"],
        attacks=["BAYES", MyBayes, MyBayesInRows],
        releases=[hs.release("SCM", sensitivity="event", epsilon=0.1)],
        control_sample=10**6,  # everybody taken out of the data, one by one, for what does not go by cell
    ).run()
    built_in = rows_of(results, attack="BAYES")
    assert {row["prior"] for row in built_in} == set(priors)
    assert_rows_agree(built_in, rows_of(results, attack="MY_BAYES"))
    assert_rows_agree(built_in, rows_of(results, attack="MY_BAYES_ROWS"))
    users = results.users.to_pandas().set_index("attack")
    for name in ("error", "loss", "gain"):
        np.testing.assert_allclose(
            users.loc["MY_BAYES", name].to_numpy(), users.loc["BAYES", name].to_numpy(), rtol=0, atol=1e-12
        )


def test_priors_in_python_give_the_numbers_of_the_built_in(events):
    visited = hs.read_events(events, tz="UTC", rois=GRID, **PERIOD)
    results = hs.Study(
        visited, priors=["FREQ_ROI", MyFreqRoi, "LAST_HOUR", MyLastHour], attacks=["PRIOR", "BAYES", "MAX_ROI"]
    ).run()
    assert_rows_agree(rows_of(results, prior="LAST_HOUR"), rows_of(results, prior="MY_LAST_HOUR"))
    decisions = {row["decision"] for row in rows_of(results, prior="MY_LAST_HOUR", attack="PRIOR")}
    assert decisions == {None, "ASSIGNED"}
    assert rows_of(results, prior="MY_FREQ_ROI", attack="BAYES")


def test_rates_in_python_give_the_numbers_of_the_built_in(town):
    summary = hs.Study(town, priors=["FREQ_ROI", MyRates], attacks=["TILT", MyTilt], control=False).run().summary.rows()
    for goal, decision in (("localization", "BEST"), ("profiling", "COMMIT")):
        errors = {
            (row["prior"], row["attack"]): row["error_mean"]
            for row in summary
            if row["goal"] == goal and row["decision"] == decision and row["attack"] in ("TILT", "MY_TILT")
        }
        assert len(errors) == 4
        np.testing.assert_allclose(list(errors.values()), errors["FREQ_ROI", "TILT"], atol=1e-6)
    with pytest.raises(hs.ConfigError, match="rates"):
        hs.Study(town, priors=["TIME_DAY"], attacks=["TILT"]).run()


def test_a_mechanism_in_python_is_attacked(town):
    study = hs.Study(
        town,
        priors=["FREQ_ROI"],
        attacks=["BAYES"],
        releases=[hs.release(Rounding, step=[1, 5], jitter=2.5, repeats=2)],
    )
    results = study.run()
    defences = [row for row in results.utility.rows() if row["kind"] == "defence"]
    utility = {(row["parameter"], row["repeat"]): row for row in defences}
    assert set(utility) == {(f"step={step},jitter=2.5", repeat) for step in (1, 5) for repeat in (1, 2)}
    assert utility["step=1,jitter=2.5", 1]["mae"] < utility["step=5,jitter=2.5", 1]["mae"]
    assert utility["step=5,jitter=2.5", 1]["mae"] != utility["step=5,jitter=2.5", 2]["mae"]
    assert study.run().utility.to_dict() == results.utility.to_dict()
    assert results.manifest["releases"][0]["note"] == "Rounding promises nothing."


def test_they_stand_beside_the_built_in_in_the_report(town):
    results = hs.Study(
        town,
        priors=["FREQ_ROI", MyFreqRoi],
        attacks=["BAYES", Busiest],
        releases=[hs.release(Rounding, step=5)],
    ).run()
    document = json.loads((results.folder / "report.json").read_text())
    assert document["entries"]["attacks"][-1]["summary"] == "She takes everybody to be in the busiest place."
    assert document["entries"]["priors"][-1]["name"] == "MY_FREQ_ROI"
    assert document["entries"]["mechanisms"][-1]["name"] == "Rounding"
    assert {curve["attack"] for curve in document["cdf"]["curves"]} == {"PRIOR", "BAYES", "Busiest", "NOWHERE"}
    assert {row["decision"] for row in rows_of(results, attack="Busiest")} == {None, "ASSIGNED"}
    assert "Busiest" in results._repr_html_()


def test_a_study_file_may_name_them(town, tmp_path, events):
    events.to_parquet(tmp_path / "events.parquet")
    text = hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"]).toml
    (tmp_path / "study.toml").write_text(text.replace("data frame", "events.parquet").replace('["BAYES"]', '["MY_BAYES"]'))
    with pytest.raises(hs.ConfigError, match="study.attacks = MY_BAYES: is not known"):
        hs.Study.from_toml(tmp_path / "study.toml")
    results = hs.Study.from_toml(tmp_path / "study.toml", own=[MyBayes]).run()
    assert rows_of(results, attack="MY_BAYES")


def test_an_error_in_python_ends_the_run_as_it_was_raised(town):
    class Fails:
        def infer(self, prior, counts):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        hs.Study(town, priors=["FREQ_ROI"], attacks=[Fails]).run()

    class FailsToBelieve:
        def believe(self, epoch, past):
            return past(0)

    with pytest.raises(IndexError, match="lag must be from 1 to 336"):
        hs.Study(town, priors=[FailsToBelieve], attacks=["BAYES"]).run()


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda prior: np.zeros((3, 4)), r"Wrong.infer: gave an array of 3 x 4; expected 60 users x 21 ROIs, null last"),
        (lambda prior: np.full(prior.shape, -1.0), r"Wrong.infer: gave -1 for user 0 and ROI 0; expected weights"),
        (lambda prior: np.full(prior.shape, np.nan), r"Wrong.infer: gave nan for user 0"),
        (lambda prior: "text", r"Wrong.infer: gave a str; expected an array"),
        (lambda prior: np.zeros(7), r"Wrong.infer: gave an array that is not users x ROIs"),
    ],
)
def test_a_wrong_answer_is_named(town, returned, message):
    class Wrong:
        def infer(self, prior, counts):
            return returned(prior)

    with pytest.raises(hs.InputError, match=message):
        hs.Study(town, priors=["FREQ_ROI"], attacks=[Wrong]).run()


def test_names_must_be_free_and_classes_of_a_kind(town):
    class Bayes(MyBayes):
        name = "BAYES"

    with pytest.raises(hs.ConfigError, match="attack.name = BAYES: is taken"):
        hs.Study(town, attacks=[Bayes])
    with pytest.raises(hs.ConfigError, match="expected a class with infer"):
        hs.Study(town, own=[object()])
    with pytest.raises(hs.ConfigError, match="Rounding.step: is required"):
        hs.Study(town, releases=[hs.release(Rounding)])


def test_what_python_keeps_stays_valid(town):
    kept = []

    class Keeps:
        def infer(self, prior, counts):
            kept.append((prior, prior.rois, counts))
            return np.asarray(prior)

    class KeepsKnowledge:
        def build(self, observation):
            self.shape = (observation.users, observation.rois)
            kept.append(observation)

        def believe(self, epoch, past):
            return np.ones(self.shape)

    hs.Study(town, priors=["FREQ_ROI", KeepsKnowledge], attacks=[Keeps]).run()
    with pytest.raises(RuntimeError, match="only while the prior is being built"):
        next(item for item in kept if not isinstance(item, tuple)).visits(0)
    expected = hs.priors.FREQ_ROI(town)[0]
    first = [item for item in kept if isinstance(item, tuple)][0]
    np.testing.assert_array_equal(first[1], expected.rois)
    np.testing.assert_array_equal(np.asarray(first[0]), np.asarray(expected))
    assert len(first[2]) == 21
