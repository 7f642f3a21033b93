# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pandas as pd
import pytest
from conftest import GRID

import hearsay as hs


def counts_by_hand(events):
    frame = events.copy()
    hours = (frame.datetime - pd.Timestamp("2024-01-01")) // pd.Timedelta("1h")
    row = ((frame.lat - GRID.south) / (GRID.north - GRID.south) * GRID.rows).astype(int)
    column = ((frame.lng - GRID.west) / (GRID.east - GRID.west) * GRID.cols).astype(int)
    visits = pd.DataFrame({"epoch": hours - 336, "uid": frame.uid, "roi": row * GRID.cols + column}).drop_duplicates()
    visits = visits[visits.epoch >= 0]
    counts = np.zeros((168, 21))
    np.add.at(counts, (visits.epoch, visits.roi), 1)
    counts[:, 20] = 60 - visits.groupby("epoch").uid.nunique().reindex(range(168), fill_value=0)
    return counts


def test_aggregates_are_the_counts(events, town):
    np.testing.assert_array_equal(town.aggregates(), counts_by_hand(events))
    assert (town.users, town.rois, town.epochs, town.observe) == (60, 20, 168, 336)
    np.testing.assert_array_equal(np.asarray(town.release()), town.aggregates())


FITTED = ("HISTORY", "RECENT")  # they learn in every run


@pytest.mark.parametrize("attack", hs.attacks.__all__)
@pytest.mark.parametrize(
    "prior", [pytest.param(name, marks=pytest.mark.long) if name in FITTED else name for name in hs.priors.__all__]
)
def test_the_lower_layer_gives_the_numbers_of_a_study(town, prior, attack):
    known = getattr(hs.priors, prior)(town)
    if attack == "TILT" and known[0].rates() is None:
        with pytest.raises(hs.ConfigError, match="needs one that offers rates"):
            hs.attacks.TILT(known, town.aggregates())
        return
    results = hs.Study(town, priors=[prior], attacks=[attack]).run().users.to_pandas()
    inferred = getattr(hs.attacks, attack)(known, town.aggregates())
    order = np.argsort(town.user_ids)
    only_rates = inferred[0].rates() is not None and inferred[0].trials == 0

    def wanted(goal, decision):
        rows = results[(results.goal == goal) & (results.attack == attack)]
        rows = rows[rows.decision.isna()] if decision is None else rows[rows.decision == decision]
        return rows.drop_duplicates("uid")

    fitted = [] if inferred.binary or attack == "AGGREGATES" else ["COMMIT"]
    for decision in fitted if only_rates else [None, *fitted]:
        error = hs.metrics.PROFILING(town, inferred, **({"decision": decision} if decision else {}))
        np.testing.assert_array_equal(error.users[order], wanted("profiling", decision).error.to_numpy())
        if attack != "PRIOR" and decision is None and known[0].trials > 0:
            loss = hs.metrics.LOSS(error.users, hs.metrics.PROFILING(town, known).users)
            np.testing.assert_array_equal(loss[order], wanted("profiling", decision).loss.to_numpy())
    best = ["BEST"] if fitted else []
    for decision in ["ASSIGNED"] if inferred.binary else best if only_rates else ["ALL", "POP", *best]:
        error = hs.metrics.LOCALIZATION(town, inferred, decision=decision)
        np.testing.assert_array_equal(error.users[order], wanted("localization", decision).error.to_numpy())


def test_rates_are_chances_that_tilt_bends_to_the_counts(town):
    known = hs.priors.FREQ_ROI(town)
    rates = known[0].rates()
    assert known[0].trials == 336 and rates.shape == (60, 21)
    assert ((rates >= 0) & (rates <= 1)).all() and (rates.sum(axis=1) >= 1 - 1e-9).all()
    assert hs.priors.TIME_DAY(town)[0].rates() is None
    bent = hs.attacks.TILT(known, town.aggregates())
    np.testing.assert_allclose(bent[5].rates().sum(axis=0), town.aggregates()[5], atol=1e-9)


def test_beliefs_are_rows_that_sum_to_one(town):
    prior = hs.priors.TIME_DAY(town)
    assert len(prior) == 168 and not prior.binary
    for series in (prior, hs.attacks.MAX_USER(prior, town.release()), hs.priors.LAST_HOUR(town)):
        dense = np.asarray(series[-1])
        assert dense.shape == (60, 21)
        np.testing.assert_allclose(dense.sum(axis=1), 1, atol=1e-12)
    with pytest.raises(IndexError, match="168 epochs"):
        prior[168]
    with pytest.raises(ValueError, match="read-only"):
        hs.priors.LAST_HOUR(town)[0].rois[0] = 1


def test_bayes_by_hand(town):
    prior = hs.priors.FREQ_ROI(town)
    counts = town.aggregates()
    product = np.asarray(prior[10]) * counts[10]
    total = product.sum(axis=1, keepdims=True)
    null = np.eye(21)[20]
    expected = np.where(total > 0, product / np.where(total > 0, total, 1), null)
    np.testing.assert_allclose(np.asarray(hs.attacks.BAYES(prior, counts)[10]), expected, rtol=0, atol=1e-12)


