"""`lissom export`: files in a folder, options as words, and refusals."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lissom.cli import app
from lissom.cli.export import read_option
from lissom.errors import StateError
from lissom.wrench import BaseMotion


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def test_export_writes_a_library_and_says_which_files(lissom):
    done = lissom("export", "robots:rr", "gravity_torques", "link_pose", "--set", "link=link_2", "-o", "code", "--name", "arm")
    assert done.exit_code == 0, done.stderr
    assert "code/arm.h" in done.stdout
    assert "arm_link_pose(" in Path("code/arm.c").read_text()
    again = lissom("export", "robots:rr", "gravity_torques", "-o", "code", "--name", "arm", "--precision", "single", "--json")
    assert json.loads(again.stdout)["functions"] == ["gravity_torques"]
    assert "float tau[2]" in Path("code/arm.h").read_text()


def test_export_does_not_overwrite_what_was_changed(lissom):
    assert lissom("export", "robots:rr", "gravity_torques", "--to", "python", "--name", "arm", "-o", "code").exit_code == 0
    Path("code/arm.py").write_text("# mine")
    done = lissom("export", "robots:rr", "gravity_torques", "--to", "python", "--name", "arm", "-o", "code")
    assert done.exit_code == 2
    assert "--force overwrites" in done.stderr
    Path("file").write_text("")
    assert "needs a folder" in lissom("export", "robots:rr", "gravity_torques", "-o", "file").stderr


def test_languages_have_the_names_of_their_tools_too(lissom):
    assert lissom("export", "robots:rr", "gravity_torques", "--to", "octave", "-o", "code").exit_code == 0
    assert "language='matlab'" in Path("code/test_barman_rr.m").read_text() + Path("code/barman_rr_gravity_torques.m").read_text()


def test_web_demo_writes_a_page_of_robots_that_sliders_can_drive(lissom):
    assert lissom("web-demo", "robots:rr", "-o", "rr.html", "--q", "0.5,1").exit_code == 0
    page = Path("rr.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "http://" not in page.replace("http://www.w3.org", "")
    assert "closed loops" in lissom("web-demo", "robots:five_bar", "-o", "five.html").stderr
    assert "use .html" in lissom("web-demo", "robots:rr", "-o", "rr.txt").stderr
    assert "--q has 1 numbers, expected 2" in lissom("web-demo", "robots:rr", "-o", "b.html", "--q", "1").stderr
    assert not Path("five.html").exists() and not Path("b.html").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("link=hand", ("link", "hand")),
        ("classical=false", ("classical", False)),
        ('joints=["a", "b"]', ("joints", ["a", "b"])),
        ('known={"torque": "..."}', ("known", {"torque": ...})),
    ],
)
def test_options_are_words_or_json(text, expected):
    assert read_option(text) == expected


def test_loads_are_named_without_numbers():
    name, wrenches = read_option("external=hand:link,elbow")
    assert (name, {link: w.axes for link, w in wrenches.items()}) == ("external", {"hand": "link", "elbow": "world"})
    assert isinstance(read_option("base-motion=true")[1], BaseMotion)
    with pytest.raises(StateError, match="expected OPTION=VALUE"):
        read_option("link")


def test_torque_rates_take_rates_of_wrenches_and_a_base_that_moves(lissom):
    loads = ("--set", "external=link_2:link", "--set", "external_rates=true", "--set", "base_motion=true")
    done = lissom("export", "robots:rr", "torque_rates", "inverse_dynamics", *loads, "-o", "code", "--name", "arm")
    assert done.exit_code == 0, done.stderr
    header = Path("code/arm.h").read_text()
    assert all(f"{word}[" in header for word in ("external", "external_rates", "base_motion", "base_jerk"))
