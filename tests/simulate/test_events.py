"""Moments of a motion."""

import warnings

import numpy as np
import pytest

from lissom import SimulationError, SimulationWarning, StateError
from lissom.robots import planar_two_link
from lissom.simulate import Event, Status

METHODS = [{}, {"method": "rk4", "dt": 1e-3}]
START = ([0.0, 0.0], [0.0, 0.0])


@pytest.fixture(scope="module")
def robot():
    return planar_two_link()


def passes_down(t, q, qd):
    return q[0] + 1.0


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_events_are_found_in_time_and_state(robot, options):
    trajectory = robot.simulate(*START, 1.0, events=passes_down, **options)
    assert trajectory.status is Status.FINISHED and trajectory.t[-1] == 1.0
    (event, *_) = trajectory.events
    assert event.name == "passes_down"
    assert event.q[0] == pytest.approx(-1.0, abs=1e-12)
    assert trajectory.at(event.t).q[0] == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_terminal_event_ends_the_motion_there(robot, options):
    trajectory = robot.simulate(*START, 5.0, events=[Event(passes_down, terminal=True)], sample=0.1, **options)
    assert trajectory.status is Status.EVENT and "terminal" in trajectory.status.advice
    assert trajectory.q[-1, 0] == pytest.approx(-1.0, abs=1e-12)
    assert trajectory.t[-1] == trajectory.events[0].t and (np.diff(trajectory.t) > 0).all()
    assert trajectory.t[-2] == pytest.approx(0.1 * (len(trajectory) - 2))
    assert np.isfinite(trajectory.qdd).all()


def test_methods_agree_on_when(robot):
    a, b = (robot.simulate(*START, 1.0, events=passes_down, **options).events[0].t for options in METHODS)
    assert a == pytest.approx(b, abs=1e-8)


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_direction_counts(robot, options):
    def turns(t, q, qd):
        return qd[0]

    both = robot.simulate(*START, 3.0, events=Event(turns), **options).events
    up, down = (robot.simulate(*START, 3.0, events=Event(turns, direction=d), **options).events for d in (1, -1))
    assert len(up) + len(down) == len(both) and up and down
    assert sorted([e.t for e in (*up, *down)]) == pytest.approx([e.t for e in both], abs=1e-9)


def test_attributes_as_scipy_has_them(robot):
    def stop(t, q, qd):
        return t - 0.25

    stop.terminal, stop.direction = True, 1
    assert robot.simulate(*START, 1.0, events=[stop, Event(passes_down, required=False)]).t[-1] == pytest.approx(0.25, abs=1e-14)


def test_events_that_never_happen_are_said(robot):
    def far(t, q, qd):
        return q[0] - 100.0

    with pytest.warns(SimulationWarning) as caught:
        trajectory = robot.simulate(*START, 0.1, events=[far, passes_down])
    assert [str(w.message).split(":")[0] for w in caught] == [f"event {name!r} never happened" for name in ("far", "passes_down")]
    assert {w.filename for w in caught} == {__file__}
    assert trajectory.unfired == ("far", "passes_down") and trajectory.events == () and trajectory.status is Status.FINISHED


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_how_close_an_event_came_is_said(robot, options):
    def parabola(t, q, qd):
        return (t - 0.25) ** 2 + 0.5  # least at 0.25 s

    words = (
        "event 'parabola' never happened: its function did not pass through zero from below; it lay between 0.5 and 1.062, "
        "closest to zero with 0.5 at t = 0.25 s, and was 1.062 at the end. Event(..., required=False) silences this, "
        "required=True makes it an error"
    )
    with pytest.warns(SimulationWarning) as caught:
        robot.simulate(*START, 1.0, events=Event(parabola, direction=1), sample=0.05, **options)
    assert [str(w.message) for w in caught] == [words]


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_required_event_that_never_happens_fails_the_run_and_keeps_it(robot, options):
    far = Event(lambda t, q, qd: q[0] - 100.0, "far", required=True)
    with pytest.raises(SimulationError, match="event 'far' never happened: .* the duration is too short") as caught:
        robot.simulate(*START, 0.1, events=[far, Event(passes_down)], **options)
    error = caught.value
    assert error.status is Status.EVENT_MISSED and error.time == pytest.approx(0.1) and error.trajectory.t[-1] == 0.1
    plain = robot.simulate(*START, 0.1, **options)
    kept = robot.simulate(*START, 0.1, events=far, throw=False, **options)
    assert kept.status is Status.EVENT_MISSED and kept.unfired == ("far",) and np.isfinite(kept.tau).all()
    assert np.allclose(kept.q, plain.q, rtol=0, atol=1e-12) and kept.message in str(caught.value).replace("\n", " ")


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_events_that_need_not_happen_are_silent(robot, options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trajectory = robot.simulate(*START, 0.1, events=Event(passes_down, required=False), **options)
        assert trajectory.unfired == ("passes_down",)
        # terminal events are alternatives; a run that fails for another reason says that alone
        stop = Event(lambda t, q, qd: t - 0.05, "stop", terminal=True)
        ended = robot.simulate(*START, 0.1, events=[stop, Event(passes_down, terminal=True)], **options)
        assert ended.status is Status.EVENT and ended.unfired == ("passes_down",)
        failed = robot.simulate(*START, 0.1, lambda t, q, qd: 1 / 0, events=[Event(passes_down)], throw=False, **options)
        assert failed.status is Status.CONTROLLER_FAILED
    with pytest.warns(SimulationWarning, match="event 'passes_down' never happened"):
        robot.simulate(*START, 0.1, events=[stop, Event(passes_down)], **options)


def test_functions_without_a_name_are_told_apart(robot):
    fires, rests = (lambda t, q, qd: t - 0.05), (lambda t, q, qd: t - 5.0)
    with pytest.warns(SimulationWarning, match="event 'event 1' never happened"):
        trajectory = robot.simulate(*START, 0.1, events=[fires, rests])
    assert [e.name for e in trajectory.events] == ["event 0"] and trajectory.unfired == ("event 1",)


def test_mistakes_in_events_are_refused(robot):
    with pytest.raises(StateError, match=r"events\[0\] is int, expected a function g\(t, q, qd\) or lissom.simulate.Event"):
        robot.simulate(*START, 0.1, events=[3])
    with pytest.raises(StateError, match=r"events must be functions g\(t, q, qd\) or lissom.simulate.Event, got int"):
        robot.simulate(*START, 0.1, events=3)
    with pytest.raises(StateError, match=r"events\[0\] is Event\(str, function\), expected a function g.* and then a name"):
        robot.simulate(*START, 0.1, events=[Event("low", lambda t, q, qd: q[0])])
    with pytest.raises(StateError, match="direction of event 'passes_down' is 2, expected -1, 0 or 1"):
        robot.simulate(*START, 0.1, events=Event(passes_down, direction=2))
    with pytest.raises(StateError, match="required of event 'passes_down' is 'yes', expected True, False or None"):
        robot.simulate(*START, 0.1, events=Event(passes_down, required="yes"))
    with pytest.raises(StateError, match=r"events need one state, and q0 holds \(3,\)"):
        robot.simulate(np.zeros((3, 2)), np.zeros(2), 0.1, events=passes_down, method="rk4", dt=0.1)
