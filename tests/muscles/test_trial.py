"""Trials of OpenSim's models: muscle analysis, static optimization and joint reactions on a small leg."""

from __future__ import annotations

import numpy as np
import pytest

import lissom.osim
from lissom.errors import FileError, NameLookupError, StateError
from lissom.muscles import Trial, joint_reactions, muscle_analysis, optimize
from lissom.osim import Actuator, Table, read_actuators, read_table
from support.osim_judge import judge
from support.osim_legs import TEXT, written_leg


def trial_in(folder, text=None):
    path = written_leg(folder)
    if text is not None:
        path.write_text(text)
    return Trial(lissom.osim.read(path), read_table(folder / "walk.mot"))


@pytest.fixture
def trial(tmp_path):
    return trial_in(tmp_path)


def test_a_trial_has_the_coordinates_that_are_free(trial):
    assert trial.names == ("hip_flexion", "knee_angle", "wing_angle") and len(trial) == 30
    assert "30 frames, 2 muscles" in repr(trial)
    torques = lissom.osim.inverse_dynamics(trial.model, read_table(trial.model.path.parent / "walk.mot"))
    np.testing.assert_allclose(trial.torques[:, 0], torques.table.column("hip_flexion_moment"), atol=1e-9)


def test_lengths_and_their_rates_are_called_as_opensim_calls_them(trial):
    tables = muscle_analysis(trial)
    assert tuple(tables) == ("Length", "LengtheningSpeed", *(f"MomentArm_{name}" for name in trial.names))
    length, speed = tables["Length"], tables["LengtheningSpeed"]
    assert length.names == ("vastus", "hamstring")
    rates = np.gradient(length.values[:, 1], length.times, edge_order=2)
    np.testing.assert_allclose(speed.values[1:-1, 1], rates[1:-1], atol=2e-3)
    work = sum(tables[f"MomentArm_{name}"].values * trial.qd[:, [k]] for k, name in enumerate(trial.names))
    np.testing.assert_allclose(-work, speed.values, atol=1e-12)


def test_forces_balance_and_powers_add_up(trial):
    tables = muscle_analysis(trial, 0.3)
    of = {name: table.values for name, table in tables.items()}
    along = of["ActiveFiberForceAlongTendon"] + of["PassiveFiberForceAlongTendon"]
    np.testing.assert_allclose(along[:, 1], of["TendonForce"][:, 1], atol=1e-6)
    cosine = np.cos(of["PennationAngle"])
    np.testing.assert_allclose(of["FiberLength"] * cosine + of["TendonLength"], of["Length"], atol=1e-12)
    power = of["FiberActivePower"] + of["FiberPassivePower"] + of["TendonPower"]
    np.testing.assert_allclose(power[:, 1], of["MuscleActuatorPower"][:, 1], atol=1e-6)
    np.testing.assert_allclose(of["Moment_knee_angle"], of["MomentArm_knee_angle"] * of["TendonForce"])


def test_muscles_whose_compliance_is_ignored_have_rigid_tendons(trial):
    tables = muscle_analysis(trial, 0.3)
    np.testing.assert_allclose(tables["TendonLength"].column("vastus"), 0.12, atol=1e-12)
    np.testing.assert_allclose(tables["FiberVelocity"].column("vastus"), tables["LengtheningSpeed"].column("vastus"), atol=1e-12)
    assert np.ptp(tables["TendonLength"].column("hamstring")) > 1e-5


def test_activations_of_a_file_are_interpolated(trial):
    given = Table(("hamstring", "vastus"), [0.0, 1.0], [[0.1, 0.2], [0.5, 0.2]])
    found = muscle_analysis(trial, given)["TendonForce"].values
    np.testing.assert_allclose(found[0], muscle_analysis(trial, 0.1)["TendonForce"].values[0] * [0, 1] + [found[0, 0], 0])
    with pytest.raises(FileError, match="column 'vastus' missing"):
        muscle_analysis(trial, Table(("hamstring",), [0.0], [[0.1]]))


