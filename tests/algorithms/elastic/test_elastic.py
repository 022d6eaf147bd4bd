"""Elastic drives: what motors do follows exactly from the motion of the links (Hua 2024, (28) and (29) and their rates)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Coupling, Inertia, Joint, Link, Model, Motor, Robot, Spring, StateError, Wrench
from lissom.algorithms.elastic.mixed_control import mixed_control
from lissom.errors import ModelError, NameLookupError
from lissom.robots import hua_arm, hua_arm_model, tree_model
from support.elastic import elastic_trees, untangled
from support.motors import with_motors
from support.paths import Swing, rate, times
from support.states import error

seeds = st.integers(0, 1000)
frames = st.sampled_from([None, "link", "world"])
ROTOR = Inertia(0.3, (0, 0, 0), ((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.02)))
T = 0.3


def load(model, axes, seed):
    """A wrench on the last link, off its origin."""
    if axes is None:
        return None
    force, moment, point = np.random.default_rng(seed).normal(size=(3, 3))
    return {model.links[-1].name: Wrench(10 * force, moment, axes=axes, point=point)}


def state(path, found):
    """Return q, qd, qdd of links and motors together."""
    parts = (found.theta, found.theta_rate, found.theta_acceleration)
    return [np.concatenate([a, b], axis=-1) for a, b in zip(path, parts, strict=False)]


# motions


@given(elastic_trees(), seeds, frames)
@settings(max_examples=30)
def test_motors_move_as_rates_along_the_path_say(model, seed, axes):
    robot, path = Robot(model, backend="numpy"), Swing(model.nv - len(model.elastic_motors), seed)
    external = load(model, axes, seed)
    along = robot.elastic_inverse_dynamics(*path.at(times(T), 4), external=external)
    found = robot.elastic_inverse_dynamics(*path.at(T, 4), external=external)
    assert error(found.theta_rate, rate(along.theta)) < 1e-9
    assert error(found.theta_acceleration, rate(along.theta, 2)) < 1e-9
    assert error(robot.elastic_torque_rates(*path.at(T, 5), external=external), rate(along.tau)) < 1e-9


@given(elastic_trees(), seeds, frames)
@settings(max_examples=30)
def test_found_motions_are_solutions_of_the_equations_of_motion(model, seed, axes):
    robot, path = Robot(model, backend="numpy"), Swing(model.nv - len(model.elastic_motors), seed).at(T, 4)
    external = load(model, axes, seed)
    found = robot.elastic_inverse_dynamics(*path, external=external)
    q, qd, qdd = state(path, found)
    size = max(1.0, np.abs(found.tau).max())
    assert np.abs(robot.inverse_dynamics(q, qd, qdd, external=external) - found.tau).max() < 1e-11 * size
    # springs alone drive the joints behind them
    behind = [robot.joint_names.index(motor.joint) for motor in model.elastic_motors]
    assert (found.tau[behind] == 0.0).all()
    M = robot.mass_matrix(q)
    assert error(robot.forward_dynamics(q, qd, found.tau, external=external), qdd) < 1e-10 + 1e-14 * np.linalg.cond(M)
    # and pull with K (theta - q - rest)
    rests, stiffness = np.array([(m.spring.rest, m.spring.stiffness) for m in model.elastic_motors]).reshape(-1, 2).T
    deflections = found.theta - path[0][behind] - rests
    assert np.abs(robot.drive_deflections(*path[:3], external=external) - deflections).max(initial=0) < 1e-12 * size
    assert np.allclose(robot.spring_torques(q), stiffness * deflections, rtol=0, atol=1e-11 * size)


def test_coupled_joints_beside_elastic_drives():
    """The third joint follows the second, rigidly; both move on what an elastic drive carries."""
    model = tree_model(5, 1.0, 1.1, seed=8, kinds=["revolute", "prismatic"], drives=False)
    joints = [j if k != 2 else replace(j, coupling=Coupling(model.joints[1].name, -1.5, 0.2)) for k, j in enumerate(model.joints)]
    model = model.replace(joints=tuple(joints))
    motors = (
        Motor("a", model.joints[0].name, model.base, 5.0, ROTOR, spring=Spring(80.0, 0.1)),
        Motor("b", model.joints[2].name, model.joints[3].child, 5.0, ROTOR),
        Motor("c", model.joints[4].name, model.base, 5.0, ROTOR, spring=Spring(120.0)),
    )
    model = model.replace(motors=motors)
    robot, path = Robot(model, backend="numpy"), Swing(4, 1)
    along = robot.elastic_inverse_dynamics(*path.at(times(T), 4))
    found = robot.elastic_inverse_dynamics(*path.at(T, 4))
    assert error(found.theta_acceleration, rate(along.theta, 2)) < 1e-9
    assert error(robot.inverse_dynamics(*state(path.at(T, 2), found)), found.tau) < 1e-12
    assert error(robot.elastic_torque_rates(*path.at(T, 5)), rate(along.tau)) < 1e-9


def test_machine_code_and_numpy_agree():
    path = Swing(3, 2).at(np.linspace(0, 1, 12).reshape(3, 4), 5)
    compiled, plain = hua_arm(), Robot(hua_arm_model(), backend="numpy")
    load = {"tip": Wrench((0, 0, -3.0), axes="world")}
    for name, n in (("elastic_torque_rates", 6), ("drive_deflections", 3)):
        assert error(getattr(compiled, name)(*path[:n], external=load), getattr(plain, name)(*path[:n], external=load)) < 1e-12
    ours, theirs = (vars(r.elastic_inverse_dynamics(*path[:5], external=load)) for r in (compiled, plain))
    for name, value in ours.items():
        assert value.shape == (3, 4, 4 if name == "tau" else 1)
        assert error(value, theirs[name]) < 1e-12


# at rest, and limits


@given(elastic_trees(), seeds, frames)
@settings(max_examples=15)
def test_standing_still_is_the_equilibrium(model, seed, axes):
    robot = Robot(model, backend="numpy")
    q = Swing(robot.link_nv, seed).center
    still, external = np.zeros(robot.link_nv), load(model, axes, seed)
    found = robot.elastic_inverse_dynamics(q, still, still, still, still, external=external)
    whole = robot.at_rest(q, external=external)
    assert error(np.concatenate([q, found.theta]), whole) < 1e-12
    assert not found.theta_rate.any() and not found.theta_acceleration.any()
    assert np.abs(robot.gravity_torques(whole, external=external) - found.tau).max() < 1e-11 * max(1.0, np.abs(found.tau).max())


def test_motors_of_coupled_joints_share_their_load_at_rest():
    """A pendulum and one that follows it half as far, each behind a spring: the motors' forces hold the one coordinate."""
    rod = Inertia(1.0, (0.5, 0, 0), np.diag([0.1, 0.1, 0.1]))
    links = (Link("base"), Link("one", rod), Link("two", rod))
    joints = (
        Joint("a", "revolute", "base", "one", axis=(0, 1, 0)),
        Joint("b", "revolute", "base", "two", axis=(0, 1, 0), coupling=Coupling("a", 0.5, 0.1)),
    )
    motors = (
        Motor("m", "a", None, 3.0, ROTOR, spring=Spring(50.0, 0.2)),
        Motor("n", "b", None, 3.0, ROTOR, spring=Spring(90.0, -0.1)),
    )
    robot = Robot(Model("pair", links, joints, motors=motors), backend="numpy")
    q = robot.at_rest([[0.3], [1.2]])
    assert q.shape == (2, 3)
    assert np.allclose(robot.gravity_torques(q)[:, 0], 0.0, atol=1e-12)
    pull = robot.spring_torques(q)
    weight = 9.81 * 0.5 * (np.cos(q[:, 0]) + 0.5 * np.cos(0.5 * q[:, 0] + 0.1))
    assert np.allclose(pull @ [1.0, 0.5], -weight, rtol=1e-12)
    # least energy: no other share of the same load stores less
    other = pull + np.outer([1e-3, -1e-3], [0.5, -1.0])
    assert (np.sum(other**2 / [50.0, 90.0], axis=-1) > np.sum(pull**2 / [50.0, 90.0], axis=-1)).all()


