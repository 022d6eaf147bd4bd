"""Motors behind springs on bases that float: standing, phases in which feet take off and land, the limit of stiff springs."""

import numpy as np
import pytest

from lissom import Inertia, Joint, JointKind, Link, Model, MotionProblem, Motor, Pose, Robot, Spring, StateError
from lissom.predict import Prediction, State
from support.elastic_arms import rotor

G, STIFFNESS = 9.81, 400.0
SOLE = [(-0.1, -0.05, -0.05), (0.1, -0.05, -0.05), (0.1, 0.05, -0.05), (-0.1, 0.05, -0.05)]


def body(mass, spin):
    return Inertia(mass, (0.0, 0.0, 0.0), ((spin, 0.0, 0.0), (0.0, spin, 0.0), (0.0, 0.0, spin)))


def drive(joint, stiffness, ratio=50.0):
    return Motor(f"{joint}_motor", joint, None, ratio, rotor(1e-4), spring=Spring(stiffness), rotor="reflected")


def stander(stiffness=STIFFNESS, backend=None):
    """A body on a shank and a foot, all of it free in space; hip and ankle are driven through springs."""
    links = (Link("world"), Link("body", body(5.0, 0.2)), Link("shank", body(1.0, 0.02)), Link("foot", body(0.5, 0.01)))
    joints = (
        Joint("base", JointKind.FLOATING, "world", "body"),
        Joint("hip", JointKind.REVOLUTE, "body", "shank", Pose(translation=(0, 0, -0.2)), axis=(0, 1, 0)),
        Joint("ankle", JointKind.REVOLUTE, "shank", "foot", Pose(translation=(0, 0, -0.4)), axis=(0, 1, 0)),
    )
    return Robot(Model("stander", links, joints, motors=tuple(drive(j, stiffness) for j in ("hip", "ankle"))), backend=backend)


def pose(robot, hip, ankle):
    """Return the coordinates of the joints with the sole flat on the ground, below the origin."""
    pitch = -hip - ankle
    q = np.array([0, 0, 0, 0, np.sin(pitch / 2), 0, np.cos(pitch / 2), hip, ankle])
    at = robot.link_pose(np.concatenate([q, [hip, ankle]]), "foot")[:3, 3]
    return np.concatenate([[0, 0, 0.05] - at, q[3:]])


def leaning(robot):
    problem = MotionProblem(robot, control_points=14, duration=0.8).contact("sole", "foot", SOLE)
    problem.start(pose(robot, 0, 0)).end(pose(robot, -0.3, 0.1))
    return problem.minimize("integral", 1.0, "torque").minimize("integral", 1e-4, "sole_force")


@pytest.fixture(scope="module")
def lean():
    return leaning(stander()).solve()


@pytest.mark.slow
def test_a_springy_robot_leans_on_its_own_foot(lean):
    robot, t = lean.robot, lean.times(201)
    weight = robot.total_mass * G
    assert lean.success and np.abs(lean.imbalance(t)).max() < 2e-3 * weight  # zero at knots
    # all that is outside the robot is weight and the force of the ground
    q, qd, qdd = lean.coordinates(t)
    force = lean.contact_forces(t, axes="world")["sole"].sum(axis=1)
    h = 1e-4
    middle = t[10:-10]
    com = [robot.center_of_mass(lean.coordinates(middle + k * h)[0]) for k in (-1, 0, 1)]
    acceleration = (com[0] - 2 * com[1] + com[2]) / h**2
    assert force[10:-10] - robot.total_mass * (acceleration + [0, 0, G]) == pytest.approx(0.0, abs=2e-3 * weight)
    # the springs carry what joints need, and nothing else acts at joints behind springs
    tau = robot.inverse_dynamics(q, qd, qdd, external=lean._external(t))
    assert np.abs(tau[:, 6:8]).max() < 1e-9 * weight
    assert np.abs(tau - lean.torques(t))[:, 8:].max() < 1e-9 * weight
    gap = robot.link_poses(q)[:, robot.link_names.index("foot"), :3, 3]
    assert np.abs(gap - gap[0]).max() < 1e-4


