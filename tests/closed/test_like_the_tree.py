"""Links, energy and momentum of closed robots: the tree's functions at closed states, circles by hand, slopes."""

from math import factorial

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, StateError, Wrench
from support.states import error

LINKS = {"four_bar": "coupler", "five_bar": "left_forearm", "delta": "platform", "gough_stewart": "upper_3"}
SEEN = [(axes, point) for axes in ("world", "link") for point in (None, (0.1, -0.05, 0.2), "origin")]


SLOW = dict.fromkeys(("delta", "gough_stewart"), pytest.mark.slow)  # to compile


@pytest.fixture(scope="module", params=[pytest.param(name, marks=SLOW.get(name, ())) for name in LINKS])
def robot(request):
    return getattr(lissom.robots, request.param)()


def some_states(robot, count=3, seed=0):
    rng = np.random.default_rng(seed)
    return robot.home() + 0.05 * rng.normal(size=(count, robot.nq)), *rng.normal(size=(2, count, robot.nv))


def path(robot, t, seed=1, degree=4):
    """Return a polynomial motion from home, and its derivatives up to the third, at time t."""
    c = 0.1 * np.random.default_rng(seed).normal(size=(degree + 1, robot.nq))
    c[0] = robot.home()
    return [sum(c[k] * t ** (k - d) / factorial(k - d) for k in range(d, degree + 1)) for d in range(4)]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("axes", "point"), SEEN)
def test_links_move_as_those_of_the_tree(robot, axes, point):
    link, state, seen = LINKS[robot.name], some_states(robot), {"axes": axes, "point": point}
    q, qd, qdd = robot.tree_motion(*state)
    assert error(robot.link_velocity(*state[:2], link, **seen), robot.tree.link_velocity(q, qd, link, **seen)) < 1e-11
    for classical in (True, False):
        found = robot.link_acceleration(*state, link, classical=classical, **seen)
        assert error(found, robot.tree.link_acceleration(q, qd, qdd, link, classical=classical, **seen)) < 1e-11
    J = robot.jacobian(state[0], link, **seen)
    assert error(J, robot.tree.jacobian(q, link, **seen) @ robot.velocity_matrix(state[0])) < 1e-11
    # J qd and its rate, J qdd + J-dot qd
    h = 1e-3
    V = [robot.link_velocity(*path(robot, 0.1 + k * h)[:2], link, **seen) for k in (-2, -1, 1, 2)]
    x, v, a, _ = path(robot, 0.1)
    rate = robot.jacobian(x, link, **seen) @ a + robot.jacobian_rate_product(x, v, link, **seen)
    assert error(rate, (V[0] - 8 * V[1] + 8 * V[2] - V[3]) / (12 * h)) < 1e-8


def test_energy_and_momentum_are_those_of_the_tree(robot):
    state = some_states(robot)
    q, qd, _ = robot.tree_motion(*state)
    tree, G = robot.tree, robot.velocity_matrix(state[0])
    assert error(robot.kinetic_energy(*state[:2]), tree.kinetic_energy(q, qd)) < 1e-12
    assert error(robot.potential_energy(state[0]), tree.potential_energy(q)) < 1e-12
    assert error(robot.center_of_mass(state[0]), tree.center_of_mass(q)) < 1e-12
    assert error(robot.center_of_mass_jacobian(state[0]), tree.center_of_mass_jacobian(q) @ G) < 1e-11
    assert error(robot.centroidal_momentum_matrix(state[0]), tree.centroidal_momentum_matrix(q) @ G) < 1e-11
    for point in ("com", "origin"):
        assert error(robot.momentum(*state[:2], point=point), tree.momentum(q, qd, point=point)) < 1e-11
    own = np.einsum("nij,nj->ni", robot.centroidal_momentum_matrix(state[0]), state[1])
    assert error(own, robot.momentum(*state[:2])) < 1e-11
    assert error(robot.link_poses(state[0]), tree.link_poses(q)) < 1e-12


def pin(q):
    """Return the pin of the five-bar by its two circles (2,), for complex angles too: shoulders at x = -0.15 and 0.15."""
    elbows = [np.array([x + 0.25 * np.cos(a), 0.25 * np.sin(a)]) for x, a in zip((-0.15, 0.15), q, strict=True)]
    half = (elbows[1] - elbows[0]) / 2
    length = np.sqrt((half**2).sum())
    return elbows[0] + half + np.sqrt(0.35**2 - length**2) / length * np.array([-half[1], half[0]])


def test_the_pin_of_the_five_bar_is_where_two_circles_meet():
    robot, link, end = lissom.robots.five_bar(), "left_forearm", (0.35, 0.0, 0.0)
    rng = np.random.default_rng(3)
    q, (qd, qdd) = robot.home() + [0.1, -0.15], rng.normal(size=(2, 2))
    h, step = 1e-30, 1e-3

    def speed(t):
        place, v = q + qd * t + qdd * t**2 / 2, qd + qdd * t
        return pin(place + 1j * h * v).imag / h

    assert error((robot.link_pose(q, link) @ [*end, 1.0])[:2], pin(q)) < 1e-13
    assert error(robot.link_velocity(q, qd, link, point=end)[:2], speed(0.0)) < 1e-12
    rate = (speed(-2 * step) - 8 * speed(-step) + 8 * speed(step) - speed(2 * step)) / (12 * step)
    assert error(robot.link_acceleration(q, qd, qdd, link, point=end)[:2], rate) < 1e-8
    J = np.stack([pin(q + 1j * h * e).imag / h for e in np.eye(2)], axis=1)
    assert error(robot.jacobian(q, link, point=end)[:2], J) < 1e-12
    assert error(robot.jacobian_rate_product(q, qd, link, point=end)[:2], rate - J @ qdd) < 1e-7


