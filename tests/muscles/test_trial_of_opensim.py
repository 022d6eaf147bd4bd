"""A published walking trial: OpenSim's own tools beside muscle analysis, static optimization and joint reactions.

OpenSim's files have eight decimals.
"""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import lissom.osim
from lissom.muscles import Trial, joint_reactions, muscle_analysis, optimize
from lissom.osim import Actuator, Table, read_loads, read_table, write_table
from support.osim import published
from support.osim_judge import in_folder, judge

pytestmark = pytest.mark.slow
SPAN = (0.6, 0.8)
FILES = ("subject01.osim", "subject01_walk_IK.mot", "subject01_walk_grf.mot", "subject01_walk_grf.xml")


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """Return the trial, with a model that has a reserve on each coordinate, and the folder of OpenSim's results."""
    opensim, folder = judge(), tmp_path_factory.mktemp("trial")
    for name in FILES:
        shutil.copy(published(f"gait10dof18musc/{name}"), folder / name)
    model = opensim.Model(str(folder / "subject01.osim"))
    for k in range(model.getCoordinateSet().getSize()):
        name = model.getCoordinateSet().get(k).getName()
        reserve = opensim.CoordinateActuator(name)
        reserve.setName(f"{name}_reserve")
        reserve.setOptimalForce(1000.0 if name.startswith("pelvis") else 100.0)
        reserve.setMinControl(-1000)
        reserve.setMaxControl(1000)
        model.addForce(reserve)
    model.finalizeConnections()
    model.printToXML(str(folder / "model.osim"))
    _run(opensim, folder, opensim.MuscleAnalysis())
    _run(opensim, folder, opensim.StaticOptimization())
    found = Trial(
        lissom.osim.read(folder / "model.osim"),
        read_table(folder / "subject01_walk_IK.mot"),
        read_loads(folder / "subject01_walk_grf.xml"),
        6.0,
        SPAN,
    )
    return found, folder, opensim


@pytest.fixture(scope="module")
def leg(tmp_path_factory):
    """Return a made motion of leg6dof9musc: Thelen's muscles, coupled coordinates, nothing filtered; as `trial`."""
    opensim, folder = judge(), tmp_path_factory.mktemp("leg")
    plain = lissom.osim.read(published("leg6dof9musc.osim"))
    own, t = [joint.name for joint in plain.robot.model.independent_joints], np.arange(61) / 60
    columns = {name: plain.coordinates[name].default + 0.2 * np.sin(3 * t + k) for k, name in enumerate(own)}
    columns |= {name: law.derivatives(columns[lead], 0)[0] for name, (lead, law) in plain.couplings.items()}
    write_table(Table(tuple(columns), t, np.column_stack(list(columns.values()))), folder / "motion.mot")
    model = opensim.Model(str(published("leg6dof9musc.osim")))
    for name in own:
        reserve = opensim.CoordinateActuator(name)
        reserve.setName(f"{name}_reserve")
        reserve.setOptimalForce(50.0)
        model.addForce(reserve)
    model.finalizeConnections()
    model.printToXML(str(folder / "model.osim"))
    found = Trial(lissom.osim.read(folder / "model.osim"), read_table(folder / "motion.mot"), time=(0.2, 0.4))
    return found, folder, opensim


def test_analyses_of_thelens_muscles_with_couplings(leg):
    found, folder, opensim = leg
    made = {"motion": "motion.mot", "span": (0.2, 0.4)}
    _run(opensim, folder, opensim.MuscleAnalysis(), **made)
    _run(opensim, folder, opensim.StaticOptimization(), **made)
    tables = muscle_analysis(found, 0.05)
    for name in ("Length", "FiberLength", "MomentArm_knee_angle_r", "MomentArm_hip_flexion_r"):
        expected = theirs(folder, f"MuscleAnalysis_{name}", tables[name].names)
        # in a frame of one muscle OpenSim's search for the fiber ends early
        assert np.quantile(np.abs(tables[name].values - expected), 0.99) < 1e-6, name
    result = optimize(found)
    a = theirs(folder, "StaticOptimization_activation", result.activations.names)
    assert result.shared.found.all()
    assert (result.shared.objective < np.sum(a * a, axis=1) * (1 + 1e-6)).all()
    np.testing.assert_allclose(result.activations.values, a, atol=5e-3)
    write_table(result.forces, folder / "forces.sto")
    analysis = opensim.JointReaction()
    analysis.setName("j")
    analysis.setForcesFileName(str(folder / "forces.sto"))
    _run(opensim, folder, analysis, **made)
    ours = joint_reactions(found, result.forces).table
    np.testing.assert_allclose(ours.values, theirs(folder, "j_ReactionLoads", ours.names), atol=2e-6)


