"""Threads: how many, how a batch is cut, forks, and several threads on one robot."""

import os
import threading

import numpy as np
import pytest

import lissom
from lissom import Robot, StateError
from lissom.compiler import threads
from lissom.compiler.threads import SPLIT
from lissom.robots import tree_model
from support.states import random_states

LARGE = 40_000  # samples of the robots here that are split
BIG = 2 * LARGE + 77
COUNT = "import lissom; print(lissom.get_threads())"


@pytest.fixture(autouse=True)
def restore_threads():
    before = lissom.get_threads()
    yield
    lissom.set_threads(before)


@pytest.fixture(scope="module")
def robot():
    return Robot(tree_model(3, seed=5), backend="llvm")


@pytest.mark.parametrize("n", [0, -1, 1.5, "2", None, True, 2.0])
def test_what_is_no_number_of_threads_is_refused(n):
    before = lissom.get_threads()
    with pytest.raises(StateError, match="the number of threads must be a whole number of at least 1, got "):
        lissom.set_threads(n)
    assert lissom.get_threads() == before


def test_what_is_set_is_used():
    lissom.set_threads(5)
    assert lissom.get_threads() == 5


def test_number_of_threads_is_that_of_the_cpus_at_hand(python):
    expected = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert int(python(COUNT)) == expected


def test_an_empty_environment_variable_is_as_good_as_none(python):
    assert python(COUNT, LISSOM_THREADS="") == python(COUNT)


def test_environment_sets_the_number_of_threads(python):
    assert python(COUNT, LISSOM_THREADS="3") == "3"
    assert python("import lissom; lissom.set_threads(2); print(lissom.get_threads())", LISSOM_THREADS="3") == "2"


@pytest.mark.sweep(2)
@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", os.fsdecode("\N{SUPERSCRIPT TWO}".encode()), " "])
def test_wrong_environment_is_refused(python, text):
    done = python(COUNT, check=False, LISSOM_THREADS=text)
    assert done.returncode
    assert "StateError: LISSOM_THREADS must be a whole number of at least 1, got" in done.stderr


@pytest.mark.parametrize("count", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [1, SPLIT // 2, SPLIT - 1, SPLIT, SPLIT + 63, 5 * SPLIT + 1])
def test_parts_cover_a_batch_once(count, n):
    lissom.set_threads(count)
    seen, lock = [], threading.Lock()

    def work(start, stop):
        with lock:
            seen.append((start, stop))
        return stop - start

    assert threads.split(n, 1, work) == n
    seen.sort()
    assert seen[0][0] == 0
    assert seen[-1][1] == n
    assert [a for a, _ in seen[1:]] == [b for _, b in seen[:-1]]
    assert all(start % 64 == 0 for start, _ in seen)
    assert len(seen) <= count


def test_an_error_in_a_part_reaches_the_caller():
    lissom.set_threads(2)

    def work(start, stop):
        if start:
            raise ZeroDivisionError("in a thread")
        return 0

    with pytest.raises(ZeroDivisionError, match="in a thread"):
        threads.split(4 * SPLIT, 1, work)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("row", [0, LARGE, BIG - 1])
def test_one_bad_number_in_a_large_batch_is_found(robot, count, row):
    lissom.set_threads(count)
    state = random_states(robot.model, BIG, seed=1)
    robot.inverse_dynamics(*state)
    state[1][row, 0] = np.nan
    with pytest.raises(StateError, match=rf"qd\[{row}, 0\] \(joint .* is nan"):
        robot.inverse_dynamics(*state)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_computes_large_batches(robot):
    lissom.set_threads(2)
    state = random_states(robot.model, BIG, seed=1)
    expected = robot.inverse_dynamics(*state)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            good = np.array_equal(robot.inverse_dynamics(*state), expected)
            os.write(write, b"good" if good else b"bad")
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read() == b"good"
    os.waitpid(child, 0)
    assert np.array_equal(robot.inverse_dynamics(*state), expected)


def test_processes_of_a_pool_compute_large_batches(python):
    text = f"""
import multiprocessing, numpy as np
import lissom
from lissom.robots import rr
lissom.set_threads(2)
robot = rr()
def work(k):
    return float(robot.inverse_dynamics(*np.full((3, {BIG}, 2), 0.1 * k)).sum())
work(1)
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, [1, 2, 3]) == [work(k) for k in (1, 2, 3)])
"""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    assert python(text) == "True"


def run_together(count, work):
    failures, barrier = [], threading.Barrier(count)

    def run(k):
        try:
            barrier.wait()
            work(k)
        except BaseException as error:
            failures.append(error)

    together = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for t in together:
        t.start()
    for t in together:
        t.join(60)
    assert not any(t.is_alive() for t in together)
    assert not failures, failures


@pytest.mark.parametrize("n", [None, 3, 300, LARGE // 2 + 5])
def test_threads_may_call_one_robot_at_once(n):
    """Also the first call, which compiles."""
    lissom.set_threads(2)
    robot = Robot(tree_model(4, seed=6, floating=True))
    states = [random_states(robot.model, () if n is None else n, seed=k) for k in range(6)]
    reference = Robot(robot.model)
    expected = [reference.inverse_dynamics(*s) for s in states]

    def work(k):
        out = np.empty_like(expected[k])
        for _ in range(20 if n and n > 1000 else 300):
            assert np.array_equal(robot.inverse_dynamics(*states[k]), expected[k])
            robot.inverse_dynamics(*states[k], out=out)
            assert np.array_equal(out, expected[k])

    run_together(6, work)


def test_the_number_of_threads_may_change_while_others_compute(robot):
    state = random_states(robot.model, LARGE + 100, seed=1)
    expected = robot.inverse_dynamics(*state)

    def work(k):
        for i in range(60):
            if k == 0:
                lissom.set_threads(2 + i % 3)
            assert np.array_equal(robot.inverse_dynamics(*state), expected)

    run_together(3, work)


def test_an_interrupt_waits_for_the_other_parts():
    """What they write to must not change under whoever takes the arrays over."""
    lissom.set_threads(2)
    begun, done = threading.Event(), []

    def work(start, stop):
        if start == 0:
            begun.wait(30)
            raise KeyboardInterrupt
        begun.set()
        threading.Event().wait(0.05)
        done.append(start)
        return 0

    with pytest.raises(KeyboardInterrupt):
        threads.split(SPLIT, 4, work)
    assert done == [SPLIT // 2]
