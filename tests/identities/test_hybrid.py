"""Hybrid dynamics under all loads at once: whatever is known of a motion gives back the rest of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import BaseMotion, Robot, StateError, Wrench
from lissom.robots import tree_model
from support.states import error, random_states
from support.trees import SINGLE, trees

seeds = st.integers(0, 1000)
FRAMES = ["joint", "link", "parent", "world"]


def loads(robot, seed, lead):
    """A wrench on every other link, in the axes of the link and of the world in turn, and a base that moves in every way."""
    rng = np.random.default_rng(seed)

    def three():
        return rng.normal(size=(*lead, 3))

    links = robot.link_names[seed % 2 :: 2]
    external = {link: Wrench(three(), three(), axes=("link", "world")[k % 2], point=three() / 5) for k, link in enumerate(links)}
    return {"external": external, "base_motion": BaseMotion(rng.normal(size=(*lead, 4)), three(), three(), three())}


def has_drives(robot):
    return any(joint.rotor_inertia > 0 and joint.friction.coulomb > 0 for joint in robot.model.joints)


def check(robot, seed, forced, axes, lead):
    """Compare hybrid dynamics, joint wrenches included, with the motion and forces of inverse dynamics."""
    q, qd, qdd = random_states(robot.model, lead, seed=seed)
    acting = loads(robot, seed, lead)
    tau = robot.inverse_dynamics(q, qd, qdd, **acting)
    inside = robot.joint_wrenches(q, qd, qdd, axes=axes, **acting)
    kept = np.concatenate([np.full(j.kind.nv, j.name in forced) for j in robot.model.independent_joints])
    # entries that are not known are ignored, so they may hold anything
    passed = {"qdd": np.where(kept, np.nan, qdd), "tau": np.where(kept, tau, np.nan)}
    known = {"torque": forced, "acceleration": ...}
    found = robot.hybrid_dynamics(q, qd, known=known, **passed, wrenches=True, axes=axes, **acting)
    allowed = 1e-13 * np.linalg.cond(robot.mass_matrix(q)).max() + 1e-11
    assert error(found.qdd, qdd) < allowed
    assert error(found.tau, tau) < allowed
    assert error(found.wrenches, inside) < allowed


@given(trees(coupled=0.0, drives=True), seeds, st.sampled_from(FRAMES), st.data())
def test_hybrid_dynamics_undo_inverse_dynamics_with_drives_and_all_loads(model, seed, axes, data):
    robot = Robot(model, backend="numpy")
    mask = data.draw(st.lists(st.booleans(), min_size=len(robot.joint_names), max_size=len(robot.joint_names)))
    forced = [name for name, known in zip(robot.joint_names, mask, strict=True) if known]
    check(robot, seed, forced, axes, (2,))


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(trees(n=3, coupled=0.0, drives=True), seeds, st.sampled_from(FRAMES))
def test_compiled_hybrid_dynamics_undo_inverse_dynamics_too(model, seed, axes):
    robot = Robot(model, backend="llvm")
    forced = [name for k, name in enumerate(robot.joint_names) if (seed >> k) % 2]
    for lead in ((), (9,)):
        check(robot, seed, forced, axes, lead)


@given(trees(coupled=0.0, drives=True, kinds=SINGLE, floating=False), seeds)
def test_every_method_undoes_inverse_dynamics_with_drives_and_all_loads(model, seed):
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, 2, seed=seed)
    assert has_drives(robot)
    acting = loads(robot, seed, (2,))
    tau = robot.inverse_dynamics(q, qd, qdd, **acting)
    allowed = 1e-14 * np.linalg.cond(robot.mass_matrix(q)).max() + 1e-12
    for method in (None, "articulated_body", "nasser", "mass_matrix"):
        assert error(robot.forward_dynamics(q, qd, tau, method=method, **acting), qdd) < allowed


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_named_as_it_was_passed(backend, value):
    robot = Robot(tree_model(3, branching=1, kinds=["revolute"], seed=1), backend=backend)
    known = {"torque": "joint_2", "acceleration": ...}
    zero, bad = np.zeros(3), np.zeros((4, 3))
    bad[2, 1] = value
    with pytest.raises(StateError, match=rf"^tau\[2, 1\], the known torque of joint 'joint_2', is {value}; every input must be"):
        robot.hybrid_dynamics(zero, zero, known=known, tau=bad)
    with pytest.raises(StateError, match=rf"^tau\[1\], the known torque of joint 'joint_2', is {value}"):
        robot.hybrid_dynamics(np.zeros((4, 3)), zero, known=known, qdd=bad, tau=bad[2])
    robot.hybrid_dynamics(zero, zero, known=known, qdd=bad)  # not known, so not looked at
    bad = np.roll(bad, 1, axis=1)
    with pytest.raises(StateError, match=rf"^qdd\[2, 2\], the known acceleration of joint 'joint_3', is {value}"):
        robot.hybrid_dynamics(zero, zero, known=known, qdd=bad, wrenches=True)
    with pytest.raises(StateError, match=rf"^qd\[2, 2\] \(joint 'joint_3'\) is {value}"):
        robot.hybrid_dynamics(zero, bad, known=known)


def test_arrays_that_do_not_fit_together_are_named_as_they_were_passed():
    robot = Robot(tree_model(2, kinds=["revolute"], seed=1), backend="numpy")
    x = np.zeros(2)
    known = {"torque": "joint_2", "acceleration": ...}
    with pytest.raises(StateError, match=r"leading axes of q \(2,\), qd \(2,\), qdd \(3, 2\), tau \(4, 2\) do not fit together"):
        robot.hybrid_dynamics(x, x, known=known, qdd=np.zeros((3, 2)), tau=np.zeros((4, 2)))
    with pytest.raises(StateError, match=r"leading axes of q \(3, 2\), qd \(2,\), tau \(4, 2\) do not fit together"):
        robot.hybrid_dynamics(np.zeros((3, 2)), x, known=known, tau=np.zeros((4, 2)))
    with pytest.raises(StateError, match=r"^tau has size 3, expected 2"):
        robot.hybrid_dynamics(x, x, known=known, tau=np.zeros(3))


def test_axes_are_for_wrenches_that_are_asked_for():
    robot = Robot(tree_model(2, kinds=["revolute"]), backend="numpy")
    with pytest.raises(StateError, match="no axes 'wrld' of joint wrenches; did you mean 'world'"):
        robot.hybrid_dynamics([0, 0], [0, 0], known={"torque": ...}, axes="wrld")
    with pytest.raises(StateError, match="axes='world' are those of the joint wrenches; add wrenches=True"):
        robot.hybrid_dynamics([0, 0], [0, 0], known={"torque": ...}, axes="world")
