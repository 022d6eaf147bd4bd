"""Lowering: every width, any number of columns, programs in pieces, and what is not finite is never missed."""

import functools
import math

import numpy as np
import pytest

from lissom.algorithms.dynamics import inverse_dynamics as tasks
from lissom.compiler import segment
from lissom.compiler.backend import _flag
from lissom.compiler.lower import kernel, memory
from lissom.compiler.lower.kernel import unwatched_inputs
from lissom.robots import tree_model
from support.native import Native, program_of
from support.states import error, random_states

WIDTHS = (1, 2, 4, 8)


@pytest.mark.sweep(40)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n", range(1, 21))
def test_tiles_of_any_number_of_columns_are_transposed(width, n):
    """Every column comes back scaled by its number, in reverse order; rows stay rows."""
    native = Native(program_of(lambda x: [[x[n - 1 - k] * float(n - k) for k in range(n)]], [n], [n]), width)
    for rows in (1, width - 1 or 1, width, width + 1, 3 * width + 2):
        x = np.random.default_rng(n).normal(size=(rows, n))
        flag, (y,) = native(x)
        assert flag == 0
        assert np.array_equal(y, (x * np.arange(1, n + 1))[:, ::-1])


@pytest.mark.parametrize("width", WIDTHS)
def test_several_inputs_and_outputs_of_different_sizes(width):
    program = program_of(
        lambda a, b, c: [[a[0] + b[4]], [b[k] - c[2] for k in range(5)], [c[0], 2.0, a[0]]], [1, 5, 3], [1, 5, 3]
    )
    rng = np.random.default_rng(1)
    a, b, c = (rng.normal(size=(13, n)) for n in (1, 5, 3))
    flag, (x, y, z) = Native(program, width)(a, b, c)
    assert flag == 0
    assert np.array_equal(x, a + b[:, 4:])
    assert np.array_equal(y, b - c[:, 2:])
    assert np.array_equal(z, np.column_stack([c[:, 0], np.full(13, 2.0), a[:, 0]]))


@pytest.mark.parametrize("width", WIDTHS)
def test_every_operation_is_that_of_numpy(width):
    def text(x):
        a, b = x
        return [[a + b, a - b, a * b, a / b, -a, a.sign(), b.sin(), b.cos(), 1.0 / a]]

    x = np.random.default_rng(2).normal(size=(19, 2))
    x[3, 0], x[4, 0] = -1e-300, 1e-300
    _, (y,) = Native(program_of(text, [2], [9]), width)(x)
    a, b = x.T
    expected = np.column_stack([a + b, a - b, a * b, a / b, -a, np.sign(a), np.sin(b), np.cos(b), 1 / a])
    assert np.allclose(y, expected, rtol=1e-15, atol=1e-15)


def test_sign_of_zero_is_zero():
    for width in WIDTHS:
        _, (y,) = Native(program_of(lambda x: [[x[0].sign()]], [1], [1]), width)([[0.0], [-0.0], [2.0], [-2.0], [5e-324]])
        assert y[:, 0].tolist() == [0, 0, 1, -1, 1]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_number_that_is_not_finite_is_reported_wherever_it_stands(width, bad):
    """Input 1 reaches a result, 2 only through its sign, 3 not at all, 0 through a product that could hide it."""
    program = program_of(lambda x: [[x[0] * x[1] + x[2].sign()], [x[1]]], [4], [1, 1])
    native = Native(program, width)
    for rows in (1, width, 2 * width + 1):
        clean = np.zeros((rows, 4))
        assert native(clean)[0] == 0
        for row in range(rows):
            for entry in range(4):
                x = clean.copy()
                x[row, entry] = bad
                assert native(x)[0] == 1


def test_results_too_large_are_reported():
    for width in WIDTHS:
        native = Native(program_of(lambda x: [[x[0] * x[0]]], [1], [1]), width)
        assert native([[1e150]] * 9)[0] == 0
        assert native([[1.0]] * 8 + [[1e200]])[0] == 1


