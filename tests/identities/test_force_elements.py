"""Force elements in closed robots, elastic drives, simulation, timing, prediction and control: identities."""

from dataclasses import replace
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import ClosedRobot, MotionProblem, PointSpring, Robot
from lissom.nlp import check_derivatives
from lissom.predict.data.motion import Motion
from lissom.predict.search.run import Run
from lissom.robots import planar_two_link_model, tree_model
from lissom.timing import coefficients
from support.elastic import elastic_trees
from support.elements import element_torques, with_point_springs
from support.paths import Swing, rate, times
from support.states import error, random_states

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
CLOSED = ["four_bar", "five_bar", *(pytest.param(name, marks=pytest.mark.slow) for name in ("delta", "gough_stewart"))]


def closed(name):
    """A built-in closed robot with springs, and the same without."""
    model = getattr(lissom.robots, f"{name}_model")()
    return ClosedRobot(with_point_springs(model, seed=3)), ClosedRobot(model)


def motions(robot, count=4, size=0.03, seed=0):
    rng = np.random.default_rng(seed)
    units = robot.constraints.column_units[list(robot.plan.coordinates)]
    q = robot.home() + size * units * rng.normal(size=(count, robot.nq))
    return q, rng.normal(size=(count, robot.nq)), rng.normal(size=(count, robot.nq))


@pytest.mark.parametrize("name", CLOSED)
def test_drives_of_closed_robots_hold_against_elements(name):
    """What the drives need more has the power of the springs, and forward dynamics undoes inverse dynamics."""
    robot, plain = closed(name)
    q, qd, qdd = motions(robot)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert error(robot.forward_dynamics(q, qd, tau), qdd) < 1e-10
    more = np.sum((tau - plain.inverse_dynamics(q, qd, qdd)) * qd, axis=-1)
    for k in range(len(q)):
        tree_q = robot._tree(q[k], None, None)
        tree_qd = robot.velocity_matrix(q[k]) @ qd[k]
        assert more[k] == pytest.approx(element_torques(robot.model, tree_q, tree_qd) @ tree_qd, rel=1e-9)


@pytest.mark.parametrize("name", CLOSED)
def test_rates_and_derivatives_of_closed_robots_have_elements(name):
    robot, _ = closed(name)
    c = 0.1 * np.random.default_rng(1).normal(size=(5, robot.nq))
    c[0] = robot.home()

    def path(t):
        return [sum(c[k] * t ** (k - d) / factorial(k - d) for k in range(d, 5)) for d in range(4)]

    h = 1e-3
    f = [robot.inverse_dynamics(*path(0.2 + k * h)[:3]) for k in (-2, -1, 1, 2)]
    slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)
    assert error(robot.torque_rates(*path(0.2)), slope) < 1e-7
    q, qd, qdd, qddd = path(0.2)
    ours = robot.inverse_dynamics_derivatives(q, qd, qdd)
    assert error(ours.dq @ qd + ours.dqd @ qdd + ours.dqdd @ qddd, slope) < 1e-7


@pytest.mark.parametrize("name", CLOSED[:2])
def test_joints_of_closed_robots_turn_by_their_drives_alone(name):
    """About its axis, a wrench through a joint has the torque of the drive; elements act on the links, not through joints."""
    robot, _ = closed(name)
    state = [x[0] for x in motions(robot)]
    tau = dict(zip((robot.tree.velocity_names[k] for k in robot.plan.active), robot.inverse_dynamics(*state), strict=True))
    wrenches = robot.joint_wrenches(*state)
    for joint, wrench in zip(robot.tree.moving_joint_names, wrenches, strict=False):
        about = wrench[3:] @ np.array(robot.model.joint(joint).axis)
        assert about == pytest.approx(tau.get(joint, 0.0), abs=1e-9 * np.abs(wrenches).max())


def test_closed_robots_with_elements_keep_their_energy():
    model = lissom.robots.five_bar_model(gravity=(0.0, -9.81, 0.0))
    names = [link.name for link in model.links]
    spring = PointSpring("spring", names[1], (0.1, 0.0, 0.0), names[-1], (0.05, 0.02, 0.0), 40.0, 0.3)
    robot = ClosedRobot(model.replace(force_elements=(spring,)))
    run = robot.simulate(robot.home(), np.zeros(robot.nq), 0.5, rtol=1e-10, atol=1e-11)
    assert np.ptp(run.spring_energy) > 1e-3
    assert np.ptp(run.energy) < 1e-7 * max(1.0, np.abs(run.energy).max())


