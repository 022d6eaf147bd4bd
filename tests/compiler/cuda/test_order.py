"""Orders keep few values alive, and tiers keep few in registers."""

import pytest

from lissom.compiler.cuda.order import best_order, by_arrival, greedy, most_alive, needs
from lissom.compiler.cuda.tiers import COMPUTE, FETCH, KEEP, LOAD, plan
from lissom.compiler.program import CONST, INPUT
from lissom.robot.catalogue import CATALOGUE
from lissom.robots import tree_model
from support.native import program_of

PROGRAM = CATALOGUE["inverse_dynamics"].maker(tree_model(12, branching=2.0, seed=1)).program("tree")


def test_every_order_is_an_order_of_computation():
    need = needs(PROGRAM)
    recorded = list(need.operands)
    for order in (recorded, by_arrival(PROGRAM, need.operands), greedy(recorded, need.operands), best_order(PROGRAM, need)):
        assert sorted(order) == recorded
        place = {k: i for i, k in enumerate(order)}
        assert all(place[x] < place[k] for k in order for x in need.operands[k] if x in place)


def test_the_best_order_keeps_fewest_alive():
    need = needs(PROGRAM)
    recorded = list(need.operands)
    alive = [most_alive(order, need.operands) for order in (recorded, by_arrival(PROGRAM, need.operands))]
    assert most_alive(best_order(PROGRAM, need), need.operands) <= min(alive)


def test_few_values_are_alive_in_a_chain():
    need = needs(program_of(lambda x: [[x[0] * x[1] + x[2], x[3] + x[4]]], [5], [2]))
    assert most_alive(list(need.operands), need.operands) == 3


@pytest.mark.parametrize("registers", [4, 10, 40, None])
def test_a_plan_has_each_value_where_it_is_used(registers):
    need = needs(PROGRAM)
    found = plan(PROGRAM, need, best_order(PROGRAM, need), registers)
    inside, slots = set(), {}
    for step in found.steps:
        if step.what == LOAD:
            assert PROGRAM.code[step.value][0] == INPUT
            inside.add(step.value)
        elif step.what == FETCH:
            assert slots[step.slot] == step.value
            inside.add(step.value)
        elif step.what == KEEP:
            slots[step.slot] = step.value
            inside.discard(step.value)
        elif step.what == COMPUTE:
            assert all(x in inside for x in need.operands[step.value])
            inside.update((step.value, need.partner.get(step.value, step.value)))
        else:
            assert step.value in inside or PROGRAM.code[step.value][0] == CONST
    assert (found.slots == 0) == (registers is None)
    results = [step for step in found.steps if step.what in ("result", "fixed")]
    assert len(results) == sum(port.size for port in PROGRAM.outputs)
