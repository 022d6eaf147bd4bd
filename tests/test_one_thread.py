"""Threads of linear algebra are held, and let go."""

import os
import threading

import numpy as np
import pytest

from lissom import one_thread as module
from lissom.one_thread import FEW, one_thread

library = module._numpy()
pytestmark = pytest.mark.skipif(library is None, reason="NumPy uses another library here")


@pytest.fixture
def two():
    before = library.get()
    library.set(2)
    yield library.get
    library.set(before)


def test_threads_are_held_inside_and_as_before_afterwards(two):
    with one_thread(FEW + 1):
        assert two() == 1
        with one_thread(FEW + 1):
            assert two() == 1
        assert two() == 1
    assert two() == 2
    with pytest.raises(ValueError, match="lost"), one_thread(FEW + 1):
        raise ValueError("lost")
    assert two() == 2


def test_small_matrices_change_nothing(two):
    with one_thread(FEW):
        assert two() == 2


def test_the_last_of_several_threads_lets_go(two):
    inside, leave = threading.Event(), threading.Event()

    def stay():
        with one_thread(100):
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=stay)
    thread.start()
    assert inside.wait(10)
    with one_thread(100):
        pass
    assert two() == 1  # the other is still there
    leave.set()
    thread.join()
    assert two() == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_threads_that_it_does_not_have(two):
    inside, leave = threading.Event(), threading.Event()

    def stay():
        with one_thread(100):
            inside.set()
            leave.wait(10)

    def forked(expected):
        if (child := os.fork()) == 0:
            alone = two()
            with one_thread(100):
                held = two()
            os._exit((alone, held, two()) != expected)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    thread = threading.Thread(target=stay)
    thread.start()
    assert inside.wait(10) and two() == 1
    assert forked((2, 1, 2))  # the other thread is not in the child
    with one_thread(100):
        assert forked((1, 1, 1))  # this one is, and still inside
    leave.set()
    thread.join()
    assert two() == 2


def test_eigenvectors_are_the_same():
    A = np.random.default_rng(1).normal(size=(40, 40))
    with one_thread(40):
        values, ways = np.linalg.eigh(A + A.T)
    assert np.allclose(ways @ np.diag(values) @ ways.T, A + A.T)
