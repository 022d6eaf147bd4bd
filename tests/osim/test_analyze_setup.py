"""Setup files of AnalyzeTool: what they say for each analysis, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom.cli.app import app
from lissom.errors import FileError, StateError
from lissom.osim import read_analyze_setup, read_table
from support.osim_judge import judge
from support.osim_legs import written_leg

SETUP = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40600">
<AnalyzeTool name="leg">
<model_file>leg.osim</model_file>
<replace_force_set>false</replace_force_set>
<force_set_files>actuators.xml</force_set_files>
<initial_time>0.1</initial_time>
<final_time>inf</final_time>
<AnalysisSet name="Analyses"><objects>
<MuscleAnalysis name="MuscleAnalysis"><on>true</on></MuscleAnalysis>
<StaticOptimization name="StaticOptimization">
<start_time>0.2</start_time><end_time>0.5</end_time><activation_exponent>3</activation_exponent>
</StaticOptimization>
<JointReaction name="JointReaction">
<forces_file>leg_StaticOptimization_force.sto</forces_file>
<joint_names>hip ankle</joint_names>
<apply_on_bodies>parent</apply_on_bodies>
<express_in_frame>child</express_in_frame>
</JointReaction>
<JointReaction name="off"><on>false</on></JointReaction>
</objects></AnalysisSet>
<coordinates_file>walk.mot</coordinates_file>
<lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>
</AnalyzeTool>
</OpenSimDocument>
"""


@pytest.fixture
def setup(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written_leg(tmp_path)
    path = tmp_path / "setup.xml"
    path.write_text(SETUP)
    return path


def test_setups_say_what_each_analysis_takes(setup):
    muscles, shared, reactions = (
        read_analyze_setup(setup, name) for name in ("MuscleAnalysis", "StaticOptimization", "JointReaction")
    )
    for said in (muscles, shared, reactions):
        assert (said.model.name, said.motion.name, said.loads, said.cutoff) == ("leg.osim", "walk.mot", None, None)
        assert said.actuators.name == "actuators.xml"
    assert muscles.time == (0.1, np.inf) and shared.time == (0.2, 0.5) and shared.power == 3.0
    assert reactions.forces.name == "leg_StaticOptimization_force.sto" and reactions.joints == ("hip", "ankle")
    assert (reactions.on, reactions.seen) == ("parent", "child")
    setup.write_text(SETUP.replace("hip ankle", "ALL").replace("<initial_time>0.1</initial_time>", ""))
    said = read_analyze_setup(setup, "JointReaction", ("model", "motion", "forces"))
    assert (said.joints, said.model, said.motion, said.forces, said.time) == (None, None, None, None, None)


def test_setups_of_opensim_itself_are_read(tmp_path):
    opensim = judge()
    tool = opensim.AnalyzeTool()
    tool.setName("a")
    tool.setInitialTime(0.25)
    tool.updAnalysisSet().cloneAndAppend(opensim.StaticOptimization())
    tool.printToXML(str(tmp_path / "a.xml"))
    said = read_analyze_setup(tmp_path / "a.xml", "StaticOptimization")
    assert said.power == 2.0 and said.model is None and said.time[0] == 0.25


def test_commands_follow_setups(setup):
    def run(*words, code=0):
        done = CliRunner().invoke(app, ["osim", *words])
        assert done.exit_code == code, done.output
        return done

    shown = run("so", "--setup", "setup.xml", "--reserve", "50", "-o", "leg").stdout
    assert "10 frames, 10 solved" in shown and "knee_motor" in shown
    reactions = json.loads(run("jr", "--setup", "setup.xml", "--time", "0.2,0.5", "-o", "leg", "--json").stdout)
    assert (reactions["on"], reactions["in"], [row["name"] for row in reactions["joints"]]) == (
        "parent",
        "child",
        ["hip", "ankle"],
    )
    assert read_table("leg_JointReaction_ReactionLoads.sto").names[0] == "hip_on_ground_in_thigh_fx"
    assert "27 frames" in run("muscles", "--setup", "setup.xml").stdout
    assert "MODEL is missing: give it, or a setup" in " ".join(run("so", code=2).stderr.split())
    assert "--forces is missing" in " ".join(run("jr", "leg.osim", "walk.mot", code=2).stderr.split())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("AnalyzeTool", "Tool", "has no <AnalyzeTool>"),
        (
            "StaticOptimization",
            "Kinematics",
            "needs one <StaticOptimization> that is on; its analyses: MuscleAnalysis, Kinematics",
        ),
        ("<replace_force_set>false", "<replace_force_set>true", "replaces the forces of the model; lissom adds to them"),
        ("actuators.xml", "a.xml b.xml", "has 2 <force_set_files>; put them into one"),
        ("actuators.xml", "../a.xml", "lies outside this file's folder; give the actuators with --actuators"),
        (
            "<coordinates_file>walk.mot</coordinates_file>",
            "<states_file>a.sto</states_file>",
            "takes its motion from a <states_f",
        ),
        (
            "<start_time>0.2<",
            "<use_muscle_physiology>false</use_muscle_physiology><start_time>0.2<",
            "is false, which lissom does",
        ),
        ("<end_time>0.5<", "<end_time>0.1<", "starts at 0.2 s, after its end 0.1 s"),
    ],
)
def test_what_lissom_does_not_do_is_refused_with_its_line(setup, old, new, said):
    setup.write_text(SETUP.replace(old, new))
    with pytest.raises(FileError, match=r"setup\.xml:\d+: .*" + said):
        read_analyze_setup(setup, "StaticOptimization")


def test_reactions_on_several_bodies_are_refused(setup):
    setup.write_text(SETUP.replace(">parent<", ">parent child<"))
    with pytest.raises(FileError, match="has several <apply_on_bodies>: child, parent; run it once for each"):
        read_analyze_setup(setup, "JointReaction")
    with pytest.raises(StateError, match="no analysis 'Kinematics'"):
        read_analyze_setup(setup, "Kinematics")
