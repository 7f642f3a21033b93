# SPDX-License-Identifier: Apache-2.0
"""What may be copied and sent to other processes, and what is refused."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import hearsay as hs

SMALL = ROOT / "examples" / "small" / "study.toml"


@pytest.fixture(scope="module")
def study(town):
    return hs.Study(town, priors=["FREQ_ROI"], attacks=["BAYES"], releases=[hs.release("SCM", sensitivity="event", epsilon=1)])


def test_results_take_their_content_to_another_process(study, tmp_path):
    results = study.run()
    expected = results.summary.to_dict(), results.users.to_dict(), results.findings
    content = {file.name: file.read_bytes() for file in results.folder.iterdir()}
    (tmp_path / "results").write_bytes(pickle.dumps(results))
    (tmp_path / "table").write_bytes(pickle.dumps(results.summary))
    folder = results.folder
    del results
    assert not folder.exists()  # only what was pickled is left
    program = (
        "import pickle, sys\n"
        "results, table = (pickle.load(open(name, 'rb')) for name in sys.argv[1:3])\n"
        "made = (results.summary.to_dict(), results.users.to_dict(), results.findings), table.to_dict()\n"
        "pickle.dump((made, {file.name: file.read_bytes() for file in results.folder.iterdir()}), open(sys.argv[3], 'wb'))"
    )
    names = [str(tmp_path / name) for name in ("results", "table", "made")]
    subprocess.run([sys.executable, "-c", program, *names], check=True)
    (seen, table), files = pickle.loads((tmp_path / "made").read_bytes())
    assert seen == expected
    assert table == expected[0]
    assert files == content


def test_a_deep_copy_of_results_outlives_them(study):
    results = study.run()
    expected = results.summary.to_dict()
    deep, shallow = copy.deepcopy(results), copy.copy(results)
    assert deep.folder != results.folder == shallow.folder
    del results
    assert shallow.summary.to_dict() == expected
    table = shallow.summary
    del shallow
    assert deep.summary.to_dict() == table.to_dict() == expected


def test_results_in_a_folder_of_yours_are_pickled_too(study, tmp_path):
    results = study.run(out=tmp_path / "results")
    found = pickle.loads(pickle.dumps(results))
    assert found.summary.to_dict() == results.summary.to_dict()
    assert found.report(tmp_path / "page.html").read_bytes() == (tmp_path / "results" / "report.html").read_bytes()


class Half:
    """Counts halved."""

    def perturb(self, counts, random):
        return counts / 2


def test_what_is_plain_goes_through_pickle(town, study, tmp_path):
    release = hs.mechanisms.SCM(sensitivity="event", epsilon=1).perturb(town, seed=3)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(release)), release)
    errors = hs.metrics.PROFILING(town, hs.priors.FREQ_ROI(town))
    same = pickle.loads(pickle.dumps(errors))
    for name in ("users", "active", "epochs", "rois"):
        np.testing.assert_array_equal(getattr(same, name), getattr(errors, name))
    for defence in (hs.mechanisms.SCM(sensitivity="event", epsilon=1), hs.chain(Half, "ROUND(base=5)")):
        found = pickle.loads(pickle.dumps(defence))
        assert (found.name, found.parameter) == (defence.name, defence.parameter)
        np.testing.assert_array_equal(found.perturb(town, seed=2), defence.perturb(town, seed=2))
    described, advice = town.describe(), hs.advise(study, mae=50, seconds=1)
    found = pickle.loads(pickle.dumps(described))
    assert (dict(found), str(found)) == (dict(described), str(described))
    found = pickle.loads(pickle.dumps(advice))
    assert (found.found, found.report(tmp_path / "page.html").read_text()) == (advice.found, advice._page)
    for plain in (hs.Grid(1, 2, 3, 4, 5, 6), hs.Stations("list.csv"), hs.step(Half)):
        assert pickle.loads(pickle.dumps(plain)) == plain


def test_a_study_of_a_file_goes_through_pickle():
    study = hs.Study.from_toml(SMALL, overrides={"study.priors": ["FREQ_ROI"], "study.attacks": ["BAYES"]})
    found = pickle.loads(pickle.dumps(study))
    assert found.toml == study.toml
    assert found.run().summary.to_dict() == study.run().summary.to_dict()


def test_what_cannot_be_pickled_says_what_to_do(town, study):
    prior = hs.priors.FREQ_ROI(town)
    for refused, message in [
        (town, "a Dataset cannot be pickled: read the data in the process that needs it"),
        (study, "a Study of data in memory cannot be pickled: pickle its results, or a Study.from_toml"),
        (prior, "a Prior or an Inference cannot be pickled: pickle numpy.asarray"),
        (hs.attacks.BAYES(prior, town.release()), "a Prior or an Inference cannot be pickled"),
        (prior[0], r"Beliefs cannot be pickled: pickle numpy.asarray\(beliefs\)"),
    ]:
        with pytest.raises(TypeError, match=message):
            pickle.dumps(refused)
        assert copy.copy(refused) is copy.deepcopy(refused) is refused
