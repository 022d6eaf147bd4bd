"""Motion prediction of closed robots."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, StateError
from lissom.predict.quantities.state import State
from lissom.timing import time_optimal

OPTIONS = {
    "link_position": {"link": "left_forearm", "point": (0.35, 0.0, 0.0)},
    "link_rotation": {"link": "right_forearm"},
    "distance_squared": {"link": "left_forearm", "center": (0.1, 0.2, 0.0), "other": "right_arm"},
    "joint_wrench": {"joint": "pin", "components": ("fx", "fy", "mz"), "axes": "world"},
    "link_velocity": {"link": "left_forearm", "point": (0.35, 0.0, 0.0)},
    "speed_squared": {"link": "left_forearm", "point": (0.35, 0.0, 0.0)},
    "link_acceleration": {"link": "left_forearm", "point": (0.35, 0.0, 0.0), "axes": "link"},
    "orientation": {"link": "left_forearm", "target": (0.1, 0.2, 0.3, 0.9)},
    "tilt": {"link": "left_forearm", "axis": (1.0, 0.0, 0.0), "direction": (0.3, 1.0, 0.2)},
}


@pytest.fixture(scope="module")
def five_bar():
    return lissom.robots.five_bar()


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "name",
    [
        *("torque", "torque_rate", "power", "joint_wrench", "kinetic_energy", "link_position", "link_rotation"),
        *("distance_squared", "center_of_mass", "regularity"),
        *("link_velocity", "speed_squared", "link_acceleration", "orientation", "tilt", "momentum", "center_of_mass_velocity"),
    ],
)
def test_first_and_second_derivatives_beside_differences(five_bar, name):
    problem = MotionProblem(five_bar)
    quantity = problem.quantities.get(name, **OPTIONS.get(name, {}))
    rng = np.random.default_rng(0)
    rates = [five_bar.home() + 0.1 * rng.normal(size=(3, 2)), *rng.normal(size=(3, 3, 2))]
    weights = rng.normal(size=(3, quantity.size))
    D, H = quantity.derivatives(State(tuple(rates))), quantity.curvature(State(tuple(rates)), weights)
    h = 1e-5
    for row, order in enumerate(quantity.orders):
        for joint in range(2):
            ahead, back = ([x.copy() for x in rates] for _ in range(2))
            ahead[order][:, joint] += h
            back[order][:, joint] -= h
            ahead, back = State(tuple(ahead)), State(tuple(back))
            slope = (quantity.values(ahead) - quantity.values(back)) / (2 * h)
            assert np.abs(slope - D[row, :, :, joint]).max() < 1e-8
            turn = (quantity.derivatives(ahead) - quantity.derivatives(back)) / (2 * h)
            assert np.abs(np.einsum("ks,rksn->krn", weights, turn) - H[:, row, joint]).max() < 1e-7


def test_messages_name_a_quantity_of_one_entry_once(five_bar):
    with pytest.raises(StateError, match=r"^limit of regularity: lower 2 is above upper 1$"):
        MotionProblem(five_bar).limit("regularity", 2, 1)
    with pytest.raises(StateError, match=r"^lower bound of regularity is nan$"):
        MotionProblem(five_bar).limit("regularity", float("nan"), 1)


def test_quantities_are_those_of_the_robot(five_bar):
    problem = MotionProblem(five_bar)
    q, qd, qdd = five_bar.home() + [[0.1, 0.2]], np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])
    state = State((q, qd, qdd, 0 * qd))
    assert np.abs(problem.quantities.get("torque").values(state) - five_bar.inverse_dynamics(q, qd, qdd)).max() < 1e-12
    pin = problem.quantities.get("link_position", link="left_forearm", point=(0.35, 0.0, 0.0)).values(state)
    pose = five_bar.link_poses(q)[:, five_bar.link_names.index("left_forearm")]
    assert np.abs(pin - (pose @ [0.35, 0.0, 0.0, 1.0])[:, :3]).max() < 1e-12
    home = State((five_bar.home()[None], 0 * qd, 0 * qd, 0 * qd))
    assert abs(problem.quantities.get("regularity").values(home) - 1.0) < 1e-12


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_five_bar_from_point_to_point(five_bar):
    """Torques are within limits, one of them always at its limit; the drives really take the robot there."""
    goal = five_bar.home() + [0.5, 0.4]
    problem = MotionProblem(five_bar, control_points=16, duration=(0.05, 2.0))
    problem.start(five_bar.home()).end(goal).limit("torque", -8, 8).limit("velocity", -15, 15).limit("regularity", lower=0.05)
    motion = problem.minimize("time").solve()
    t = np.linspace(0.0, motion.duration, 400)
    q, qd, qdd = motion.states(t)[:3]
    tau = motion.torques(t)
    assert np.abs(tau).max() < 8 * 1.01
    assert np.mean(np.abs(tau).max(axis=1) > 7.5) > 0.7  # fastest motions use their drives
    assert np.abs(q[-1] - goal).max() < 1e-9
    regular = problem.quantities.get("regularity").values(State((q, qd, qdd, 0 * q)))
    assert regular.min() > 0.05 - 1e-4
    driven = five_bar.simulate(
        q[0], qd[0], motion.duration, lambda now, _q, _qd: motion.torques(np.array([now]))[0], rtol=1e-9, atol=1e-10
    )
    assert np.abs(driven.q[-1] - goal).max() < 1e-5


@pytest.mark.slow
def test_rates_of_drives_are_limited(five_bar):
    goal = five_bar.home() + [0.3, -0.2]
    problem = MotionProblem(five_bar, control_points=12, degree=5, duration=(0.05, 2.0))
    problem.start(five_bar.home()).end(goal).limit("torque", -10, 10).limit("torque_rate", -400, 400).minimize("time")
    motion = problem.solve()
    t = np.linspace(0.0, motion.duration, 200)
    tau = five_bar.inverse_dynamics(*motion.states(t)[:3])
    assert motion.success and np.abs(tau).max() < 10 * 1.02
    assert 350 < np.abs(np.gradient(tau, t, axis=0)).max() < 400 * 1.1  # between instants limits may be passed


def test_along_a_path_rates_of_drives_are_limited(five_bar):
    way = five_bar.home() + np.array([[0.0, 0.0], [0.15, -0.05], [0.3, -0.2]])
    fast, slow = (time_optimal(five_bar, way, torque=10.0, torque_rate=rate) for rate in (None, 3000.0))
    t = np.linspace(0.0, slow.duration, 400)
    assert fast.duration < slow.duration < 1.2 * fast.duration
    assert np.abs(five_bar.torque_rates(*slow.states(t)[:4])).max() < 3000 * 1.05


def test_poses_out_of_reach_are_no_numbers(five_bar):
    problem = MotionProblem(five_bar)
    q = np.array([[np.pi, 0.0], five_bar.home()])
    zero = np.zeros_like(q)
    values = problem.quantities.get("torque").values(State((q, zero, zero, zero)))
    assert not np.isfinite(values).all()


@pytest.mark.slow
def test_a_platform_along_its_path_as_fast_as_its_drives_allow():
    robot = lissom.robots.gough_stewart(speed=1.0, force=9000.0)
    s = np.linspace(0.0, 1.0, 25)
    x = np.tile(robot.home_pose(), (25, 1))
    x[:, 0] += 0.4 * np.sin(np.pi * s)
    x[:, 1] += 0.3 * s
    timing = time_optimal(robot, robot.leg_coordinates(x))
    t = np.linspace(0.0, timing.duration, 300)
    q, qd, qdd = timing.states(t)[:3]
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert np.abs(tau).max() < 9000 * 1.02 and np.abs(qd).max() < 1.0 * 1.02
    assert max(np.abs(tau).max() / 9000, np.abs(qd).max()) > 0.98  # something is at its limit
    # the platform stays on its path between the points that were given
    assert np.abs(robot.platform_pose(q)[:, 2] - 2.0).max() < 1e-4


@pytest.mark.slow
def test_a_platform_from_pose_to_pose():
    robot = lissom.robots.gough_stewart(speed=1.0, force=9000.0)
    x = robot.home_pose()
    x[:3] += [0.4, 0.2, 0.2]
    x[3:] = np.array([0.06, 0.0, 0.05, 1.0]) / np.linalg.norm([0.06, 0.0, 0.05, 1.0])
    problem = MotionProblem(robot, control_points=8, duration=(0.2, 5.0))
    problem.start(robot.home()).end(robot.leg_coordinates(x)).limit_by_model().limit("regularity", lower=0.1).minimize("time")
    motion = problem.solve()
    t = np.linspace(0.0, motion.duration, 200)
    q, qd, _ = motion.states(t)[:3]
    assert np.abs(motion.torques(t)).max() < 9000 * 1.02 and np.abs(qd).max() < 1.02
    assert np.abs(robot.platform_pose(q[-1]) - x).max() < 1e-9


def test_what_is_refused(five_bar):
    with pytest.raises(StateError, match="the end of the motion is out of reach: at left = 3.14.*loop 'pin' stays open by 0.1 m"):
        MotionProblem(five_bar).start(five_bar.home()).end([3.14, 0.0])
    extra = lissom.ClosedRobot(five_bar.model.replace(active=("left", "right", "left_elbow")))
    with pytest.raises(StateError, match="3 drives for 2 coordinates"):
        MotionProblem(extra)
    with pytest.raises(lissom.NameLookupError, match="no quantity 'torqe_rate'"):
        MotionProblem(five_bar).limit("torqe_rate", -1, 1)
