"""The judgment of `make soak`: what is the same passes, what differs, grows or ends does not."""

import numpy as np
import pytest

from soak.__main__ import GROWTH, HANDLES, Worker, table
from soak.worker import Work, compare

GOOD = {"rounds": 10, "differ": [], "failed": [], "memory": 200.0, "handles": 9, "threads": 10}


def worker(warm=GOOD, last=GOOD, code=0):
    made = object.__new__(Worker)
    made.warm, made.last = warm, last
    made.process = type("Process", (), {"returncode": code})()
    return made


@pytest.mark.parametrize(
    "found, wrong",
    [
        ([np.ones(3)], None),
        ([np.ones(3) + 1e-13], None),
        ([np.ones(3) + 1e-11], "differs by"),
        ([np.array([1.0, np.nan, 1.0])], "differs by nan"),
        ([np.ones(4)], "shapes"),
        ([np.ones(3), np.ones(3)], "shapes"),
    ],
)
def test_results_are_compared_to_twelve_digits(found, wrong):
    told = compare([np.ones(3)], found)
    assert told is None if wrong is None else wrong in told


def test_work_that_changes_or_fails_is_put_down():
    answers = iter([[1.0], [2.0]])

    def job():
        try:
            return [np.array(next(answers))]
        except StopIteration:
            work.over.set()
            raise ValueError("no more") from None

    work = Work({"job": job})
    work.go_on(1)
    assert work.rounds == 2
    assert work.differ == ["job: array 0 differs by 1"]
    assert len(work.failed) == 1 and "no more" in work.failed[0]


@pytest.mark.parametrize(
    "change, fault",
    [
        ({}, None),
        ({"memory": 200.0 + GROWTH + 1}, "memory grew by"),
        ({"handles": 9 + HANDLES + 1}, "handles grew from 9"),
        ({"threads": 30}, "threads grew from 10 to 30"),
        ({"differ": ["a"]}, "differs: a"),
        ({"failed": ["b"]}, "failed: b"),
        ({"rounds": 0}, "nothing was done"),
    ],
)
def test_what_grows_differs_or_fails_is_a_fault(change, fault):
    faults = worker(last={**GOOD, **change}).faults()
    assert not faults if fault is None else fault in faults[0]
    assert "| 0 | " in table([worker(last={**GOOD, **change})])


def test_a_process_that_ends_is_a_fault():
    assert worker(code=-11).faults() == ["the process ended with -11"]
