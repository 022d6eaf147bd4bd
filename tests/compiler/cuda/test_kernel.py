"""Kernels of robots: every layout, precision and tier, by an interpreter, beside the NumPy evaluation; ptxas takes them."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from lissom import Robot
from lissom.compiler.cuda.kernel import Shape, make_kernel
from lissom.robot.catalogue import CATALOGUE
from lissom.robots import panda_model, planar_two_link_model, tree_model
from lissom.spatial.scalar import guard, sincos
from support import elastic_arms
from support.native import program_of
from support.ptx import compute
from support.states import error, random_states

SMALL = Shape(
    registers=12, fit=12, few=None, shared=12 << 10, rows_from=1, block=64, buffers=3, warp=None
)  # everything spills, rows are staged
SHAPES = {
    "usual": Shape(),
    "small": SMALL,
    "local": Shape(registers=10, fit=10, few=None, shared=0, warp=None),
    "warp": Shape(registers=10, fit=10, few=None, shared=8 << 10, warp=8 << 10, many=15),
    "wide": Shape(registers=30, fit=30, shared=200 << 10, rows_from=1, width=16, buffers=40),
    "three": Shape(fit=0, few=20),
    "all": Shape(registers=None, rows_from=2**40),
}
LAYOUTS = ("rows", "columns")
MODELS = {
    "two_link": planar_two_link_model(),
    "panda": panda_model(),
    "tree": tree_model(7, seed=3),
    "floating": tree_model(5, seed=5, floating=True, springs=0.5),
    "elastic": elastic_arms.chain(backend="numpy").model,
}
FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")


def case(model, function, n, seed=1):
    task = CATALOGUE[function].maker(model)
    q, qd, qdd = random_states(model, n, seed)
    rows = [q] if function == "mass_matrix" else [q, qd, qdd]
    return task, task.program(model.name), rows


@pytest.mark.sweep("two_link", "panda-inverse_dynamics-rows-double", "tree-forward_dynamics-rows-single")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", MODELS)
def test_kernels_agree_with_numpy(name, function, layout, precision, shape):
    task, program, rows = case(MODELS[name], function, 77)
    layouts = [layout] * (len(rows) + 1)
    kernel = make_kernel(program, layouts, precision == "single", SHAPES[shape])
    flag, (found,) = compute(kernel, program, layouts, rows, 77)
    assert flag == 0
    (expected,) = task.evaluate(rows)
    assert error(found, expected) < (1e-12 if precision == "double" else 1e-4)


@pytest.mark.parametrize("n", [1, 2, 31, 32, 33, 64, 65, 129])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_number_of_samples(n, layout):
    task, program, rows = case(MODELS["two_link"], "inverse_dynamics", n)
    layouts = [layout] * 4
    flag, (found,) = compute(make_kernel(program, layouts, shape=SMALL), program, layouts, rows, n)
    assert flag == 0
    assert error(found, task.evaluate(rows)[0]) < 1e-13


def test_layouts_mix_and_one_sample_serves_all():
    model = MODELS["panda"]
    task, program, (q, qd, qdd) = case(model, "inverse_dynamics", 40)
    layouts = ["columns", "one", "rows", "columns"]
    kernel = make_kernel(program, layouts, shape=SMALL)
    flag, (found,) = compute(kernel, program, layouts, [q, qd[:1], qdd], 40)
    assert flag == 0
    assert error(found, task.evaluate([q, np.repeat(qd[:1], 40, axis=0), qdd])[0]) < 1e-12


@pytest.mark.parametrize("shape", ["usual", "small"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_that_are_constants_or_inputs(layout, shape):
    def text(x, y):
        return [[x[0], 0.0, x[1] * y[0], 0.0, *[0.0] * 20, y[0], *[float(k) for k in range(20)]], [2.5, x[1]]]

    program = program_of(text, [2, 1], [45, 2])
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(50, 2)), rng.normal(size=(50, 1))
    layouts = [layout] * 4
    flag, (a, b) = compute(make_kernel(program, layouts, shape=SHAPES[shape]), program, layouts, [x, y], 50)
    assert flag == 0
    zero = np.zeros(50)
    expected = [x[:, 0], zero, x[:, 1] * y[:, 0], *[zero] * 21, y[:, 0], *(zero + k for k in range(20))]
    assert np.array_equal(a, np.column_stack(expected))
    assert np.array_equal(b, np.column_stack([zero + 2.5, x[:, 1]]))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_not_finite_is_flagged(layout, bad):
    """Inputs that no result shows, too; beyond the end of the batch nothing counts."""

    def text(x):
        return [[x[0] + 1.0, 1.0 / x[1], x[2].less(1.0).select(x[3], 2.0)]]

    program = program_of(text, [5], [3])
    layouts = [layout] * 2
    kernel = make_kernel(program, layouts, shape=SMALL)
    good = np.linspace(1.0, 2.0, 5 * 37).reshape(37, 5)
    assert compute(kernel, program, layouts, [good], 37)[0] == 0
    for entry in range(5):
        x = good.copy()
        x[36, entry] = bad
        assert compute(kernel, program, layouts, [x], 37)[0] == 1


def test_a_robot_shows_its_kernel():
    text = Robot(planar_two_link_model(), backend="numpy").program("inverse_dynamics", form="ptx")
    assert text.startswith(".version 7.0\n.target sm_75")
    assert "fma.rn.f64" in text
    assert "ld.global.nc.f32" in Robot(planar_two_link_model(), backend="cuda", precision="single").program(
        "inverse_dynamics", form="ptx"
    )


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas of the CUDA toolkit is not on the path")
@pytest.mark.parametrize("shape", ["usual", "small"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("single", [False, True])
def test_ptxas_takes_every_instruction(layout, single, shape, tmp_path):
    def text(x, y):
        a, b = x
        all_of = [a + b, a - b, a * b, a / b, -a, a.sign(), a.sqrt(), a.exp(), a.log(), a.tanh(), guard(a, 0.5)]
        return [[*all_of, a.less(b), a.less(b).select(a, y[0]), *sincos(a + 0.25), *sincos(b)]]

    program = program_of(text, [2, 1], [17])
    kernel = make_kernel(program, [layout] * 3, single, SHAPES[shape])
    assert spilled(kernel, tmp_path) < 200
    task_kernel = make_kernel(case(MODELS["panda"], "inverse_dynamics", 1)[1], [layout] * 4, single, SHAPES[shape])
    assert spilled(task_kernel, tmp_path) < 500


def spilled(kernel, folder):
    """Return how many bytes ptxas stores in local memory of its own."""
    path = folder / "kernel.ptx"
    path.write_text(kernel.text)
    command = ["ptxas", "-arch=sm_90", "-v", "-o", str(folder / "kernel.cubin"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(re.search(r"(\d+) bytes spill stores", done.stderr).group(1))


def test_values_fit_into_a_warp_of_their_own():
    """Where those that a block of four warps would keep in local memory fit into the shared memory of one with more registers."""
    program = case(MODELS["panda"], "inverse_dynamics", 1)[1]
    changes = {"registers": 40, "fit": 0, "few": None, "shared": 8 << 10, "many": 44}
    usual = make_kernel(program, ["columns"] * 4, shape=Shape(**changes, warp=None))
    own = make_kernel(program, ["columns"] * 4, shape=Shape(**changes, warp=8 << 10))
    assert ".local" in usual.text and usual.block == 128
    assert ".local" not in own.text and own.block == 32 and own.shared <= 8 << 10
    assert make_kernel(program, ["columns"] * 4, shape=Shape(**changes, warp=1 << 10)).text == usual.text
