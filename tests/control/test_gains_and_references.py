"""What controllers are given: gains and references, right and wrong."""

import numpy as np
import pytest

from lissom import StateError
from lissom.control import ComputedTorque, Hold, MixedControl, PDGravity, Reference, Sine, as_reference
from lissom.robots import hua_arm, panda, planar_two_link
from lissom.spline import SplinePath
from support.paths import rate, times

MAKERS = {
    "slope": lambda x: MixedControl(hua_arm(), np.zeros(3), x, 1.0),
    "damping": lambda x: MixedControl(hua_arm(), np.zeros(3), 1.0, x),
    "kp": lambda x: PDGravity(hua_arm(), np.zeros(3), x, 1.0),
    "kd": lambda x: PDGravity(hua_arm(), np.zeros(3), 1.0, x),
}
OTHERS = {
    "motor_slope": lambda x: MixedControl(hua_arm(), np.zeros(3), 1.0, 1.0, x),
    "motor_damping": lambda x: MixedControl(hua_arm(), np.zeros(3), 1.0, 1.0, 1.0, x),
    "kp": lambda x: ComputedTorque(planar_two_link(), np.zeros(2), x),
    "kd": lambda x: ComputedTorque(planar_two_link(), np.zeros(2), 1.0, x),
}


@pytest.mark.parametrize("name", MAKERS)
def test_gains_of_the_wrong_kind_are_named(name):
    make = MAKERS[name]
    for x, message in [
        ([1.0, 2.0], rf"{name} has shape \(2,\), expected one number, or 3: q1, q2, q3"),
        (np.ones((2, 2)), rf"{name} has shape \(2, 2\), expected one number, or 3"),
        (np.ones((3, 3)), f"{name} is a matrix with off-diagonal entries; give 3 numbers"),
        ([1.0, -2.0, 3.0], f"{name} of 'q2' must be positive, got -2"),
        (0.0, f"{name} of 'q1' must be positive, got 0"),
        (np.diag([1.0, 0.0, 2.0]), f"{name} of 'q2' must be positive, got 0"),
        ([1.0, 2.0, np.nan], f"{name} of 'q3' must be positive, got nan"),
        (np.inf, f"{name} of 'q1' must be positive, got inf"),
        ("high", f"{name} must be numbers, got 'high'"),
        (None, f"{name} must be numbers, got None"),
        ([[1.0], [2.0, 3.0]], f"{name} must be numbers"),
    ]:
        with pytest.raises(StateError, match=message):
            make(x)


@pytest.mark.parametrize("name", OTHERS)
def test_gains_of_motors_and_of_rigid_robots(name):
    with pytest.raises(StateError, match=rf"{name} has shape \(3,\), expected one number, or [12]: "):
        OTHERS[name]([1.0, 2.0, 3.0])
    with pytest.raises(StateError, match=f"{name} of '.*' must be positive, got -1"):
        OTHERS[name](-1.0)


def test_gains_of_many_joints_are_not_all_listed():
    from lissom.robots import tree

    robot = tree(9, 1.0, seed=1, kinds=["revolute"])
    with pytest.raises(StateError, match="expected one number, or 9: joint_1, .*, joint_7, ..."):
        ComputedTorque(robot, np.zeros(9), [1.0, 2.0])


def test_gains_of_motors_that_are_not_there_are_refused():
    for gains in ({"motor_slope": 5.0}, {"motor_damping": [1.0]}):
        with pytest.raises(StateError, match="'panda' has no elastic drives: leave out motor_slope and motor_damping"):
            MixedControl(panda(), np.zeros(7), 1.0, 1.0, **gains)


# references


def test_a_sine_has_the_derivatives_of_a_sine():
    sine = Sine([0.5, -0.3], [1.5, 2.0], phase=[0.1, 0.2], offset=[1.0, 0.0])
    assert np.allclose(sine.derivatives(0.4, 0)[0], [1 + 0.5 * np.sin(0.7), -0.3 * np.sin(1.0)])
    found = sine.derivatives(0.4, 5)
    values = np.array([sine.derivatives(t, 0)[0] for t in times(0.4)])
    for k in range(1, 6):
        assert np.allclose(found[k], rate(values, k), rtol=0, atol=1e-13 * 100.0**k)
    assert Sine(0.5, 1.5, n=3).derivatives(0.0, 2).shape == (3, 3)
    assert Sine(np.ones((4, 3)), 1.5).derivatives(0.0, 2).shape == (3, 4, 3)
    assert isinstance(sine, Reference) and isinstance(Hold([0.0]), Reference)


