"""Rates of forces: complex steps through inverse dynamics, differences along exact motions, Pinocchio's derivatives."""

import dataclasses
import warnings

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import BaseMotion, NameLookupError, Robot, StateError, Wrench, WrenchRate
from lissom.algorithms.dynamics import inverse_dynamics
from lissom.algorithms.dynamics.inverse_dynamics import WRENCH_AXES
from lissom.algorithms.kinematics import kinematics
from lissom.algorithms.rates import tasks as rates
from lissom.algorithms.rates.torque_rates import torque_rates
from lissom.robots import stanford, tree_model
from lissom.tree import lump
from support.kinematics import rate_of_coordinates
from support.motions import NODES, SmoothMotion, slope
from support.peer import Peer
from support.published import FILES, IDS
from support.springs import spring_matrices
from support.states import error, random_states
from support.trees import trees

seeds = st.integers(0, 1000)
H = 1e-30
ALL = tree_model(6, seed=3, floating=True, coupled=0.4, tails=0.4, fixed=0.4)


def random_motion(model, lead=(), seed=0, size=1.0):
    q, qd, qdd = random_states(model, lead, seed, size)
    return q, qd, qdd, size * np.random.default_rng(seed + 1).normal(size=qdd.shape)


def smooth(model):
    """Return the model without Coulomb friction: the sign of a complex number is not what is meant."""

    def slick(part):
        return dataclasses.replace(part, friction=dataclasses.replace(part.friction, coulomb=0.0))

    return model.with_joints(slick).with_motors(slick)


def complex_step(task, model, q, qd, qdd, qddd):
    """Return the derivative of what a task of q, qd, qdd computes along the motion, by a complex step."""
    state = q + 1j * H * rate_of_coordinates(model, q, qd), qd + 1j * H * qdd, qdd + 1j * H * qddd
    return np.array([np.imag(np.sum(x)) / H for x in task.texts[0](*([np.array([x]) for x in part] for part in state))[0]])


# against derivatives of inverse dynamics


@given(trees(), seeds)
def test_rates_are_the_derivative_of_inverse_dynamics(model, seed):
    model = smooth(model)
    motion = random_motion(model, seed=seed)
    expected = complex_step(inverse_dynamics.inverse_dynamics(model), model, *motion)
    assert error(Robot(model, backend="numpy").torque_rates(*motion), expected) < 1e-13


@given(trees(), seeds, st.sampled_from(WRENCH_AXES))
def test_wrench_rates_are_the_derivative_of_joint_wrenches(model, seed, axes):
    motion = random_motion(model, seed=seed)
    expected = complex_step(inverse_dynamics.joint_wrenches(model, axes=axes), model, *motion)
    assert error(Robot(model, backend="numpy").joint_wrench_rates(*motion, axes=axes).ravel(), expected) < 1e-13


@settings(max_examples=25)
@given(trees(), seeds, st.sampled_from(["link", "world"]), st.booleans())
def test_everything_changes_as_differences_along_a_motion_say(model, seed, axes, moving):
    """Quaternions, a wrench that changes and slides along its link, and a base that moves, all at once and exact."""
    robot, way = Robot(smooth(model), backend="numpy"), SmoothMotion(model, seed)
    link = robot.link_names[-1 - seed % 2]

    def loads(t, with_rates=False):
        force, moment, point, *change = way.load(t)
        given = {"external": {link: Wrench(force, moment, axes=axes, point=point)}}
        if moving:
            given["base_motion"] = BaseMotion(**way.base(t))
        if with_rates:
            given["external_rates"] = {link: WrenchRate(change[0], change[1], point=change[2])}
        return given

    now, now_loads = way.state(0.0), loads(0.0, with_rates=True)
    around, around_loads = way.state(NODES), loads(NODES)
    expected = slope(robot.inverse_dynamics(*around[:3], **around_loads))
    assert error(robot.torque_rates(*now, **now_loads), expected) < 1e-9
    for own in WRENCH_AXES:
        expected = slope(robot.joint_wrenches(*around[:3], **around_loads, axes=own))
        assert error(robot.joint_wrench_rates(*now, **now_loads, axes=own), expected) < 1e-9


@settings(max_examples=15)
@given(trees(), seeds, st.sampled_from(["link", "world"]))
def test_a_wrench_without_a_rate_changes_as_little_as_it_can(model, seed, axes):
    robot, way = Robot(smooth(model), backend="numpy"), SmoothMotion(model, seed)
    load = {robot.link_names[-1]: Wrench((1, 2, 3), (4, 5, 6), axes=axes, point=(0.1, 0.2, 0.3))}
    expected = slope(robot.inverse_dynamics(*way.state(NODES)[:3], external=load))
    assert error(robot.torque_rates(*way.state(0.0), external=load), expected) < 1e-9


