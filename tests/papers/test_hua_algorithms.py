"""Hua 2024, Algorithms 1 and 2, transcribed in `papers/hua.py`, beside inverse and forward dynamics of models with motors.

Arms of five revolute joints, motors on the base, on other links and on the driven ones, some drives rigid and some elastic, a
force and a moment on a tool that is not at the origin of its link.
"""

from dataclasses import replace

import numpy as np
import pytest

from lissom import BaseMotion, Robot, Wrench
from lissom.robots import tree_model
from lissom.robots.hua_arm import hua_arm_model
from papers.hua import Arm, forward_dynamics, load_side, reneal, unified
from support.motors import with_motors
from support.states import error, random_states

SEEDS = range(6)
TOOL = np.array([0.1, -0.2, 0.15])
NONE = np.zeros(3)


def mixed_arm(seed, n=5, elastic=0.5, **more):
    chain = tree_model(n, 1.0, 1.1, seed=seed, kinds=["revolute"], drives=False)
    model = with_motors(chain, seed, 1.0, elastic, friction=False, ratios=(20.0, -50.0, 100.0), **more)
    return model.with_motors(lambda m: m if m.spring is None else replace(m, spring=replace(m.spring, rest=0.0)))


def situation(seed, **more):
    """Return model, arm, state and load; some drives are elastic and some are not."""
    model, rng = mixed_arm(seed, **more), np.random.default_rng(seed)
    arm, (x, xd, xdd), (force, moment) = Arm(model, TOOL), random_states(model, seed=seed), rng.normal(size=(2, 3)) * 10
    x[arm.N :] = x[list(arm.k)] + rng.normal(size=len(arm.k)) / 20  # springs that are hardly stretched hide nothing
    return model, arm, (x, xd, xdd), force, moment


def loads(model, force, moment):
    """The same load for lissom: on the tool, in the axes of the last link."""
    return {model.joints[-1].child: Wrench(force, moment, axes="link", point=TOOL)}


def algorithm_1(arm, state, force, moment, printed=(), **base):
    """Return all rows of (30): load side less the elastic torque (28), motor side (29)."""
    x, xd, xdd = state
    tau, _, tau_b = reneal(arm, x, xd, xdd, force, moment, np.array(arm.model.gravity), **base, printed=printed)
    load = [load_side(arm, x, tau_b, i) - arm.K[k] * (x[arm.N + k] - x[i]) for i, k in arm.k.items()]
    rows = tau.copy()
    rows[list(arm.k)] = load
    return np.concatenate([rows, tau[list(arm.k)]])


def test_arms_have_motors_of_every_sort():
    models = [mixed_arm(seed) for seed in SEEDS]
    places = {_place(model, motor) for model in models for motor in model.motors}
    assert places == {"base", "parent", "child", "remote"}
    assert all(0 < len(model.elastic_motors) < len(model.motors) for model in models)


def _place(model, motor):
    joint = model.joint(motor.joint)
    where = {model.base: "base", joint.parent: "parent", joint.child: "child"}
    return where.get(motor.link, "remote")


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_are_algorithm_1(seed):
    model, arm, state, force, moment = situation(seed)
    ours = Robot(model, backend="numpy").inverse_dynamics(*state, external=loads(model, force, moment))
    assert error(ours, algorithm_1(arm, state, force, moment)) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_algorithm_1_on_a_moving_base(seed):
    model, arm, state, force, moment = situation(seed)
    w, dw, a = np.random.default_rng(seed + 100).normal(size=(3, 3))
    base = BaseMotion(angular_velocity=w, acceleration=a, angular_acceleration=dw)
    ours = Robot(model, backend="numpy").inverse_dynamics(*state, external=loads(model, force, moment), base_motion=base)
    assert error(ours, algorithm_1(arm, state, force, moment, w0=w, dw0=dw, a0=a)) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_wrenches_through_joints_are_those_of_algorithm_1(seed):
    model, arm, state, force, moment = situation(seed)
    _, f_b, tau_b = reneal(arm, *state, force, moment, np.array(model.gravity))
    ours = Robot(model, backend="numpy").joint_wrenches(*state, external=loads(model, force, moment), axes="link")
    for i, (f, tau) in enumerate(zip(f_b, tau_b, strict=True)):
        F = arm.frames[i + 1]  # of the axes that the paper has f_b and tau_b in, in those of the link
        assert error(ours[i], np.concatenate([F @ f, F @ tau])) < 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_dynamics_are_algorithm_2(seed):
    model, arm, (x, xd, _), force, moment = situation(seed)
    robot, tau_m = Robot(model, backend="numpy"), np.random.default_rng(seed).normal(size=arm.N) * 20
    theirs, A, _ = forward_dynamics(arm, x, xd, tau_m, force, moment, np.array(model.gravity))
    assert error(robot.mass_matrix(x), A) < 1e-12
    ours = robot.forward_dynamics(x, xd, in_lissom(arm, tau_m), external=loads(model, force, moment))
    assert error(ours, theirs) < 1e-10


