"""Memory of large results: used again only when nothing refers to it."""

import gc
import pickle
import sys
import threading

import numpy as np
import pytest

import lissom
from lissom.compiler import buffers
from lissom.compiler.buffers import LEAST, MOST, new_array

N = LEAST // 8  # numbers of the smallest array that is lent


@pytest.fixture(autouse=True)
def empty():
    gc.collect()
    buffers._free.clear()
    yield
    buffers._free.clear()


def address(a):
    return a.ctypes.data


def test_memory_that_nobody_holds_is_used_again():
    a = new_array((N, 2))
    assert (a.shape, a.dtype, a.flags.c_contiguous, a.flags.aligned, a.flags.writeable) == ((N, 2), np.float64, True, True, True)
    place = address(a)
    del a
    assert address(new_array((2, N))) == place
    assert address(new_array((2 * N - 7,))) == place  # a little smaller


@pytest.mark.slow
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[3:5],
        lambda a: a.T,
        lambda a: a.reshape(-1)[::2],
        lambda a: a[1:][1:].view(np.int64),
        memoryview,
        lambda a: np.frombuffer(a, dtype=np.uint8),
        lambda a: a[0:1].__array_interface__ and np.asarray(a)[7],
        lambda a: np.lib.stride_tricks.as_strided(a, (3,), (8,)),
    ],
)
def test_a_view_keeps_the_memory(view):
    a = new_array((N, 2))
    place = address(a)
    kept = view(a)
    del a
    gc.collect()
    other = new_array((N, 2))
    assert address(other) != place
    del kept
    gc.collect()
    assert address(new_array((N, 2))) == place


def test_small_and_huge_arrays_are_plain():
    assert new_array((N - 1,)).flags.owndata
    assert new_array((MOST // 8 + 1,)).flags.owndata
    assert new_array(()).shape == ()


def test_no_more_than_two_pieces_wait():
    many = [new_array((N + 200_000 * k,)) for k in range(6)]
    assert not buffers._free
    many.clear()
    assert len(buffers._free) == 2


def test_much_more_memory_than_needed_is_not_lent():
    del_me = new_array((8 * N,))
    place = address(del_me)
    del del_me
    small = new_array((N,))
    assert address(small) != place
    assert address(new_array((7 * N,))) == place  # it waits on


def test_arrays_are_copied_and_pickled_as_any():
    a = new_array((N,))
    a[:] = 3.0
    assert a.copy().flags.owndata
    assert np.array_equal(pickle.loads(pickle.dumps(a)), a)
    assert sys.getrefcount(a) == 2


def test_results_that_are_held_never_change():
    robot = lissom.robots.planar_two_link()
    n = N
    rng = np.random.default_rng(1)
    states = [rng.normal(size=(3, n, 2)) for _ in range(3)]
    expected = [robot.inverse_dynamics(*x, out=np.empty((n, 2))) for x in states]
    held = [robot.inverse_dynamics(*x) for x in states]
    ends = [robot.inverse_dynamics(*x)[-5:] for x in states]
    for a, b, c in zip(held, expected, ends, strict=True):
        assert np.array_equal(a, b)
        assert np.array_equal(c, b[-5:])


def test_threads_do_not_share_memory():
    wrong = []

    def work(k):
        rng = np.random.default_rng(k)
        for turn in range(30):
            a = new_array((N + int(rng.integers(3)),))
            a[:] = k + 100 * turn
            part = a[5:-5:1000]
            del a
            b = new_array((N,))
            b[:] = -1.0
            if not (part == k + 100 * turn).all():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