@given(elastic_trees(), st.integers(0, 1000))
@settings(max_examples=10)
def test_motors_behind_springs_move_as_elements_at_the_links_make_them(model, seed):
    """Torques of the whole robot are zero at joints behind springs, and rates are those along the path."""
    model = with_point_springs(model, seed)
    robot, path, t = Robot(model, backend="numpy"), Swing(model.nv - len(model.elastic_motors), seed), 0.3
    along, found = robot.elastic_inverse_dynamics(*path.at(times(t), 4)), robot.elastic_inverse_dynamics(*path.at(t, 4))
    assert error(found.theta_rate, rate(along.theta)) < 1e-8
    assert error(robot.elastic_torque_rates(*path.at(t, 5)), rate(along.tau)) < 1e-8
    parts = (found.theta, found.theta_rate, found.theta_acceleration)
    whole = [np.concatenate([a, b], axis=-1) for a, b in zip(path.at(t, 4), parts, strict=False)]
    assert np.abs(robot.inverse_dynamics(*whole) - found.tau).max() < 1e-9 * np.abs(found.tau).max(initial=1.0)


SWING = with_point_springs(tree_model(3, branching=1.5, seed=4, kinds=["revolute", "prismatic"], drives=False), seed=9)


def undamped(model):
    held = [e for e in model.force_elements if e.stiffness]
    return model.replace(force_elements=tuple(replace(e, damping=0.0) for e in held))


@pytest.mark.parametrize("method", ["adaptive", "rk4", "semi_implicit", "implicit"])
def test_every_way_of_simulation_sees_elements(method):
    """Without damping the energy stays, to the order of the method; without the springs it is another motion."""
    robot = Robot(undamped(SWING))
    q, qd = 0.3 * random_states(robot.model, seed=2)[0], np.zeros(robot.nv)
    options = {"adaptive": {"rtol": 1e-10, "atol": 1e-11}, "implicit": {"method": "implicit", "rtol": 1e-8, "atol": 1e-9}}
    options |= {"rk4": {"method": "rk4", "dt": 5e-4}, "semi_implicit": {"method": "semi_implicit", "dt": 1e-4}}
    run = robot.simulate(q, qd, 0.5, **options[method])
    drift = {"adaptive": 1e-7, "rk4": 1e-6, "semi_implicit": 3e-2, "implicit": 1e-4}[method]
    assert np.ptp(run.spring_energy) > 0.1
    assert np.ptp(run.energy) < drift * np.ptp(run.spring_energy)


def test_dampers_take_energy():
    robot = Robot(SWING)
    q, qd = 0.3 * random_states(SWING, seed=2)[0], np.zeros(SWING.nv)
    run = robot.simulate(q, qd, 1.0, rtol=1e-9, atol=1e-10)
    assert (np.diff(run.energy) < 1e-8).all() and run.energy[-1] < run.energy[0] - 0.1


@pytest.mark.parametrize(
    "make", [lambda: Robot(with_point_springs(planar_two_link_model(), seed=1)), lambda: closed("five_bar")[0]]
)
def test_time_scaling_counts_dampers_as_friction(make):
    robot = make()
    home = robot.home() if isinstance(robot, ClosedRobot) else np.zeros(robot.nv)
    p, p1, p2 = np.random.default_rng(0).normal(size=(3, 7, robot.nv))
    p = home + 0.05 * p
    assert robot.has_friction
    found = coefficients.forces(robot, p, p1, p2)
    x, u = 1.7, -0.6
    tau = found.a * u + found.b * x + found.c + found.d * np.sqrt(x) + found.coulomb
    assert error(tau, robot.inverse_dynamics(p, np.sqrt(x) * p1, x * p2 + u * p1)) < 1e-9


def test_derivatives_of_motion_problems_have_elements():
    robot = Robot(
        with_point_springs(tree_model(3, branching=2, skew=0.6, seed=8, kinds=["revolute", "prismatic"]), seed=4, count=4)
    )
    p = MotionProblem(robot, control_points=7, points_per_span=2, duration=(0.2, 5.0))
    p.limit("torque", -60, 60).limit("torque_rate", -90, 90).minimize("time").minimize("integral", 0.1, "torque")
    run = Run(p, "ipopt", 1e-8, 10, {}, None)
    path = lissom.SplinePath(np.zeros((p.basis.count, robot.nv)), 1.0, p.basis.degree)
    found = run._transcription(Motion(path), {})
    rng = np.random.default_rng(1)
    x = np.concatenate(
        [rng.uniform(-0.7, 0.7, found.size), rng.uniform(2.0, 2.5, 1), rng.uniform(0.5, 1.0, len(found.parts.peaks))]
    )
    found.lower[:], found.upper[:] = -np.inf, np.inf
    found.lower[found.size] = 1e-3
    told = check_derivatives(found.nlp(), x, factor=1.3, tolerance=1e-5)
    assert told.ok, told
