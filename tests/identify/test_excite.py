"""Exciting motions: derivatives, limits, ends at rest, and what they are worth."""

import numpy as np
import pytest

import lissom
from lissom import IdentificationError, Robot, StateError
from lissom.identify import Filtering, Measurement, excite, identify
from lissom.identify.information import CRITERIA, Information, value
from lissom.identify.rows import Rows
from lissom.identify.selection import select
from lissom.identify.shapes import Splines, Waves
from lissom.robots import five_bar, tree_model
from lissom.spline.basis import Basis
from support.recorded import sines

ARM = lissom.robots.rr_model()


@pytest.fixture(scope="module")
def arm():
    return Robot(ARM, backend="numpy")


@pytest.fixture(scope="module")
def found(arm):
    return excite(arm, velocity=3.0, torque=4.0, duration=4.0, harmonics=3, starts=1, iterations=40)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("which", ["tree", "closed"])
def test_derivatives_of_the_criteria_are_those_of_differences(which, criterion):
    robot = five_bar() if which == "closed" else Robot(tree_model(2, seed=1, kinds=["revolute"], drives=True), backend="numpy")
    rows = Rows(robot, select(robot, "links" if which == "closed" else ("links", "friction", "rotors", "offsets")))
    own = Information(rows, rows.base_parameters(), np.array([1.0, 2.0]), criterion, 0.1)
    _, q, qd, qdd = (x[::40] for x in sines(2, T=5.0, harmonics=4, size=0.1 if which == "closed" else 1.0))
    state = [(robot.home() if which == "closed" else 0.0) + q, qd, qdd]
    slopes = own.gradient(tuple(state))
    rng = np.random.default_rng(0)
    for k in range(3):
        d, h = rng.normal(size=q.shape), 1e-5
        ends = [own.value(tuple(x + sign * h * d * (i == k) for i, x in enumerate(state))) for sign in (1, -1)]
        expected = (ends[0] - ends[1]) / (2 * h)
        assert abs((slopes[k] * d).sum() - expected) < 1e-5 * max(1.0, abs(expected))


def test_the_criteria_are_the_determinant_and_the_condition_number():
    A = np.random.default_rng(0).normal(size=(30, 4))
    F = A.T @ A
    assert value(F, "determinant")[0] == pytest.approx(-np.log(np.linalg.det(F)) / 8.0)
    assert value(F, "condition")[0] == pytest.approx(np.log(np.linalg.cond(A / np.linalg.norm(A, axis=0))))


@pytest.mark.parametrize("shape", [Waves(4, 3.0), Splines(Basis(12, 5), 3.0)])
def test_rates_of_shapes_are_those_of_differences(shape):
    z, t, h = np.random.default_rng(1).normal(size=(shape.count, 2)), np.linspace(0.1, 2.9, 7), 1e-5
    x, v, a = (B @ z for B in shape.matrices(t))
    ahead, behind = (shape.matrices(t + s * h) for s in (1, -1))
    assert np.abs((ahead[0] - behind[0]) @ z / (2 * h) - v).max() < 1e-6 * np.abs(v).max()
    assert np.abs((ahead[1] - behind[1]) @ z / (2 * h) - a).max() < 1e-6 * np.abs(a).max()


def test_waves_are_fourier_series_that_rest_at_their_ends():
    shape, rng = Waves(4, 3.0), np.random.default_rng(1)
    z = rng.normal(size=(shape.count, 2))
    x0, a, b = shape.series(z)
    t = np.linspace(0, 3.0, 50)
    phase = np.outer(t, 2 * np.pi / 3.0 * np.arange(1, 5))
    assert np.abs(x0 + np.sin(phase) @ a + (np.cos(phase) - 1.0) @ b - shape.matrices(t)[0] @ z).max() < 1e-12
    ends = [B @ z for B in shape.matrices(np.array([0.0, 3.0]))]
    assert np.abs(ends[0][0] - ends[0][1]).max() < 1e-12
    assert np.abs(ends[1]).max() < 1e-12 and np.abs(ends[2]).max() < 1e-11


def test_splines_follow_waves_closely():
    shape = Waves(5, 10.0)
    basis, A = shape.control_points()
    z, s = np.random.default_rng(0).normal(size=(shape.count, 1)), np.linspace(0, 1, 700)
    for order, (B, close) in enumerate(zip(shape.matrices(10.0 * s), (1e-4, 1e-3, 1e-2), strict=True)):
        wave = B @ z
        assert np.abs(basis.matrix(s, order) @ (A @ z) / 10.0**order - wave).max() < close * np.abs(wave).max()


def test_a_motion_keeps_its_limits_and_begins_and_ends_at_rest(arm, found):
    largest = found.largest()
    assert largest["velocity"].max() < 3.0 and largest["torque"].max() < 4.0
    assert largest["velocity"].max() > 2.5 or largest["torque"].max() > 3.5  # and makes use of them
    q, qd, qdd = found.at([0.0, found.duration, 2.5 * found.duration, 0.5 * found.duration])
    assert np.abs(qd[:2]).max() < 1e-12 and np.abs(qdd[:2]).max() < 1e-11
    assert np.abs(q[0] - q[1]).max() < 1e-12 and np.abs(q[2] - q[3]).max() < 1e-12  # it repeats


