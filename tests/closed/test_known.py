"""Closed robots some of whose active joints have their accelerations given, in simulation."""

import numpy as np
import pytest

import lissom
from lissom import NameLookupError, SimulationError, StateError

GRAVITY = (0.0, -9.81, 0.0)
METHODS = [{}, {"method": "implicit"}, {"method": "rk4", "dt": 1e-3}, {"method": "semi_implicit", "dt": 1e-4}]


@pytest.fixture(scope="module")
def robot():
    return lissom.robots.five_bar(gravity=GRAVITY)


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_one_joint_follows_its_acceleration_and_the_other_its_torque(robot, options):
    known = {"acceleration": ["left"], "torque": ...}
    run = robot.simulate(robot.home(), [0.3, 0.0], 0.3, [5.0, 1.0], known=known, acceleration=[-2.0, 7.0], sample=0.05, **options)
    drift = 1e-4 if options.get("method") == "semi_implicit" else 1e-9
    assert np.abs(run.q[:, 0] - (robot.home()[0] + 0.3 * run.t - run.t**2)).max() < drift
    assert np.abs(run.qdd[:, 0] + 2.0).max() < 1e-9 and (run.tau[:, 1] == 1.0).all()
    assert np.abs(robot.inverse_dynamics(run.q, run.qd, run.qdd, tree_q=None) - run.tau).max() < 1e-8


def test_a_run_with_given_accelerations_is_that_under_the_torques_it_finds(robot):
    pull = {"left_forearm": lissom.Wrench((3.0, -2.0, 0.0), axes="world")}

    def swing(t, q, qd):
        return [4.0 * np.cos(3.0 * t), -2.0 * q[1]]

    run = robot.simulate(
        robot.home(), [0.0, 0.2], 0.4, known={"acceleration": ...}, acceleration=swing, external=pull, sample=0.01
    )
    again = robot.simulate(
        robot.home(), [0.0, 0.2], 0.4, lissom.simulate.Interpolated(run.t, run.tau), external=pull, sample=0.01
    )
    assert np.abs(again.q - run.q).max() < 1e-6


def test_hybrid_dynamics_finds_the_unknown_half(robot):
    rng = np.random.default_rng(2)
    q, qd, qdd = robot.home() + 0.1 * rng.normal(size=(5, 2)), *rng.normal(size=(2, 5, 2))
    tau = robot.inverse_dynamics(q, qd, qdd)
    for known in ({"torque": ...}, {"acceleration": ...}, {"torque": "left", "acceleration": ["right"]}):
        found = robot.hybrid_dynamics(q, qd, known=known, qdd=qdd, tau=tau)
        assert np.abs(found.qdd - qdd).max() < 1e-9 and np.abs(found.tau - tau).max() < 1e-9
    blind = robot.hybrid_dynamics(
        q, qd, known={"torque": "left", "acceleration": "right"}, qdd=qdd * [np.nan, 1.0], tau=tau * [1.0, np.nan]
    )
    assert np.abs(blind.qdd - qdd).max() < 1e-9 and np.abs(blind.tau - tau).max() < 1e-9
    closed = robot.hybrid_dynamics(None, qd, known={"acceleration": ...}, qdd=qdd, tree_q=robot.closure(q))
    assert np.abs(closed.tau - tau).max() < 1e-9
    with pytest.raises(StateError, match=r"qdd\[1\], the known acceleration of joint 'right', is nan"):
        robot.hybrid_dynamics(q[0], qd[0], known={"acceleration": ...}, qdd=[0.0, np.nan])


