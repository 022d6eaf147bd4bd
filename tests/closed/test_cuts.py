"""The same mechanism cut in other places, by other kinds of joints, and carried by what moves."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import ClosedRobot, Inertia, Joint, Link, Loop, Model, Pose
from lissom.closed.assembly import assemble, start_configuration
from lissom.closed.constraints import Constraints
from support.loops import FreeBodies, Pinocchio, spatial_loop
from support.states import error

LIFT = (0.0, -1.0, 0.0)


@pytest.mark.slow
def test_a_slider_crank_cut_at_its_slider():
    """The pin becomes a joint of the tree, the guide the cut one, off the crank's height and turned."""
    plain = lissom.robots.slider_crank(offset=0.03)
    model = plain.model
    guide = model.joint("slider_joint")
    pin = Joint("pin_joint", "revolute", "rod", "slider", model.loops[0].first_pose, LIFT)
    joints = (*model.joints[:2], pin)
    for turn in (Pose(), Pose(np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], dtype=float))):
        loop = Loop(
            "guide", "prismatic", "base", "slider", guide.origin @ turn, turn, axis=tuple(turn.R.T @ np.array(guide.axis))
        )
        for ends in (
            loop,
            dataclasses.replace(loop, first="slider", second="base", first_pose=loop.second_pose, second_pose=loop.first_pose),
        ):
            posture = {"crank_joint": 1.0, "rod_joint": -1.2, "pin_joint": 0.2}
            robot = ClosedRobot(model.replace(joints=joints, loops=(ends,), posture=posture))
            q, qd, qdd = [[0.8], [1.9]], [[4.0], [-2.0]], [[1.0], [5.0]]
            assert error(robot.inverse_dynamics(q, qd, qdd), plain.inverse_dynamics(q, qd, qdd)) < 1e-10
            assert error(robot.forward_dynamics(q, qd, qdd), plain.forward_dynamics(q, qd, qdd)) < 1e-10
            # the guide carries what the slider's joint carried: a force across x
            ours, theirs = (r.joint_wrenches(q, qd, qdd, axes="world") for r in (robot, plain))
            sign = 1.0 if ends is loop else -1.0
            assert error(sign * ours[:, -1, 2], theirs[:, 2, 2]) < 1e-9


def test_a_rigid_cut_through_a_link():
    """A coupler sawn in two and welded: masses of the halves are those of the whole."""
    whole = lissom.robots.four_bar()
    model = whole.model
    half = model.link("coupler").inertia
    stub = Link("stub", Inertia(0.7, (0.1, 0.0, 0.0), np.diag([1e-3, 2e-3, 2e-3])))
    rest = Link("coupler", Inertia(1.3, (0.25, 0.0, 0.0), np.diag([1e-3, 2e-2, 2e-2])))
    assert half is not None
    one = Link("coupler", _together(stub.inertia, rest.inertia))
    links = tuple(one if link.name == "coupler" else link for link in model.links)
    joined = ClosedRobot(model.replace(links=links))
    sawn_links = (*(rest if link.name == "coupler" else link for link in model.links), stub)
    joints = (
        *(j for j in model.joints if j.name != "coupler_joint"),
        Joint("stub_joint", "continuous", "crank", "stub", Pose(translation=(0.2, 0.0, 0.0)), LIFT),
        Joint(
            "tip_joint",
            "continuous",
            "rocker",
            "coupler",
            Pose(translation=(0.4, 0.0, 0.0)),
            LIFT,
            Pose(translation=(-0.5, 0.0, 0.0)),
        ),
    )
    loop = Loop("weld", "rigid", "stub", "coupler")
    posture = {"crank_joint": 1.0, "stub_joint": -0.5, "rocker_joint": 1.5, "tip_joint": -1.0}
    sawn = ClosedRobot(model.replace(links=sawn_links, joints=joints, loops=(loop,), posture=posture))
    assert sawn.mobility().degrees_of_freedom == 1
    q, qd, qdd = [[0.9], [1.3]], [[3.0], [-1.0]], [[2.0], [1.0]]
    assert error(sawn.inverse_dynamics(q, qd, qdd), joined.inverse_dynamics(q, qd, qdd)) < 1e-10


def _together(a, b):
    mass = a.mass + b.mass
    com = (a.mass * np.array(a.com) + b.mass * np.array(b.com)) / mass
    total = np.zeros((3, 3))
    for part in (a, b):
        r = np.array(part.com) - com
        total += np.array(part.tensor) + part.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return Inertia(mass, tuple(com), total)


