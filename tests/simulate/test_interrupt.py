"""Ctrl-C while a simulation runs: the interrupt carries the trajectory so far, by every method."""

import os
import pickle
import signal

import numpy as np
import pytest

from lissom import Interrupted, SimulationError, Trajectory
from lissom.robots import planar_two_link
from lissom.simulate import Event, Status
from lissom.simulate.variable_steps import OwnSteps

START = ([0.2, 0.3], [0.0, 0.1])
FIXED = {"method": "rk4", "dt": 0.01}
METHODS = [{}, {"method": "implicit"}, {"method": "auto"}, FIXED, FIXED | {"sample": 0.04}, {"hold": 0.05}]


@pytest.fixture(scope="module")
def robot():
    return planar_two_link()


@pytest.fixture
def keyboard():
    """Let Ctrl-C raise KeyboardInterrupt, even where the tests run as a background job that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def check_rows(kept):
    parts = (kept.t, kept.q, kept.qd, kept.qdd, kept.tau)
    assert all(np.isfinite(x).all() and len(x) == len(kept) for x in parts) and (np.diff(kept.t) > 0).all()
    tau = kept.robot.inverse_dynamics(kept.q, kept.qd, kept.qdd)
    assert np.abs(tau - kept.tau).max() < 1e-9


@pytest.mark.parametrize("options", METHODS, ids=str)
@pytest.mark.parametrize("throw", [True, False])
def test_the_interrupt_carries_the_trajectory(robot, keyboard, options, throw):
    def torque(t, q, qd):
        if t > 0.3:
            keyboard()
        return -qd

    with pytest.raises(Interrupted, match=r"stopped from the keyboard at t = 0\.\d* s") as caught:
        robot.simulate(*START, 1.0, torque, throw=throw, **options)
    kept = caught.value.result
    assert isinstance(kept, Trajectory) and kept.status is Status.INTERRUPTED and kept.message == str(caught.value)
    assert 0.2 < kept.t[-1] < 0.36
    check_rows(kept)


def test_a_batch_keeps_whole_rows(robot, keyboard):
    def torque(t, q, qd):
        if t > 0.3:
            keyboard()
        return -qd

    with pytest.raises(Interrupted) as caught:
        robot.simulate(np.zeros((500, 2)), np.ones(2), 1.0, torque, sample=0.04, **FIXED)
    kept = caught.value.result
    assert kept.q.shape[1:] == (500, 2) and kept.t[-1] == pytest.approx(0.3)
    check_rows(kept)


def test_a_batch_in_threads_is_not_written_to_once_the_trajectory_is_there(robot, keyboard):
    """So many states that a step is split: all of them are the same, and stay so."""
    steps = []

    def progress(t, duration):
        steps.append(t)
        if len(steps) == 3:
            keyboard()

    with pytest.raises(Interrupted) as caught:
        robot.simulate(np.zeros((60_000, 2)), np.ones(2), 10.0, [0.1, 0.0], sample=0.02, progress=progress, **FIXED)
    kept = caught.value.result
    assert len(kept) > 1 and (kept.q == kept.q[:, :1]).all() and (kept.qdd == kept.qdd[:, :1]).all()


def test_a_second_ctrl_c_does_not_take_the_trajectory_away(robot, keyboard, monkeypatch):
    settle = OwnSteps._settle

    def impatient(self):
        keyboard()
        settle(self)

    monkeypatch.setattr(OwnSteps, "_settle", impatient)

    def torque(t, q, qd):
        if t > 0.3:
            keyboard()
        return -qd

    with pytest.raises(Interrupted) as caught:
        robot.simulate(*START, 1.0, torque)
    check_rows(caught.value.result)
    assert caught.value.result.t[-1] > 0.2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_a_failed_run_is_put_together_is_not_lost(robot, keyboard, monkeypatch):
    rescue = OwnSteps.rescue

    def impatient(self):
        keyboard()
        rescue(self)

    monkeypatch.setattr(OwnSteps, "rescue", impatient)
    with pytest.raises(Interrupted) as caught:
        robot.simulate(*START, 1.0, lambda t, q, qd: -qd if t < 0.3 else [np.nan, 0.0], throw=False)
    assert caught.value.result.status is Status.CONTROLLER_FAILED
    assert isinstance(caught.value.__cause__, SimulationError)


def test_where_the_program_ignores_ctrl_c_it_stays_ignored(robot):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:

        def torque(t, q, qd):
            os.kill(os.getpid(), signal.SIGINT)
            return -qd

        assert robot.simulate(*START, 0.1, torque).status is Status.FINISHED
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_events_until_then_are_kept(robot, keyboard):
    def torque(t, q, qd):
        if t > 0.3:
            keyboard()
        return np.zeros(2)

    early = Event(lambda t, q, qd: t - 0.1, "early")
    with pytest.raises(Interrupted) as caught:
        robot.simulate(*START, 1.0, torque, events=[early, Event(lambda t, q, qd: t - 0.9, "late")])
    assert [e.name for e in caught.value.result.events] == ["early"] and caught.value.result.unfired == ("late",)


def test_an_interrupt_is_a_keyboard_interrupt_and_can_be_pickled():
    error = Interrupted("stopped", 7)
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, KeyboardInterrupt) and not isinstance(again, Exception)
    assert again.result == 7 and str(again) == "stopped"
