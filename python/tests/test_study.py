# SPDX-License-Identifier: Apache-2.0
import gc
import json
import re
import sys
import weakref

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, same

import hearsay as hs

SMALL = ROOT / "examples" / "small" / "study.toml"


@pytest.fixture(scope="module")
def results(town):
    return hs.Study(
        town,
        priors=["FREQ_ROI", "ROI_DAY"],
        attacks=["BAYES"],
        releases=[hs.release("SCM", sensitivity="event", epsilon=[0.1, 1], repeats=2)],
    ).run()


def test_python_and_command_line_agree_to_the_bit(program, tmp_path):
    made = program("study", SMALL, "--quiet", "--out", tmp_path / "cli")
    assert made.returncode == 0, made.stderr
    found = hs.Study.from_toml(SMALL).run(out=tmp_path / "python")
    cli = sorted(path.name for path in (tmp_path / "cli").iterdir())
    assert cli == sorted(path.name for path in found.folder.iterdir())
    for name in cli:
        if name != "manifest.json":  # which has times
            assert (tmp_path / "cli" / name).read_bytes() == (found.folder / name).read_bytes(), name


def test_a_study_in_code_and_a_file_agree_to_the_bit(program, tmp_path, town, events):
    events.to_parquet(tmp_path / "events.parquet")
    study = hs.Study(
        town,
        priors=["FREQ_ROI", "TIME_DAY"],
        attacks=["BAYES", "MAX_USER"],
        log_base="e",
        seed=5,
        releases=[hs.release("FPA", k=5, epsilon=[0.5, 1], repeats=2, attacks=["MAX_USER"])],
    )
    (tmp_path / "study.toml").write_text(study.toml.replace("data frame", "events.parquet"))
    made = program("study", tmp_path / "study.toml", "--quiet", "--out", tmp_path / "cli")
    assert made.returncode == 0, made.stderr
    found = study.run()
    for name in ("summary.csv", "epochs.csv", "rois.csv", "utility.csv", "means.csv", "users.parquet"):
        assert (tmp_path / "cli" / name).read_bytes() == (found.folder / name).read_bytes(), name


def test_tables_become_frames(results):
    for name in ("summary", "epochs", "users", "utility", "means", "rois"):
        table = getattr(results, name)
        arrow = pa.table(table)
        assert arrow.num_rows == len(table) > 0
        pd.testing.assert_frame_equal(table.to_pandas(), arrow.to_pandas())
        assert table.to_polars().equals(pl.from_arrow(arrow))
        assert table.to_dict() == arrow.to_pydict()
    exact = pd.read_csv(results.folder / "summary.csv", float_precision="round_trip")
    assert exact.error_mean.tolist() == results.summary.to_dict()["error_mean"]
    types = {field.name: str(field.type) for field in pa.table(results.summary).schema}
    assert types["decision"] == "string" and types["repeat"] == "uint64" and types["gain_mean"] == "double"


def test_tables_outlive_the_results(town):
    table = hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"]).run().summary
    assert len(table.to_pandas()) == len(table)


def test_a_temporary_folder_goes_with_its_results(town):
    results = hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"]).run()
    folder = results.folder
    assert folder.exists()
    del results
    assert not folder.parent.exists()


