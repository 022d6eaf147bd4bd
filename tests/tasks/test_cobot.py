"""A lift with a cobot: the box obeys Newton and Euler under both partners, each within its limits, and the back bears less."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lissom import Limits, ModelError, NameLookupError, StateError, robots, tasks
from lissom.model.free_body import with_box
from lissom.tasks import Cobot
from lissom.tasks.cobot import hold

MASS, FROM, TO = 10.0, (0.4, 0.1), (0.4, 0.9)
SIZE = (0.3, 0.4, 0.25)


@pytest.fixture(scope="module")
def found():
    return tasks.lift(MASS, FROM, TO, cobot=Cobot())


@pytest.mark.slow
def test_the_box_moves_as_both_partners_push_it(found):
    t = np.linspace(0.0, found.duration, 801)
    person, prediction = found.person, found.prediction
    q, qd, qdd = prediction.coordinates(t)
    a = person.link_acceleration(q, qd, qdd, "box")
    w = person.link_velocity(q, qd, "box")[:, 3:]
    # the wrench through the robot's last joint, from the whole model's dynamics, less what its flange needs
    wrench = person.joint_wrenches(q, qd, qdd, external=prediction._external(t), axes="world")
    last = "cobot_joint_7"
    through = wrench[:, person.wrench_names.index(last)]
    link, R = person.model.joint(last).child, person.link_pose(q, person.model.joint(last).child)
    own = person.model.link(link).inertia
    center = R[:, :3, :3] @ np.array(own.com)
    own_a = person.link_acceleration(q, qd, qdd, link, point=own.com)[:, :3]
    flange = own.mass * (own_a + [0.0, 0.0, 9.81])
    robot = through[:, :3] - flange
    assert robot == pytest.approx(found.cobot_force(t), abs=1e-6)
    hands = found.hand_forces(t)
    total = robot + sum(hands.values())
    assert total == pytest.approx(MASS * (a[:, :3] + [0.0, 0.0, 9.81]), abs=1e-6)
    # moments about the box's middle
    pose = person.link_pose(q, "box")
    inertia = np.array(person.model.link("box").inertia.tensor)
    world = pose[:, :3, :3] @ inertia @ np.swapaxes(pose[:, :3, :3], 1, 2)
    need = np.einsum("kij,kj->ki", world, a[:, 3:]) + np.cross(w, np.einsum("kij,kj->ki", world, w))
    spin = person.link_acceleration(q, qd, qdd, link)[:, 3:]
    omega = person.link_velocity(q, qd, link)[:, 3:]
    tensor = R[:, :3, :3] @ np.array(own.tensor) @ np.swapaxes(R[:, :3, :3], 1, 2)
    turn = np.einsum("kij,kj->ki", tensor, spin) + np.cross(omega, np.einsum("kij,kj->ki", tensor, omega))
    moment = through[:, 3:] - turn - np.cross(center, flange)  # about the frame of the robot's last link
    moment = moment + np.cross(R[:, :3, 3] - pose[:, :3, 3], robot)
    for side, force in hands.items():
        palm = np.array([person.point_position(x, f"{side}_hand") for x in q])
        moment = moment + np.cross(palm - pose[:, :3, 3], force)
    assert moment == pytest.approx(need, abs=1e-6)


@pytest.mark.slow
def test_both_stay_within_their_limits_on_a_fine_grid(found):
    t = np.linspace(0.0, found.duration, 1601)
    assert max(x.max() for x in found.strength_used(t).values()) < 1.005
    assert max(x.max() for x in found.cobot_used(t).values()) < 1.01
    q, qd, _ = found.prediction.coordinates(t)
    for joint in robots.panda_model().joints:
        if math.isfinite(joint.limits.lower):
            column = found.person.velocity_names.index(f"cobot_{joint.name}")
            assert (q[:, column] > joint.limits.lower - 1e-3).all() and (q[:, column] < joint.limits.upper + 1e-3).all()
            assert np.abs(qd[:, column]).max() < joint.limits.velocity * 1.001
    box = np.array([found.person.link_pose(x, "box") for x in q[[0, -1]]])
    assert box[:, :3, 3] == pytest.approx(np.array([[0.4, 0.0, 0.225], [0.4, 0.0, 1.025]]), abs=1e-6)
    assert box[:, :3, :3] == pytest.approx(np.broadcast_to(np.eye(3), (2, 3, 3)), abs=1e-6)


@pytest.mark.slow
def test_the_back_bears_less_than_alone(found, tmp_path):
    alone = tasks.lift(MASS, FROM, TO)
    one, two = (x.scores["peak_disc_compression"].value for x in (alone, found))
    assert two < 0.95 * one and found.scores["effort"].value < alone.scores["effort"].value
    assert found.scores["peak_hand_force"].value < alone.scores["peak_hand_force"].value
    assert found.scores["peak_cobot_force"].value > 50.0 and 0.5 < found.scores["largest_share_of_cobot"].value < 1.01
    assert "cobot" in found.report(tmp_path / "both.html").read_text(encoding="utf-8")
    with pytest.raises(StateError, match="no cobot holds the box of this task"):
        alone.cobot_force(0.5)


@pytest.mark.slow
def test_postures_of_the_robot_hold_the_box_at_both_ends():
    places = (np.array([0.4, 0.0, 0.225]), np.array([0.4, 0.0, 1.025]))
    holding = hold(Cobot(), places, 10.0, SIZE, 1.5)
    low, high = (np.array([x[k] for x in holding.limits.values()]) for k in (0, 1))
    assert all(((q >= low) & (q <= high)).all() for q in holding.ends)
    with pytest.raises(StateError, match=r"cobot 'panda' at \(3, 0, 0.4\) m does not hold the box by its top side at both ends"):
        hold(Cobot(base=(3.0, 0.0, 0.4)), places, 10.0, SIZE, 1.5)
    with pytest.raises(NameLookupError, match="no link 'hand' of cobot 'panda'"):
        hold(Cobot(link="hand"), places, 10.0, SIZE, 1.5)


def test_a_cobot_is_an_arm_with_limits():
    with pytest.raises(StateError, match="grip of the cobot is 'tip'; did you mean 'top'"):
        Cobot(grip="tip")
    with pytest.raises(StateError, match="base and turn of the cobot are"):
        Cobot(base=(0.9, 0.4))
    arm = robots.panda_model()
    free = arm.with_joints(lambda joint: replace(joint, limits=Limits()) if joint.name == "joint_3" else joint)
    with pytest.raises(ModelError, match="joint 'joint_3' of cobot 'panda' lacks a limit of range, speed or torque"):
        Cobot(free).model()
    with pytest.raises(ModelError, match="joint 'crate_joint' of cobot 'panda' does not turn or slide by itself"):
        Cobot(with_box(arm, "crate", 1.0, SIZE)).model()
    assert Cobot(arm).model() is arm
