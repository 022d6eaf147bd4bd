"""`lissom osim muscles`, `so` and `jr`: what they print, write and refuse."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom.cli.app import app
from lissom.osim import Table, read_table, write_table
from support.osim_legs import written_leg


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written_leg(tmp_path)
    return tmp_path


def run(*words, code=0):
    done = CliRunner().invoke(app, ["osim", *words])
    assert done.exit_code == code, done.output
    return done


def report(*words):
    return json.loads(run(*words, "--json").stdout)


def test_muscles_are_written_under_opensims_names(folder):
    shown = run("muscles", "leg.osim", "walk.mot", "-o", "out/walk").stdout
    assert "hamstring" in shown and "knee_angle" in shown and "wrote out/walk_MuscleAnalysis_Length.sto" in shown
    table = read_table("out/walk_MuscleAnalysis_MomentArm_knee_angle.sto")
    assert table.names == ("vastus", "hamstring") and len(table) == 30
    told = report("muscles", "leg.osim", "walk.mot", "--activations", "0.3", "--time", "0.2,0.5")
    assert told["frames"] == 10 and told["muscles"][1]["largest_force_N"] > 100
    assert set(told["muscles"][0]["largest_arms"]) == {"hip_flexion", "knee_angle", "wing_angle"}


def test_activations_feed_forces_and_reactions(folder):
    given = ("leg.osim", "walk.mot", "--actuators", "actuators.xml", "-o", "walk")
    shown = run("so", *given, "--reserve", "50")
    assert "30 frames, 30 solved" in shown.stdout and "wing_angle_reserve" in shown.stdout and not shown.stderr
    activation, force = (read_table(f"walk_StaticOptimization_{what}.sto") for what in ("activation", "force"))
    np.testing.assert_allclose(force.column("knee_motor"), 20 * activation.column("knee_motor"))
    shown = run("jr", *given, "--forces", "walk_StaticOptimization_force.sto", "--joints", "hip,ankle", "--on", "parent").stdout
    assert "joint, on its parent" in shown and "weights" in shown and "miss the motion's torques by up to" in shown
    table = read_table("walk_JointReaction_ReactionLoads.sto")
    assert len(table.names) == 18 and table.names[0] == "hip_on_ground_in_ground_fx"
    told = report("muscles", "leg.osim", "walk.mot", "--activations", "walk_StaticOptimization_activation.sto")
    assert told["muscles"][0]["largest_force_N"] > 0


def test_frames_that_are_too_strong_are_told(folder):
    done = run("so", "leg.osim", "walk.mot")
    assert "30 frames, 0 solved" in done.stdout
    assert "30 frames between 0 and 0.9667 s are too strong for the muscles: " in done.stderr
    assert "wing_angle lacks up to" in done.stderr and "stronger --actuators or --reserve" in done.stderr
    told = report("so", "leg.osim", "walk.mot", "--power", "3")
    assert told["solved"] == 0 and [row["coordinate"] for row in told["missing"]][-1] == "wing_angle"


@pytest.mark.slow
def test_results_are_drawn(folder):
    run("so", "leg.osim", "walk.mot", "--reserve", "50", "-o", "walk", "--plot", "so.png")
    forces = ("--forces", "walk_StaticOptimization_force.sto")
    run("jr", "leg.osim", "walk.mot", *forces, "--plot", "jr.svg")
    run("muscles", "leg.osim", "walk.mot", "--plot", "muscles.pdf")
    assert all((folder / name).stat().st_size > 1000 for name in ("so.png", "jr.svg", "muscles.pdf"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("so", "leg.osim", "walk.mot", "-o", "so.sto"), "expected the beginning of file names"),
        (("so", "leg.osim", "walk.mot", "--plot", "so.txt"), "--plot writes .png, .svg, .pdf"),
        (("so", "leg.osim", "walk.mot", "--power", "1"), "power of activations is 1.0, expected a number above 1"),
        (("so", "leg.osim", "walk.mot", "--actuators", "leg.osim"), "has no <ForceSet>"),
        (("so", "leg.osim", "walk.mot", "--data", "walk.mot"), "--data needs --loads"),
        (("muscles", "leg.osim", "walk.mot", "--activations", "2"), "activations must be from 0 to 1"),
        (("muscles", "leg.osim", "walk.mot", "--activations", "none.sto"), "no such file"),
        (("jr", "leg.osim", "walk.mot", "--forces", "walk.mot"), "walk.mot: column 'vastus' missing"),
        (("jr", "leg.osim", "walk.mot", "--forces", "f.sto", "--joints", "hipp"), "no joint 'hipp'"),
        (("jr", "leg.osim", "walk.mot", "--forces", "f.sto", "--in", "moon"), "no frame 'moon'"),
    ],
)
def test_wrong_calls_are_told(folder, words, said):
    write_table(Table(("vastus", "hamstring"), [0.0, 1.0], np.ones((2, 2))), "f.sto")
    assert said in " ".join(run(*words, code=2).stderr.split())


def test_files_that_exist_are_kept(folder):
    (folder / "walk_MuscleAnalysis_Length.sto").write_text("mine")
    assert "walk_MuscleAnalysis_Length.sto" in run("muscles", "leg.osim", "walk.mot", "-o", "walk", code=2).stderr
