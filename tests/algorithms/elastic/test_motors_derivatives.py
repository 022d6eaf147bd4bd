"""What motors change in sensitivities, rates, regressors and hybrid dynamics: beside complex steps and Lagrange."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from lissom import BaseMotion, Friction, Pose, Robot, Wrench
from lissom.algorithms.dynamics import energy, forward_dynamics, inverse_dynamics, momentum
from lissom.algorithms.dynamics.inverse_dynamics import WRENCH_AXES
from lissom.robots import tree_model
from support import lagrangian
from support.complex_step import directional, jacobians
from support.motors import motor_trees, single_axis_trees, with_motors
from support.states import error, random_states

seeds = st.integers(0, 1000)
BOTH = {"rotor": ("full", "reflected")}


def slick(model):
    """Return the model without Coulomb friction: the sign of a complex number is not what is meant."""

    def without(part):
        return replace(part, friction=Friction(part.friction.viscous))

    return model.with_joints(without).with_motors(without)


def loads(model, seed):
    """Wrenches on two links, one of them held in space, and a base that moves."""
    rng = np.random.default_rng(seed)
    names = [joint.child for joint in model.joints]
    pulled = {names[0]: "link", names[-1]: "world"}
    external = {name: Wrench(*rng.normal(size=(2, 3)), axes=axes, point=rng.normal(size=3)) for name, axes in pulled.items()}
    base = BaseMotion(rng.normal(size=4), *rng.normal(size=(3, 3)))
    return external, base


def packed(external, base):
    """Return base motion and wrenches as tasks take them."""
    return base.packed(), np.concatenate([wrench.packed() for wrench in external.values()])


def task_of(maker, model, external, **more):
    return maker(model, tuple((name, wrench.axes) for name, wrench in external.items()), True, **more)


@given(motor_trees(BOTH), seeds)
@settings(max_examples=15)
def test_derivatives_of_forces_are_complex_steps(model, seed):
    model = slick(model)
    robot, state, (external, base) = Robot(model, backend="numpy"), random_states(model, seed=seed), loads(model, seed)
    ours = robot.inverse_dynamics_derivatives(*state, external=external, base_motion=base)
    task = task_of(inverse_dynamics.inverse_dynamics, model, external)
    steps = jacobians(model, task, *state, *packed(external, base))
    for name in ("q", "qd", "qdd"):
        assert error(getattr(ours, "d" + name), steps[name], least=1e-3) < 1e-12


@given(motor_trees(BOTH), seeds, st.sampled_from(WRENCH_AXES))
@settings(max_examples=15)
def test_derivatives_of_wrenches_are_complex_steps(model, seed, axes):
    model = slick(model)
    robot, state, (external, base) = Robot(model, backend="numpy"), random_states(model, seed=seed), loads(model, seed)
    ours = robot.joint_wrench_derivatives(*state, external=external, base_motion=base, axes=axes)
    task = task_of(inverse_dynamics.joint_wrenches, model, external, axes=axes)
    steps = jacobians(model, task, *state, *packed(external, base))
    for name in ("q", "qd", "qdd"):
        found = getattr(ours, "d" + name)
        assert error(found, steps[name].reshape(found.shape)) < 1e-12


@given(motor_trees(BOTH), seeds)
@settings(max_examples=15)
def test_derivatives_of_accelerations_are_complex_steps(model, seed):
    model = slick(model)
    robot, (q, qd, tau) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    ours = robot.forward_dynamics_derivatives(q, qd, tau)
    steps = jacobians(model, forward_dynamics.forward_dynamics(model, method="mass_matrix"), q, qd, tau)
    allowed = 1e-13 * np.linalg.cond(robot.mass_matrix(q)) + 1e-11
    for name in ("q", "qd", "tau"):
        assert error(getattr(ours, "d" + name), steps[name]) < allowed


@given(motor_trees(BOTH), seeds, st.sampled_from(WRENCH_AXES))
@settings(max_examples=15)
def test_rates_of_forces_and_wrenches_are_complex_steps_along_the_motion(model, seed, axes):
    model = slick(model)
    robot, (q, qd, qdd) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    qddd = np.random.default_rng(seed).normal(size=model.nv)
    along = {"q": qd, "qd": qdd, "qdd": qddd}
    forces = directional(model, inverse_dynamics.inverse_dynamics(model), (q, qd, qdd), along)
    assert error(robot.torque_rates(q, qd, qdd, qddd), forces) < 1e-12
    wrenches = directional(model, inverse_dynamics.joint_wrenches(model, axes=axes), (q, qd, qdd), along)
    found = robot.joint_wrench_rates(q, qd, qdd, qddd, axes=axes)
    assert error(found, wrenches.reshape(found.shape)) < 1e-12


@given(single_axis_trees({**BOTH, "friction": False}, drives=False), seeds)
@settings(max_examples=10)
def test_rates_of_forces_are_differences_of_lagranges_along_a_motion(model, seed):
    """Nothing of lissom on the other side: central differences of order six."""
    q, qd, qdd = random_states(model, seed=seed)
    qddd = np.random.default_rng(seed).normal(size=model.nv)
    h = 2e-3 / max([1.0, *(abs(motor.ratio) for motor in model.motors)]) ** 0.5

    def at(t):
        state = q + t * qd + t**2 / 2 * qdd + t**3 / 6 * qddd, qd + t * qdd + t**2 / 2 * qddd, qdd + t * qddd
        return lagrangian.inverse_dynamics(model, *state)

    rate = sum(c * (at(k * h) - at(-k * h)) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)
    assert error(Robot(model, backend="numpy").torque_rates(q, qd, qdd, qddd), rate) < 1e-8


@given(motor_trees(BOTH), seeds)
@settings(max_examples=15)
def test_forces_are_the_regressor_times_parameters(model, seed):
    robot, state, (_, base) = Robot(model, backend="numpy"), random_states(model, seed=seed), loads(model, seed)
    pi = robot.inertial_parameters()
    assert error(robot.inverse_dynamics_regressor(*state) @ pi, robot.inverse_dynamics(*state)) < 1e-12
    moving = robot.inverse_dynamics_regressor(*state, base_motion=base) @ pi
    assert error(moving, robot.inverse_dynamics(*state, base_motion=base)) < 1e-12


def test_base_parameters_of_a_robot_with_motors_tell_its_forces():
    model = with_motors(tree_model(3, 1.0, 1.1, seed=2, kinds=["revolute"]), 4, 1.0)
    robot, state = Robot(model, backend="numpy"), random_states(model, 5, seed=1)
    found = robot.base_parameters()
    Y = robot.inverse_dynamics_regressor(*state)[..., found.columns]
    assert error(Y @ found.values, robot.inverse_dynamics(*state)) < 1e-9


@given(motor_trees(BOTH), seeds)
@settings(max_examples=5)
def test_energies_and_momentum_change_as_complex_steps_say(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    kinetic = jacobians(model, energy.kinetic_energy(model), q, qd)
    ours = robot.kinetic_energy_derivatives(q, qd)
    assert error(ours.dq, kinetic["q"][0]) < 1e-12 and error(ours.dqd, kinetic["qd"][0]) < 1e-12
    assert error(ours.dqd, robot.mass_matrix(q) @ qd) < 1e-12
    springs = robot.spring_energy_derivatives(q).dq + robot.potential_energy_derivatives(q).dq
    assert error(springs, robot.gravity_torques(q)) < 1e-12
    of_momentum = jacobians(model, momentum.momentum(model, "world"), q, qd)
    found = robot.momentum_derivatives(q, qd, point="origin")
    assert error(found.dq, of_momentum["q"]) < 1e-12 and error(found.dqd, of_momentum["qd"]) < 1e-12
    assert error(robot.centroidal_momentum_matrix(q) @ qd, robot.momentum(q, qd)) < 1e-12


@given(motor_trees(BOTH), seeds, st.sampled_from(WRENCH_AXES), st.data())
@settings(max_examples=12)
def test_hybrid_dynamics_undo_inverse_dynamics(model, seed, axes, data):
    robot, (q, qd, qdd), (external, base) = Robot(model, backend="numpy"), random_states(model, seed=seed), loads(model, seed)
    acting = {"external": external, "base_motion": base}
    tau = robot.inverse_dynamics(q, qd, qdd, **acting)
    names = robot.joint_names
    mask = data.draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)))
    forced = [name for name, known in zip(names, mask, strict=True) if known]
    known = {"torque": forced, "acceleration": ...}
    found = robot.hybrid_dynamics(q, qd, qdd=qdd, tau=tau, known=known, wrenches=True, axes=axes, **acting)
    assert error(robot.inverse_dynamics(q, qd, found.qdd, **acting), tau) < 1e-11
    assert error(found.qdd, qdd) < 1e-7
    assert error(found.tau, tau) < 1e-9
    assert error(found.wrenches, robot.joint_wrenches(q, qd, qdd, axes=axes, **acting)) < 1e-9


@given(single_axis_trees({"elastic": 0.7, "friction": False}, drives=False, coupled=0.0), seeds)
@settings(max_examples=15)
def test_hybrid_dynamics_of_drives_are_khalils_partitioned_matrix(model, seed):
    """(71) with Lagrange's A and H: motors and rigid joints move as told, joints behind springs have no force of their own."""
    robot, (q, qd, given) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    n = model.nv
    H = lagrangian.inverse_dynamics(model, q, qd, np.zeros(n))
    A = np.array([lagrangian.inverse_dynamics(model, q, qd, unit) - H for unit in np.eye(n)]).T
    soft = {motor.joint for motor in model.elastic_motors}
    free = np.array([name in soft for name in robot.joint_names], dtype=bool)
    r, f = np.flatnonzero(~free), np.flatnonzero(free)
    qdd = given.copy()
    qdd[f] = np.linalg.solve(A[np.ix_(f, f)], -H[f] - A[np.ix_(f, r)] @ given[r])  # (71)
    found = robot.hybrid_dynamics(q, qd, qdd=given, known={"torque": sorted(soft), "acceleration": ...})
    assert error(found.qdd, qdd) < 1e-9
    assert error(found.tau[r], (A @ qdd + H)[r]) < 1e-9