def test_the_platform_of_a_gough_stewart_moves_as_its_legs_say():
    """The rate of a leg's length is the speed of its ball along the leg, from where it stands on the base."""
    robot = lissom.robots.gough_stewart()
    q, qd, _ = (x[0] for x in some_states(robot))
    V, pose = robot.link_velocity(q, qd, "platform"), robot.link_pose(q, "platform")
    for loop, rate in zip(robot.model.loops, qd, strict=True):
        leg, ball = (loop.first, loop.second_pose) if loop.second == "platform" else (loop.second, loop.first_pose)
        arm = pose[:3, :3] @ ball.translation
        way = pose[:3, 3] + arm - foot_of(robot.model, leg)
        assert abs(way @ (V[:3] + np.cross(V[3:], arm)) / np.linalg.norm(way) - rate) < 1e-11


def foot_of(model, link):
    """Return where the leg that ends in a link stands on the base."""
    holder = {joint.child: joint for joint in model.joints}
    while holder[link].parent != model.base:
        link = holder[link].parent
    return np.array(holder[link].origin.translation)


@pytest.mark.parametrize("axes", ["joint", "link", "parent", "world"])
def test_rates_of_wrenches_are_their_slopes(robot, axes):
    h = 1e-3
    load = {robot.link_names[-1]: Wrench(force=(3.0, -2.0, 5.0), moment=(0.1, 0.2, -0.3), axes="world")}
    f = [robot.joint_wrenches(*path(robot, 0.2 + k * h)[:3], external=load, axes=axes) for k in (-2, -1, 1, 2)]
    slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)
    assert error(robot.joint_wrench_rates(*path(robot, 0.2), external=load, axes=axes), slope) < 1e-7


def test_torques_with_their_rates(robot):
    state = path(robot, 0.2)
    tau, rate = robot.torques_and_rates(*state)
    assert error(tau, robot.inverse_dynamics(*state[:3])) < 1e-11 and error(rate, robot.torque_rates(*state)) < 1e-11


def test_redundant_drives_share_all_loads_alike():
    model = lissom.robots.five_bar_model(gravity=(0.0, -9.81, 0.0))
    robot, plain = (
        ClosedRobot(model, backend="numpy", active=("left", "right", "left_elbow")),
        ClosedRobot(model, backend="numpy"),
    )
    weights, q, qd = np.array([1.0, 2.0, 5.0]), robot.home() + 0.05, np.array([0.3, -0.7])
    # tau of three drives: A' tau = tau of two, with the least weighted sum of squares, by the pseudo-inverse
    G = plain.velocity_matrix(q)[[robot.tree.joint_names.index(name) for name in robot.torque_names]]
    root = np.diag(weights**-0.5)
    for name, state in (("gravity_torques", (q,)), ("bias_torques", (q, qd)), ("inverse_dynamics", (q, qd, qd))):
        expected = root @ np.linalg.pinv(G.T @ root) @ getattr(plain, name)(*state)
        assert error(getattr(robot, name)(*state, weights=weights), expected) < 1e-10
        assert error(getattr(robot, name)(*state, weights={"right": 2.0, "left_elbow": 5.0}), expected) < 1e-10
    tau, rate = robot.torques_and_rates(q, qd, qd, qd, weights=weights)
    assert error(tau, expected) < 1e-10 and error(rate, robot.torque_rates(q, qd, qd, qd, weights=weights)) < 1e-11
    h, f = 1e-4, []
    for t in (-1e-4, 1e-4):
        motion = q + qd * (t + t**2 / 2 + t**3 / 6), qd * (1 + t + t**2 / 2), qd * (1 + t)
        f.append(robot.joint_wrenches(*motion, weights=weights))
    assert error(robot.joint_wrench_rates(q, qd, qd, qd, weights=weights), (f[1] - f[0]) / (2 * h)) < 1e-6


def test_an_energy_that_is_always_zero_needs_loops_that_close():
    robot = lissom.robots.five_bar()
    assert robot.spring_energy(robot.home()) == 0.0 and isinstance(robot.spring_energy(robot.home()), float)
    with pytest.raises(StateError, match="cannot be closed"):
        robot.spring_energy([np.pi, 0.0])
    with pytest.raises(StateError, match=r"sample \(1,\)"):
        robot.spring_energy([robot.home(), [np.pi, 0.0]])


def test_steps_and_differences_of_coordinates():
    robot = lissom.robots.five_bar()
    q, v = np.array([2.0, 1.0]), np.array([0.5, -1.0])
    assert error(robot.integrate(q, v, 0.2), q + 0.2 * v) < 1e-15
    assert error(robot.difference(q, robot.integrate(q, [v, -v], 0.2)), 0.2 * np.array([v, -v])) < 1e-14
    with pytest.raises(StateError, match="dt is not finite"):
        robot.integrate(q, v, np.inf)
    with pytest.raises(StateError, match="end has size 3, expected 2"):
        robot.difference(q, np.zeros(3))
