# SPDX-License-Identifier: Apache-2.0
import shlex
from pathlib import Path

import pytest

import hearsay as hs

ADVERSARY = {"priors": ["FREQ_ROI"], "attacks": ["BAYES"], "membership": {"groups": [4], "targets": 6, "trials": 16}}


def test_advice_keeps_to_limits_and_names_a_command(town, tmp_path):
    study = hs.Study(town, **ADVERSARY)
    advice = hs.advise(study, membership=0.9, seconds=600)
    assert advice.chosen is not None
    assert advice.chosen["membership"]["high"] <= 0.9
    frame = advice.frontier
    assert frame["mae"].is_monotonic_increasing
    assert frame["chosen"].sum() == 1
    assert advice.command.startswith("hearsay release STUDY.toml --")
    assert "STUDY.toml is a study file that you have yet to write" in advice.command_notes[0]
    assert "Publish" in repr(advice) and "<iframe" in advice._repr_html_()
    page = advice.report(tmp_path / "advice.html").read_text()
    assert "hearsay-data" in page
    assert hs.advise(study, membership=0.9, seconds=600, threads=1).found == advice.found


def test_limits_that_cannot_be_met_have_a_nearest(town):
    advice = hs.advise(hs.Study(town, **ADVERSARY), membership=0.5, mae=0, seconds=600)
    assert advice.chosen is None
    assert advice.nearest is not None
    assert advice.found["misses"]


def test_the_command_names_the_file_and_its_overrides():
    small = Path(__file__).parents[2] / "examples/small/study.toml"
    study = hs.Study.from_toml(small, overrides={"study.priors": ["FREQ_ROI"], "study.attacks": ["BAYES"]})
    advice = hs.advise(study, mae=1, seconds=600)
    assert not any("yet to write" in note for note in advice.command_notes)
    command = shlex.split(advice.command)
    assert command[2:7:2] == [str(small), 'study.priors=["FREQ_ROI"]', 'study.attacks=["BAYES"]'], command


def test_what_is_odd_about_a_file_is_warned_of():
    small = Path(__file__).parents[2] / "examples/small/study.toml"
    changes = {"study.priors": ["FREQ_ROI"], "study.attacks": ["BAYES"], "data.timezone": ""}
    with pytest.warns(hs.DataWarning, match="data.timezone is not set: UTC is used") as told:
        hs.advise(hs.Study.from_toml(small, overrides=changes), mae=50, seconds=1)
    assert {warning.filename for warning in told} == {__file__}


def test_a_limit_is_needed(town):
    with pytest.raises(hs.ConfigError, match="at least one limit"):
        hs.advise(hs.Study(town, **ADVERSARY))
    with pytest.raises(hs.ConfigError, match="at most 1e8"):
        hs.advise(hs.Study(town, **ADVERSARY), mae=1, seconds=1e9)