def test_actuators_and_muscles_make_the_torques(trial, tmp_path):
    actuators = read_actuators(tmp_path / "actuators.xml", trial.model)
    found = optimize(trial, actuators, reserve=50.0)
    assert found.shared.found.all() and found.missing == {}
    names = ("vastus", "hamstring", "hip_motor", *(one.name for one in actuators), "wing_angle_reserve")
    assert found.activations.names == found.forces.names == names
    made = np.einsum("kmv,km->kv", trial.paths[1], found.shared.forces)
    for one in found.actuators:
        made += one.torques(trial.model, trial.q) * found.forces.column(one.name)[:, None]
    np.testing.assert_allclose(made, trial.torques, atol=1e-6)
    a = found.activations.values
    assert a[:, 0].min() >= 0.01 - 1e-12 and a[:, 1].min() >= 0.02 - 1e-12
    assert a[:, names.index("knee_motor")].min() >= -5
    cubes = optimize(trial, actuators, reserve=50.0, power=3.0).activations.values
    assert (np.sum(np.abs(cubes) ** 3, axis=1) <= np.sum(np.abs(a) ** 3, axis=1) + 1e-12).all()


def test_what_is_too_strong_is_told_by_coordinates(trial):
    found = optimize(trial)
    assert not found.shared.found.any() and "wing_angle" in found.missing and "hip_flexion" not in found.missing
    np.testing.assert_allclose(found.missing["wing_angle"], trial.torques[:, 2], atol=1e-9)


def test_names_and_reserves_are_checked(trial):
    with pytest.raises(StateError, match="the strength of reserves must be positive, got 0"):
        optimize(trial, reserve=0.0)
    with pytest.raises(StateError, match="two muscles or actuators are called 'vastus'"):
        optimize(trial, [Actuator("vastus", coordinate="knee_angle")])


def every_force(trial, folder):
    actuators = read_actuators(folder / "actuators.xml", trial.model)
    return optimize(trial, actuators, reserve=50.0).forces, actuators


def test_reactions_on_child_and_parent_are_opposite(trial, tmp_path):
    forces, actuators = every_force(trial, tmp_path)
    child, parent = (joint_reactions(trial, forces, actuators, on=on) for on in ("child", "parent"))
    assert child.joints == ("hip", "knee", "patella", "ankle", "shoulder")
    assert child.labels[3] == "ankle_on_foot_in_ground" and parent.labels[3] == "ankle_on_shank_in_ground"
    np.testing.assert_allclose(child.values[:, :, :3], -parent.values[:, :, :3], atol=1e-8)
    assert np.abs(child.unmade).max() < 1e-6
    assert child.table.names[-1] == "shoulder_on_thigh_in_ground_pz"


def test_a_weld_carries_what_its_body_needs(trial, tmp_path):
    """The hamstring pulls the foot to the thigh: the weld holds it, and gives it its acceleration."""
    forces, actuators = every_force(trial, tmp_path)
    found = joint_reactions(trial, forces, actuators, ["ankle"])
    robot, body = trial.model.robot, next(b for b in trial.model.parts.bodies if b.name == "foot")
    q, qd = trial.q, trial.qd
    rate = robot.link_acceleration(q, qd, trial.qdd, "foot", point=body.com)[:, :3]
    pull = trial.muscles.wrenches(q, forces.columns(trial.muscles.names), taut=True)
    hamstring = np.asarray(
        robot.link_pose(q, "thigh") @ [-0.04, -0.05, 0, 1] - robot.link_pose(q, "foot") @ [-0.03, 0.3, 0.01, 1]
    )
    along = hamstring[:, :3] / np.linalg.norm(hamstring[:, :3], axis=1, keepdims=True)
    need = body.mass * (rate - trial.model.parts.gravity) - along * forces.column("hamstring")[:, None]
    np.testing.assert_allclose(found.values[:, 0, :3], need, atol=1e-6)
    assert "thigh" in pull


