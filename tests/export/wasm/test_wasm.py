"""WebAssembly modules, run by Node, agree with the robot; whether the bytes are a module, Node says."""

import json
import shutil
import subprocess

import numpy as np
import pytest

import lissom
from lissom.errors import StateError
from lissom.export import render
from lissom.export.wasm.javascript import described, script
from lissom.export.wasm.module import wasm_module
from lissom.robots.tree import tree_model
from support import browser

node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: WebAssembly is not run")


@pytest.fixture
def run(tmp_path):
    """A function that exports functions of a robot, runs lines of a script with them, and returns the JSON that they print."""

    def run(robot, names, script, *, simd="on", values=None):
        robot.export(names, tmp_path, language="javascript", name="robot", simd=simd)
        return node_runs(tmp_path, script, values)

    return run


def node_runs(folder, script, values):
    (folder / "values.json").write_text(json.dumps(values))
    head = 'import {load} from "./robot.mjs"; import {readFileSync} from "node:fs";\n'
    head += 'const values = JSON.parse(readFileSync(new URL("./values.json", import.meta.url)));\nconst f = await load();\n'
    (folder / "run.mjs").write_text(head + script)
    done = subprocess.run(["node", str(folder / "run.mjs")], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def compare(run, robot, name, n, simd):
    rng = np.random.default_rng(7)
    states = [rng.normal(size=(n, port.size)) for port in robot._program(name, {}).inputs]
    states[0] = np.array([robot.random_configuration(rng) for _ in range(n)])
    script = f"console.log(JSON.stringify([[...f.{name}(...values[0])], [...f.{name}(...values[1])]]))"
    one, many = run(
        robot, name, script, simd=simd, values=[[x[0].tolist() for x in states], [x.ravel().tolist() for x in states]]
    )
    expected = getattr(lissom.Robot(robot.model, backend="numpy"), name)(*states)
    expected = np.stack(tuple(expected), axis=1).reshape(n, -1) if name.endswith("derivatives") else expected.reshape(n, -1)
    # accelerations of a person-like tree are ill-conditioned: rounding of another order shows more
    scale = np.abs(expected).max() * (10 if name == "forward_dynamics" and robot.nv > 20 else 1)
    assert np.abs(np.array(one) - expected[0]).max() < 1e-14 * scale
    assert np.abs(np.array(many).reshape(n, -1) - expected).max() < 1e-14 * scale


@node
@pytest.mark.parametrize("simd", ["on", "off"])
@pytest.mark.parametrize("name", ["inverse_dynamics", "link_poses"])
def test_functions_agree_with_the_robot(run, name, simd):
    compare(run, lissom.robots.stanford(), name, 5, simd)


@node
@pytest.mark.slow
@pytest.mark.parametrize("simd", ["on", "off"])
@pytest.mark.parametrize("robot", ["panda", "g1", "talos", "hua_arm"])
@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives"])
def test_large_robots_agree(run, robot, name, simd):
    # large batches of long rows take memory while they run
    compare(run, lissom.load(f"robots:{robot}"), name, 40, simd)


@node
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_trees_agree(run, seed):
    compare(run, lissom.Robot(tree_model(6, seed=seed)), "inverse_dynamics", 7, "on")


@node
def test_functions_of_math_agree(tmp_path):
    """Square roots, exponentials, logarithms and tangents, without fused multiply-adds."""
    from lissom.compiler.program import Port
    from lissom.compiler.trace import trace
    from lissom.spatial.scalar import exp, less, log, select, sincos, sqrt, sub, tanh

    def text(x):
        a = x[0]
        minus = sub(0.0, a)
        return [[sqrt(a), exp(minus), log(a), tanh(a), *sincos(a), select(less(a, 1.0), a, minus)]]

    program = trace("functions", (Port("x", 1),), (Port("y", 7),), text)
    x = np.concatenate([np.geomspace(1e-8, 700.0, 101), np.linspace(1.0, 1e6, 100)])
    (tmp_path / "robot.wasm").write_bytes(wasm_module({"f": program}))
    functions = json.dumps([described("f", program.inputs, program.outputs)])
    text = f"const FUNCTIONS = {functions};\n{script('source')}\n{script('runtime')}\n"
    text += (
        "export async function load() { const wasm = await instantiate('./robot.wasm'); return {f: bind(wasm, FUNCTIONS[0])}; }"
    )
    (tmp_path / "robot.mjs").write_text(text)
    found = node_runs(tmp_path, "console.log(JSON.stringify([...f.f(values)]))", x.tolist())
    a = x[:, None]
    expected = np.hstack([np.sqrt(a), np.exp(-a), np.log(a), np.tanh(a), np.sin(a), np.cos(a), np.where(a < 1, a, -a)])
    assert np.allclose(np.array(found).reshape(-1, 7), expected, rtol=2e-15, atol=1e-300)


@node
def test_arguments_are_checked_and_numbers_that_are_not_finite_named(run):
    arm = lissom.robots.planar_two_link()
    script = """
const said = (call) => { try { call(); return "nothing"; } catch (error) { return error.message; } };
console.log(JSON.stringify([
  said(() => f.inverse_dynamics([0, 1], [0, 1])), said(() => f.inverse_dynamics([0, 1, 2], [0, 1], [0, 1])),
  said(() => f.inverse_dynamics([0, 1, 2, 3], [0, 1], [0, 1])), said(() => f.inverse_dynamics([0, NaN], [0, 1], [0, 1])),
  said(() => f.inverse_dynamics([0, 1e7], [0, 1], [0, 1])), said(() => f.inverse_dynamics([0, 1], [0, 1], [0, 1], [0])),
]));"""
    few, size, rows, bad, angle, out = run(arm, "inverse_dynamics", script)
    assert "inverse_dynamics(q, qd, qdd) takes 3 arrays, got 2" in few
    assert "q must have 2 numbers" in size and "got 3" in size
    assert "qd holds 1 samples, the arguments before it 2" in rows
    assert "q[1] is NaN" in bad and "2^20 rad" in angle and "out must have 2 numbers, got 1" in out


@node
def test_results_of_several_outputs_have_their_names(run):
    arm = lissom.robots.planar_two_link()
    step = "f.semi_implicit_step([0, 1], [0, 0], [0, 0], [0.01])"
    found = run(arm, "semi_implicit_step", f"console.log(JSON.stringify({step}, (k, v) => v.length ? [...v] : v))")
    qdd = arm.forward_dynamics([0, 1], [0, 0], [0, 0])
    assert np.allclose(found["qdd"], qdd) and np.allclose(found["qd_next"], 0.01 * qdd)


def test_the_same_library_gives_the_same_bytes():
    arm = lissom.robots.planar_two_link()
    assert render(arm, "inverse_dynamics", language="javascript") == render(arm, "inverse_dynamics", language="javascript")


@node
@pytest.mark.parametrize("simd", ["on", "off"])
def test_the_written_test_passes_and_finds_a_wrong_number(tmp_path, simd):
    lissom.robots.planar_two_link().export(["gravity_torques", "semi_implicit_step"], tmp_path, language="javascript", simd=simd)
    program = tmp_path / "test_planar_two_link.mjs"
    assert subprocess.run(["node", program], capture_output=True, timeout=60).returncode == 0
    text = program.read_text()
    program.write_text(text.replace('"outputs": [[[', '"outputs": [[[1', 1))
    done = subprocess.run(["node", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "WRONG" in done.stdout


def test_single_precision_is_refused():
    with pytest.raises(StateError, match="double precision only"):
        render(lissom.robots.planar_two_link(), "gravity_torques", language="javascript", precision="single")


@pytest.mark.parametrize(("name", "why"), [("go2", "floating"), ("hua_arm", "springs")])
def test_robots_that_sliders_cannot_drive_get_no_demo(tmp_path, name, why):
    with pytest.raises(StateError, match=why):
        lissom.load(f"robots:{name}").web_demo(tmp_path / "demo.html")


@pytest.mark.slow
@pytest.mark.skipif(browser.missing() is not None, reason=str(browser.missing()))
def test_the_demo_follows_its_sliders_without_a_network(tmp_path):
    page = tmp_path / "demo.html"
    lissom.robots.stanford().web_demo(page)
    with browser.Browser() as window:
        window.open(page)
        window.wait("window.lissom && lissom.demo && lissom.demo.time > 0.1", 60)
        slide = "const s = document.getElementById('demo-1'); s.value = 0.4; s.dispatchEvent(new Event('input'))"
        window.run(slide)
        window.wait("Math.abs(lissom.demo.q[1] - 0.4) < 0.01", 60)
        window.run("document.querySelector('.demo-buttons input').click()")  # motors off: it falls, and keeps its energy
        assert not [line for line in window.console() if line.startswith("SEVERE")]
        asked = [address for address in window.requests() if not address.startswith(("chrome", "data:"))]  # of the first tab
        assert asked == [page.resolve().as_uri()]