def _run(opensim, folder, analysis, motion="subject01_walk_IK.mot", span=SPAN):
    measured = motion == "subject01_walk_IK.mot"
    with in_folder(folder):
        analysis.setStartTime(span[0])
        analysis.setEndTime(span[1])
        tool = opensim.AnalyzeTool()
        tool.setName("t")
        tool.setModelFilename(str(folder / "model.osim"))
        tool.setCoordinatesFileName(str(folder / motion))
        if measured:
            tool.setExternalLoadsFileName(str(folder / "subject01_walk_grf.xml"))
        tool.setLowpassCutoffFrequency(6 if measured else -1)
        tool.setInitialTime(span[0])
        tool.setFinalTime(span[1])
        tool.setResultsDir(str(folder))
        tool.setReplaceForceSet(False)
        tool.setSolveForEquilibrium(True)
        tool.updAnalysisSet().cloneAndAppend(analysis)
        tool.printToXML(str(folder / "setup.xml"))
        opensim.AnalyzeTool(str(folder / "setup.xml")).run()


def theirs(folder, name, columns):
    return read_table(folder / f"t_{name}.sto").columns(columns)


def test_muscles_are_those_of_muscle_analysis(trial):
    found, folder, _ = trial
    for name, table in muscle_analysis(found, 0.05).items():
        if name == "LengtheningSpeed":
            continue
        expected = theirs(folder, f"MuscleAnalysis_{name}", table.names)
        # forces: OpenSim's fibers balance to 1e-8 of the strongest
        close = 1e-4 if "Force" in name or "Power" in name or name.startswith("Moment_") else 1e-6
        np.testing.assert_allclose(table.values, expected, atol=close, err_msg=name)


def test_static_optimization_is_no_worse(trial):
    found, folder, _ = trial
    result = optimize(found)
    assert result.shared.found.all()
    a, f = (theirs(folder, f"StaticOptimization_{what}", result.activations.names) for what in ("activation", "force"))
    assert (result.shared.objective < np.sum(a * a, axis=1) * (1 + 1e-6)).all()
    np.testing.assert_allclose(result.activations.values, a, atol=0.02)
    # forces at OpenSim's own activations; for Millard's muscles it takes velocities with a cosine of its own
    strong = np.abs(a) > 0.02
    each = result.forces.values / result.activations.values
    np.testing.assert_allclose((each * a)[strong], f[strong], rtol=5e-3)


def test_reactions_are_those_of_joint_reaction(trial):
    found, folder, opensim = trial
    forces = optimize(found).forces
    write_table(forces, folder / "forces.sto")
    for name, on, seen in (("a", "child", "ground"), ("b", "parent", "child")):
        analysis = opensim.JointReaction()
        analysis.setName(name)
        analysis.setForcesFileName(str(folder / "forces.sto"))
        for setter, value in ((analysis.setOnBody, on), (analysis.setInFrame, seen)):
            words = opensim.ArrayStr()
            words.append(value)
            setter(words)
        _run(opensim, folder, analysis)
        ours = joint_reactions(found, forces, on=on, seen=seen).table
        np.testing.assert_allclose(ours.values, theirs(folder, f"{name}_ReactionLoads", ours.names), atol=1e-6)


def test_reserves_may_be_actuators_or_one_strength(trial):
    found, folder, _ = trial
    plain = Trial(lissom.osim.read(folder / "subject01.osim"), read_table(folder / "subject01_walk_IK.mot"), None, 6.0, SPAN)
    by_hand = [Actuator(f"{name}_reserve", 100.0, coordinate=name) for name in plain.names]
    np.testing.assert_allclose(optimize(plain, by_hand).activations.values, optimize(plain, reserve=100.0).activations.values)
