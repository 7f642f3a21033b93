# SPDX-License-Identifier: Apache-2.0
"""Classes of the user that raise, give the wrong thing, or are interrupted."""

import signal
import threading

import numpy as np
import pytest
from test_own import MyBayes, MyFreqRoi, MyRates, assert_rows_agree, rows_of

import hearsay as hs

LAST = ["LAST_HOUR", "LAST_DAY", "LAST_WEEK"]  # priors that are predictions of places, not distributions


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("prior", LAST)
def test_an_attack_on_a_prior_of_predictions_may_fail_in_any_way(town, prior, threads):
    class Raises:
        def infer(self, prior, counts):
            raise KeyError("mine")

    class WrongShape:
        def infer(self, prior, counts):
            return np.zeros((3, 4))

    class Interrupted:
        def infer(self, prior, counts):
            signal.raise_signal(signal.SIGINT)
            return np.asarray(prior)

    failures = [(Raises, KeyError, "mine"), (WrongShape, hs.InputError, "WrongShape.infer: gave an array of 3 x 4")]
    for attack, error, message in [*failures, (Interrupted, KeyboardInterrupt, None)]:
        with pytest.raises(error, match=message):
            hs.Study(town, priors=[prior], attacks=[attack]).run(threads=threads)


class GivesBack:
    def infer(self, prior, counts):
        return prior


class GivesBackAnArray:
    def infer(self, prior, counts):
        return np.asarray(prior)


@pytest.mark.parametrize("prior", LAST)
def test_an_attack_may_give_back_its_prior_whatever_that_is(town, prior):
    results = hs.Study(town, priors=[prior], attacks=[GivesBack, GivesBackAnArray]).run()
    assert_rows_agree(rows_of(results, attack="GivesBack"), rows_of(results, attack="GivesBackAnArray"))


def test_an_attack_may_give_back_a_prior_of_rates(town):
    results = hs.Study(town, priors=[MyRates], attacks=[GivesBack, GivesBackAnArray], control=False).run()
    assert_rows_agree(rows_of(results, attack="GivesBack"), rows_of(results, attack="GivesBackAnArray"))


def test_a_distribution_is_no_assignment(town):
    class Claims:
        output = "assignment"

        def infer(self, prior, counts):
            return prior

    with pytest.raises(hs.InputError, match='Claims.infer: gave a distribution, though its output is "assignment"'):
        hs.Study(town, priors=["FREQ_ROI"], attacks=[Claims]).run()


class LoopsInInfer:
    def infer(self, prior, counts):
        return loop()


class LoopsInBelieve:
    def believe(self, epoch, past):
        return loop()


class LoopsInPerturb:
    def perturb(self, counts, random):
        return loop()


class LoopsInKeep:
    def keep(self, visits):
        return loop()


begun = threading.Event()


def loop():
    """Code that takes minutes unless it is interrupted."""
    begun.set()
    for _ in range(10**10):
        pass
    raise AssertionError("was not interrupted")


@pytest.mark.parametrize(
    "settings",
    [
        {"attacks": [LoopsInInfer]},
        {"priors": [LoopsInBelieve]},
        {"releases": [hs.release(LoopsInPerturb)]},
        {"releases": [hs.release([hs.step(LoopsInKeep)])]},
    ],
    ids=["infer", "believe", "perturb", "keep"],
)
def test_ctrl_c_ends_python_code_that_does_not_end(town, settings):
    def interrupt():
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    begun.clear()
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        hs.Study(town, **{"priors": ["FREQ_ROI"], "attacks": ["BAYES"], "goals": ["profiling"], **settings}).run()
    thread.join()
    # The interpreter is as it was: nothing is left to be interrupted.
    assert hs.Study(town, priors=[MyFreqRoi], attacks=[MyBayes], goals=["profiling"]).run().findings