def test_reactions_are_those_of_opensim(trial, tmp_path):
    """In states of the trial, with the forces set: forward and backward joints, a weld, couplings, wraps and all actuators."""
    opensim = judge()
    forces, actuators = every_force(trial, tmp_path)
    model = opensim.Model(str(tmp_path / "leg.osim"))
    more = opensim.ForceSet(str(tmp_path / "actuators.xml"))
    for k in range(more.getSize()):
        model.addForce(more.get(k).clone())
    reserve = opensim.CoordinateActuator("wing_angle")
    reserve.setName("wing_angle_reserve")
    model.addForce(reserve)
    state = model.initSystem()
    found = {
        (on, seen): joint_reactions(trial, forces, actuators, on=on, seen=seen)
        for on, seen in (("child", "ground"), ("parent", "ground"), ("child", "shank"))
    }
    bodies = {"ground": model.getGround(), "shank": model.getBodySet().get("shank")}
    for row in (0, 14, 29):
        for k, name in enumerate(trial.names):
            model.getCoordinateSet().get(name).setValue(state, trial.q[row, k], False)
            model.getCoordinateSet().get(name).setSpeedValue(state, trial.qd[row, k])
        follower = model.getCoordinateSet().get("patella_angle")
        follower.setValue(state, 0.5 * trial.q[row, 1] + 0.1, False)
        follower.setSpeedValue(state, 0.5 * trial.qd[row, 1])
        for name in forces.names:
            own = opensim.ScalarActuator.safeDownCast(model.getForceSet().get(name))
            own.overrideActuation(state, True)
            own.setOverrideActuation(state, float(forces.column(name)[row]))
        model.realizeAcceleration(state)
        for (on, seen), reactions in found.items():
            for k, name in enumerate(reactions.joints):
                joint = model.getJointSet().get(name)
                both = getattr(joint, f"calcReactionOn{on.capitalize()}ExpressedInGround")(state)
                R = bodies[seen].getTransformInGround(state).R()
                R = np.array([[R.get(i, j) for j in range(3)] for i in range(3)])
                expected = np.concatenate([R.T @ [both.get(part).get(i) for i in range(3)] for part in (1, 0)])
                ours = reactions.values[row, k, :6]
                if name != "shoulder":
                    np.testing.assert_allclose(ours, expected, atol=1e-6, err_msg=f"{name} {on} {seen}")
                elif (on, seen) == ("child", "ground"):  # backward: OpenSim gives what carries its child, the hip's
                    np.testing.assert_allclose(reactions.values[row, 0, :3], expected[:3], atol=1e-6)
                    assert np.linalg.norm(ours[:3]) < 0.2 * np.linalg.norm(expected[:3])


def test_wrong_joints_frames_and_columns_are_told(trial, tmp_path):
    forces, actuators = every_force(trial, tmp_path)
    with pytest.raises(NameLookupError, match="no joint 'hipp'"):
        joint_reactions(trial, forces, actuators, ["hipp"])
    with pytest.raises(StateError, match="no on='both'"):
        joint_reactions(trial, forces, actuators, on="both")
    with pytest.raises(NameLookupError, match="no frame 'footh'"):
        joint_reactions(trial, forces, actuators, seen="footh")
    with pytest.warns(lissom.ModelWarning, match="columns 'knee_motor', 'push', .* are no muscles or actuators, and left out"):
        joint_reactions(trial, forces, joints=["ankle"])


def test_locked_coordinates_have_no_torques_and_still_carry(tmp_path):
    locked = TEXT.replace('<Coordinate name="wing_angle">', '<Coordinate name="wing_angle"><locked>true</locked>')
    trial = trial_in(tmp_path, locked)
    assert trial.names == ("hip_flexion", "knee_angle")
    found = optimize(trial, reserve=50.0)
    assert found.shared.found.all()
    reactions = joint_reactions(trial, found.forces)
    weight = np.linalg.norm(reactions.values[:, reactions.joints.index("shoulder"), :3], axis=1)
    assert (weight > 3).all() and Actuator("a", coordinate="wing_angle").torques(trial.model, trial.q).any() == 0