def in_lissom(arm, tau_m):
    """Return tau (nv,): nothing at elastic joints, whose motors have rows of their own."""
    rigid = [0.0 if i in arm.k else tau_m[i] for i in range(arm.N)]
    return np.concatenate([rigid, [tau_m[i] for i in arm.k]])


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("misprint", ["20", "26", "21 side", "21 rate", "21 moments", "8-9"])
def test_each_misprint_of_algorithm_1_changes_its_torques(misprint, seed):
    model, arm, state, force, moment = situation(seed)
    ours = Robot(model, backend="numpy").inverse_dynamics(*state, external=loads(model, force, moment))
    assert error(algorithm_1(arm, state, force, moment, (misprint,)), ours) > 1e-3


def on_a_moving_base(seed, printed=()):
    """Return accelerations by lissom and by Algorithm 2."""
    model, arm, (x, xd, _), force, moment = situation(seed)
    tau_m, (w, dw, a) = np.random.default_rng(seed).normal(size=arm.N) * 20, np.random.default_rng(seed + 100).normal(size=(3, 3))
    base = BaseMotion(angular_velocity=w, acceleration=a, angular_acceleration=dw)
    tau = in_lissom(arm, tau_m)
    ours = Robot(model, backend="numpy").forward_dynamics(x, xd, tau, external=loads(model, force, moment), base_motion=base)
    return ours, forward_dynamics(arm, x, xd, tau_m, force, moment, np.array(model.gravity), (w, dw, a), printed)[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_algorithm_2_on_a_moving_base(seed):
    assert error(*on_a_moving_base(seed)) < 1e-10


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("misprint", ["alg 2", "alg 2 base", "35"])
def test_each_misprint_of_algorithm_2_changes_its_accelerations(misprint, seed):
    ours, theirs = on_a_moving_base(seed, (misprint,))
    assert error(theirs, ours) > 1e-2


@pytest.mark.filterwarnings("ignore::lissom.ModelWarning")
def test_the_papers_own_arm_is_algorithms_1_and_2():
    """Table I and section V, with what `hua_arm` chooses where the paper says nothing; payload of 3 N on the tip."""
    arm3 = hua_arm_model()
    model = arm3.replace(links=arm3.links[:-1], joints=arm3.joints[:-1])
    tip = arm3.joints[-1].origin.p
    arm, robot = Arm(model, tip), Robot(arm3, backend="numpy")
    assert (arm.N, list(arm.k), arm.K) == (3, [2], [100.0])
    assert [motor.link for motor in arm.motors] == [0, 1, 1]
    rng = np.random.default_rng(3)
    for x, xd, xdd in rng.normal(size=(4, 3, 4)):
        down = robot.link_pose(x, "tip")[:3, :3].T @ [0.0, 0.0, -3.0]
        payload = {"tip": Wrench((0.0, 0.0, -3.0), axes="world")}
        told = algorithm_1(arm, (x, xd, xdd), down, NONE)
        assert error(robot.inverse_dynamics(x, xd, xdd, external=payload), told) < 1e-12
        tau_m = 5 * rng.normal(size=3)
        theirs, _, _ = forward_dynamics(arm, x, xd, tau_m, down, NONE, np.array(model.gravity))
        assert error(robot.forward_dynamics(x, xd, in_lissom(arm, tau_m), external=payload), theirs) < 1e-10


def test_a_force_down_on_the_tool_costs_torque_and_the_printed_sign_saves_it():
    """The paper finds that its payload, a force of -3 N along z on the tool, lowers the torques: that is the sign of (20)."""
    model, arm, (x, _, _), _, _ = situation(1, n=3, elastic=0.0)
    still = np.zeros(3)
    robot = Robot(model, backend="numpy")
    R = robot.link_pose(x, model.joints[-1].child)[:3, :3]
    down = R.T @ [0.0, 0.0, -3.0]
    held = robot.inverse_dynamics(x, still, still, external=loads(model, down, NONE)) - robot.inverse_dynamics(x, still, still)
    lift = robot.jacobian(x, model.joints[-1].child, point=TOOL)[2]  # how fast the tool rises
    assert np.allclose(held, 3.0 * lift, atol=1e-12)
    g = np.array(model.gravity)
    printed = [reneal(arm, x, still, still, f, NONE, g, printed=("20",))[0] for f in (down, NONE)]
    assert np.allclose(printed[0] - printed[1], -3.0 * lift, atol=1e-12)


def test_the_unified_body_is_link_and_motors():
    """Mass and center of mass of everything that moves: unified bodies beside lissom's own."""
    model, arm, (x, _, _), _, _ = situation(2)
    robot = Robot(model, backend="numpy")
    masses = [unified(model, joint.child) for joint in model.joints]
    assert robot.total_mass == pytest.approx(sum(m for m, _, _ in masses), rel=1e-14)
    moments = 0.0
    for joint, (mass, com, _) in zip(model.joints, masses, strict=True):
        pose = robot.link_pose(x, joint.child)
        moments = moments + mass * (pose[:3, :3] @ com + pose[:3, 3])
    assert np.allclose(robot.center_of_mass(x), moments / robot.total_mass, atol=1e-12)