def test_report_and_findings(results, tmp_path):
    page = results.report(tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert "FREQ_ROI" in page
    assert len(results.findings) >= 2 and results.findings[0] in repr(results)
    assert results.manifest["dataset"]["users"] == 60
    assert results.manifest["input"]["files"] == []
    saved = hs.open_results(results.save(tmp_path / "kept"))
    assert saved.findings[0] == json.loads((tmp_path / "kept/report.json").read_text())["findings"][0]
    assert saved.summary.to_dict() == results.summary.to_dict()


def test_a_notebook_shows_summary_and_chart(results):
    html = results._repr_html_()
    readings = [
        row
        for row in results.summary.rows()
        if row["attack"] == "BAYES" and row["goal"] == "profiling" and row["release"] == "RAW"
    ]
    row = min(readings, key=lambda reading: reading["error_mean"])  # as she reads it best
    assert f"{row['error_mean']:.3f} ({row['loss_mean']:.0%})" in html
    bars = re.findall(r'<rect x="130" y="\d+" width="([\d.]+)"', html)
    assert len(bars) == 2 * 2 * 3  # goals, priors, attacks with the blind guess
    blind = next(row for row in results.summary.rows() if row["attack"] == "NOWHERE" and row["goal"] == "profiling")
    assert f"<td>{blind['error_mean']:.3f}</td>" in html, "no counts took anything from a blind guess"
    assert {row["before_attack"] for row in results.best.rows()} <= {"PRIOR", "NOWHERE"}
    assert html.count("<svg") == html.count("</svg>") == 1
    assert f"{row['error_mean'] * 420:.1f}" in bars


@pytest.mark.parametrize(
    ("overrides", "flags"),
    [
        ({"study.priors": ["FREQ"]}, ["--set", 'study.priors=["FREQ"]']),
        ({"study.delta": 2}, ["--set", "study.delta=2"]),
        ({"data.path": "gone.csv"}, ["--set", "data.path=gone.csv"]),
        ({"study.atacks": ["BAYES"]}, ["--set", 'study.atacks=["BAYES"]']),
    ],
)
def test_errors_are_those_of_the_command_line(program, tmp_path, overrides, flags):
    said = program("study", SMALL, "--quiet", "--out", tmp_path / "no", *flags).stderr
    with pytest.raises((hs.ConfigError, hs.InputError)) as caught:
        hs.Study.from_toml(SMALL, overrides=overrides).run()
    assert isinstance(caught.value, ValueError)
    assert said.strip().endswith(str(caught.value))


def test_errors_in_code_name_the_setting(town):
    with pytest.raises(hs.ConfigError, match=r'^study.attacks = BAYS: is not known; did you mean "BAYES"\?'):
        hs.Study(town, attacks=["BAYS"])
    with pytest.raises(hs.ConfigError, match=r"^SCM.epsilon = 0: must be above 0"):
        hs.Study(town, releases=[hs.release("SCM", sensitivity="event", epsilon=0)])
    with pytest.raises(hs.InputError, match="no such study file"):
        hs.Study.from_toml("nowhere.toml")
    with pytest.raises(hs.InputError, match="not a folder of results"):
        hs.open_results(ROOT)


def test_progress_is_told(town, capsys):
    steps = []
    hs.Study(town, priors=["FREQ_ROI"], attacks=["MAX_USER"]).run(progress=lambda *step: steps.append(step))
    assert steps and all(done <= total or total == 0 for _, done, total in steps)
    hs.Study(town, priors=["FREQ_ROI"], attacks=["MAX_USER"]).run(progress=True)
    assert "writing" in capsys.readouterr().err


def test_columns_of_a_folder_from_elsewhere_are_only_names(tmp_path):
    folder = tmp_path / "results[1]"  # not a pattern
    folder.mkdir()
    odd = 'x" AS DOUBLE), 42 AS "y'
    quoted = odd.replace('"', '""')
    (folder / "summary.csv").write_text(f'goal,"{quoted}"\nprofiling,1\n')
    (folder / "manifest.json").write_text("{}")
    found = hs.Results(folder)
    assert found.summary.to_dict() == {"goal": ["profiling"], odd: [1.0]}
    assert found.summary.to_arrow().column_names == ["goal", odd]
    # Of any type: a column of 4 bytes a row is not read as one of 8.
    pq.write_table(
        pa.table({"uid": ["a"], odd: pa.array([7], pa.int32())}), folder / "users.parquet"
    )
    assert found.users.to_dict() == {"uid": ["a"], odd: [7.0]}


@pytest.mark.parametrize(
    ("missing", "call", "extra"),
    [
        ("pandas", "to_pandas", "pandas"),
        ("pyarrow", "to_pandas", "pandas"),
        ("pyarrow", "to_arrow", "pandas"),
        ("polars", "to_polars", "polars"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(results, monkeypatch, missing, call, extra):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        getattr(results.summary, call)()
    assert str(caught.value).startswith(f"{call}() needs {missing}, which is not installed: pip install '.[{extra}]'")


def test_the_extras_bring_what_frames_need():
    project = (ROOT / "pyproject.toml").read_text()
    pandas = re.search(r"^pandas = \[(.*)\]$", project, flags=re.MULTILINE).group(1)
    assert '"pandas' in pandas and '"pyarrow' in pandas
    assert "pip install '.[pandas]'" in (ROOT / "docs" / "python.md").read_text()


def study_of(town, **settings):
    return hs.Study(town, **{"priors": ["FREQ_ROI"], "attacks": ["BAYES"], "goals": ["profiling"], **settings})


EVENT = {"sensitivity": "event"}


@pytest.mark.parametrize(
    "epsilon",
    [np.logspace(-1, 1, 3), pd.Series([0.1, 1, 10]), (0.1, np.float64(1), np.int64(10)), [np.float64(0.1), 1, 10]],
    ids="array series tuple scalars".split(),
)
def test_numbers_of_numpy_are_tried_like_those_of_python(town, epsilon):
    expected = study_of(town, releases=[hs.release("SCM", **EVENT, epsilon=[0.1, 1, 10])])
    found = study_of(town, releases=[hs.release("SCM", **EVENT, epsilon=epsilon)])
    assert same(found.run(), expected.run())


def test_numpy_in_other_settings(town):
    assert study_of(town, seed=np.int64(5), control=np.bool_(False), attacks=np.array(["BAYES"])).toml == study_of(
        town, seed=5, control=False
    ).toml


def test_a_parameter_of_several_values_says_where_lists_are_tried(town, tmp_path):
    message = r"^epsilon = \[0.1, 1.0, 10.0\]: must be one value; hearsay.release tries every value of a list"
    with pytest.raises(hs.ConfigError, match=message):
        hs.step("SCM", **EVENT, epsilon=np.logspace(-1, 1, 3))
    with pytest.raises(hs.ConfigError, match=message):
        hs.publish(town, "SCM", **EVENT, epsilon=np.logspace(-1, 1, 3), out=tmp_path / "counts.csv")
    with pytest.raises(TypeError, match=r"parameters belong to the steps, as in hearsay.step\(MECHANISM, epsilon=...\)"):
        hs.release(["SAMPLE(rate=0.5)", "LAPLACE"], epsilon=1)


SCM = "SCM(sensitivity=event,epsilon=1)"


@pytest.mark.parametrize(
    "given",
    [
        [hs.release(hs.mechanisms.SCM(**EVENT, epsilon=1))],
        [hs.mechanisms.SCM(**EVENT, epsilon=1)],
        hs.mechanisms.SCM(**EVENT, epsilon=1),
        hs.release(hs.mechanisms.SCM, **EVENT, epsilon=1),
        [hs.release(SCM)],
        [SCM],
        SCM,
        [hs.step("SCM", **EVENT, epsilon=1)],
        [hs.release([hs.step(hs.mechanisms.SCM, **EVENT, epsilon=1)])],
        [hs.chain(SCM)],
    ],
    ids="in_release in_list alone function text_in_release text_in_list text step step_of_function chain".split(),
)
def test_a_defence_may_be_named_in_any_way(town, given):
    expected = study_of(town, releases=[hs.release("SCM", **EVENT, epsilon=1)])
    assert same(study_of(town, releases=given).run(), expected.run())


def test_a_defence_with_parameters_is_a_step_of_a_chain(town):
    expected = study_of(town, releases=[hs.release(["SAMPLE(rate=0.5)", "LAPLACE(epsilon=1)"])])
    steps = [hs.mechanisms.SAMPLE(rate=0.5), hs.mechanisms.LAPLACE(epsilon=1)]
    assert study_of(town, releases=[hs.release(steps)]).toml == expected.toml
    chained = hs.chain(*steps)
    assert study_of(town, releases=[hs.release(chained)]).toml == expected.toml
    np.testing.assert_array_equal(chained.perturb(town), hs.chain("SAMPLE(rate=0.5)", "LAPLACE(epsilon=1)").perturb(town))


@pytest.mark.parametrize("alone", [False, True])
def test_the_functions_of_the_package_stand_for_their_names(town, alone):
    entries = {"priors": hs.priors.FREQ_ROI, "attacks": hs.attacks.BAYES, "goals": hs.metrics.PROFILING}
    found = study_of(town, **{key: entry if alone else [entry] for key, entry in entries.items()})
    assert found.toml == study_of(town).toml
    assert study_of(town, priors=[hs.priors.FREQ_ROI(town)]).toml == study_of(town).toml


def test_what_is_no_data_set_is_told_what_to_do(town, events, tmp_path):
    frame = r"a Study is made of a Dataset, not of a DataFrame: read it first, as in hearsay.Study\(hearsay.read_events"
    with pytest.raises(TypeError, match=frame):
        hs.Study(events)
    with pytest.raises(TypeError, match=frame):
        hs.advise(events, mae=1)
    with pytest.raises(TypeError, match=frame):
        hs.publish(events, "SCM", out=tmp_path / "counts.csv")
    with pytest.raises(TypeError, match=r"not of a str: hearsay.Study.from_toml\(path\) runs a study file"):
        hs.Study("study.toml")
    inference = hs.attacks.BAYES(hs.priors.FREQ_ROI(town), town.release())
    with pytest.raises(hs.ConfigError, match=r'study.attacks: holds what an attack found; name the attack itself, .*\["BAYES"\]'):
        study_of(town, attacks=[inference])


def test_a_study_that_is_refused_keeps_nothing(town):
    class Neither:
        pass

    given = Neither()
    alive = weakref.ref(given)
    with pytest.raises(hs.ConfigError, match="expected a class with infer"):
        study_of(town, attacks=[given])
    del given
    gc.collect()
    assert alive() is None
