# SPDX-License-Identifier: Apache-2.0
import json
import urllib.error
import urllib.request

import pytest


def ask(link, path, body=None):
    address, token = link.split("/#")
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(address + path, body and json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def test_a_studio_answers_on_the_data(town):
    with town.studio(threads=1) as studio:
        assert json.loads(ask(studio.link, "/api/studio"))["dataset"]["users"] == town.users
        lines = ask(studio.link, "/api/run", {"priors": ["ROI_DAY"], "publish": {"steps": ["ROUND(base=5)"]}})
        report = json.loads(lines.strip().split("\n")[-1])
        assert report["event"] == "report"
        assert report["report"]["published"]["steps"] == [{"name": "ROUND", "parameter": "base=5"}]
        assert "--step 'ROUND(base=5)'" in report["command"]
        assert studio.link in repr(studio)
        assert f'<iframe src="{studio.link}"' in studio._repr_html_()
        assert "frame-ancestors 'self' http://localhost:*" in urllib.request.urlopen(studio.link).headers["Content-Security-Policy"]
    with pytest.raises(urllib.error.URLError):
        ask(studio.link, "/api/studio")
    assert repr(studio) == "<Studio, closed>"
    assert "closed" in studio._repr_html_()
    studio.close()


def test_two_studios_share_the_data(town):
    with town.studio() as one, town.studio() as other:
        assert one.link != other.link
        for studio in (one, other):
            assert '"event":"report"' in ask(studio.link, "/api/run", {"attacks": ["BAYES"]})
