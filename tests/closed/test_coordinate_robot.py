"""A mechanism by its coordinates alone: every function of a Robot is the mechanism's, or refuses."""

import dataclasses
import pickle

import numpy as np
import pytest

import lissom
from lissom import Robot, StateError
from lissom.closed.coordinate_robot import OWN


@pytest.fixture(scope="module")
def closed():
    return lissom.robots.five_bar()


def test_functions_are_those_of_the_mechanism(closed):
    robot = closed.by_coordinates()
    q, qd, qdd = closed.home() + 0.1, np.array([0.3, -0.2]), np.array([1.0, 2.0])
    assert np.abs(robot.mass_matrix(q) - np.eye(2)).max() > 0.5
    for name, arguments in (
        ("mass_matrix", (q,)),
        ("bias_torques", (q, qd)),
        ("gravity_torques", (q,)),
        ("inverse_dynamics", (q, qd, qdd)),
        ("forward_dynamics", (q, qd, qdd)),
        ("joint_wrenches", (q, qd, qdd)),
        ("torque_rates", (q, qd, qdd, qdd)),
        ("kinetic_energy", (q, qd)),
        ("potential_energy", (q,)),
        ("link_poses", (q,)),
        ("neutral", ()),
    ):
        assert (getattr(robot, name)(*arguments) == getattr(closed, name)(*arguments)).all(), name
    tau, rates = robot.torques_and_rates(q, qd, qdd, qdd)
    assert (tau == closed.inverse_dynamics(q, qd, qdd)).all() and (rates == closed.torque_rates(q, qd, qdd, qdd)).all()
    assert robot.moving_joint_names == closed.wrench_names and robot.link_names == closed.link_names
    assert robot.total_mass == closed.tree.total_mass
    assert (robot.integrate(q, qd, 0.5) == q + 0.5 * qd).all() and (robot.difference(q, q + qd) == (q + qd) - q).all()
    assert robot.operation_count("mass_matrix") == closed.operation_count("mass_matrix")
    assert repr(pickle.loads(pickle.dumps(robot))) == "<CoordinateRobot of 'five_bar': nq = nv = 2>"


def test_what_the_mechanism_does_not_know_is_refused(closed):
    robot = closed.by_coordinates()
    refused = []
    for name in dir(Robot):
        if name.startswith("_") or name in OWN or hasattr(type(closed), name):
            continue
        if name in ("total_mass", "torques_and_rates"):
            continue
        with pytest.raises(StateError, match=f"{name} is not known here: these are the coordinates of 'five_bar' alone"):
            getattr(robot, name)(robot.neutral())
        refused.append(name)
    assert {"jacobian", "momentum", "center_of_mass", "coriolis_matrix", "program", "mass_matrix_entries"} < set(refused)
    # as the message says
    assert robot.closed.tree.center_of_mass(robot.closed.closure(robot.neutral())).shape == (3,)


def test_velocities_without_a_drive_are_refused():
    model = lissom.robots.five_bar_model()
    spring = lissom.Spring(5.0)
    sprung = model.with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "left_elbow" else j)
    with pytest.raises(StateError, match="has velocities that no drive holds .left_elbow."):
        lissom.ClosedRobot(sprung.replace(active=("left",)), backend="numpy").by_coordinates()
