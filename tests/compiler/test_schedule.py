"""Orders of instructions: whatever is chosen can be run, and large robots have few values alive at once."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import lissom
from lissom.algorithms.dynamics import inverse_dynamics as tasks
from lissom.compiler import schedule
from lissom.compiler.program import LEAVES, operands
from lissom.compiler.replay import replay
from lissom.compiler.symbol import Graph
from support.published import FILES
from support.states import error, random_states
from support.trees import trees


def most_alive(program):
    """Count values between their making and their last use, from the instructions alone."""
    last = {x: k for k, instruction in enumerate(program.code) for x in operands(instruction)}
    ends = np.zeros(len(program.code) + 1, dtype=int)
    for x, k in last.items():
        if program.code[x][0] not in LEAVES:
            ends[x] += 1
            ends[k] -= 1
    return int(np.cumsum(ends).max())


@settings(max_examples=15)
@given(trees())
def test_the_order_by_arrival_gives_the_definition(model):
    task = tasks.inverse_dynamics(model)
    state, count = random_states(model, 3, seed=1), itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule, "NEAR", -(10**9))
        patch.setattr(schedule, "_most_alive", lambda *_: -next(count))  # each has fewer than the last
        program = task.program("by arrival")
    assert program.operation_count() == task.program("usual").operation_count()
    found = np.column_stack([np.broadcast_to(x, 3) for x in replay(program, [list(a.T) for a in state])[0]])
    assert error(found, task.evaluate(state)[0]) < 1e-11


def test_a_robot_of_many_limbs_has_few_values_alive(monkeypatch):
    (file,) = (file for file in FILES if file.name == "talos_full_v2.urdf")
    task = tasks.inverse_dynamics(lissom.load(file, base="floating").model)
    few = most_alive(task.program("talos"))
    monkeypatch.setattr(schedule, "NEAR", 10**9)
    assert few < 0.6 * most_alive(task.program("talos"))


def test_values_alive_are_counted():
    graph = Graph()
    x = [graph.input(0, k) for k in range(4)]
    sums = [a * b for a, b in zip(x, x[1:], strict=False)]
    total = sums[0] + sums[1] + sums[2]
    needed = schedule.needed(graph, [total])
    leaves = {a.index for a in x}
    assert schedule._most_alive(sorted(needed), needed, leaves) == 3
    earlier = [*leaves, *(s.index for s in sums[:2]), (sums[0] + sums[1]).index, sums[2].index, total.index]
    assert schedule._most_alive(earlier, needed, leaves) == 2
