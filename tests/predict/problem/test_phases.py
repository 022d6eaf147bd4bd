"""Phases as a problem is told of them: spans, durations, and what cannot be."""

import numpy as np
import pytest

from lissom import ContradictionError, MotionProblem, StateError
from support.timing import cart

CART = cart()


def problem(**options):
    return MotionProblem(CART, **{"control_points": 13, **options})


def test_spans_are_shared_out_by_duration_one_at_least():
    p = problem().phases({"short": 0.001, "long": 0.7, "third": 0.3})
    ends = p.basis.span_ends
    assert p.basis.spans == 10 and np.isin(p.timing.ends, ends).all()
    counts = np.diff(np.searchsorted(ends, p.timing.ends))
    assert counts.tolist() == [1, 6, 3] and p.duration == pytest.approx((1.001, 1.001))
    assert p.basis.count == 13  # as smooth at boundaries as elsewhere: no more control points
    q = problem().phases({"a": 0.5, "b": (0.2, 0.8)}, spans={"a": 2, "b": 5}, smooth=1)
    assert q.basis.spans == 7 and q.duration == (0.7, 1.3)
    assert sorted(q.basis.smooth) == [0, 2, 2, 2, 2, 2]  # only continuous where a duration is free: rows make it smooth
    assert MotionProblem(CART, control_points=4).phases({"a": 1, "b": 1, "c": 1}).basis.spans == 3


def test_a_duration_that_is_given_holds_beside_those_of_phases():
    p = problem(duration=(0.8, 1.0)).phases({"a": (0.2, 0.8), "b": (0.2, 0.8)})
    assert p.duration == (0.8, 1.0)
    p.start([0.0]).end([1.0]).minimize("time")
    assert p.solve().duration == pytest.approx(0.8)
    assert [equation.label for equation in p.equations(p.basis)] == ["duration"]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda p: p.phases({}), r"phases are \{\}, expected durations \[s\] by name"),
        (lambda p: p.phases([0.1, 0.2]), "expected durations"),
        (lambda p: p.phases({" ": 1.0}), "the name of a phase is ' ', expected text"),
        (lambda p: p.phases({"a": -1.0}), "phase 'a': duration is -1.0, expected"),
        (lambda p: p.phases({"a": (0.5, 0.2)}), "phase 'a': duration is"),
        (lambda p: p.phases({"a": 1.0, "b": 1.0}, smooth=3), "smooth is 3, expected"),
        (lambda p: p.phases({"a": 1.0, "b": 1.0}, smooth=0), "smooth is 0, expected"),
        (lambda p: p.phases({"a": 1.0}, spans={"b": 1}), "spans: no phase 'b'"),
        (lambda p: p.phases({"a": 1.0, "b": 1.0}, spans={"b": 1}), "spans has no number for phase 'a'"),
        (lambda p: p.phases({"a": 1.0}, spans=3), "spans are 3, expected a number of spans for each phase"),
        (lambda p: p.phases({"a": 1.0}).phases({"b": 1.0}), "the problem has phases already"),
        (lambda p: p.limit("velocity", -1, 1).phases({"a": 1.0}), "phases come before limits, goals and channels"),
        (lambda p: p.minimize("time").phases({"a": 1.0}), "phases come before limits, goals and channels"),
        (lambda p: p.limit("velocity", -1, 1, during="a"), "no phase 'a': the problem has no phases"),
    ],
)
def test_wrong_phases_are_refused(act, words):
    with pytest.raises(StateError, match=words):
        act(problem())


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda p: p.limit("velocity", -1, 1, during="lif"), "no phase 'lif'; did you mean 'lift'"),
        (lambda p: p.limit("velocity", -1, 1, during=[]), "during is empty"),
        (lambda p: p.limit("velocity", -1, 1, during=["lift", "lift"]), "names the phase 'lift' twice"),
        (lambda p: p.minimize("time", during="lift"), "goal 'time' takes no during="),
        (lambda p: p.channel("c", "x", during=["lift", "put"]), "'carry' is missing: expected phases one after the other"),
        (lambda p: p.limit("velocity", -1, 1, at=0.5), "fractions of a time whose phases have free durations"),
        (lambda p: p.limit("velocity", -1, 1, at=0.5, during=["lift", "carry"]), "fractions of a time whose phases have free"),
        (lambda p: p.limit("velocity", -1, 1, at=0.5, during=["lift", "put"]), "at= with during= needs one phase"),
        (lambda p: p.limit("velocity", -1, 1, at="knots"), "at='knots' is for equations"),
        (lambda p: p.limit("velocity", 0, 0, at="knot"), "at is 'knot', expected fractions of the duration"),
        (lambda p: p.limit("velocity", -1, 1, hull=True, during="lift"), "hull=True holds at all times, during= only in some"),
        (
            lambda p: p.channel("c", "x", during="lift").limit("c", -1, 1, hull=True),
            "hull=True holds at all times, during= only in some",
        ),
        (
            lambda p: p.start([0.0]).limit("position", 1.0, 2.0, during="lift"),
            "the start's position of slide, 0 m, breaks a limit",
        ),
        (lambda p: p.end([0.0]).limit("position", 1.0, 2.0, during="put", at=1.0), "the end's position of slide, 0 m, breaks"),
        (
            lambda p: p.limit("velocity", -1, 1, during="lift").limit("velocity", 2, 3, during=["lift", "put"]),
            "limits contradict each other",
        ),
    ],
)
def test_wrong_uses_of_phases_are_refused(act, words):
    with pytest.raises(StateError, match=words):
        act(problem().phases({"lift": 0.2, "carry": (0.3, 0.6), "put": 0.2}))