def test_a_linkage_on_a_carousel():
    """The loop is carried by a body that turns: what moves it as a whole is in its dynamics, not in its closure."""
    model = lissom.robots.four_bar_model()
    links = (Link("ground"), Link("base", Inertia(3.0, (0.1, 0.05, 0.0), np.diag([0.1, 0.2, 0.25]))), *model.links[1:])
    turn = Joint("turn", "continuous", "ground", "base", Pose(translation=(0.3, 0.0, 0.0)), (0.2, 0.3, 0.9))
    carried = Model(
        "carousel", links, (turn, *model.joints), loops=model.loops, active=("turn", "crank_joint"), posture=dict(model.posture)
    )
    robot = ClosedRobot(carried)
    q, qd, qdd = np.array([0.4, 0.9]), np.array([2.0, 3.0]), np.array([1.0, -2.0])
    tree, v, a = robot.tree_motion(q, qd, qdd)
    tau = robot.inverse_dynamics(q, qd, qdd)
    found = FreeBodies(carried, tree, v).solve(dict(zip(robot.torque_names, tau, strict=True)))
    assert error([found[j.name] for j in carried.independent_joints], a) < 1e-9
    plain = ClosedRobot(model)
    assert np.abs(tree[1:] - plain.closure([0.9])).max() < 1e-12


@pytest.mark.slow
@settings(max_examples=8)
@given(st.integers(0, 10_000), st.sampled_from(["spherical", "rigid"]))
def test_random_spatial_loops_beside_pinocchio(seed, kind):
    model = spatial_loop(seed, kind, (3, 4))
    constraints = Constraints(model, "numpy")
    single = tuple(joint.name for joint in model.independent_joints if joint.kind.nv == 1)
    try:
        q = assemble(constraints, start_configuration(model, None))
        robot = ClosedRobot(model.replace(active=single), backend="numpy", posture=q)
        rng = np.random.default_rng(seed)
        tree, v, _ = robot.tree_motion(None, rng.normal(size=robot.nq), tree_q=q)
        tau = rng.normal(size=model.nv)
        a, _ = robot.tree_dynamics(tree, v, tau)
    except (lissom.ModelError, lissom.StateError):
        return  # limbs that do not reach each other, or that drives do not hold
    if robot.singularity(tree_q=q).margin < 1e-2 or np.abs(v).max() > 100:
        return
    assert error(a, Pinocchio(model).accelerations(q, v, tau)) < 1e-6


@pytest.mark.parametrize("coupled", [True, False])
def test_coupled_joints_in_a_loop(coupled):
    """A five-bar whose right arm follows the left one by gears: one degree of freedom, the same as with the arms driven alike."""
    model = lissom.robots.five_bar_model(gravity=(0.0, -9.81, 0.0))
    geared = [
        dataclasses.replace(j, coupling=lissom.Coupling("left", -1.0, np.pi)) if j.name == "right" and coupled else j
        for j in model.joints
    ]
    active = ("left",) if coupled else ("left", "right")
    posture = tuple((name, values) for name, values in model.posture if name != "right" or not coupled)
    robot = ClosedRobot(model.replace(joints=tuple(geared), active=active, posture=posture))
    both = ClosedRobot(model)
    q, qd, qdd = 2.1, 1.5, -2.0
    expected = both.inverse_dynamics([q, np.pi - q], [qd, -qd], [qdd, -qdd])
    found = robot.inverse_dynamics([q] if coupled else [q, np.pi - q], [qd, -qd][: robot.nq], [qdd, -qdd][: robot.nq])
    assert error(found, np.array([expected[0] - expected[1]]) if coupled else expected) < 1e-10


def test_motors_in_a_loop():
    """A geared rotor at the base adds ratio^2 times its inertia; behind a spring its own coordinate drives."""
    model = lissom.robots.five_bar_model()
    motor = lissom.Motor("motor", "left", link="base", ratio=50.0, inertia=Inertia(0.3, tensor=np.diag([1e-4, 1e-4, 2e-4])))
    plain, geared = ClosedRobot(model), ClosedRobot(model.replace(motors=(motor,)))
    q, qd, qdd = plain.home() + 0.1, np.ones(2), np.array([1.0, 2.0])
    tau = geared.inverse_dynamics(q, qd, qdd)
    assert np.abs(tau - plain.inverse_dynamics(q, qd, qdd) - [50**2 * 2e-4, 0.0]).max() < 1e-10
    assert error(geared.forward_dynamics(q, qd, tau), qdd) < 1e-10
    soft = dataclasses.replace(motor, spring=lissom.Spring(1000.0))
    with pytest.raises(lissom.ModelError, match="under-actuated.*make 'motor' active too"):
        ClosedRobot(model.replace(motors=(soft,))).nq  # noqa: B018
    elastic = ClosedRobot(model.replace(motors=(soft,), active=("left", "right", "motor")))
    held = elastic.inverse_dynamics([*q, q[0] + 0.01], np.zeros(3), np.zeros(3))
    assert np.abs(held - [-10.0, 0.0, 10.0]).max() < 1e-9
