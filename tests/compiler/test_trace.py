"""Traces: only what is needed is kept, in an order that can be run; small programs have the operations one counts by hand."""

import numpy as np
from hypothesis import given

from lissom import Inertia, Joint, Link, Model, Robot
from lissom.algorithms.dynamics import inverse_dynamics as tasks
from lissom.compiler.program import CONST, INPUT, verify
from support.native import program_of
from support.trees import trees


def count(algorithm, inputs, outputs):
    c = program_of(algorithm, inputs, outputs).operation_count()
    return c.multiplications, c.additions, c.trigonometric


def test_what_no_result_needs_is_dropped():
    program = program_of(lambda x: [[x[0] * x[1] if x[0].sin() is not None else 0.0]], [3], [1])
    assert [op for op, _, _ in program.code] == [INPUT, INPUT, "mul"]


def test_results_may_be_constants_or_inputs():
    program = program_of(lambda x: [[1.5, x[0], x[0], 0.0]], [1], [4])
    assert program.operation_count().multiplications == 0
    assert len(program.code) == 3


def test_hand_counted_programs():
    assert count(lambda x: [[x[0] * x[1] + x[2] * 3.0]], [3], [1]) == (2, 1, 0)
    assert count(lambda x: [[(x[0] + x[1]) * (x[1] + x[0])]], [2], [1]) == (1, 1, 0)
    assert count(lambda x: [[x[0].sin() * x[0].sin() + x[0].cos() * 0.0]], [1], [1]) == (1, 0, 1)


def test_a_pendulum_takes_the_operations_of_its_formula():
    """tau = I qdd + m g l cos q: two products, a sum and a cosine; gravity alone a product and a cosine."""
    body = Inertia(2.0, (0.5, 0.0, 0.0), np.diag([0.1, 0.2, 0.3]))
    joint = Joint("j", "revolute", "ground", "rod", axis=(0, 1, 0))
    robot = Robot(Model("pendulum", (Link("ground"), Link("rod", body)), (joint,)))
    c = robot.operation_count("inverse_dynamics")
    assert (c.multiplications, c.additions, c.trigonometric) == (2, 1, 1)
    c = robot.operation_count("gravity_torques")
    assert (c.multiplications, c.additions, c.trigonometric) == (1, 0, 1)


def test_a_slider_takes_a_product_and_a_sum():
    robot = Robot(Model("lift", (Link("ground"), Link("car", Inertia(2.0))), (Joint("j", "prismatic", "ground", "car"),)))
    c = robot.operation_count("inverse_dynamics")
    assert (c.multiplications, c.additions, c.trigonometric) in ((1, 1, 0), (2, 1, 0))


def run(program, *arrays):
    """Evaluate a program with NumPy, instruction by instruction."""
    signs = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
    others = {"neg": np.negative, "sin": np.sin, "cos": np.cos, "sign": np.sign}
    values = []
    for op, a, b in program.code:
        if op == CONST:
            values.append(a)
        elif op == INPUT:
            values.append(arrays[a][b])
        else:
            values.append(signs[op](values[a], values[b]) if op in signs else others[op](values[a]))
    return [np.array([values[k] for k in entries]) for entries in program.results]


@given(trees())
def test_order_of_a_schedule_can_be_run_and_gives_the_definition(model):
    rng = np.random.default_rng(1)
    state = [rng.normal(size=n) for n in (model.nq, model.nv, model.nv)]
    for task in (tasks.inverse_dynamics(model), tasks.joint_wrenches(model, axes="world")):
        program = verify(task.program("tree"))  # operands before users
        assert len(set(program.code)) == len(program.code)  # nothing twice
        used = {k for entries in program.results for k in entries}
        for op, a, b in program.code:
            used |= set() if op in (CONST, INPUT) else {a, b}
        assert used - {None} == set(range(len(program.code)))  # nothing for nothing
        ours, theirs = run(program, *state)[0], task.evaluate([x[None] for x in state])[0][0]
        assert np.allclose(ours, theirs, rtol=0, atol=1e-11 * max(1.0, np.abs(theirs).max()))
