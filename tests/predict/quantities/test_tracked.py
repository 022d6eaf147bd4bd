"""Goals that follow a target: derivatives beside differences, integrals beside closed forms, errors."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, StateError
from lissom.nlp import check_derivatives
from lissom.predict.data.motion import idle
from lissom.predict.search.run import Run

ARM = lissom.robots.rr()
ONE, TWO = ARM.joint_names


def problem(duration=1.0, count=9, instants=2):
    return MotionProblem(ARM, control_points=count, duration=duration, points_per_span=instants)


def whole(p):
    """Return the transcription of a problem and random unknowns."""
    path = lissom.SplinePath(np.zeros((p.basis.count, 2)), 1.0, p.basis.degree)
    found = Run(p, "ipopt", 1e-8, 10, {}, None)._transcription(idle(path, p.channels), {})
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-0.7, 0.7, found.size), [2.2], np.full(len(found.parts.peaks), 9.0)])
    found.lower[:], found.upper[:] = -np.inf, np.inf
    found.lower[found.size] = 1e-3
    return found, x


def curve(s):
    return [0.4 + 0.3 * np.cos(2.0 * s), 0.2 * s]


@pytest.mark.parametrize(
    ("quantity", "options"),
    [
        ("position", {"target": curve}),
        ("torque", {"target": [[1.0, 2.0], [3.0, -1.0], [0.0, 0.5]], "weights": [0.0, 1.0, 4.0], "scale": [2.0, 0.5]}),
        ("torque", {"entries": [TWO], "target": [1.0, 2.0, 0.0], "weights": lambda s: 1.0 - s}),
        ("link_position", {"link": "link_2", "entries": ["x", "y"], "target": curve, "weights": [[1.0, 2.0], [3.0, 0.5]]}),
        ("power", {"weights": [1.0, 3.0], "square": False}),
    ],
)
def test_derivatives_of_tracking_goals_are_those_of_differences(quantity, options):
    p = problem((0.5, 3.0)).minimize("integral", 1.3, quantity, **options).minimize("time")
    found, x = whole(p)
    told = check_derivatives(found.nlp(), x, factor=1.1, tolerance=1e-5)
    assert told.ok, told


def test_peaks_follow_targets_too():
    p = problem((0.5, 3.0)).minimize("peak", 1.0, "position", target=curve, scale=0.3)
    found, x = whole(p)
    assert check_derivatives(found.nlp(), x, tolerance=1e-5).ok
    way = problem(1.0).start(curve(0.0), None).end(None, None).minimize("peak", 1.0, "position", target=curve).solve()
    s = np.linspace(0, 1, 50)
    assert np.abs(way.states(s)[0] - np.array([curve(x) for x in s])).max() < 1e-3


def test_integrals_are_those_of_squares_of_differences():
    p = problem(0.8, instants=40).start([0.1, 0.2]).end([0.5, -0.2])
    p.minimize("integral", 2.0, "position", target=curve, weights=lambda s: 1.0 + s, scale=[0.5, 2.0])
    found = p.solve()
    s, w = np.polynomial.legendre.leggauss(200)
    s, w = (s + 1) / 2, w / 2
    q = found.states(0.8 * s)[0]
    rate = (((q - np.array([curve(x) for x in s])) / [0.5, 2.0]) ** 2).sum(axis=1) * (1 + s)
    assert found.goals[0].value == pytest.approx(0.8 * (w @ rate), rel=2e-4)
    assert found.objective == pytest.approx(2.0 * found.goals[0].value, rel=1e-9)
    assert found.goals[0].label == "integral of weighted ((position - target)/scale)^2 [s]"


def test_a_reachable_target_is_followed():
    p = problem(1.0, 12).minimize("integral", 1.0, "position", target=curve)
    t = np.linspace(0, 1, 31)
    assert np.abs(p.solve().states(t)[0] - np.array([curve(x) for x in t])).max() < 1e-4


@pytest.mark.parametrize("square", [True, False])
def test_forms_of_targets_and_weights_agree(square):
    target = {} if not square else {"target": 0.3}
    rows = {} if not square else {"target": [[0.3, 0.3], [0.3, 0.3], [0.3, 0.3]]}
    function = {} if not square else {"target": lambda s: 0.3}
    named = {} if not square else {"target": {ONE: 0.3, TWO: 0.3}}
    values = []
    for given, weights in (
        (target, [1.0, 2.0]),
        (rows, [[1, 1], [1.5, 1.5], [2, 2]]),
        (function, lambda s: 1 + s),
        (named, [1, 2]),
    ):
        p = problem().minimize("integral", 1.0, "position", weights=weights, square=square, **given)
        found, x = whole(p)
        found.evaluate(x)
        values.append(found.objective(x))
    assert values == pytest.approx([values[0]] * 4, rel=1e-12)


def test_quantities_with_a_target_of_their_own_keep_it():
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    p = problem().start([0.0, 0.0]).minimize("integral", 1.0, "orientation", link="link_2", target=R, weights=[1.0, 2.0])
    assert "target" not in p.goals[0]
    assert p.parts.integrals[0].quantity.quantity.options["target"] == tuple(map(tuple, R))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": [1.0, 2.0, 3.0]}, r"target of torque is of shape \(3,\), expected a number, \(2,\), \(m, 2\) over equal"),
        ({"target": "up"}, "target of torque is no array of numbers"),
        ({"target": [[1.0, np.nan]]}, "target of torque is not finite in row 0"),
        ({"target": lambda s: [1.0, 2.0, 3.0]}, "target of torque at the fraction 0 is .*, expected 2 finite numbers"),
        ({"target": lambda s: np.inf}, "target of torque at the fraction 0 is .*, expected 2 finite numbers"),
        ({"target": {ONE: 1.0}}, f"target of torque has no value for '{TWO}'"),
        ({"target": {"elbo": 1.0}}, "target of torque: no entry 'elbo'"),
        ({"weights": [-1.0, 1.0]}, "weights of torque are -1 to 1, expected zero or more"),
        ({"weights": lambda s: 0.0}, "weights of torque are 0 to 0, expected zero or more, and not zero all the time"),
        ({"target": 1.0, "square": False}, "with square=False has no least value"),
    ],
)
def test_wrong_targets_are_refused(options, message):
    with pytest.raises(StateError, match=message):
        problem().minimize("integral", 1.0, "torque", **options)
    with pytest.raises(StateError, match=r"goal 'time' takes no"):
        problem().minimize("time", **options)


def test_states_without_instants_have_no_target():
    found = problem().minimize("integral", 1.0, "position", target=0.5).parts.integrals[0].quantity
    with pytest.raises(StateError, match="this State has no fractions of the duration"):
        found.values(lissom.predict.State((np.zeros((2, 2)),) * 4))


def test_channels_come_before_the_torques_that_follow_a_target():
    p = problem().minimize("integral", 1.0, "torque", target=0.5)
    with pytest.raises(StateError, match="torque is limited or minimized already; add channel 'push' before"):
        p.channel("push", "fx", link="link_2")