def test_metrics_on_arrays(town):
    inferred = hs.attacks.BAYES(hs.priors.FREQ_ROI(town), town.release())
    arrays = [np.asarray(inferred[epoch]) for epoch in range(len(inferred))]
    by_series = hs.metrics.PROFILING(town, inferred, log_base=np.e)
    by_array = hs.metrics.PROFILING(town, iter(arrays), log_base=np.e)
    np.testing.assert_allclose(by_array.users, by_series.users, rtol=0, atol=1e-12)
    np.testing.assert_allclose(by_array.epochs, by_series.epochs, rtol=0, atol=1e-12)
    assert by_array.mean == pytest.approx(by_array.users.mean())
    with pytest.raises(hs.InputError, match="end before epoch 3"):
        hs.metrics.PROFILING(town, arrays[:3])
    with pytest.raises(hs.ConfigError, match="PROFILING.delta: no such setting"):
        hs.metrics.PROFILING(town, inferred, delta=0.5)
    with pytest.raises(hs.ConfigError, match="decision = WORST: is not known"):
        hs.metrics.LOCALIZATION(town, inferred, decision="WORST")
    error, base = np.array([0.2, 0.6, 0.5]), np.array([0.4, 0.5, 0.5])
    np.testing.assert_allclose(hs.metrics.LOSS(error, base), [0.5, 0, 0])
    np.testing.assert_allclose(hs.metrics.LOSS(error, base, signed=True), [0.5, -0.2, 0])
    np.testing.assert_allclose(hs.metrics.GAIN(error, base), [0, 0.2, 0])


def test_mechanisms_draw_what_studies_draw(town):
    mechanism = hs.mechanisms.SCM(sensitivity="event", epsilon=2.0)
    results = hs.Study(
        town,
        priors=["FREQ_ROI"],
        attacks=["BAYES"],
        seed=3,
        releases=[hs.release("SCM", sensitivity="event", epsilon=2.0, repeats=2)],
    ).run()
    rows = results.utility.rows()
    assert [row["kind"] for row in rows[:3]] == ["defence", "defence", "baseline"]
    zeros = rows[2]
    assert (zeros["release"], zeros["repeat"], zeros["epsilon"], zeros["unit"]) == ("ZEROS", 0, None, "none")
    assert (zeros["mae_0"], zeros["suppressed"], zeros["daily_profile"], zeros["published"]) == (0.0, 1.0, 1.0, 1.0)
    nearest = min(rows[2:], key=lambda row: row["mre"])
    for row in rows[:2]:
        release = mechanism.perturb(town, seed=3, repeat=row["repeat"])
        measured = release.utility(town)
        assert measured["mre"] == row["mre"]
        assert row["parameter"] == mechanism.parameter
        assert row["worse_than"] == (nearest["release"] if nearest["mre"] < row["mre"] else None)
        assert row["mre_own_grid"] == row["mre"] and row["mae_own_grid"] == row["mae"]
        of_draft = {"published", "mre_own_grid", "mae_own_grid"}
        for name, value in measured.items():
            assert value == (None if name in of_draft else row[name]), name
    for name in ("kind", "worse_than", "worse_than_mae"):
        assert all(row[name] is None or isinstance(row[name], str) for row in rows), name
    numbers = [name for name in measured if any(row[name] is not None for row in rows)]
    assert all(row[name] is None or isinstance(row[name], float) for row in rows for name in numbers)
    promise = mechanism.guarantee(town)
    assert (promise["unit"], promise["epsilon"], promise["epsilon_with_null"]) == ("one event", 2.0, 4.0)
    assert results.utility.rows()[0]["epsilon_with_null"] == 4.0
    with pytest.raises(hs.ConfigError, match=r"SCM.epsilom: no such setting; did you mean .epsilon.\?"):
        hs.mechanisms.SCM(epsilom=1)
    with pytest.raises(hs.ConfigError, match="SCM.epsilon: is required"):
        hs.mechanisms.SCM(sensitivity="event")


def test_post_processing_is_as_in_a_study(town):
    mechanism = hs.mechanisms.SCM(sensitivity="event", epsilon=0.1)
    plain, default = (np.asarray(mechanism.perturb(town, post_process=how)) for how in ("none", True))
    np.testing.assert_array_equal(np.maximum(np.round(plain), 0), default)
    projected = np.asarray(mechanism.perturb(town, post_process="projected"))
    totals = np.maximum(plain[:, :-1].sum(axis=1), 0)
    assert projected.min() >= 0
    assert np.abs(projected[:, :-1].sum(axis=1) - totals).max() <= 0.5 + 1e-9
    with pytest.raises(hs.ConfigError, match="post_process = clamp: must be none"):
        mechanism.perturb(town, post_process="clamp")


def test_randomized_response_needs_a_population(town):
    mechanism = hs.mechanisms.KRR(p=0.5)
    assert mechanism.guarantee(town)["epsilon"] is None
    assert mechanism.guarantee(town, population=1_000_000)["epsilon"] > 0
    with pytest.raises(hs.ConfigError, match="the data has more people"):
        mechanism.perturb(town, population=1)


def test_a_release_must_fit(town):
    with pytest.raises(hs.InputError, match="168 x 21, null last"):
        hs.attacks.BAYES(hs.priors.FREQ_ROI(town), np.ones((2, 3)))
    with pytest.raises(hs.InputError, match="nan in epoch 0, ROI 0 is not a count"):
        hs.Release(np.full((2, 3), np.nan))


def test_names_and_documentation_come_from_the_registry(program):
    listed = program("list").stdout
    for module in (hs.priors, hs.attacks, hs.mechanisms, hs.metrics):
        assert module.__all__
        for name in module.__all__:
            explained = " ".join(program("explain", name).stdout.split())
            doc = getattr(module, name).__doc__
            assert name in listed
            summary = doc.split("\n\n")[1] if doc.startswith(name) or "(" in doc.split("\n")[0] else doc.split("\n")[0]
            assert " ".join(summary.split()) in explained
    assert "epsilon: float | str | None = None" in hs.mechanisms.SCM.__doc__
    assert "form: float | str = 'paper'" in hs.mechanisms.FPA.__doc__