def test_stiff_springs_tend_to_rigid_drives():
    """Errors fall as 1 / K: motors where the joints are, and their torques those of rigid drives."""
    path, errors = Swing(3, 5).at(T, 4), []
    rigid = Robot(_quiet(hua_arm_model().with_rigid_drives), backend="numpy").inverse_dynamics(*path[:3])
    for stiffness in (1e3, 1e5, 1e7):
        robot = Robot(hua_arm_model(stiffness=stiffness), backend="numpy")
        found = robot.elastic_inverse_dynamics(*path)
        gap = np.abs(found.theta[0] - path[0][2])
        errors.append([gap, np.abs(found.tau[[0, 1, 3]] - rigid).max()])
    errors = np.array(errors)
    assert np.allclose(errors[:-1] / errors[1:], 100, rtol=0.02)
    assert errors[-1].max() < 1e-4


def _quiet(f):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Hua's links 2 and 3 are no rigid bodies
        return f()


# what cannot be told, and wrong arguments


def chain(**changes):
    """Three revolute joints, motors on their parents, the first and the last of them elastic."""
    model = tree_model(3, 1.0, 1.0, seed=1, kinds=["revolute"], drives=False)
    springs = (Spring(100.0), None, Spring(100.0))
    motors = [
        Motor(f"m{k}", j.name, None, 10.0, ROTOR, spring=s) for k, (j, s) in enumerate(zip(model.joints, springs, strict=True))
    ]
    for k, change in changes.items():
        motors[int(k[1])] = replace(motors[int(k[1])], **change)
    return model.replace(motors=tuple(motors))