def test_a_motion_that_was_sought_shows_more_than_random_ones(arm, found):
    rng = np.random.default_rng(3)
    best = -np.inf
    for _ in range(30):
        z = rng.normal(size=found.numbers.shape) / np.array([1, 4, 9, 8, 27])[:, None]
        speeds = np.abs(found.shape.matrices(np.linspace(0, 4, 200))[1] @ z).max(axis=0)
        random = lissom.identify.Excitation(
            arm, found.shape, z * 2.85 / speeds, "determinant", found.base, found.rows, found.information
        )
        if random.largest()["torque"].max() < 3.8:
            best = max(best, random.log_determinant)
    assert np.isfinite(best) and found.log_determinant > best


def test_splines_begin_and_end_where_they_are_asked_to(arm):
    found = excite(
        arm, motion="splines", control_points=14, velocity=3.0, duration=4.0, start=[0.5, -1.0], starts=1, iterations=15
    )
    q, qd, _ = found.at([0.0, 4.0])
    assert np.abs(q - [0.5, -1.0]).max() < 1e-12 and np.abs(qd).max() < 1e-12
    assert found.largest()["velocity"].max() <= 0.95 * 3.0 * 1.001
    with pytest.raises(StateError, match="no Fourier series"):
        found.series  # noqa: B018


def test_any_limit_of_a_motion_problem_can_be_kept(arm):
    def low(problem):
        problem.limit("link_position", None, 0.55, entries=["y"], link="link_2", point=[0.4, 0.0, 0.0], scale=0.1)

    found = excite(arm, velocity=2.0, duration=4.0, harmonics=3, limit=low, starts=1, iterations=15)
    q = found.samples()[1]
    tip = arm.link_pose(q, "link_2") @ np.array([0.4, 0.0, 0.0, 1.0])
    assert tip[:, 1].max() < 0.55 + 0.02 * 0.1


@pytest.mark.slow
def test_a_closed_robot_is_excited_within_its_limits():
    robot = five_bar()
    found = excite(robot, estimate="links", duration=5.0, harmonics=3, starts=2, iterations=30)
    largest, limits = found.largest(), robot.limits
    assert (largest["velocity"] <= limits.velocity).all() and (largest["torque"] <= limits.effort).all()
    t, q, qd, qdd = found.samples()
    tau = robot.inverse_dynamics(q, qd, qdd)
    data = Measurement(robot, t, q, tau + 0.01 * np.random.default_rng(0).normal(size=tau.shape), qd, qdd)
    known = identify(data, estimate="links", filtering=Filtering("none"), consistent=False)
    assert (np.abs(known.values - known.base.values) < 5 * known.standard_errors).all()


def test_a_motion_is_written_as_a_trajectory(arm, found, tmp_path):
    found.save(tmp_path / "motion.csv", rate=50.0, periods=2)
    lines = (tmp_path / "motion.csv").read_text().splitlines()
    assert lines[0] == "t,q_joint_1,q_joint_2,qd_joint_1,qd_joint_2,qdd_joint_1,qdd_joint_2"
    assert len(lines) == 1 + 401
    row = np.array(lines[1 + 75].split(","), dtype=float)
    assert np.abs(row - np.concatenate([[1.5], *(x[0] for x in found.at([1.5]))])).max() < 1e-13
    assert found.to_dict()["base_parameters"] == len(found.base)
    assert "condition" in repr(found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "nothing limits joints joint_1, joint_2"),
        ({"velocity": {"joint_1": 1.0}}, "nothing limits joint joint_2"),
        ({"velocity": -1.0}, "velocity must be positive"),
        ({"velocity": {"jont_1": 1.0}}, "no entry is called 'jont_1'.*joint_1"),
        ({"velocity": [1.0, 2.0, 3.0]}, "expected a number, or one for each of joint_1, joint_2"),
        ({"velocity": 1.0, "motion": "wave"}, "no motion 'wave'"),
        ({"velocity": 1.0, "criterion": "trace"}, "no criterion 'trace'"),
        ({"velocity": 1.0, "harmonics": 1}, "harmonics must be a whole number from 2 to 50"),
        ({"velocity": 1.0, "starts": 0}, "starts must be"),
        ({"velocity": 1.0, "share": 1.5}, "share must be"),
        ({"velocity": 1.0, "noise": 0.0}, "noise must be positive"),
        ({"velocity": 1.0, "start": [0.0]}, "expected 2 numbers: joint_1, joint_2"),
        ({"velocity": 1.0, "limit": lambda problem: problem.start([0.0, 0.0])}, "is for splines"),
    ],
)
def test_what_is_wrong_is_said(arm, options, message):
    with pytest.raises((StateError, IdentificationError), match=message):
        excite(arm, **options)


def test_robots_with_other_joints_are_refused():
    with pytest.raises(IdentificationError, match="several coordinates, or a floating base"):
        excite(Robot(tree_model(2, seed=3, floating=True), backend="numpy"), velocity=1.0)
    with pytest.raises(IdentificationError, match="motors behind springs"):
        excite(Robot(lissom.robots.hua_arm_model(), backend="numpy"), velocity=1.0)


def test_limits_that_cannot_be_kept_are_said(arm):
    def far(problem):
        problem.limit("position", 5.0, 6.0, at=0.5).limit("position", -6.0, -5.0, at=0.51)

    with pytest.raises(IdentificationError, match="no motion was found that keeps the limits"):
        excite(arm, velocity=1.0, limit=far, starts=1, iterations=10)
