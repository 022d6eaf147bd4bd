"""Paths: points that move or come and go, wraps, moment arms as derivatives, energy, and what is refused."""

import numpy as np
import pytest

from lissom import Inertia, Joint, JointKind, Link, Model, ModelError, NameLookupError, Pose, Robot, StateError
from lissom.joints.function import Polynomial, Spline
from lissom.muscles import Moving, Muscle, Muscles, Path, Point, Surface, When, Wrap
from lissom.muscles.angle import turn_of
from lissom.muscles.tasks import path_lengths
from support import complex_step

BODY = Inertia(1, (0, 0, 0), np.eye(3))


def arm(backend=None):
    """Return a robot of two links: an elbow at 0.3 m."""
    links = (Link("base"), Link("upper", BODY), Link("lower", BODY))
    joints = (
        Joint("shoulder", JointKind.REVOLUTE, "base", "upper", axis=(0, 0, 1)),
        Joint("elbow", JointKind.REVOLUTE, "upper", "lower", origin=Pose(translation=(0.3, 0, 0)), axis=(0, 0.2, 1)),
    )
    return Robot(Model("arm", links, joints), backend=backend)


CYLINDER = Surface("pulley", "cylinder", "upper", Pose(translation=(0.3, 0, 0)), (0.02, 0.2), "+y")
BALL = Surface("ball", "sphere", "base", Pose(translation=(0.05, 0.03, 0.001)), (0.02,))
EGG = Surface("egg", "ellipsoid", "upper", Pose(translation=(0.3, 0.0, 0)), (0.02, 0.025, 0.03))
RING = Surface("ring", "torus", "upper", Pose(((0, 0, 1), (1, 0, 0), (0, 1, 0)), (0.1, 0.06, 0.0)), (0.004, 0.02))
ENDS = (Point("upper", (0.1, 0.02, 0.01)), Point("lower", (0.1, 0.015, -0.01)))
PATHS = {
    "straight": Path((Point("base", (0.0, 0.05, 0.0)), *ENDS)),
    "cylinder": Path(ENDS, (Wrap(CYLINDER),)),
    "geodesic": Path(ENDS, (Wrap(CYLINDER, exact=True),)),
    "two": Path((Point("base", (-0.05, 0.03, 0.0)), Point("lower", (0.1, 0.015, -0.01))), (Wrap(BALL), Wrap(CYLINDER))),
    "egg": Path(ENDS, (Wrap(EGG),)),
    "ring": Path((Point("base", (0.0, 0.1, 0.01)), ENDS[1]), (Wrap(RING),)),
    "moving": Path(
        (
            Point("upper", (0.1, 0.02, 0.01)),
            Point("lower", (Moving("elbow", Spline((-2.0, -1.0, 0.0, 1.0), (0.0, 0.02, 0.01, 0.03))), 0.02, 0.0)),
            Point("lower", (Moving("elbow", Polynomial((0.1, 0.01))), 0.015, -0.01)),
        )
    ),
    "conditional": Path((ENDS[0], Point("upper", (0.3, 0.03, 0.0), When("elbow", -3.0, -0.5)), ENDS[1])),
}
SAMPLES = np.random.default_rng(1).uniform((-1, -1.2), (1, 0.9), (12, 2))


def muscle(name, path):
    return Muscle(name, path, 800, 0.1, 0.2)


def test_angles_are_those_of_sines_and_cosines():
    angle = np.linspace(-3.14159, 3.14159, 101)
    assert np.allclose(turn_of(np.cos(angle), np.sin(angle)), angle, atol=1e-14)


@pytest.mark.parametrize("name", [pytest.param(x, marks=pytest.mark.slow) if x == "egg" else x for x in PATHS])
def test_moment_arms_are_derivatives_of_lengths(name):
    robot = arm()
    muscles = Muscles(robot, [muscle(name, PATHS[name])])
    arms = muscles.moment_arms(SAMPLES)
    task = path_lengths(robot.model, (PATHS[name],))
    for q, own in zip(SAMPLES, arms, strict=True):
        for k in range(2):
            assert own[0, k] == pytest.approx(
                -complex_step.directional(robot.model, task, [q], {"q": np.eye(2)[k]})[0], abs=1e-10
            )


@pytest.mark.parametrize("name", ["straight", "cylinder", "two", "moving", "conditional"])
def test_machine_code_and_numpy_agree(name):
    fast, slow = (Muscles(arm(backend), [muscle(name, PATHS[name])]) for backend in (None, "numpy"))
    assert np.allclose(fast.lengths(SAMPLES), slow.lengths(SAMPLES), atol=1e-14)
    assert np.allclose(fast.moment_arms(SAMPLES), slow.moment_arms(SAMPLES), atol=1e-12)


def test_forces_along_paths_do_the_work_of_their_torques():
    muscles = Muscles(arm(), [muscle(name, PATHS[name]) for name in ("straight", "cylinder", "two", "moving")])
    rng = np.random.default_rng(2)
    qd, forces = rng.normal(size=(12, 2)), rng.uniform(0, 500, (12, 4))
    power = np.sum(forces * muscles.rates(SAMPLES, qd), axis=-1)
    assert np.allclose(np.sum(muscles.torques(SAMPLES, forces) * qd, axis=-1), -power)


