"""Pages: scripts by hash alone, data and names as text."""

import base64
import hashlib
import json
import re

import numpy as np

from lissom.view.page import data_block, packed, page_text, verdict


def test_the_policy_allows_the_given_scripts_and_no_others():
    page = page_text("a", ["<p>b</p>"], ["let x = 1;", "x += 1;"])
    told = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in ("let x = 1;", "x += 1;")]
    policy = re.search('Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#x27;", "'")
    assert re.findall(r"'sha256-([^']+)'", policy) == told and policy.startswith("default-src 'none'; script-src 'sha256-")
    assert page.index("<script>let") < page.index("<script>x +=") and "unsafe-inline" not in policy.split("style-src")[0]
    assert "script-src" not in page_text("a", [])


def test_data_cannot_end_its_block_and_is_read_back_as_it_was():
    told = {"name": "</script><script>alert(1)</script>\u2028 & <!-- \ud800", "x": [1.5, None]}
    block = data_block('a"b', told)
    assert block.count("<") == 2 and "&" not in block.removeprefix('<script type="application/json" id="a&quot;b">')
    assert json.loads(block[block.index(">") + 1 : block.rindex("<")]) == told


def test_packed_arrays_hold_the_numbers():
    values = np.random.default_rng(1).normal(size=(3, 4))
    for kind, dtype in (("f64", "<f8"), ("f32", "<f4"), ("u8", "u1"), ("i8", "i1"), ("u16", "<u2")):
        own = values if kind[0] == "f" else np.round(10 * np.abs(values))
        data = packed(own, kind)
        assert data["type"] == kind and data["shape"] == [3, 4]
        back = np.frombuffer(base64.b64decode(data["data"]), dtype).reshape(3, 4)
        assert np.array_equal(back, own.astype(dtype))


def test_a_verdict_is_text():
    assert verdict(True, "a", careful=True) == '<p class="verdict careful">a</p>'
    assert verdict(False, "<b>", ["<i>"]) == '<p class="verdict bad">&lt;b&gt;</p><ul><li>&lt;i&gt;</li></ul>'
