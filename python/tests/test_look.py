# SPDX-License-Identifier: Apache-2.0
import pandas as pd
import polars as pl
import pytest
from conftest import same

import hearsay as hs


@pytest.fixture
def plain(events):
    return events.rename(columns={"uid": "user", "datetime": "timestamp"})


def guessed(source, **settings):
    with pytest.warns(UserWarning, match="guessed period.start"):
        return hs.Study.guess(source, priors=["FREQ_ROI"], attacks=["BAYES"], **settings)


def test_a_frame_and_its_file_look_the_same(plain, tmp_path):
    path = tmp_path / "events.csv"
    plain.to_csv(path, index=False)
    frame, file, polars = hs.look(plain), hs.look(path), hs.look(pl.from_pandas(plain))
    assert frame["seen"] == file["seen"] == polars["seen"]
    assert frame["seen"]["events"] == len(plain)
    assert frame["seen"]["users"] == plain.user.nunique()
    assert frame["period"] == file["period"]
    assert frame.problem is None
    assert "events by hour of the day" in str(frame)
    assert 'kind = "grid"' in frame.study and "timezone = " in frame.study


def test_a_guessed_study_runs_on_files_and_frames(plain, tmp_path):
    path = tmp_path / "events.csv"
    plain.to_csv(path, index=False)
    results = guessed(plain).run()
    assert same(results, guessed(str(path)).run())
    study = tmp_path / "written.toml"
    study.write_text(hs.look(path).study)
    assert same(
        results,
        hs.Study.from_toml(study, overrides={"study.priors": ["FREQ_ROI"], "study.attacks": ["BAYES"]}).run(),
    )


def test_what_cannot_be_studied_says_why():
    rides = pd.DataFrame({"ride_id": ["a"], "lat": [1.5], "lng": [2.5], "datetime": ["2020-01-01 08:00:00"]})
    seen = hs.look(rides)
    assert "numbers trips" in seen.problem
    assert [column["name"] for column in seen["columns"]] == list(rides.columns)
    assert seen.study == ""
    with pytest.raises(hs.InputError, match="numbers trips"):
        hs.Study.guess(rides)


def test_what_is_odd_is_said():
    once = pd.DataFrame(
        {"uid": range(40), "roi": ["x", "y"] * 20, "datetime": pd.date_range("2020-01-06", periods=40, freq="h")}
    )
    assert any("have one event" in odd for odd in hs.look(once).odd)


def test_a_guessed_study_of_one_day_leaves_out_priors_that_need_more():
    day = pd.DataFrame(
        {"uid": f"u{user}", "roi": f"p{(user + hour) % 4}", "datetime": f"2024-03-04 {hour:02}:10:00"}
        for user in range(12)
        for hour in range(24)
    )
    with pytest.warns(UserWarning, match="guessed period.start"):
        study = hs.Study.guess(day, attacks=["BAYES"])
    assert "LAST_HOUR" in study.toml
    assert "LAST_DAY" not in study.toml
    study.run()  # It used to be refused for LAST_WEEK.


def test_what_is_odd_about_a_guessed_study_is_warned_of(plain):
    few = plain[plain.user.isin(["u1", "u2"])]
    with pytest.warns(hs.DataWarning) as told:
        data = hs.Study.guess(few, priors=["FREQ_ROI"])._data
    sentences = [str(warning.message) for warning in told]
    assert any(sentence.startswith("guessed data.timezone") for sentence in sentences)
    assert data.warnings and set(data.warnings) < set(sentences)
    assert {warning.filename for warning in told} == {__file__}