def test_limits_of_other_phases_do_not_contradict():
    p = problem().phases({"lift": 0.2, "carry": (0.3, 0.6), "put": 0.2}, smooth=1).start([0.0]).end([0.0])
    p.limit("position", 0.4, 2.0, during="carry").limit("position", -1.0, 0.5, during=["lift", "put"])
    p.limit("position", 0.5, 0.5, during="lift", at=1.0).limit("position", 1.0, 1.0, during="carry", at=0.5)
    p.limit("acceleration", 1.0, 2.0, during="lift", at=1.0).limit("acceleration", -2.0, -1.0, during="carry", at=0.0)  # it jumps
    p.limit("velocity", 0.0, 1.0, during="lift").limit("velocity", -1.0, 0.0, during="put")
    assert len(p.parts.limits) == 8


@pytest.mark.parametrize(
    ("one", "two", "where"),
    [
        (("position", 0.3, 0.4, {"during": "lift"}), ("position", 0.6, 0.7, {"during": "carry"}), "lift' ends and 'carry"),
        (
            ("position", 0.6, 0.7, {"during": ["carry", "put"]}),
            ("position", 0.3, 0.4, {"during": "lift", "at": [0.5, 1.0]}),
            "lift' ends and 'carry",
        ),
        (
            ("velocity", 1, 1, {"during": "carry", "at": 1.0}),
            ("velocity", 2, 3, {"during": "put", "at": 0.0}),
            "carry' ends and 'put",
        ),
        (("position", 0.3, 0.4, {}), ("position", 0.6, 0.7, {"during": "carry", "at": 0.5}), None),
        (("acceleration", 0, 0, {"at": 0.0}), ("acceleration", 1, 2, {"during": "lift"}), None),
    ],
)
def test_limits_of_phases_that_meet_may_contradict(one, two, where):
    p = problem().phases({"lift": 0.2, "carry": (0.3, 0.6), "put": 0.2}, smooth=1)
    for first, second in ((one, two), (two, one)):
        own = p.copy().limit(*first[:3], **first[3])
        said = "slide .*, and .*" + ("" if where is None else f" where phase '{where}' begins")
        with pytest.raises(ContradictionError, match="limits contradict each other: .*" + said) as caught:
            own.limit(*second[:3], **second[3])
        assert (where is None) == ("where phase" not in str(caught.value))


def test_phases_that_cannot_meet_the_duration_do_not_add_up():
    with pytest.raises(
        StateError, match="the phases do not add up: together they take 0.4 s, the duration of the problem is 1 s"
    ):
        problem(duration=1.0).phases({"a": 0.1, "b": 0.3})
    with pytest.raises(StateError, match=r"together they take 2.1 to 2.3 s, the duration of the problem is 0.5 to 2 s"):
        problem(duration=(0.5, 2.0)).phases({"a": 0.1, "b": (2.0, 2.2)})


def test_channels_alone_are_limited_where_they_live():
    p = problem().phases({"a": 0.5, "b": 0.5}).channel("c", "x", unit="N", during="b").limit("c", 1.0, 2.0)
    p.minimize("integral", 1.0, "c").start([0.0]).end([1.0])
    assert p.parts.limits[0].during == p.parts.integrals[0].during == (1,)
    found = p.minimize("integral", 1.0, "torque").solve()
    assert found.success and found.channel("c", 0.2)[0] == 0.0 and found.channel("c", 0.7)[0] == pytest.approx(1.0, abs=1e-4)
