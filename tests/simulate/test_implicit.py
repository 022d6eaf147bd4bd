"""The implicit method: stiff springs in few steps, what is slow right to the tolerance, what swings unseen never growing."""

import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lissom import Inertia, Joint, Link, Model, Robot, Spring, StateError
from lissom.manifold import configuration_difference
from lissom.robots import planar_two_link, planar_two_link_model, tree_model
from lissom.simulate import Event, Status
from support.springs import stiffness_and_damping
from support.states import random_states

IMPLICIT = {"method": "implicit"}
START = np.array([0.3, 0.4]), np.zeros(2)


def arm(damping=0.0, stiffness=1e6, rest=0.4):
    spring = Spring(stiffness, rest, damping)
    return Robot(planar_two_link_model().with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "elbow" else j))


def frequency(robot, q):
    """The largest natural frequency [rad/s] of a robot's springs."""
    K, _ = stiffness_and_damping(robot.model)
    return np.sqrt(np.linalg.eigvals(np.linalg.solve(robot.mass_matrix(q), np.diag(K))).real.max())


def steps_of(robot, *arguments, **options):
    """A trajectory, and the ends of the integrator's steps."""
    ends = [0.0]
    run = robot.simulate(*arguments, progress=lambda t, duration: ends.append(t), **options)
    return run, np.array(ends)


@pytest.mark.sweep("300.0")
@pytest.mark.parametrize("damping", [20.0, 300.0, 2000.0])
def test_a_stiff_damped_spring_is_followed_in_few_steps(damping):
    robot = arm(damping)
    exact = robot.simulate(*START, 0.3, rtol=1e-11, atol=1e-13)
    run, ends = steps_of(robot, *START, 0.3, **IMPLICIT)
    assert len(ends) < 30 and run.status is Status.FINISHED and run.method == "implicit"
    assert np.abs(run.q - exact.q).max() < 1e-5
    # once the first swings are damped, everything is right, velocities and accelerations too
    late = run.t > 0.15
    assert np.abs(run.q - exact.q)[late].max() < 1e-6
    assert np.abs(run.qd - exact.qd)[late].max() < 1e-4
    fine, _ = steps_of(robot, *START, 0.3, rtol=1e-11, atol=1e-13, **IMPLICIT)
    assert np.abs(fine.q - exact.q).max() < 1e-11
    assert np.abs(fine.qd - exact.qd).max() < 1e-7 and np.abs(fine.qdd - exact.qdd)[late].max() < 1e-5


@pytest.mark.slow
def test_swings_below_the_tolerance_are_passed_over_and_the_slow_motion_is_right():
    robot = arm()
    run, ends = steps_of(robot, *START, 0.5, **IMPLICIT)
    exact = robot.simulate(*START, 0.5, rtol=1e-9, atol=1e-11)
    period = 2 * np.pi / frequency(robot, START[0])
    assert np.diff(ends).max() > 20 * period and len(ends) < 30
    assert np.abs(run.q - exact.q).max() < 1e-5
    # the mean of both: the swing of the exact one, some hundredths of a rad/s, is gone
    w = frequency(robot, START[0])
    slow = [np.linalg.lstsq(waves(x.t, w), x.qd[:, 0], rcond=None)[0] for x in (run, exact)]
    assert np.abs(slow[0][:8] - slow[1][:8]).max() < 1e-3 * np.abs(slow[1][:8]).max()


def waves(t, w):
    """Smooth functions, and swings of a frequency near w."""
    return np.column_stack([np.polynomial.chebyshev.chebvander(2 * t / t[-1] - 1, 7), np.cos(w * t), np.sin(w * t)])


def test_swings_above_the_tolerance_are_followed():
    robot = arm()
    start = np.array([0.3, 0.41])  # 0.01 rad off, 50 J
    run, ends = steps_of(robot, start, np.zeros(2), 0.05, **IMPLICIT)
    exact = robot.simulate(start, np.zeros(2), 0.05)
    assert np.diff(ends).max() < 2 * np.pi / frequency(robot, start)
    assert np.abs(run.q - exact.q).max() < 1e-5
    assert np.abs(run.qd - exact.qd).max() < 1e-5 * frequency(robot, start)
    assert np.abs(run.energy - run.energy[0]).max() < 1e-4 * run.energy[0]