def test_a_path_has_the_derivatives_of_its_spline():
    rng = np.random.default_rng(1)
    for degree in (3, 5, 7):
        path = SplinePath(rng.normal(size=(degree + 6, 3)), 1.7, degree)
        reference = as_reference(path, 3, degree - 1)
        knots = np.arange(path.basis.spans) / path.basis.spans * 1.7
        for t in [*np.linspace(0, 1.69, 23), *knots, *(knots[1:] - 1e-9)]:
            found = reference.derivatives(float(t), degree + 1)
            for k in range(degree + 2):
                exact = path.rate(t, k)
                assert np.allclose(found[k], exact, rtol=1e-10, atol=1e-10 * np.abs(path.rate(knots, k)).max(initial=1.0)), (t, k)
        for t in (1.7, 5.0):  # where it ends it stays
            assert np.allclose(reference.derivatives(t, 2), [path.at(1.7), np.zeros(3), np.zeros(3)])
        with pytest.raises(StateError, match="t"):
            reference.derivatives(-0.1, 2)


def test_functions_and_arrays_are_references():
    def motion(t):
        return [[t**2, 1.0], [2 * t, 0.0], [2.0, 0.0], [0.0, 0.0]]

    found = as_reference(motion, 2, 2).derivatives(0.5, 2)
    assert np.array_equal(found, [[0.25, 1.0], [1.0, 0.0], [2.0, 0.0]])
    assert np.array_equal(as_reference([1.0, 2.0], 2, 1).derivatives(7.0, 1), [[1.0, 2.0], [0.0, 0.0]])

    class Own:
        def derivatives(self, t, order):
            return np.full((order + 1, 2), t)

    assert np.array_equal(as_reference(Own(), 2, 4).derivatives(3.0, 1), np.full((2, 2), 3.0))


class Rows:
    """A reference that says so many rows, whatever it is asked for."""

    def __init__(self, rows):
        self.rows = rows

    def derivatives(self, t, order):
        return self.rows


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (np.zeros(4), "the reference has 4 joints, the robot 3"),
        (Sine(0.5, 1.0, n=2), "the reference has 2 joints, the robot 3"),
        (SplinePath(np.zeros((8, 2)), 1.0, 5), "the reference has 2 joints, the robot 3"),
        (SplinePath(np.zeros((8, 3)), 1.0, 4), "derivative number 4 of a path of degree 4 jumps; take degree 5 or more"),
        (SplinePath(np.zeros((8, 3)), 1.0), "derivative number 4 of a path of degree 3 jumps; take degree 5 or more"),
        (lambda t: np.zeros((3, 3)), r"the motion and 4 derivatives, an array \(5, ..., n\); got shape \(3, 3\)"),
        (lambda t: np.zeros(3), r"the motion and 4 derivatives, an array \(5, ..., n\); got shape \(3,\)"),
        (lambda t: None, r"the motion and 4 derivatives, an array \(5, ..., n\); got shape \(\)"),
        (lambda t: "up", r"the motion and 4 derivatives, an array \(5, ..., n\); got 'up'"),
        (Rows(np.zeros((4, 3))), r"the motion and 4 derivatives, an array \(5, ..., n\); got shape \(4, 3\)"),
        (Rows(np.zeros((6, 3))), "the reference gives 5 derivatives, expected 4"),
        (0.5, "q of a reference is one number, 0.5; give one per joint"),
        ([0.0, np.nan, 0.0], "q of a reference must be finite"),
        (None, "q of a reference must be numbers, got None"),
        ("up", "q of a reference must be numbers, got 'up'"),
    ],
)
def test_wrong_references_are_told(reference, message):
    with pytest.raises(StateError, match=message):
        MixedControl(hua_arm(), reference, 1.0, 1.0)


def test_wrong_sines_are_told():
    with pytest.raises(StateError, match="a sine needs the number of joints: give arrays, or n"):
        Sine(0.5, 1.0)
    with pytest.raises(StateError, match=r"of a sine do not fit together: \(2,\), \(3,\), \(\), \(\)"):
        Sine([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(StateError, match=r"do not fit together: \(2,\), \(\), \(\), \(\), and n = 3"):
        Sine([1.0, 2.0], 1.0, n=3)
    with pytest.raises(StateError, match="frequency of a reference must be finite"):
        Sine(0.5, np.inf, n=2)


def test_states_of_the_wrong_size_are_named():
    control = MixedControl(hua_arm(), np.zeros(3), 1.0, 1.0)
    with pytest.raises(StateError, match="q has size 3, expected nq = 4"):
        control.torque(0.0, np.zeros(3), np.zeros(4))
    with pytest.raises(StateError, match=r"qd\[3\] \(joint 'motor_3'\) is nan"):
        control.torque(0.0, np.zeros(4), [0, 0, 0, np.nan])
    late = MixedControl(hua_arm(), lambda t: np.full((5, 3), np.nan if t > 1 else 0.0), 1.0, 1.0)
    with pytest.raises(StateError, match="reference.* is nan; every input must be finite"):
        late.torque(2.0, np.zeros(4), np.zeros(4))