def test_many_states_with_given_accelerations_go_side_by_side(robot):
    many = robot.home() + np.array([[0.0, 0.0], [0.1, -0.1], [-0.1, 0.2]])
    options = {"known": {"acceleration": "right", "torque": "left"}, "method": "rk4", "dt": 2e-3, "sample": 0.02}
    accelerations = np.array([[0.0, 1.0], [0.0, -1.0], [0.0, 2.0]])
    together = robot.simulate(many, np.zeros(2), 0.1, acceleration=accelerations[None], **options)
    for k in range(3):
        alone = robot.simulate(many[k], np.zeros(2), 0.1, acceleration=accelerations[k], **options)
        assert np.abs(together.q[:, k] - alone.q).max() < 1e-12 and np.abs(together.tau[:, k] - alone.tau).max() < 1e-9


def test_a_robot_with_more_drives_than_freedom_finds_the_torques_of_some():
    model = lissom.robots.five_bar_model(gravity=GRAVITY)
    robot = lissom.ClosedRobot(model, active=["left", "right", "left_elbow"])
    known = {"acceleration": ["left", "right"], "torque": "left_elbow"}
    run = robot.simulate(robot.home(), [0.1, -0.1], 0.2, [0.0, 0.0, 0.5], known=known, acceleration=[1.0, -1.0, 0.0], sample=0.05)
    assert np.abs(run.qdd - [1.0, -1.0]).max() < 1e-9 and (run.tau[:, 2] == 0.5).all()
    with pytest.raises(
        StateError, match="the accelerations of 3 joints are known, expected 2 at most, the degrees of freedom of"
    ):
        robot.simulate(robot.home(), [0.0, 0.0], 0.2, known={"acceleration": ...})


def test_no_torque_gives_a_slider_at_its_dead_point_its_acceleration():
    slider = lissom.ClosedRobot(lissom.robots.slider_crank_model(), active=["slider_joint"])
    run = slider.simulate(slider.home(), [0.0], 0.05, known={"acceleration": ...}, acceleration=[0.5], sample=0.01)
    assert np.abs(run.qdd - 0.5).max() < 1e-9
    with pytest.raises(SimulationError):
        slider.simulate(slider.home(), [0.0], 20.0, known={"acceleration": ...}, acceleration=[0.5], sample=0.1)


def test_accelerations_that_are_not_finite_are_named(robot):
    with pytest.raises(SimulationError, match="the acceleration of joint 'left' is nan at t = "):
        robot.simulate(robot.home(), [0.0, 0.0], 0.2, known={"acceleration": ...}, acceleration=lambda t, q, qd: [np.nan, 0.0])


def test_only_active_joints_have_given_accelerations(robot):
    with pytest.raises(NameLookupError, match="no joint 'left_elbow' that is active in 'five_bar'"):
        robot.simulate(robot.home(), [0.0, 0.0], 0.2, known={"acceleration": "left_elbow", "torque": ...})
    with pytest.raises(StateError, match="neither the torque nor the acceleration of joint 'right' is known"):
        robot.simulate(robot.home(), [0.0, 0.0], 0.2, known={"acceleration": "left"})


def test_the_base_of_a_floating_mechanism_moves_freely_while_its_joints_follow(robot, tmp_path):
    robot.save(tmp_path / "five.yaml")
    free = lissom.load(tmp_path / "five.yaml", base="floating")
    wanted = {"left": 1.0, "right": -0.5}
    given = np.array([wanted.get(name, 0.0) for name in free.torque_names])
    known = {"acceleration": ["left", "right"], "torque": ...}
    run = free.simulate(free.home(), np.zeros(free.nv), 0.3, known=known, acceleration=given, sample=0.05)
    for name, value in wanted.items():
        assert np.abs(run.qdd[:, free.velocity_names.index(name)] - value).max() < 1e-9
    assert np.abs(run.tau[:, :6]).max() == 0.0 and np.abs(run.tau[:, 6:]).max() > 1e-3
    p = free.tree.momentum(run.tree_q, run.tree_qd)
    assert np.abs(p[:, 3:]).max() < 1e-9  # about the center of mass
    assert np.abs(p[:, :3] - free.total_mass * run.t[:, None] * GRAVITY).max() < 1e-9
