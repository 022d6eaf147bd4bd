"""Unknown forces and contacts of robots with motors behind springs: motors follow the loads and their rates."""

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, MotionProblem, Motor, Robot, Spring, StateError
from lissom.predict import Prediction
from support.elastic_arms import rotor, rr_file

G, STIFFNESS = 9.81, 3000.0


def spring_drive(joint):
    """A motor on the world's or the body's side of a slide, behind a spring."""
    return Motor("drive", joint, None, 50.0, rotor(1e-4), spring=Spring(STIFFNESS), rotor="reflected")


def hopper():
    """A body with a motor of 0.2 kg, which moves a leg through a spring; both on a vertical slide without a drive."""
    links = (Link("world"), Link("body", Inertia(4.0)), Link("foot", Inertia(1.0)))
    joints = (
        Joint("height", JointKind.PRISMATIC, "world", "body", axis=(0, 0, 1)),
        Joint("leg", JointKind.PRISMATIC, "body", "foot", axis=(0, 0, -1)),
    )
    return Robot(Model("hopper", links, joints, motors=(spring_drive("leg"),)))


@pytest.fixture(scope="module")
def squat():
    problem = MotionProblem(hopper(), control_points=14, duration=0.6, undriven="height").contact("sole", "foot")
    problem.start([0.6, 0.6]).end([0.4, 0.4]).limit("torque", -90, 90)
    return problem.minimize("integral", 1.0, "torque").solve()


def repeated(found, duration=0.2):
    """Return how far a simulation of the first seconds under the torques and the loads of a motion is from it."""
    q0, qd0, _ = found.coordinates(0.0)
    run = found.robot.simulate(q0, qd0, duration, found.replay, rtol=1e-10, atol=1e-11)
    return np.abs(run.q - found.coordinates(run.t)[0]).max()


def test_the_ground_pushes_a_springy_leg_as_newton_says(squat):
    robot, t = squat.robot, squat.times(101)
    q, qd, qdd = squat.coordinates(t)
    force = squat.contact_forces(t)["sole"][:, 0, 2]
    fall = 4.2 * qdd[:, 0] + 1.0 * (qdd[:, 0] - qdd[:, 1])
    assert force == pytest.approx(robot.total_mass * G + fall, abs=1e-6)
    assert np.abs(squat.imbalance(t)).max() < 1e-9 * robot.total_mass * G
    # the spring carries what is above the foot, and pushes down on the foot
    assert STIFFNESS * squat.deflections(t)[:, 0] == pytest.approx(force - 1.0 * (G + qdd[:, 0] - qdd[:, 1]), abs=1e-6)
    assert squat.force_correction.change == 0.0 and squat.force_correction.left < 1e-9


@pytest.mark.slow
def test_a_simulation_returns_the_squat_of_a_springy_leg(squat):
    assert repeated(squat, 0.05) < 1e-6


def test_rates_of_motors_are_those_of_their_motion_under_loads(squat):
    h, t = 1e-4, np.linspace(0.05, 0.55, 11)
    before, now, after = (squat.drives(t + k * h) for k in (-1, 0, 1))
    assert now.theta_rate == pytest.approx((after.theta - before.theta) / (2 * h), abs=1e-5)
    assert now.theta_acceleration == pytest.approx((after.theta_rate - before.theta_rate) / (2 * h), rel=1e-4, abs=1e-4)
    assert squat.torque_rates(t) == pytest.approx((after.tau - before.tau) / (2 * h), rel=1e-4, abs=1e-3)


def test_springy_motions_under_loads_come_back_from_files(squat, tmp_path):
    back = Prediction.load(squat.save(tmp_path / "squat.npz"), squat.robot)
    t = squat.times(7)
    assert np.array_equal(back.torques(t), squat.torques(t)) and np.array_equal(back.coordinates(t), squat.coordinates(t))
    assert squat.report(tmp_path / "squat.html").exists() and squat.plot(tmp_path / "squat.svg").exists()


@pytest.mark.slow
def test_a_simulation_returns_the_motion_of_a_pushed_springy_arm():
    arm = lissom.load(rr_file())
    problem = MotionProblem(arm, control_points=14, duration=0.7).start([0, -2]).end([1, -1])
    problem.channel("push", ("fx", "fy"), link=arm.link_names[-1], point=(0.4, 0.0, 0.0), axes="link").limit("push", -5, 5)
    problem.limit("push_rate", 0, 0, at=[0.0, 1.0], scale=100.0).minimize("integral", 1.0, "torque")
    found = problem.minimize("integral", 0.01, "push").solve()
    assert found.success and 0.5 < np.abs(found.channel("push", found.times())).max() <= 5.005
    assert repeated(found, found.duration) < 1e-6
    alone = MotionProblem(arm, control_points=14, duration=0.7).start([0, -2]).end([1, -1]).minimize("integral", 1.0, "torque")
    assert found.goals[0].value < alone.solve().objective


@pytest.mark.slow
def test_a_block_goes_with_a_springy_table_by_friction():
    links = (Link("world"), Link("table", Inertia(5.0)), Link("lift", massless=True), Link("block", Inertia(2.0)))
    joints = (
        Joint("slide", JointKind.PRISMATIC, "world", "table", axis=(1, 0, 0)),
        Joint("up", JointKind.PRISMATIC, "world", "lift", axis=(0, 0, 1)),
        Joint("along", JointKind.PRISMATIC, "lift", "block", axis=(1, 0, 0)),
    )
    robot = Robot(Model("block on a springy table", links, joints, motors=(spring_drive("slide"),)))
    problem = MotionProblem(robot, control_points=14, duration=0.8, undriven=["up", "along"])
    problem.contact("sole", "block", surface={"link": "table"}, friction=0.5).start([0, 0, 0]).end([0.3, 0, 0.3])
    found = problem.minimize("integral", 1.0, "torque").solve()
    t = found.times(51)
    force, qdd = found.contact_forces(t)["sole"][:, 0], found.coordinates(t)[2]
    expected = np.stack([2.0 * qdd[:, 2], np.zeros(51), np.full(51, 2.0 * G)], axis=1)
    assert force == pytest.approx(expected, abs=1e-6)
    assert STIFFNESS * found.deflections(t)[:, 0] == pytest.approx(7.0 * qdd[:, 0], abs=1e-5)
    assert repeated(found) < 1e-6


def test_loads_that_motors_behind_springs_cannot_follow_are_refused():
    arm = lissom.load(rr_file())
    tip = arm.link_names[-1]
    with pytest.raises(StateError, match="channel 'push' has degree 1, and robot 'elastic_rr' has motors behind springs"):
        MotionProblem(arm).channel("push", "fx", link=tip, degree=1)
    with pytest.raises(StateError, match="deflection is limited or minimized already; add channel 'push' before"):
        MotionProblem(arm).limit("deflection", -1, 1).channel("push", "fx", link=tip)
