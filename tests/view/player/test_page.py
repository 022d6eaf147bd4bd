"""Pages with players as text: policy, escaping, files."""

import base64
import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

import lissom.view.player.page as player_page
from lissom.errors import FileError
from lissom.view.page import write_page
from lissom.view.player.page import pair_html, player_part, player_script, player_style, scene_html, write_scene_page
from lissom.view.scene.scene import Lines, Part, Scene

NASTY = '</script><img src=x onerror=alert(1)> "quote" & \u2028 \x1b[31m'


def scene(name=NASTY, body=NASTY):
    line = Lines(np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]))
    return Scene(
        name, ("world", body), np.tile(np.eye(4), (1, 2, 1, 1)), np.zeros(1), (Part(1, line, "visual", (1, 0, 0, 1), name),)
    )


def test_scripts_of_a_page_are_allowed_by_their_hash_alone():
    page = scene_html(scene())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#x27;", "'")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert len(scripts) == 1 and "default-src 'none'" in policy
    assert re.search(r"script-src ([^;]*);", policy)[1] == f"'sha256-{digest}'"


def test_names_stay_inside_the_data():
    page = scene_html(scene())
    data = re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(data)["name"] == NASTY and json.loads(data)["bodies"][1] == NASTY
    assert not set("<>&\u2028\x1b") & set(data)
    assert page.count("<script") == 2 and "<img" not in page


def test_the_player_names_no_address_but_that_of_svg():
    assert set(re.findall(r"https?://[^\"'` ]*", player_script() + player_style())) == {"http://www.w3.org/2000/svg"}
    assert not re.search(
        r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|fetch|XMLHttpRequest)\b", player_script()
    )


def test_a_page_is_written_where_its_ending_is_that_of_a_page(tmp_path):
    path = write_scene_page(scene(), tmp_path / "new" / "motion.html")
    assert path.read_text(encoding="utf-8") == scene_html(scene())
    with pytest.raises(FileError, match=r"ending in '\.txt'; use \.html"):
        write_scene_page(scene(), tmp_path / "motion.txt")


def test_a_player_is_a_part_of_a_report(tmp_path):
    path = write_page("report", [player_part(scene())], tmp_path / "report.html", [player_script()], player_style())
    page = path.read_text(encoding="utf-8")
    assert page.count('class="lissom-player"') == 1 and page.count("<script>") == 1


def test_two_scenes_side_by_side_stand_in_a_pair():
    page = pair_html(scene(), scene(), "before and after")
    assert page.count('class="lissom-pair"') == 1 and page.count('class="lissom-player"') == 2


def test_every_script_of_the_folder_is_in_the_player_and_short():
    folder = Path(player_page.__file__).parent
    assert {path.stem for path in folder.glob("*.js")} == set(player_page.SCRIPTS)
    for path in (*folder.glob("*.js"), *folder.glob("*.css")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 300 and max(map(len, lines)) <= 130, path
