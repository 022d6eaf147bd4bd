"""`lissom predict gait` and `run`: options, files and messages."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom.cli import app
from lissom.cli.gait import _write, changes_of, robot_name
from lissom.cli.motion_file import read_motion
from lissom.cli.view import walk_of


def run(*words, code=0):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


def test_options_of_walks_and_of_problems_do_not_mix():
    assert "--speed goes with gait and run only" in run("predict", "rr", "--speed", "1.2", code=2)
    assert "--norm goes with gait and run only" in run("predict", "rr", "--norm", "x.csv", code=2)
    assert "--starts does not go with gait" in run("predict", "gait", "--starts", "3", code=2)
    assert "--plot does not go with gait" in run("predict", "gait", "--plot", "x.png", code=2)
    assert "--slope; it is --with slope=... of predict gait" in run("predict", "gait", "--slope", "0.1", code=2)
    assert "--hand-load; it is --with hand_load=... of predict gait" in run("predict", "--hand-load", "3", code=2)
    assert "at which people walk" in run("predict", "gait", "--speed", "9", code=2)
    assert "at which people run, 2 to 5.5 m/s" in run("predict", "run", "--speed", "9", code=2)
    assert "--starts does not go with run" in run("predict", "run", "--starts", "3", code=2)


def test_what_differs_is_given_by_name():
    assert changes_of("gait", ["slope=0.1", "stairs=[0.17,0.29]"]) == {"slope": 0.1, "stairs": [0.17, 0.29]}
    assert changes_of("gait", ["weakness={left_ankle: 0.5}", "fused=[knee]"])["weakness"] == {"left_ankle": 0.5}
    assert "expected NAME=VALUE, such as slope=0.1" in run("predict", "gait", "--with", "slope", code=2)
    assert "no change 'slop' of a walk; did you mean 'slope'" in run("predict", "gait", "--with", "slop=0.1", code=2)
    assert "leave a space after colons" in run("predict", "gait", "--with", "weakness={left_ankle:0.5}", code=2)
    assert "expected a number, [a list]" in run("predict", "gait", "--with", "stairs=[0.1", code=2)
    assert changes_of("gait", ["phases=free"]) == {"phases": "free"}
    assert "phases is 'loose', expected 'fixed' or 'free'" in run("predict", "gait", "--with", "phases=loose", code=2)
    assert "--with goes with gait only" in run("predict", "run", "--with", "slope=0.1", code=2)
    assert "--with goes with gait only" in run("predict", "rr", "--with", "slope=0.1", code=2)
    assert "slope is 9, expected rise over run" in run("predict", "gait", "--with", "slope=9", code=2)
    assert "backpack is 900 kg, expected 0 to 150 kg" in run("predict", "gait", "--with", "backpack=900", code=2)


def test_a_cycle_is_written_with_its_names(tmp_path):
    _write({"cycle_percent": np.array([0.0, 50.0]), "knee_flexion": np.array([1.0, 2.5])}, tmp_path / "cycle.csv")
    rows = csv.reader((tmp_path / "cycle.csv").read_text().splitlines())
    assert list(rows) == [["cycle_percent", "knee_flexion"], ["0", "1"], ["50", "2.5"]]


@pytest.mark.slow
def test_a_walk_is_predicted_and_written(tmp_path):
    norm, cycle, page, kept, seen = (tmp_path / name for name in ("norm.csv", "cycle.csv", "walk.html", "w.npz", "seen.html"))
    norm.write_text("cycle_percent,knee_flexion_mean\n0,5\n50,10\n72,60\n100,5\n")
    out = run("predict", "gait", "--speed", "1.2", "--norm", norm, "--cycle", cycle, "--report", page, "-o", kept, "--json")
    found = json.loads(out)
    assert found["success"] and found["speed_m_per_s"] == 1.2 and found["scores"][0]["name"] == "knee_flexion"
    assert len(cycle.read_text().splitlines()) == 52 and "knee flexion" in page.read_text(encoding="utf-8")
    assert found["robot"] == "robots:human(active=walking)"
    run("view", found["robot"], kept, "--save", seen)
    text, time = seen.read_text(encoding="utf-8"), found["phases"][-1]["end_s"]
    assert "ground forces" in text and '"layer":"ghosts"' not in text.replace(" ", "")
    shown = read_motion(kept, lissom.load(found["robot"]))
    assert walk_of(shown)._scene_span() == pytest.approx((0.0, 2 * time))  # two steps of the one that was predicted


def test_the_robot_of_a_walk_is_named_as_view_takes_it():
    given = {"speed": 1.3, "stature": 1.68, "mass": 62.0, "sex": "female", "age": 70.0}
    assert robot_name(given) == "robots:human(active=walking, stature=1.68, mass=62.0, sex=female)"
    assert lissom.load(robot_name(given)).total_mass == pytest.approx(62.0)
