"""Old machine code never serves a text that has changed, wherever the text stands and whatever it holds on to."""

import functools
import shutil
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.algorithms.dynamics import inverse_dynamics as tasks
from lissom.compiler import cache
from lissom.compiler.identity import Identity
from lissom.compiler.program import Port
from lissom.compiler.run import Function
from lissom.compiler.task import Task
from lissom.robots import rr_model

SOURCE = Path(lissom.__file__).parent
USER = """
import numpy as np
import lissom
from lissom.compiler.task import Task
from lissom.compiler.program import Port
from lissom.predict import Compiled, State
{more}
def maker(model):
    gain = {gain}
    return Task("mine", (Port("q", 2),), (Port("y", 2),), [lambda q: [[{text}]]])

quantity = Compiled(lissom.robots.rr(), "mine", ["a", "b"], "", maker)
print(quantity.values(State((np.array([[1.0, 2.0]]),)))[0].tolist())
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    where = tmp_path / "cache"
    where.mkdir(mode=0o700)
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(where))
    return where


def entries(folder):
    return len(list(folder.glob("*.code")))


@pytest.mark.slow
def test_an_edited_task_of_the_prediction_is_compiled_anew(folder, tmp_path, python):
    copy = tmp_path / "site" / "lissom"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.urdf", "hua"))
    text = """
import numpy as np, lissom
from lissom.algorithms.dynamics import path_tasks
from lissom.predict import Compiled, State
quantity = Compiled(lissom.robots.rr(), "power", ["a", "b"], "W", path_tasks.power)
print(quantity.values(State((np.ones((1, 2)),) * 4))[0].tolist())
"""
    before = python(text, PYTHONPATH=str(copy.parent))
    made = entries(folder)
    assert python(text, PYTHONPATH=str(copy.parent)) == before and entries(folder) == made  # served from the cache
    file = copy / "algorithms" / "dynamics" / "path_tasks.py"
    changed = file.read_text().replace("mul(force, speed)", "mul(force, 2.0 * speed)")
    assert changed != file.read_text()
    file.write_text(changed)
    after = python(text, PYTHONPATH=str(copy.parent))
    assert np.allclose(eval(after), 2 * np.array(eval(before)))


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"text": "q[0] * gain, q[1]"}, {"text": "q[0] + gain, q[1]"}, ([3.0, 2.0], [4.0, 2.0])),
        ({"gain": "3.0"}, {"gain": "5.0"}, ([3.0, 2.0], [5.0, 2.0])),
        ({"gain": "G", "more": "G = 3.0"}, {"gain": "G", "more": "G = 7.0"}, ([3.0, 2.0], [7.0, 2.0])),
    ],
)
def test_an_edited_task_of_a_user_is_compiled_anew(folder, python, first, second, expected):
    usual = {"text": "q[0] * gain, q[1]", "gain": "3.0", "more": ""}
    for edited, numbers in zip((first, second, first), (*expected, expected[0]), strict=True):
        assert eval(python(USER.format(**{**usual, **edited}))) == numbers


@pytest.mark.slow
def test_a_task_of_a_user_is_served_from_the_cache(folder, python):
    text = USER.format(text="q[0] * gain, q[1]", gain="3.0", more="")
    python(text)
    made = entries(folder)
    assert made and python(text) == "[3.0, 2.0]" and entries(folder) == made


def scaled(gain):
    def maker(model):
        return Task("scaled", (Port("q", 2),), (Port("y", 2),), [lambda q: [[gain * x for x in q]]])

    return maker


def test_makers_of_one_name_with_different_constants_are_different_functions(folder):
    robot, q = Robot(rr_model(), backend="llvm"), np.array([1.0, 2.0])
    for gain in (2.0, 3.0, 2.0):
        assert np.array_equal(robot._function(scaled(gain), (2,))((q,)), gain * q)


def constants(q, gain=1.0):
    return [[gain * x for x in q]]


def identity(*texts):
    return Identity(Task("t", (Port("q", 2),), (Port("y", 2),), texts))


def test_texts_of_lissom_are_its_own_and_others_are_foreign():
    own = Identity(tasks.inverse_dynamics(rr_model()))
    assert not own.foreign and own.rooms == set()
    assert identity(constants).foreign
    assert identity(functools.partial(constants, gain=2.0)).foreign
    assert identity(functools.cache(constants)).foreign
    assert identity(*tasks.inverse_dynamics(rr_model()).texts, constants).foreign
    assert identity(eval("lambda q: [q]")).foreign


def test_constants_that_a_text_of_lissom_holds_on_to_count():
    text = tasks.inverse_dynamics(rr_model()).texts[0]

    def digests(*values):
        return {identity(functools.partial(text, value)).parts() for value in values}

    assert len(digests(1.0, 2.0, 1, True, None, "1.0", (1.0,), [1.0], {"a": 1.0}, np.ones(2), np.ones(3), slice(1, 2))) == 12
    assert len(digests(np.ones(2), np.ones(2))) == 1
    assert len(digests(rr_model(), rr_model())) == 1


def test_the_version_counts(monkeypatch):
    before = cache.entry_name("a")
    monkeypatch.setattr(cache, "VERSION", "99.0")
    assert cache.entry_name("a") != before


def test_a_foreign_text_is_traced_once_for_both_widths(folder):
    traced = []

    def text(q):
        traced.append(1)
        return [[x + 1.0 for x in q]]

    task = Task("mine", (Port("q", 2),), (Port("y", 2),), [text])
    function = Function(rr_model(), task, (2,), "llvm", lambda name, entry: name)
    assert function([np.zeros(2)]).tolist() == [1.0, 1.0]
    assert function([np.zeros((3, 2))]).tolist() == [[1.0, 1.0]] * 3
    assert len(traced) == 1