def call(model):
    zero = np.zeros(Robot(model).link_nv)
    robot = Robot(model, backend="numpy")
    robot.drive_deflections(zero, zero, zero)
    robot.elastic_torque_rates(*[zero] * 6)
    return robot.elastic_inverse_dynamics(*[zero] * 5)


def test_a_rotor_that_turns_behind_another_spring_is_refused():
    model = chain()
    with pytest.raises(
        ModelError, match="motor 'm2' spins on link 'link_2', which joint 'joint_1' turns behind the spring of motor 'm0'"
    ):
        call(model)
    with pytest.raises(ModelError, match="mount it on a link before that spring, or set rotor='reflected'"):
        call(model)
    call(chain(m2={"rotor": "reflected"}))
    call(chain(m2={"link": "ground"}))
    with pytest.raises(ModelError, match="motor 'm0' spins on link 'link_1', which joint 'joint_1' turns"):
        call(chain(m0={"link": "link_1"}, m2={"link": "ground"}))


def test_what_slides_behind_a_spring_may_carry_motors():
    model = tree_model(4, 1.0, 1.1, seed=2, kinds=["revolute", "prismatic"], drives=False)
    slides = [j.kind.value == "prismatic" for j in model.joints]
    first = slides.index(True)
    motors = tuple(
        Motor(f"m{k}", j.name, model.joints[first].child, -7.0, ROTOR, spring=Spring(90.0))
        for k, j in enumerate(model.joints)
        if k == first or k > first and not slides[k]
    )
    assert len(motors) > 1
    model = model.replace(motors=motors)
    robot, path = Robot(model, backend="numpy"), Swing(4, 3)
    found = robot.elastic_inverse_dynamics(*path.at(T, 4))
    along = robot.elastic_inverse_dynamics(*path.at(times(T), 4))
    assert error(found.theta_acceleration, rate(along.theta, 2)) < 1e-9
    assert error(robot.inverse_dynamics(*state(path.at(T, 2), found)), found.tau) < 1e-12