def test_inputs_that_no_result_shows_are_found():
    program = program_of(lambda x: [[x[0] + x[1].sign(), x[3] * 2.0]], [5], [2])
    assert unwatched_inputs(program) == [(0, 1), (0, 2), (0, 4)]
    program = program_of(lambda x: [[x[0].sqrt() + x[1].log(), x[2].exp() + x[3].tanh() + 1.0 / x[4]]], [5], [2])
    assert unwatched_inputs(program) == [(0, 2), (0, 3), (0, 4)]
    program = program_of(lambda x: [[x[0].less(x[1]).select(x[2], x[3])]], [4], [1])
    assert unwatched_inputs(program) == [(0, 0), (0, 1), (0, 2), (0, 3)]


MODEL = tree_model(9, seed=31, floating=True, coupled=0.3, tails=0.3, fixed=0.3)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", [None, 400, 60, 7])
def test_every_width_and_every_cut_of_a_program_gives_the_definition(width, limit, monkeypatch):
    if limit is not None:
        monkeypatch.setattr(kernel, "cut", functools.partial(segment.cut, limit=limit))
    for task in (tasks.inverse_dynamics(MODEL), tasks.joint_wrenches(MODEL, axes="world")):
        program = task.program("tree")
        assert limit is None or len(segment.cut(program, width, limit)[0]) > 1
        native = Native(program, width)
        for rows in (1, width, 3 * width + 1, 40 * width + 3):
            state = random_states(MODEL, rows, seed=rows)
            flag, (y,) = native(*state)
            assert flag == 0
            assert error(y, task.evaluate(state)[0]) < 1e-12
        for argument in range(3):
            state = [x.copy() for x in random_states(MODEL, 2 * width + 1, seed=1)]
            state[argument][width, 2] = np.nan
            assert native(*state)[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_scratch_may_lie_in_memory_of_its_own(width, monkeypatch):
    monkeypatch.setattr(memory, "STACK", 0)
    monkeypatch.setattr(kernel, "cut", functools.partial(segment.cut, limit=100))
    task = tasks.inverse_dynamics(MODEL)
    native = Native(task.program("tree"), width)
    for rows in (1, 3 * width + 1, 40 * width + 3):
        state = random_states(MODEL, rows, seed=rows)
        flag, (y,) = native(*state)
        assert flag == 0
        assert error(y, task.evaluate(state)[0]) < 1e-12


def test_no_memory_for_scratch_is_told():
    with pytest.raises(MemoryError, match="no memory for the intermediate values"):
        _flag(2)
    assert [_flag(flag) for flag in (0, 1)] == [0, 1]


def test_cuts_cover_a_program_and_carry_what_crosses_them():
    program = tasks.inverse_dynamics(MODEL).program("tree")
    for limit in (10, 100, 1000):
        segments, slots = segment.cut(program, 4, limit)
        assert [s.start for s in segments[1:]] == [s.stop for s in segments[:-1]]
        assert (segments[0].start, segments[-1].stop) == (0, len(program.code))
        written = sorted(group for s in segments for group in s.outputs)
        assert written == [(0, k) for k in range(0, MODEL.nv, 4)]
        holder = {}  # value in each slot as the pieces run
        for s in segments:
            for value, slot in s.loads.items():
                assert holder[slot] == value
            for value, slot in s.stores.items():
                assert slot < slots
                holder[slot] = value


def long_rows(n, rows_of_zeros=True):
    """Return a program with n results, half of them zero in long runs if asked for, and what it computes."""
    keep = [k for k in range(n) if not (rows_of_zeros and (k // 30) % 2)]

    def text(x):
        values = {k: x[k % 5] * float(k + 1) for k in keep}
        values[n - 1] = 3.0  # a constant that is not zero
        return [[values.get(k, 0.0) for k in range(n)], [x[0] + x[4]]]

    def expected(x):
        y = np.zeros((len(x), n))
        for k in keep:
            y[:, k] = x[:, k % 5] * (k + 1)
        y[:, n - 1] = 3.0
        return y

    return program_of(text, [5], [n, 1]), expected


@pytest.mark.sweep(6)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("large", [2**24, 0])
@pytest.mark.parametrize("n", [128, 241, 1024, 1276])
@pytest.mark.parametrize("zeros", [True, False])
def test_long_rows_are_written_in_place_by_way_of_the_stage_and_from_slots(width, large, n, zeros, monkeypatch):
    """Memory around the results is guarded, and lies at no multiple of a cache line in most of these cases."""
    monkeypatch.setattr(kernel, "LARGE", large)
    monkeypatch.setattr(kernel, "cut", functools.partial(segment.cut, limit=200))
    program, expected = long_rows(n, zeros)
    native = Native(program, width)
    for rows in (1, width, 3 * width + 1, 70 * width + 3):
        x = np.random.default_rng(rows).normal(size=(rows, 5))
        flag, (y, z) = native(x)
        assert flag == 0
        assert np.array_equal(y, expected(x))
        assert np.array_equal(z[:, 0], x[:, 0] + x[:, 4])
        x[rows // 2, 3] = np.inf
        assert native(x)[0] == 1


@pytest.mark.parametrize("large", [0, 2**24])
@pytest.mark.parametrize("n, few, many", [(1000, 2, 16), (2100, 1, 16)])
def test_pieces_of_a_long_program_run_over_more_tiles_with_the_same_results(large, n, few, many, monkeypatch):
    """Results in rows take twice their room in a block; longer rows wait in slots, in which zeros have no place."""
    monkeypatch.setattr(kernel, "LARGE", large)
    monkeypatch.setattr(kernel, "cut", functools.partial(segment.cut, limit=2000))
    program, expected = long_rows(n)
    short = kernel.kernel_ir(program, 8)
    monkeypatch.setattr(kernel, "_LONG", 0)
    assert f"i64 %remaining, i64 {few}\n" in short
    assert f"i64 %remaining, i64 {many}\n" in kernel.kernel_ir(program, 8)
    native = Native(program, 8)
    for rows in (1, 8, 131, 270):
        x = np.random.default_rng(rows).normal(size=(rows, 5))
        flag, (y, z) = native(x)
        assert flag == 0
        assert np.array_equal(y, expected(x))
        assert np.array_equal(z[:, 0], x[:, 0] + x[:, 4])


def test_groups_that_are_always_zero_are_in_no_piece():
    program, _ = long_rows(241)
    for group in (1, 8):
        blank = segment.blank_groups(program, 0, group)
        written = {first for s in segment.cut(program, group, 200)[0] for output, first in s.outputs if output == 0}
        assert not written & blank
        assert written | blank == set(range(0, 241, group))
        assert {k for first in blank for k in range(first, first + group)} <= {k for k in range(241) if (k // 30) % 2}
    assert segment.blank_groups(program_of(lambda x: [[x[0], *[0.0] * 99]], [1], [100]), 0, 8) == set()


def test_chunks_of_very_long_rows_are_delivered_once_from_slots_that_hold_their_results():
    n = 1290
    program, _ = long_rows(n)
    for group in (2, 4, 8):
        segments, slots = segment.cut(program, group, 50)
        assert len(segments) > 3
        assert sorted(chunk for s in segments for chunk in s.chunks) == [(0, k) for k in range(-(-(n + 7) // 64))]
        assert slots < n / 2  # those of chunks that were delivered are used again
        holder = {}
        for s in segments:
            holder |= {slot: value for value, slot in s.stores.items()}
            for _, chunk in s.chunks:
                near, far = segment.groups_of(n, chunk, group)
                assert all(0 <= first <= n - group for first in near)
                for first in (*near, *far):
                    values = program.results[0][max(first, 0) : max(first + group, 0)]
                    assert segment.are_zero(program, values) or all(holder[s.slots[x]] == x for x in values)
        firsts = [first for s in segments for _, chunk in s.chunks for first in segment.groups_of(n, chunk, group)[0]]
        assert {first + k for first in firsts for k in range(group)} == set(range(n))
        assert segment.delivered(program, group) == [0]
    assert segment.delivered(program, 1) == []


def test_rows_too_long_for_the_stack_are_computed():
    """Sixteen MiB for a tile: more than a thread's stack holds."""
    n = 2**18
    program = program_of(lambda x: [[x[0] if k % 4096 == 0 else 0.0 for k in range(n)]], [1], [n])
    x = np.arange(1.0, 10.0)[:, None]
    for width in (1, 8):
        flag, (y,) = Native(program, width)(x)
        assert flag == 0
        assert np.array_equal(y[:, ::4096], np.repeat(x, n // 4096, axis=1))
        assert np.count_nonzero(y) == 9 * (n // 4096)