@given(trees(), seeds)
def test_rates_are_the_derivatives_of_pinocchio_along_the_motion(model, seed):
    model = model.without_friction()
    peer, motion = Peer(model), random_motion(model, seed=seed)
    q, (v, a, j) = peer.q(motion[0]), (peer.G @ x for x in motion[1:])
    dq, dv, _ = pin.computeRNEADerivatives(peer.model, peer.data, q, v, a)
    M = pin.crba(peer.model, peer.data, q)
    M = np.triu(M) + np.triu(M, 1).T
    K, D = spring_matrices(model)
    expected = peer.G.T @ (dq @ v + dv @ a + M @ j) + K @ motion[1] + D @ motion[2]
    assert error(Robot(model, backend="numpy").torque_rates(*motion), expected) < 1e-12


@pytest.mark.sweep(3)
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_change_their_forces_as_a_complex_step_says(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = smooth(lissom.load(file, base="floating").model)
    motion = random_motion(model, seed=1)
    expected = complex_step(inverse_dynamics.inverse_dynamics(model, regrouped=False), model, *motion)
    tau, tau_rate = Robot(model, backend="numpy").torques_and_rates(*motion)
    assert error(tau_rate, expected) < 1e-12
    assert error(tau, Robot(model, backend="numpy").inverse_dynamics(*motion[:3])) < 1e-13


# base parameters


@given(trees(), seeds)
def test_base_parameters_give_the_same_rates(model, seed):
    columns = [[float(x) for x in part] for part in random_motion(model, seed=seed)]
    base = SmoothMotion(model, seed).base(0.0)
    columns += [[*base["jerk"], *base["angular_jerk"]], list(BaseMotion(**base).packed())]
    full, regrouped = (rates.joint_torque_rates(model, base_motion=True, regrouped=r) for r in (False, True))
    expected = np.array(full.texts[0](*columns)[0], dtype=float)
    for text in (*full.texts, *regrouped.texts):
        assert error(np.array(text(*columns)[0], dtype=float), expected) < 1e-10


def test_base_parameters_save_operations():
    robot = stanford()
    full, regrouped = (robot.operation_count("torques_and_rates", regrouped=r) for r in (False, True))
    assert regrouped.multiplications < full.multiplications and regrouped.additions < full.additions


# jerk of links


@given(trees(), seeds)
def test_jerk_is_the_derivative_of_the_acceleration(model, seed):
    motion, robot = random_motion(model, seed=seed), Robot(model, backend="numpy")
    link = model.links[seed % len(model.links)].name
    expected = complex_step(kinematics.link_acceleration(model, link, classical=True), model, *motion)
    jerk = robot.link_jerk(*motion, link)
    assert error(jerk, expected) < 1e-12
    pose = robot.link_pose(motion[0], link)
    R, p = pose[:3, :3], pose[:3, 3]
    size = max(1.0, np.abs(jerk).max())
    assert np.allclose(
        robot.link_jerk(*motion, link, axes="link").reshape(2, 3) @ R.T, jerk.reshape(2, 3), rtol=0, atol=1e-12 * size
    )
    at_origin = robot.link_jerk(*motion, link, point=-R.T @ p)
    assert np.allclose(
        robot.link_jerk(*motion, link, point="origin"), at_origin, rtol=0, atol=1e-11 * max(1.0, np.abs(at_origin).max())
    )


def test_a_point_on_a_turning_arm_has_the_jerk_of_its_circle(backend):
    links = lissom.Link("base"), lissom.Link("arm", lissom.Inertia(1.0))
    model = lissom.Model("arm", links, (lissom.Joint("hinge", "revolute", "base", "arm"),))
    q, w, a, j, r = 0.3, 2.0, 3.0, 5.0, 0.7
    jerk = Robot(model, backend=backend).link_jerk([q], [w], [a], [j], "arm", axes="link", point=(r, 0, 0))
    # r e^(i q) differentiated three times, in turning axes
    assert np.allclose(jerk, [-3 * w * a * r, (j - w**3) * r, 0, 0, 0, j], rtol=1e-14)


# drives


def test_friction_and_rotors_add_their_own_rates():
    links = lissom.Link("base"), lissom.Link("slide", lissom.Inertia(2.0))
    drive = {"friction": lissom.Friction(viscous=3.0, coulomb=7.0), "rotor_inertia": 0.5}
    joint = lissom.Joint("slider", "prismatic", "base", "slide", **drive)
    robot = Robot(lissom.Model("drive", links, (joint,)), backend="numpy")
    for qd in (-2.0, 0.0, 2.0):
        assert robot.torque_rates([0.1], [qd], [5.0], [11.0])[0] == pytest.approx((2 + 0.5) * 11 + 3 * 5)


@given(trees(drives=True), seeds)
def test_coulomb_friction_has_no_rate(model, seed):
    motion = random_motion(model, seed=seed)
    expected = Robot(smooth(model), backend="numpy").torque_rates(*motion)
    assert np.array_equal(Robot(model, backend="numpy").torque_rates(*motion), expected)


# Denavit-Hartenberg


@pytest.mark.slow
def test_both_conventions_give_the_same_rates():
    motion = random_motion(stanford().model, 20, seed=1)
    modified, standard = stanford("modified"), stanford("standard")
    assert error(standard.torque_rates(*motion), modified.torque_rates(*motion)) < 1e-13
    ours, theirs = (r.joint_wrench_rates(*motion) for r in (standard, modified))
    assert error(ours, theirs) < 1e-13
    assert error(standard.link_jerk(*motion, "link_6"), modified.link_jerk(*motion, "link_6")) < 1e-13


# the front door


@pytest.mark.slow
def test_plain_floats_arrays_and_machine_code_agree():
    motion = random_motion(ALL, (3, 7), seed=2)
    compiled, plain = Robot(ALL, backend="llvm"), Robot(ALL, backend="numpy")
    one = [[float(x) for x in part[1, 2]] for part in motion]
    passes = torque_rates(lump(ALL), *one)
    assert all(type(x) is float for x in passes.dtau)
    calls = {
        "torque_rates": lambda r, *m: r.torque_rates(*m),
        "forces": lambda r, *m: r.torques_and_rates(*m)[0],
        "rates": lambda r, *m: r.torques_and_rates(*m)[1],
        "joint_wrench_rates": lambda r, *m: r.joint_wrench_rates(*m, axes="world"),
        "link_jerk": lambda r, *m: r.link_jerk(*m, "link_6"),
    }
    for name, call in calls.items():
        theirs = call(plain, *motion)
        assert error(call(compiled, *motion), theirs) < 1e-12, name
        assert error(call(compiled, *(x[1, 2] for x in motion)), theirs[1, 2]) < 1e-12, name
    assert error(plain.torque_rates(*motion)[1, 2], passes.dtau) < 1e-12
    assert error(plain.inverse_dynamics(*motion[:3]), plain.torques_and_rates(*motion)[0]) < 1e-13


@pytest.mark.sweep("llvm-lead1", "numpy-lead0")
@pytest.mark.parametrize("lead", [(), (4,), (2, 3)])
def test_forces_and_rates_come_together(backend, lead):
    robot, motion = Robot(ALL, backend=backend), random_motion(ALL, lead, seed=5)
    out = np.full((*lead, 2, robot.nv), np.nan)
    for _ in range(2):  # the second call is the built-in function's
        tau, tau_rate = robot.torques_and_rates(*motion, out=out)
        assert tau.shape == tau_rate.shape == (*lead, robot.nv)
        assert np.shares_memory(tau, out) and np.shares_memory(tau_rate, out)
        assert error(tau, robot.inverse_dynamics(*motion[:3])) < 1e-13
        assert error(tau_rate, robot.torque_rates(*motion)) < 1e-13
    load = {"link_6": Wrench((1, 2, 3), axes="world")}
    tau, tau_rate = robot.torques_and_rates(*motion, external=load)
    assert error(tau, robot.inverse_dynamics(*motion[:3], external=load)) < 1e-13
    assert error(tau_rate, robot.torque_rates(*motion, external=load)) < 1e-13


def test_results_go_where_they_are_wanted(backend):
    robot, motion = Robot(ALL, backend=backend), random_motion(ALL, 4, seed=5)
    for shape, call in [
        ((4, robot.nv), lambda **o: robot.torque_rates(*motion, **o)),
        ((4, len(robot.moving_joint_names), 6), lambda **o: robot.joint_wrench_rates(*motion, **o)),
        ((4, 6), lambda **o: robot.link_jerk(*motion, "link_3", **o)),
    ]:
        out = np.full(shape, np.nan)
        assert call(out=out) is out
        assert np.array_equal(out, call())


@pytest.mark.sweep("numpy")
def test_loads_of_a_batch_broadcast(backend):
    robot, motion = Robot(ALL, backend=backend), random_motion(ALL, 3, seed=7)
    force, rate = np.random.default_rng(1).normal(size=(2, 3, 3))
    loads = {"link_6": Wrench(force, axes="world"), "link_2": Wrench((1, 0, 0), axes="link")}
    together = robot.torque_rates(*motion, external=loads, external_rates={"link_6": WrenchRate(rate)})
    for k in range(3):
        loads["link_6"] = Wrench(force[k], axes="world")
        alone = robot.torque_rates(*(x[k] for x in motion), external=loads, external_rates={"link_6": WrenchRate(rate[k])})
        assert error(together[k], alone) < 1e-13


def test_keys_tell_tasks_apart():
    load = (("link_1", "link"),)
    made = [
        rates.joint_torque_rates(ALL),
        rates.joint_torque_rates(ALL, regrouped=False),
        rates.joint_torque_rates(ALL, load),
        rates.joint_torque_rates(ALL, load, changing=True),
        rates.joint_torque_rates(ALL, base_motion=True),
        rates.torques_and_rates(ALL),
        rates.torques_and_rates(ALL, regrouped=False),
        *(rates.joint_wrench_rates(ALL, axes=axes) for axes in WRENCH_AXES),
        *(rates.link_jerk(ALL, "link_1", axes, point) for axes in kinematics.AXES for point in ("link", "given", "origin")),
    ]
    assert len({task.key for task in made}) == len(made)


def test_wrong_arguments_are_named():
    robot = Robot(ALL, backend="numpy")
    motion = random_motion(ALL)
    push = {"link_6": Wrench((1, 0, 0), axes="link")}
    with pytest.raises(StateError, match="torque rates need the jerk of the base motion; give BaseMotion.*jerk="):
        robot.torque_rates(*motion, base_motion=BaseMotion())
    with pytest.raises(StateError, match="torque rates need the angular_jerk of the base motion"):
        robot.torques_and_rates(*motion, base_motion=BaseMotion(jerk=(0, 0, 1)))
    with pytest.raises(StateError, match="base_motion must be a lissom.BaseMotion, got tuple"):
        robot.torque_rates(*motion, base_motion=(0, 0))
    with pytest.raises(StateError, match="external_rates names 'link_6', on which no external wrench acts; give its wrench"):
        robot.torque_rates(*motion, external_rates={"link_6": WrenchRate((1, 0, 0))})
    with pytest.raises(StateError, match="external_rates must map links to rates.*got WrenchRate"):
        robot.torque_rates(*motion, external=push, external_rates=WrenchRate())
    with pytest.raises(StateError, match="the rate of the external wrench on 'link_6' must be a lissom.WrenchRate.*got Wrench"):
        robot.torque_rates(*motion, external=push, external_rates=push)
    with pytest.raises(NameLookupError, match="no link 'link_66'"):
        robot.torque_rates(*motion, external=push, external_rates={"link_66": WrenchRate()})
    with pytest.raises(StateError, match="qddd has size 2, expected nv = "):
        robot.torque_rates(*motion[:3], [1, 2])
    with pytest.raises(StateError, match=r"qddd\[0\] \(joint 'free_vx'\) is nan"):
        robot.torque_rates(*motion[:3], motion[3] * np.nan)
    with pytest.raises(StateError, match="no axes 'wrld' of joint wrenches; did you mean 'world'"):
        robot.joint_wrench_rates(*motion, axes="wrld")
    with pytest.raises(StateError, match="no axes 'wrld'; did you mean 'world'"):
        robot.link_jerk(*motion, "link_6", axes="wrld")
    with pytest.raises(StateError, match="link must be the name of a link, got 3"):
        robot.link_jerk(*motion, 3)
    with pytest.raises(StateError, match="no point 'orgin'; expected three numbers in the link's frame"):
        robot.link_jerk(*motion, "link_6", point="orgin")
    for bad, message in [
        (lambda: WrenchRate((0, 0)), r"force of the wrench rate has shape \(2,\)"),
        (lambda: WrenchRate(point=(0, 0, np.inf)), "point of the wrench rate is not finite"),
        (lambda: WrenchRate(np.zeros((2, 3)), np.zeros((3, 3))), "of the wrench rate do not fit together"),
        (lambda: BaseMotion(jerk=(0, np.nan, 0)), "jerk of the base motion is not finite"),
        (lambda: BaseMotion(angular_jerk=(0, 0)), r"angular_jerk of the base motion has shape \(2,\)"),
    ]:
        with pytest.raises(StateError, match=message):
            bad()