def test_damping_and_couplings_are_refused_and_joints_of_several_axes_in_control():
    with pytest.raises(ModelError, match="springs must have no damping; that of motor 'm0' is 0.5, so that the motor's motion"):
        call(chain(m0={"spring": Spring(100.0, 0.0, 0.5)}, m2={"link": "ground"}))
    model = chain(m2={"link": "ground"})
    joints = list(model.joints)
    joints[1] = replace(joints[1], coupling=Coupling("joint_1", 2.0))
    with pytest.raises(ModelError, match="joint 'joint_1', driven by motor 'm0', is coupled to another; use model.with_rigid"):
        call(model.replace(joints=tuple(joints)))
    ball = tree_model(2, 1.0, seed=1, kinds=["spherical", "revolute"], drives=False)
    name = next(j.name for j in ball.joints if j.kind.value == "revolute")
    model = ball.replace(motors=(Motor("m", name, ball.base, 2.0, ROTOR, spring=Spring(10.0)),))
    with pytest.raises(ModelError, match="every joint must have one axis; joint 'joint_[12]' is spherical; use model.with_rigid"):
        mixed_control(model)


def test_robots_without_elastic_drives_have_motors_too():
    model = untangled(with_motors(tree_model(3, 1.2, seed=3, kinds=["revolute"]), 1, share=1.0, elastic=0.0))
    robot, path = Robot(model, backend="numpy"), Swing(3, 1).at(T, 5)
    found = robot.elastic_inverse_dynamics(*path[:5])
    assert found.theta.shape == (0,)
    assert error(found.tau, robot.inverse_dynamics(*path[:3])) < 1e-13
    assert error(robot.elastic_torque_rates(*path), robot.torque_rates(*path[:4])) < 1e-12
    assert robot.drive_deflections(*path[:3]).shape == (0,)
    assert np.array_equal(robot.at_rest(path[0]), path[0])
    assert robot.spring_torques(path[0]).shape == (0,)


def test_leading_axes_broadcast():
    robot, path = hua_arm(), Swing(3, 4).at(np.linspace(0, 1, 5), 4)
    found = robot.elastic_inverse_dynamics(path[0][:, None], path[1][2], *path[2:])
    assert found.theta.shape == (5, 5, 1) and found.tau.shape == (5, 5, 4)
    one = robot.elastic_inverse_dynamics(path[0][3], path[1][2], *path[2:, 4])
    assert error(found.tau[3, 4], one.tau) < 1e-13
    pushes = {"tip": Wrench(np.eye(3), axes="world")}
    assert robot.at_rest(path[0][0], external=pushes).shape == (3, 4)


def test_wrong_arguments_are_named():
    robot, zero = hua_arm(), np.zeros(3)
    with pytest.raises(StateError, match=r"q of the joints, without elastic drives, has size 4, expected 3 \(robot 'hua_arm'\)"):
        robot.elastic_inverse_dynamics(np.zeros(4), *[zero] * 4)
    with pytest.raises(StateError, match="qdddd of the joints, without elastic drives, has size 2, expected 3"):
        robot.elastic_inverse_dynamics(*[zero] * 4, [0, 0])
    with pytest.raises(StateError, match=r"qdddd\[1\] .* is nan; every input must be finite"):
        robot.elastic_inverse_dynamics(*[zero] * 4, [0, np.nan, 0])
    with pytest.raises(StateError, match="q of the joints, without elastic drives, has size 4, expected 3"):
        robot.at_rest(np.zeros(4))
    with pytest.raises(NameLookupError, match="no link 'tipp'"):
        robot.drive_deflections(zero, zero, zero, external={"tipp": Wrench(axes="link")})
    with pytest.raises(StateError, match=r"q \(2, 4\), qd \(3, 4\) do not fit together"):
        robot.spring_torques(np.zeros((2, 4)), np.zeros((3, 4)))