@pytest.mark.parametrize("options", [{}, {"rtol": 1e-3, "atol": 1e-2}], ids=["default", "coarse"])
def test_energy_does_not_grow_over_a_hundred_seconds(options):
    robot = arm()
    run, ends = steps_of(robot, *START, 100.0, sample=0.1, **IMPLICIT, **options)
    assert run.status is Status.FINISHED and len(ends) < 1000
    swing = run.kinetic_energy.max()
    assert (run.energy - run.energy[0]).max() < (1e-5 if not options else 1e-2) * swing
    assert np.abs(run.q[:, 1] - 0.4).max() < 1e-4


def test_steps_of_a_thousand_periods_stay_stable():
    model = planar_two_link_model().replace(gravity=(0, 0, 0))
    spring = Spring(1e12, 0.4)
    robot = Robot(model.with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "elbow" else j))
    run, ends = steps_of(robot, [0.3, 0.4 + 1e-6], [1.0, 0.0], 10.0, **IMPLICIT)
    assert np.diff(ends).max() > 1000 * 2 * np.pi / frequency(robot, START[0])
    # it turns as a rigid body would: momentum is kept
    assert np.abs(run.q[:, 1] - 0.4).max() < 2e-6
    assert np.abs(np.diff(run.qd[5:, 0])).max() < 1e-6


@pytest.mark.parametrize(("K", "D"), [(1e6, 50.0), (1e6, 1e4), (1e8, 0.0)])
def test_one_joint_is_the_damped_oscillator_of_the_textbook(K, D):
    inertia, force = 0.5, 3.0
    body = Link("body", Inertia(2.0, (0, 0, 0), np.eye(3) * inertia))
    joint = Joint("spring", "revolute", "ground", "body", spring=Spring(K, 0.2, D))
    robot = Robot(Model("oscillator", (Link("ground"), body), (joint,), (0.0, 0.0, 0.0)))
    off = 1e-3
    run = robot.simulate([0.2 + off], [0.0], 0.02, [force], rtol=1e-10, atol=1e-12, **IMPLICIT)
    roots = np.roots([inertia, D, K]).astype(complex)
    a = np.linalg.solve([[1, 1], roots], [off - force / K, 0.0])
    expected = 0.2 + force / K + (np.exp(np.outer(run.t, roots)) @ a).real
    assert np.abs(run.q[:, 0] - expected).max() < 1e-10


