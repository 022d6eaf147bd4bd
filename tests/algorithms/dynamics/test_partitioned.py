"""Hybrid dynamics of mechanisms in which several joints move with one velocity: coupled joints, rotors of rigid drives."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import BaseMotion, Coupling, Inertia, Joint, Link, Model, ModelError, ModelWarning, Motor, Robot, Wrench
from lissom.algorithms.dynamics.forward_dynamics import followers
from lissom.algorithms.dynamics.hybrid import hybrid
from lissom.algorithms.dynamics.partitioned import partitioned
from lissom.algorithms.loads import Situation
from lissom.algorithms.step import AT_REST
from lissom.robots import tree_model
from lissom.tree import lump
from support.motors import motor_trees, with_motors
from support.states import error, random_states
from support.trees import trees

seeds = st.integers(0, 1000)


def geared(seed=4, n=5):
    """A chain with a coupled joint and rotors of rigid drives, remote ones too."""
    model = tree_model(n, 1.3, 1.0, seed=seed, kinds=["revolute", "prismatic"], coupled=0.5)
    return with_motors(model, seed, share=0.8, elastic=0.3)


def agrees(robot, q, qd, qdd, names, **more):
    """Check that knowing the forces of the joints `names` and the accelerations of the others gives back all of a motion."""
    tau = robot.inverse_dynamics(q, qd, qdd, **more)
    mask = np.repeat(
        [j.name in names for j in robot.model.independent_joints], [j.kind.nv for j in robot.model.independent_joints]
    )
    known = {"torque": list(names), "acceleration": ...}
    given = {"qdd": np.where(mask, np.nan, qdd), "tau": np.where(mask, tau, np.nan)}
    found = robot.hybrid_dynamics(q, qd, known=known, **given, wrenches=True, **more)
    spoils = 1e-14 * np.linalg.cond(robot.mass_matrix(q)).max()
    assert error(found.qdd, qdd) < 1e-10 + spoils
    assert error(found.tau, tau) < 1e-10 + spoils
    assert error(found.wrenches, robot.joint_wrenches(q, qd, qdd, **more)) < 1e-10 + spoils


def loads(model, axes, seed):
    """A wrench off the origin of the last link, and a base that turns and accelerates."""
    x = np.random.default_rng(seed).normal(size=(6, 3))
    wrench = Wrench(10 * x[0], x[1], axes=axes, point=x[2])
    base = BaseMotion(angular_velocity=x[3], acceleration=x[4], angular_acceleration=x[5])
    return {"external": {model.links[-1].name: wrench}, "base_motion": base}


@given(motor_trees(coupled=0.5), seeds, st.integers(0, 10_000))
@settings(max_examples=25)
def test_whatever_is_known_gives_back_the_rest(model, seed, choice):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    rng = np.random.default_rng(choice)
    names = [name for name in robot.joint_names if rng.random() < 0.5]
    agrees(robot, q, qd, qdd, names, **loads(model, ("link", "world")[choice % 2], seed))


@pytest.mark.sweep("link")
@pytest.mark.parametrize("axes", ["link", "world"])
def test_every_choice_of_a_geared_chain(axes):
    model = geared()
    assert len(followers(model)) > 2
    robot = Robot(model, backend="numpy")
    state, more = random_states(model, 2, seed=1), loads(model, axes, 3)
    for choice in product([False, True], repeat=len(robot.joint_names)):
        agrees(robot, *state, [name for name, known in zip(robot.joint_names, choice, strict=True) if known], **more)


def test_machine_code_agrees(backend):
    model = geared()
    robot = Robot(model, backend=backend)
    agrees(robot, *random_states(model, (2, 3), seed=2), robot.joint_names[::2])


@given(trees(every=True, coupled=0.0, n=4), seeds, st.integers(0, 10_000))
@settings(max_examples=40)
def test_it_is_the_articulated_body_recursion_where_both_apply(model, seed, choice):
    model = with_motors(model, choice, elastic=1.0) if choice % 2 else model
    assert not followers(model)
    tree, (q, qd, given) = lump(model), random_states(model, seed=seed)
    torque_known = list(np.random.default_rng(choice).random(model.nv) < 0.6)
    q, qd, given = (list(np.array(x)[:, None]) for x in (q, qd, given))
    s = Situation(tree, {"q": q, "qd": qd}, {}, AT_REST)
    ours, theirs = partitioned(s, given, torque_known), hybrid(tree, q, qd, given, torque_known)
    size = np.linalg.cond(Robot(model, backend="numpy").mass_matrix(np.array(q)[:, 0]))
    for a, b in (
        (ours.qdd, theirs.qdd),
        (ours.tau, theirs.tau),
        (_flat(ours.f), _flat(theirs.f)),
        (_flat(ours.m), _flat(theirs.m)),
    ):
        assert error(*(np.array([np.broadcast_to(x, (1,)) for x in y]) for y in (a, b))) < 1e-11 + 1e-14 * size


def _flat(vectors):
    return [x for vector in vectors for x in vector]


def test_a_joint_without_inertia_is_named():
    links = (Link("base"), Link("arm", Inertia(1.0, (0, 0, 0), np.eye(3))), Link("nothing"))
    joints = (Joint("a", "continuous", "base", "arm"), Joint("b", "continuous", "arm", "nothing"))
    rotor = Inertia(0.1, (0, 0, 0), np.diag([1e-3, 1e-3, 1e-3]))
    with pytest.warns(ModelWarning, match="joint 'b' moves no mass"):
        model = Model("light", links, joints, motors=(Motor("m", "a", None, 5.0, rotor),))
    robot = Robot(model, backend="numpy")
    zero = np.zeros(2)
    with pytest.raises(ModelError, match="joint 'b' has almost no inertia along its axis"):
        robot.hybrid_dynamics(zero, zero, known={"torque": ["b"], "acceleration": ["a"]})
    found = robot.hybrid_dynamics(zero, zero, known={"torque": ["a"], "acceleration": ["b"]}, tau=[1.0, 0.0])
    assert found.qdd[0] == pytest.approx(1.0 / (1.0 + 25 * 1e-3))


# simulation


@pytest.mark.slow
def test_a_coupled_joint_moves_as_told_while_others_swing():
    """The leader's acceleration is given as cos t: it and its follower move as integrals of that, and all forces fit."""
    model = tree_model(4, 1.0, 1.0, seed=5, kinds=["revolute"], drives=False)
    joints = list(model.joints)
    joints[2] = Joint(
        "follower",
        "revolute",
        joints[2].parent,
        joints[2].child,
        joints[2].origin,
        joints[2].axis,
        coupling=Coupling(joints[1].name, -0.5, 0.3),
    )
    rotor = Inertia(0.2, (0, 0, 0), np.diag([2e-3, 2e-3, 3e-3]))
    motors = (Motor("m", joints[0].name, joints[3].child, 20.0, rotor),)
    robot = Robot(model.replace(joints=tuple(joints), motors=motors))
    known = {"acceleration": [joints[1].name], "torque": ...}
    q0, qd0 = np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.4, 0.0])

    def acceleration(t, q, qd):
        return np.array([0.0, np.cos(t), 0.0])

    way = robot.simulate(q0, qd0, 0.5, known=known, acceleration=acceleration, sample=0.1, rtol=1e-10)
    assert np.allclose(way.q[:, 1], 0.2 + 0.4 * way.t + 1 - np.cos(way.t), rtol=0, atol=1e-10)
    assert error(way.tau, robot.inverse_dynamics(way.q, way.qd, way.qdd)) < 1e-9
    assert np.abs(way.tau[:, [0, 2]]).max() < 1e-9
    # the forces found move the robot in the same way
    again = robot.simulate(q0, qd0, 0.5, lambda t, q, qd: _force(robot, t, q, qd, known), sample=0.1, rtol=1e-10)
    assert np.abs(again.q - way.q).max() < 1e-9
    fixed = robot.simulate(q0, qd0, 0.1, known=known, acceleration=acceleration, method="rk4", dt=1e-4)
    assert np.abs(fixed.q[-1] - way.q[1]).max() < 1e-4  # held over every step


def _force(robot, t, q, qd, known):
    return robot.hybrid_dynamics(q, qd, known=known, qdd=[0.0, np.cos(t), 0.0]).tau
