"""Locks: made once in many threads, free in a forked process."""

import os
import threading
import time

import pytest

from lissom.locks import Lock, StillAtFork, lazy_property, once, once_property


def together(count, work):
    barrier, results = threading.Barrier(count), [None] * count

    def run(k):
        barrier.wait()
        results[k] = work()

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_a_function_runs_once_for_threads_that_come_together():
    calls = []

    @once
    def make(name):
        calls.append(name)
        time.sleep(0.05)
        return object()

    results = together(8, lambda: make("a"))
    assert calls == ["a"] and len(set(map(id, results))) == 1
    assert make("b") is not results[0]
    make.cache_clear()
    make("a")
    assert calls == ["a", "b", "a"]


def test_a_call_that_raises_is_made_again():
    calls = []

    @once
    def fail():
        calls.append(1)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fail()
    assert len(calls) == 2


class Thing:
    def __init__(self):
        self.calls = []

    @once_property
    def slow(self):
        """What it is."""
        self.calls.append("slow")
        time.sleep(0.05)
        return object()

    @lazy_property
    def plain(self):
        time.sleep(0.01)
        return object()


def test_a_property_is_made_once_for_threads_that_come_together():
    thing = Thing()
    assert len(set(map(id, together(8, lambda: thing.slow)))) == 1
    assert thing.calls == ["slow"]
    assert Thing.slow.__doc__ == "What it is."


def test_all_threads_get_the_same_lazy_value():
    thing = Thing()
    assert len(set(map(id, together(8, lambda: thing.plain)))) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("kind", [Lock, StillAtFork])
def test_a_lock_that_a_thread_holds_is_free_in_a_forked_process(kind):
    lock, held, leave = kind(), threading.Event(), threading.Event()

    def hold():
        with lock:
            held.set()
            leave.wait(0.2 if kind is StillAtFork else 60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        taken = threading.Thread(target=lock.acquire, daemon=True)
        taken.start()
        taken.join(30)
        os._exit(taken.is_alive())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    leave.set()
    thread.join()
    with lock:
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_waits_for_whoever_is_inside_a_library():
    lock, held, done = StillAtFork(), threading.Event(), []

    def hold():
        with lock:
            held.set()
            time.sleep(0.2)
            done.append(1)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        os._exit(len(done))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    thread.join()