@pytest.mark.parametrize("name", ["straight", "cylinder", "geodesic", "moving"])
def test_torques_change_by_second_derivatives(name):
    muscles, h = Muscles(arm(), [muscle(name, PATHS[name])]), 1e-5
    force, direction = np.array([300.0]), np.array([0.7, -0.4])
    for q in SAMPLES[:4]:
        ends = [muscles.torques(q + s * direction, force) for s in (h, -h)]
        assert muscles.torque_change(q, force, direction) == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5, abs=1e-4)


def test_a_path_wraps_where_it_would_run_through_a_cylinder():
    robot = arm()
    wrapped, straight = (Muscles(robot, [muscle("m", Path(ENDS, wraps))]) for wraps in ((Wrap(CYLINDER),), ()))
    extra = wrapped.lengths(SAMPLES) - straight.lengths(SAMPLES)
    assert (extra > -1e-12).all()
    assert 2 < np.sum(extra > 1e-6) < 12


def test_a_conditional_point_counts_within_its_range():
    muscles = Muscles(arm(), [muscle("m", PATHS["conditional"])])
    without = Muscles(arm(), [muscle("m", Path(ENDS))])
    inside, outside = np.array([0.2, -0.7]), np.array([0.2, -0.3])
    assert muscles.lengths(inside) > without.lengths(inside) + 1e-4
    assert muscles.lengths(outside) == pytest.approx(without.lengths(outside), abs=1e-15)


def test_analysis_has_the_forces_of_rigid_tendons():
    muscles = Muscles(arm(), [muscle(name, PATHS[name]) for name in ("straight", "cylinder")])
    qd, a = np.full((12, 2), 0.3), np.full(2, 0.4)
    found = muscles.analysis(SAMPLES, qd, a)
    assert np.allclose(found.forces, muscles.forces(SAMPLES, qd, a))
    assert np.allclose(found.fiber_lengths * found.cosines + 0.2, found.lengths)
    assert found.rates.shape == found.active.shape == (12, 2)
    assert muscles.names == ("straight", "cylinder") and "2 muscles" in repr(muscles)


def test_muscles_are_refused_that_do_not_fit_the_robot():
    robot, path = arm(), PATHS["straight"]
    with pytest.raises(StateError, match=r"muscles need a lissom.Robot, got Model"):
        Muscles(robot.model, [muscle("m", path)])
    with pytest.raises(ModelError, match="no muscles; give one"):
        Muscles(robot, [])
    with pytest.raises(ModelError, match="two muscles are called 'm'"):
        Muscles(robot, [muscle("m", path), muscle("m", path)])
    with pytest.raises(NameLookupError, match=r"no link 'uper'.*path point 'p'"):
        Muscles(robot, [muscle("m", Path((Point("uper", (0, 0, 0), name="p"), ENDS[1])))])
    with pytest.raises(NameLookupError, match="no coordinate 'knee'"):
        Muscles(robot, [muscle("m", Path((ENDS[0], Point("upper", (0, 0, 0), When("knee", 0, 1)), ENDS[1])))])
    with pytest.raises(NameLookupError, match=r"no link 'hand'.*surface 'w'"):
        Muscles(robot, [muscle("m", Path(ENDS, (Wrap(Surface("w", "sphere", "hand", Pose(), (0.1,))),)))])


def test_paths_and_surfaces_are_checked():
    with pytest.raises(ModelError, match="at least two points, got 1"):
        Path(ENDS[:1])
    with pytest.raises(ModelError, match="a path has Points, got str"):
        Path(("a", "b"))
    with pytest.raises(ModelError, match="from 0.5 to 0: it is empty"):
        When("elbow", 0.5, 0.0)
    sometimes = Point("upper", (0, 0, 0), When("elbow", 0, 1), name="p")
    with pytest.raises(ModelError, match="conditional as all others"):
        Path((sometimes, sometimes))
    with pytest.raises(ModelError, match="has a place of 2 entries"):
        Point("upper", (0, 0))
    with pytest.raises(ModelError, match="no kind 'cone'"):
        Surface("w", "cone", "upper", Pose(), (0.1,))
    with pytest.raises(ModelError, match="no side 'left'"):
        Surface("w", "sphere", "upper", Pose(), (0.1,), "left")
    with pytest.raises(ModelError, match="a cylinder needs 2 positive sizes"):
        Surface("w", "cylinder", "upper", Pose(), (0.1, -1.0))
    with pytest.raises(ModelError, match="the tube's radius 0.2 m is not below"):
        Surface("w", "torus", "upper", Pose(), (0.2, 0.1))
    with pytest.raises(ModelError, match="a cylinder has no side '-z'"):
        Surface("w", "cylinder", "upper", Pose(), (0.1, 1.0), "-z")
    with pytest.raises(ModelError, match="no method 'best'"):
        Wrap(EGG, method="best")
    with pytest.raises(ModelError, match="it goes from point 0 to point 2"):
        Path(ENDS, (Wrap(EGG, 0, 2),))