@pytest.mark.slow
def test_the_elastic_simulation_returns_the_lean(lean):
    q0, qd0, _ = lean.coordinates(0.0)
    run = lean.robot.simulate(q0, qd0, 0.1, lean.replay, rtol=1e-10, atol=1e-11)
    assert np.abs(run.q - lean.coordinates(run.t)[0]).max() < 1e-6


@pytest.mark.slow
def test_rates_of_motors_on_a_moving_base_are_those_of_their_motion(lean):
    h, t = 1e-4, np.linspace(0.05, 0.75, 11)
    before, now, after = (lean.drives(t + k * h) for k in (-1, 0, 1))
    assert now.theta_rate == pytest.approx((after.theta - before.theta) / (2 * h), abs=1e-6)
    assert now.theta_acceleration == pytest.approx((after.theta_rate - before.theta_rate) / (2 * h), abs=1e-5)
    assert lean.torque_rates(t) == pytest.approx((after.tau - before.tau) / (2 * h), rel=1e-4, abs=1e-3)
    assert now.theta - lean.states(t)[0][:, 6:] == pytest.approx(lean.deflections(t), abs=1e-12)


@pytest.mark.slow
def test_the_lean_comes_back_from_a_file_and_is_drawn(lean, tmp_path):
    back, t = Prediction.load(lean.save(tmp_path / "lean.npz"), lean.robot), lean.times(7)
    assert np.array_equal(back.torques(t), lean.torques(t)) and np.array_equal(back.coordinates(t)[0], lean.coordinates(t)[0])
    assert lean.plot(tmp_path / "lean.svg").exists()
    motion = lean.trajectory(11)
    assert motion.q.shape == (11, 11) and motion.tau.shape == (11, 10)


@pytest.mark.slow
def test_stiff_springs_on_a_moving_base_tend_to_the_rigid_robot():
    rng, gaps = np.random.default_rng(0), []
    state = State(tuple(rng.uniform(-1, 1, (5, 8 + 12)) for _ in range(6)))
    rigid = MotionProblem(Robot(stander().model.with_rigid_drives())).contact("sole", "foot", SOLE)
    # motors are columns' own: one torque per column, whatever drives it
    goal = rigid.quantities.get("torque").values(state)
    for stiffness in (1e5, 1e6, 1e7):
        problem = MotionProblem(stander(stiffness)).contact("sole", "foot", SOLE)
        gaps.append(np.abs(problem.quantities.get("torque").values(state) - goal).max() / np.abs(goal).max())
    assert gaps[0] < 1e-1 and gaps[2] == pytest.approx(gaps[1] / 10, rel=0.05) == pytest.approx(gaps[0] / 100, rel=0.1)


@pytest.mark.slow
def test_derivatives_by_path_and_forces_are_differences_of_values():
    quantity = MotionProblem(stander()).contact("sole", "foot", SOLE).quantities.get("torque")
    n, rng, h = quantity.n, np.random.default_rng(1), 1e-6
    state = State(tuple(rng.uniform(-1, 1, (2, n)) for _ in range(6)))
    slopes, weights = quantity.derivatives(state), rng.normal(size=(2, quantity.size))
    bends = quantity.curvature(state, weights)
    assert quantity.orders == (0, 1, 2, 3, 4) and slopes.shape == (5, 2, 8, 20)

    def moved(order, column, step):
        rates = [x.copy() for x in state.rates]
        rates[order][:, column] += step
        return State(tuple(rates))

    for row, order in enumerate(quantity.orders):
        for column in range(0, n, 3):
            ahead, back = (moved(order, column, x) for x in (h, -h))
            theirs = (quantity.values(ahead) - quantity.values(back)) / (2 * h)
            assert np.abs(slopes[row, :, :, column] - theirs).max() < 1e-7 * np.abs(slopes).max()
            theirs = np.einsum("rkej,ke->krj", quantity.derivatives(ahead) - quantity.derivatives(back), weights) / (2 * h)
            assert np.abs(bends[:, row, column] - theirs).max() < 1e-7 * np.abs(bends).max()