@given(single_axis_trees({**BOTH, "elastic": 1.0}, coupled=0.0), seeds)
@settings(max_examples=15)
def test_every_method_of_forward_dynamics_treats_elastic_drives(model, seed):
    robot, (q, qd, qdd), (external, base) = Robot(model, backend="numpy"), random_states(model, seed=seed), loads(model, seed)
    acting = {"external": external, "base_motion": base}
    tau = robot.inverse_dynamics(q, qd, qdd, **acting)
    for method in ("articulated_body", "mass_matrix", "nasser"):
        # small rotors behind stretched springs lose digits in accelerations, not in the forces that these stand for
        found = robot.forward_dynamics(q, qd, tau, method=method, **acting)
        assert error(robot.inverse_dynamics(q, qd, found, **acting), tau) < 1e-11
        assert error(found, qdd) < 1e-7


@given(motor_trees(BOTH, n=3), st.sampled_from(["origin", "tail"]), seeds)
@settings(max_examples=4)
def test_derivatives_by_displaced_frames_are_those_of_robots_built_anew(model, part, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    k = seed % len(robot.moving_joint_names)
    name = robot.moving_joint_names[k]
    ours = robot.inverse_dynamics_geometry_derivatives(*state, part=part)[:, k]

    def forces(twist):
        small = Pose(Rotation.from_rotvec(twist[3:]).as_matrix(), twist[:3])
        moved = model.with_joints(lambda j: replace(j, **{part: getattr(j, part) @ small}) if j.name == name else j)
        return Robot(moved, backend="numpy").inverse_dynamics(*state)

    h = 1e-3
    for d, twist in enumerate(np.eye(6) * h):
        slope = sum(c * (forces(i * twist) - forces(-i * twist)) for i, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)
        assert np.allclose(ours[:, d], slope, rtol=0, atol=1e-9 * (1 + np.abs(robot.inverse_dynamics(*state)).max()))


def test_machine_code_agrees_with_numpy():
    model = with_motors(tree_model(4, 1.5, seed=1, tails=0.3), 1, rotor=("full", "reflected"))
    compiled, plain = Robot(model, backend="llvm"), Robot(model, backend="numpy")
    q, qd, qdd = state = random_states(model, 5, seed=1)
    for name in ("inverse_dynamics", "joint_wrenches"):
        assert error(getattr(compiled, name)(*state), getattr(plain, name)(*state)) < 1e-12
    for a, b in zip(compiled.inverse_dynamics_derivatives(*state), plain.inverse_dynamics_derivatives(*state), strict=True):
        assert error(a, b) < 1e-12
    assert error(compiled.torque_rates(*state, qdd), plain.torque_rates(*state, qdd)) < 1e-12
    assert error(compiled.forward_dynamics(q, qd, qdd), plain.forward_dynamics(q, qd, qdd)) < 1e-9
