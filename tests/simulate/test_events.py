"""Moments of a motion."""

import numpy as np
import pytest

from lissom import SimulationWarning, StateError
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
    assert robot.simulate(*START, 1.0, events=[stop, passes_down]).t[-1] == pytest.approx(0.25, abs=1e-14)


def test_events_that_never_happen_are_said(robot):
    def far(t, q, qd):
        return q[0] - 100.0

    trajectory = robot.simulate(*START, 0.1, events=[far, passes_down])
    assert trajectory.unfired == ("far", "passes_down") and trajectory.events == ()
    with pytest.warns(SimulationWarning, match="event 'far' never happened: its function did not pass through zero from below"):
        robot.simulate(*START, 0.1, events=Event(far, required=True, direction=1))


def test_mistakes_in_events_are_refused(robot):
    with pytest.raises(StateError, match=r"events\[0\] is int, expected a function g\(t, q, qd\) or lissom.simulate.Event"):
        robot.simulate(*START, 0.1, events=[3])
    with pytest.raises(StateError, match=r"events must be functions g\(t, q, qd\) or lissom.simulate.Event, got int"):
        robot.simulate(*START, 0.1, events=3)
    with pytest.raises(StateError, match="direction of event 'passes_down' is 2, expected -1, 0 or 1"):
        robot.simulate(*START, 0.1, events=Event(passes_down, direction=2))
    with pytest.raises(StateError, match=r"events are for one state, and q0 holds \(3,\)"):
        robot.simulate(np.zeros((3, 2)), np.zeros(2), 0.1, events=passes_down, method="rk4", dt=0.1)