def hopper():
    links = (Link("world"), Link("body", Inertia(4.0)), Link("foot", Inertia(1.0)))
    joints = (
        Joint("height", JointKind.PRISMATIC, "world", "body", axis=(0, 0, 1)),
        Joint("leg", JointKind.PRISMATIC, "body", "foot", axis=(0, 0, -1)),
    )
    return Robot(Model("hopper", links, joints, motors=(drive("leg", 3000.0),)))


def hopping(durations, **options):
    problem = MotionProblem(hopper(), control_points=30, undriven="height").phases(durations, **options)
    problem.contact("take_off", "foot", during="push").contact("landing", "foot", during="land")
    problem.start([0.6, 0.6]).end([0.6, 0.6]).limit("position", 0.3, 0.9, entries="leg")
    return problem.minimize("integral", 1.0, "torque")


@pytest.fixture(scope="module")
def hop():
    return hopping({"push": 0.4, "flight": 0.15, "land": 0.4}).solve()


def test_a_springy_leg_takes_off_and_lands_without_a_jump_of_its_motor(hop):
    robot, t = hop.robot, np.linspace(0, hop.duration, 951)
    weight = robot.total_mass * G
    force = sum(own[:, 0, 2] for own in hop.contact_forces(t).values())
    flies = (t > 0.4) & (t < 0.55)
    assert not force[flies].any() and force.min() > -1e-9 * weight
    assert np.trapezoid(force, t) == pytest.approx(weight * hop.duration, rel=1e-5)
    assert np.abs(hop.imbalance(t)).max() < 1e-9 * weight  # the path's jerk may bend where the force begins
    assert hop.contact_forces(0.4 - 1e-9)["take_off"][0, 2] == pytest.approx(0.0, abs=1e-6)
    for boundary in (0.4, 0.55):
        before, after = (hop.drives(boundary + side) for side in (-1e-9, 1e-9))
        assert before.theta == pytest.approx(after.theta, abs=1e-7)
        assert before.theta_rate == pytest.approx(after.theta_rate, abs=1e-5)
        # only the torque of the motor jumps
        assert abs(before.theta_acceleration[0] - after.theta_acceleration[0]) > 10


@pytest.mark.slow
def test_the_elastic_simulation_returns_the_hop(hop):
    start = 0.38  # the foot leaves the ground at 0.4 s
    q0, qd0, _ = hop.coordinates(start)
    run = hop.robot.simulate(q0, qd0, 0.04, lambda t, q, qd: hop.replay(start + t, q, qd), rtol=1e-9, atol=1e-10)
    assert np.abs(run.q - hop.coordinates(start + run.t)[0]).max() < 1e-6


@pytest.mark.slow
def test_phases_of_springy_hops_may_last_as_long_as_they_like():
    found = hopping({"push": (0.2, 0.6), "flight": 0.15, "land": (0.2, 0.6)}).limit("torque", -200, 200).minimize("time", 1e4)
    found = found.solve()
    t = np.linspace(0, found.duration, 801)
    weight = found.robot.total_mass * G
    force = sum(own[:, 0, 2] for own in found.contact_forces(t).values())
    assert found.success and found.duration < 0.95 and np.trapezoid(force, t) == pytest.approx(weight * found.duration, rel=1e-3)
    assert np.abs(found.imbalance(t)).max() < 1e-8 * weight


def test_what_makes_a_motor_jump_is_refused():
    with pytest.raises(StateError, match="smooth is 2, but robot 'hopper' has motors behind springs, .* expected 3 or more"):
        hopping({"push": 0.4, "flight": 0.15, "land": 0.4}, smooth=2)
    problem = MotionProblem(hopper(), undriven="height").phases({"one": 0.3, "two": 0.3, "three": 0.3})
    with pytest.raises(StateError, match="'push' is a constant that begins or ends with a phase, .* give it degree 2 or more"):
        problem.channel("push", "fz", link="body", during="two", degree=0)
    few = MotionProblem(hopper(), undriven="height", control_points=10, degree=7)
    few.phases({"one": 0.3, "two": 0.3, "three": 0.3}, spans={"one": 1, "two": 1, "three": 1})
    with pytest.raises(StateError, match=r"'push' has 3 control points, .*: 4 are zero, .* give the phase more spans"):
        few.channel("push", "fz", link="body", during="two", degree=2)
