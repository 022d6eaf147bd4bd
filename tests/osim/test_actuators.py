"""Ideal actuators of force sets: read, their torques beside OpenSim, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import lissom.osim
from lissom.errors import FileError
from lissom.osim.actuators import model_actuators, read_actuators
from support.osim_judge import judge
from support.osim_legs import ACTUATORS, written_leg


@pytest.fixture
def model(tmp_path):
    return lissom.osim.read(written_leg(tmp_path))


def test_actuators_are_read(model, tmp_path):
    found = {one.name: one for one in read_actuators(tmp_path / "actuators.xml", model)}
    assert tuple(found) == ("knee_motor", "push", "own", "twist", "turn")
    assert found["knee_motor"].optimal == 20 and found["knee_motor"].least == -5 and found["knee_motor"].most == np.inf
    assert found["push"].direction == pytest.approx((1 / 3, 2 / 3, 2 / 3)) and found["push"].in_ground
    assert not found["own"].in_ground and found["own"].point_in_ground
    assert (found["turn"].body, found["turn"].other) == ("shank", "ground")
    assert found["turn"].direction == pytest.approx((-(0.5**0.5), 0, -(0.5**0.5)))
    assert [one.name for one in model_actuators(model)] == ["hip_motor"]


def test_torques_do_the_work_of_forces(model, tmp_path):
    q = np.random.default_rng(0).uniform(-0.8, 0.5, (6, 3))
    still = np.zeros_like(q)
    for one in read_actuators(tmp_path / "actuators.xml", model):
        loads = one.wrenches(model.robot, q)
        if loads:
            tau = model.robot.inverse_dynamics(q, still, still) - model.robot.inverse_dynamics(q, still, still, external=loads)
            np.testing.assert_allclose(one.torques(model, q), tau, atol=1e-10)
        else:
            assert one.torques(model, q).sum() == 6.0


def test_accelerations_are_those_of_opensim(model, tmp_path):
    opensim = judge()
    theirs = opensim.Model(str(tmp_path / "leg.osim"))
    more = opensim.ForceSet(str(tmp_path / "actuators.xml"))
    for k in range(more.getSize()):
        theirs.addForce(more.get(k).clone())
    muscles = theirs.getMuscles()
    for k in range(muscles.getSize()):
        muscles.get(k).set_appliesForce(False)
    state = theirs.initSystem()
    robot = model.robot
    names = [joint.name for joint in robot.model.independent_joints]
    q = np.array([0.3, -0.6, 0.2])
    for name, value in zip(names, q, strict=True):
        theirs.getCoordinateSet().get(name).setValue(state, value, False)
    theirs.assemble(state)
    actuators = read_actuators(tmp_path / "actuators.xml", model)
    for one in actuators:
        own = opensim.ScalarActuator.safeDownCast(theirs.getForceSet().get(one.name))
        tau = []
        for force in (0.0, 3.0):
            own.overrideActuation(state, True)
            own.setOverrideActuation(state, force)
            theirs.realizeAcceleration(state)
            tau.append([theirs.getCoordinateSet().get(name).getAccelerationValue(state) for name in names])
        own.setOverrideActuation(state, 0.0)
        expected = robot.mass_matrix(q) @ (np.array(tau[1]) - tau[0])
        np.testing.assert_allclose(3.0 * one.torques(model, q[None])[0], expected, atol=1e-8, err_msg=one.name)


def test_an_actuator_of_a_coordinate_that_follows_drives_its_leader(model):
    one = lissom.osim.Actuator("a", coordinate="patella_angle")
    names = [joint.name for joint in model.robot.model.independent_joints]
    assert one.torques(model, np.zeros((1, 3)))[0, names.index("knee_angle")] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ForceSet", "Forces", "has no <ForceSet>; give a file of residual and reserve actuators"),
        ("knee_angle<", "knee<", "drives 'knee', which is no coordinate; did you mean"),
        ("<body>thigh<", "<body>thigg<", "<body> names no body 'thigg'; did you mean 'thigh'"),
        ("<axis>0 0 -2<", "<axis>0 0 0<", "has no direction"),
        ("<bodyB>shank<", "<bodyB>ground<", "acts on the ground alone"),
        ('TorqueActuator name="turn"', 'BodyActuator name="turn"', "among the actuators; expected CoordinateActuator, PointAct"),
        ('name="own"', 'name="push"', "two actuators are called 'push'"),
        ("<optimal_force>40<", "<optimal_force>0<", "can do nothing: <optimal_force> 0 and controls from"),
    ],
)
def test_wrong_actuators_are_refused_with_their_line(model, tmp_path, old, new, said):
    text = ACTUATORS.replace(old, new)
    if "BodyActuator" in new:
        text = text.replace("</TorqueActuator>\n<PointActuator", "</BodyActuator>\n<PointActuator")
    (tmp_path / "wrong.xml").write_text(text)
    with pytest.raises(FileError, match=r"wrong\.xml:\d+: .*" + said):
        read_actuators(tmp_path / "wrong.xml", model)


def test_a_set_without_actuators_is_refused(model, tmp_path):
    (tmp_path / "none.xml").write_text('<OpenSimDocument Version="40000"><ForceSet><objects/></ForceSet></OpenSimDocument>')
    with pytest.raises(FileError, match="has no actuator that acts"):
        read_actuators(tmp_path / "none.xml", model)
