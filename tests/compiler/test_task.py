import numpy as np

from lissom.compiler.program import Port
from lissom.compiler.task import Task


def test_the_cheapest_text_is_compiled_and_the_first_defines():
    def dear(x):
        return [[x[0] * x[0] + x[0] * 2.0 + 1.0]]

    def cheap(x):
        return [[(x[0] + 1.0) * (x[0] + 1.0)]]

    task = Task("square", (Port("x", 1),), (Port("y", 1),), [dear, cheap])
    count = task.program("test").operation_count()
    assert (count.multiplications, count.additions) == (1, 1)
    x = np.array([[1.0], [2.0], [3.0]])
    assert task.evaluate([x])[0].tolist() == [[4.0], [9.0], [16.0]]


def test_constants_fill_a_whole_column():
    task = Task("constants", (Port("x", 1),), (Port("y", 2),), [lambda x: [[0.5, x[0]]]])
    assert task.evaluate([np.array([[1.0], [2.0]])])[0].tolist() == [[0.5, 1.0], [0.5, 2.0]]
