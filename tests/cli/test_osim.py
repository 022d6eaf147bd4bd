"""`lissom osim`: what its commands print and write."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom.osim
from lissom.cli.app import app
from lissom.osim import Markers, Table, read_table, write_table, write_trc
from support.osim import LEG, OLD
from support.osim_setups import SETUP, written_setup


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leg.osim").write_text(LEG)
    (tmp_path / "old.osim").write_text(OLD)
    t = np.arange(30) / 30
    q = np.column_stack([20 * np.sin(t), -30 * t])
    write_table(Table(("hip_flexion", "knee_angle"), t, q, degrees=True), tmp_path / "walk.mot")
    model = lissom.osim.read(tmp_path / "leg.osim")
    places = np.stack([model.robot.link_pose(np.radians(q), name)[:, :3, 3] for name in ("knee_out", "ankle")], axis=1)
    write_trc(Markers(("knee_out", "ankle"), t, places, 30.0), tmp_path / "walk.trc", "mm")
    return tmp_path


def run(*words, code=0):
    done = CliRunner().invoke(app, ["osim", *words])
    assert done.exit_code == code, done.output
    return done


def report(*words):
    return json.loads(run(*words, "--json").stdout)


def test_info_shows_coordinates(folder):
    shown = run("info", "leg.osim").stdout
    assert "hip_flexion" in shown and "clamped" in shown and "follows knee_angle" in shown
    assert "3 bodies, 2 markers, 1 muscles; 11.6 kg; format 40000" in shown
    told = report("info", "leg.osim")
    assert told["coordinates"][2]["follows"] == "knee_angle" and told["muscles"] == ["vastus"]


def test_torques_are_written(folder):
    assert "wrote id.sto" in run("id", "old.osim", "walk.mot", "--filter", "6", "-o", "id.sto").stdout
    table = read_table("id.sto")
    model = lissom.osim.read("old.osim")
    again = lissom.osim.inverse_dynamics(model, read_table("walk.mot"), cutoff=6.0)
    np.testing.assert_array_equal(table.column("knee_angle_moment"), again.table.column("knee_angle_moment"))
    told = report("id", "old.osim", "walk.mot", "--time", "0.2,0.5")
    assert told["frames"] == 10 and [row["residual"] for row in told["torques"]] == [True, False]


def test_coordinates_are_written(folder):
    run("ik", "leg.osim", "walk.trc", "-o", "ik.mot")
    np.testing.assert_allclose(read_table("ik.mot").column("knee_angle"), read_table("walk.mot").column("knee_angle"), atol=1e-6)
    assert report("ik", "leg.osim", "walk.trc")["rms_m"] < 1e-8
    assert "30 frames, 30 solved" in run("ik", "leg.osim", "walk.trc").stdout


def test_the_center_of_mass_is_written(folder):
    run("com", "old.osim", "walk.mot", "-o", "com.sto")
    table = read_table("com.sto")
    rates = np.gradient(table.column("center_of_mass_x"), table.times)
    np.testing.assert_allclose(table.column("center_of_mass_vx")[2:-2], rates[2:-2], atol=2e-3)
    assert "x: from" in run("com", "old.osim", "walk.mot").stdout
    assert len(report("com", "old.osim", "walk.mot")["lowest_m"]) == 3


def test_a_setup_is_followed(folder):
    written_setup(folder)
    shown = run("scale", "setup.xml", "-o", "out.osim", "--pose", "pose.mot").stdout
    assert "Bodies of someone" in shown and "not in the trial, and left out: E" in shown and "wrote out.osim, pose.mot" in shown
    assert "20 kg" in shown and "root mean square of markers in the pose" in shown
    told = report("scale", "setup.xml")
    assert told["bodies"][1]["factors"] == [1.1, 1.2, 1.3] and told["gone"] == ["E"]
    assert [row["name"] for row in told["markers"]] == ["A", "B", "C", "D"] and told["markers"][2]["fixed"]
    again = lissom.osim.read("out.osim")
    assert again.parts.name == "someone" and sum(body.mass for body in again.parts.bodies) == pytest.approx(20)
    assert read_table("pose.mot").degrees


def test_files_of_the_call_take_the_place_of_the_setups(folder):
    (folder / "elsewhere").mkdir()
    written_setup(folder / "elsewhere", SETUP.replace("leg.osim", "../other.osim").replace("trial.trc", "../../other.trc"))
    here = ("--model", "elsewhere/leg.osim", "--static", "elsewhere/trial.trc")
    assert "outside this file's folder; give the model with --model" in run("scale", "elsewhere/setup.xml", code=2).stderr
    assert report("scale", "elsewhere/setup.xml", *here, "--marker-set", "elsewhere/more.xml")["gone"] == ["E"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("id", "old.osim", "walk.mot", "--time", "1"), "expected two numbers, the first and the last time"),
        (("id", "old.osim", "walk.mot", "--data", "walk.mot"), "--data needs --loads"),
        (("id", "old.osim", "walk.mot", "-o", "id.csv"), "-o writes .sto, .mot, not '.csv'"),
        (("id", "old.osim", "walk.mot", "-o", "walk.mot"), "the output would overwrite the input"),
        (("id", "old.osim", "nothing.mot"), "no such file"),
        (("scale", "leg.osim"), "leg.osim:2: <OpenSimDocument> has no <ScaleTool>, it has <Model>"),
        (("scale", "leg.osim", "-o", "a.xml"), "-o writes .osim, not '.xml'"),
        (("scale", "leg.osim", "--pose", "a.xml"), "--pose writes .sto, .mot, not '.xml'"),
    ],
)
def test_wrong_calls_are_told(folder, words, said):
    assert said in run(*words, code=2).stderr


IK = """<OpenSimDocument Version="40000"><InverseKinematicsTool><model_file>leg.osim</model_file>
<marker_file>walk.trc</marker_file><time_range>0.2 0.5</time_range><IKTaskSet><objects>
<IKMarkerTask name="knee_out"><weight>2</weight></IKMarkerTask><IKMarkerTask name="ankle"><weight>1</weight></IKMarkerTask>
</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>"""
ID = """<OpenSimDocument Version="40000"><InverseDynamicsTool><model_file>old.osim</model_file>
<coordinates_file>walk.mot</coordinates_file><time_range>0.2 0.5</time_range><forces_to_exclude>Muscles</forces_to_exclude>
<external_loads_file>grf.xml</external_loads_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates></InverseDynamicsTool></OpenSimDocument>"""
GRF = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>shank</applied_to_body><force_identifier>f</force_identifier><point_identifier>p</point_identifier>
</ExternalForce></objects><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def test_setups_of_the_tools_give_what_the_call_does_not(folder):
    (folder / "ik.xml").write_text(IK)
    (folder / "id.xml").write_text(ID)
    (folder / "grf.xml").write_text(GRF)
    names = [f"{what}{x}" for what in "fp" for x in "xyz"]
    write_table(Table(names, [0.0, 0.5, 1.0], np.arange(18.0).reshape(3, 6)), folder / "grf.mot")
    told = report("ik", "--setup", "ik.xml")
    assert told["frames"] == 10 and told["rms_m"] < 1e-8
    assert report("ik", "--setup", "ik.xml", "--time", "0,1")["frames"] == 30
    run("id", "--setup", "id.xml", "-o", "by_setup.sto")
    run("id", "old.osim", "walk.mot", "--loads", "grf.xml", "--filter", "6", "--time", "0.2,0.5", "-o", "by_hand.sto")
    np.testing.assert_array_equal(read_table("by_setup.sto").values, read_table("by_hand.sto").values)
    (folder / "below").mkdir()
    (folder / "below" / "id.xml").write_text(ID.replace("old.osim", "../old.osim").replace("walk.mot", "../walk.mot"))
    assert "id.xml:1: the <model_file> '../old.osim' lies outside" in run("id", "--setup", "below/id.xml", code=2).stderr
    assert report("id", "old.osim", "walk.mot", "--loads", "grf.xml", "--setup", "below/id.xml")["frames"] == 10


@pytest.mark.parametrize(
    ("command", "old", "new", "said"),
    [
        ("ik", "<model_file>leg.osim</model_file>", "", "ik.xml: the setup names no <model_file>; give MODEL"),
        ("ik", "walk.trc", "Unassigned", "ik.xml: the setup names no <marker_file>; give MARKERS"),
        ("ik", "0.2 0.5", "0.2", "ik.xml:1: <time_range> must be two numbers, got 1"),
        ("ik", "InverseKinematicsTool", "IkTool", "ik.xml:1: <OpenSimDocument> has no <InverseKinematicsTool>, it has <IkTool>"),
        ("id", "walk.mot", "gone.mot", "no such file"),
        ("id", ">6<", ">inf<", "must be finite, got inf"),
        ("id", ">Muscles<", "><", "excludes no muscles, but lissom computes torques without forces of the model"),
    ],
)
def test_wrong_setups_are_told(folder, command, old, new, said):
    (folder / f"{command}.xml").write_text({"ik": IK, "id": ID}[command].replace(old, new))
    assert said in " ".join(run(command, "--setup", f"{command}.xml", code=2).stderr.split())
    assert "MODEL is missing: give it, or a setup of OpenSim with --setup" in run(command, code=2).stderr
