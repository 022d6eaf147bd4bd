"""Parts of a long function: each value is handed on once, and no place holds two that wait."""

import pytest

from lissom.compiler.program import Port
from lissom.compiler.statements import listing, names_in
from lissom.compiler.trace import trace
from lissom.export.parts import cut
from lissom.robots import stanford


def long_listing():
    robot = stanford()
    task = robot._task(robot.catalogue["forward_dynamics"], {})
    return listing(task.program("stanford"))


@pytest.mark.parametrize("size", [7, 20, 1000])
def test_parts_hand_on_what_later_ones_use(size):
    listed = long_listing()
    parts, places = cut(listed, 1000, long=1, part=size)
    assert len(parts) == -(-len(listed.statements) // size)
    memory = {}
    for part in parts:
        known = {}
        for name, place in part.loads.items():
            assert memory[place] == name  # nothing has been written over it
            known[name] = True
        for statement in part.statements:
            assert all(name in known for name in names_in(statement.expression))
            known.update(dict.fromkeys(statement.names, True))
        for _, _, expression in part.results:
            assert all(name in known for name in names_in(expression))
        for name, place in part.stores.items():
            assert name in known
            assert 0 <= place < places
            memory[place] = name
    written = sorted((output, entry) for part in parts for output, entry, _ in part.results)
    assert written == [(0, k) for k in range(6)]


def test_a_short_function_is_one_part_without_a_workspace():
    program = trace("test", (Port("x", 1),), (Port("y", 2),), lambda x: [[x[0] * x[0], 1.0]])
    parts, places = cut(listing(program), len(program.code))
    assert (len(parts), places) == (1, 0)