@pytest.mark.slow
def test_scipys_own_implicit_method_finds_the_same_motion():
    robot = arm(20.0)

    def rates(t, y):
        return np.concatenate([y[2:], robot.forward_dynamics(y[:2], y[2:], np.zeros(2))])

    theirs = solve_ivp(rates, (0.0, 0.2), np.concatenate(START), method="Radau", rtol=1e-9, atol=1e-11).y[:, -1]
    ours = robot.simulate(*START, 0.2, rtol=1e-9, atol=1e-11, **IMPLICIT).end
    assert np.allclose([*ours.q, *ours.qd], theirs, rtol=0, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_quaternions_go_along_and_keep_length_one(seed):
    model = tree_model(5, seed=seed, floating=True, kinds=["spherical", "planar", "revolute"], drives=False, springs=1.0)
    stiff = model.with_joints(lambda j: j if j.spring is None else dataclasses.replace(j, spring=Spring(1e5, 0.0, 100.0)))
    robot = Robot(stiff.replace(gravity=(0, 0, 0)))
    q, qd, _ = random_states(robot.model, seed=seed)
    start = 0
    for joint in robot.model.independent_joints:  # springs at rest
        if joint.spring is not None:
            q[start] = 0.0
        start += joint.kind.nq
    exact, run = (robot.simulate(q, qd, 0.2, sample=0.01, **options) for options in ({}, IMPLICIT))
    assert np.abs(configuration_difference(robot.model, exact.q, run.q)).max() < 2e-5
    for place in (slice(3, 7),):
        assert np.abs(np.linalg.norm(run.q[:, place], axis=1) - 1).max() < 1e-14
    fine = robot.simulate(q, qd, 0.2, sample=0.01, rtol=1e-10, atol=1e-11, **IMPLICIT)
    assert np.abs(configuration_difference(robot.model, exact.q, fine.q)).max() < 1e-9


def test_tolerances_are_kept():
    robot = Robot(tree_model(4, seed=1, kinds=["revolute", "prismatic"], drives=False))
    q, qd, _ = random_states(robot.model, seed=2)
    exact = robot.simulate(q, qd, 1.0)
    errors = []
    for tolerance in (1e-3, 1e-6, 1e-9):
        run = robot.simulate(q, qd, 1.0, rtol=tolerance, atol=tolerance, **IMPLICIT)
        errors.append(np.abs(run.q - exact.q).max())
    assert errors[0] < 1e-2 and errors[1] < 1e-5 and errors[2] < 1e-8
    assert np.abs(robot.simulate(q, qd, 1.0, rtol=1e-12, atol=1e-14, **IMPLICIT).q - exact.q).max() < 1e-9


def test_events_are_found_within_long_steps():
    robot = arm(20.0)
    events = [
        Event(lambda t, q, qd: q[0] + np.pi / 2, "points down"),
        Event(lambda t, q, qd: q[0] + 2.0, "beyond", terminal=True),
    ]
    run, ends = steps_of(robot, *START, 2.0, events=events, **IMPLICIT)
    exact = robot.simulate(*START, 2.0, rtol=1e-10, atol=1e-12, events=events)
    assert run.status is Status.EVENT and [e.name for e in run.events] == ["points down", "beyond"]
    assert np.allclose([e.t for e in run.events], [e.t for e in exact.events], rtol=0, atol=1e-5)
    assert abs(run.end.q[0] + 2.0) < 1e-9 and run.end.t == run.events[-1].t


@pytest.mark.parametrize("lead", [(4,), (2, 3)])
def test_a_batch_is_its_states_one_by_one(lead):
    robot = arm(20.0)
    q = np.random.default_rng(1).uniform(-1, 1, (*lead, 2))
    q[..., 1] = 0.4
    tau = np.random.default_rng(2).uniform(-1, 1, (3, *lead, 2))
    tight = {"rtol": 1e-10, "atol": 1e-10}
    many = robot.simulate(q, np.zeros(2), 0.3, tau, sample=0.05, **IMPLICIT, **tight)
    assert many.q.shape == (7, *lead, 2) and many.method == "implicit"
    for index in np.ndindex(*lead):
        one = robot.simulate(q[index], np.zeros(2), 0.3, tau[(slice(None), *index)], sample=0.05, **IMPLICIT, **tight)
        for name, tolerance in (("q", 1e-9), ("qd", 1e-6), ("tau", 0.0)):
            apart = getattr(many, name)[(slice(None), *index)] - getattr(one, name)
            assert np.abs(apart).max() <= tolerance, name


def test_backends_agree():
    model = tree_model(3, seed=7, coupled=0.5, kinds=["revolute", "prismatic"], springs=0.5)
    q, qd, tau = random_states(model, size=0.3)
    a, b = (Robot(model, backend=backend).simulate(q, qd, 0.05, tau, **IMPLICIT) for backend in ("llvm", "numpy"))
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert np.allclose(getattr(a, name), getattr(b, name), rtol=1e-9, atol=1e-9), name


def test_mechanisms_that_are_not_stiff_are_no_harder():
    robot = planar_two_link()
    exact = robot.simulate(*START, 5.0)
    run = robot.simulate(*START, 5.0, rtol=1e-12, atol=1e-14, **IMPLICIT)
    assert np.abs(run.q - exact.q).max() < 1e-9 and np.ptp(run.energy) < 1e-10


def test_more_states_than_memory_are_refused(monkeypatch):
    monkeypatch.setattr("lissom.memory.memory", lambda: 2_000_000)
    robot = planar_two_link()
    with pytest.raises(
        StateError, match=r"the matrices of 1000 states would take .* simulate fewer states at once, or use method='rk4'"
    ):
        robot.simulate(np.zeros((1000, 2)), np.zeros(2), 1.0, sample=1.0, **IMPLICIT)


def test_a_step_whose_matrix_has_no_inverse_is_made_shorter(monkeypatch):
    from lissom.simulate import state_jacobian

    robot, inverses, lengths = planar_two_link(), state_jacobian.inverses, []

    def first_fails(method, h, *more):
        lengths.append(h)
        if len(lengths) == 1:
            raise np.linalg.LinAlgError("Singular matrix")
        return inverses(method, h, *more)

    monkeypatch.setattr(state_jacobian, "inverses", first_fails)
    run = robot.simulate(*START, 0.5, **IMPLICIT)
    assert run.status is Status.FINISHED and lengths[1] < lengths[0]
    assert np.abs(run.q - robot.simulate(*START, 0.5).q).max() < 1e-5
