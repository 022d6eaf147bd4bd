"""How fast is exported code? C beside lissom's own kernel and CasADi's C of the same text, WebAssembly, and a Cortex-M4."""

import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import casadi as ca
import numpy as np

import lissom
from lissom.bench import best_times, random_states
from lissom.compiler import jit
from lissom.compiler import program as ops
from lissom.compiler.kernel import Kernel
from lissom.compiler.program import Program
from lissom.robot import Robot

from .cortex_m4 import footprint, missing
from .robots import ROBOTS, find, open_both

COMPILERS = ("gcc", "clang")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
STATES, BATCH = 64, 4096
# all three are called in the same way, through an array of pointers to arguments and results, over the same states
_CALLS = """
#include <stdint.h>
#include <time.h>
#include "robot.h"
int tau(const double **arg, double **res, long long *iw, double *w, int mem);
int64_t ours(void **a)
{
    robot_inverse_dynamics(a[0], a[1], a[2], a[3]);
    return 0;
}
int64_t peer(void **a)
{
    const double *arg[3] = {a[0], a[1], a[2]};
    double *res[1] = {a[3]};
    return tau(arg, res, 0, 0, 0);
}
/* Returns the shortest time of a call [ns] in `rounds` rounds over n states. */
double shortest(int64_t (*f)(void **), double *q, double *qd, double *qdd, double *tau, int n, int nq, int nv, int rounds)
{
    double best = 1e300;
    while (rounds--) {
        struct timespec start, end;
        int k;
        double t;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (k = 0; k < n; k++) {
            void *a[4];
            a[0] = q + nq*k, a[1] = qd + nv*k, a[2] = qdd + nv*k, a[3] = tau + nv*k;
            f(a);
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        t = (1e9*(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec))/n;
        if (t < best) best = t;
    }
    return best;
}
"""
_NODE = """
import {load} from "./robot.mjs";
import {readFileSync} from "node:fs";
const [q, qd, qdd] = JSON.parse(readFileSync(new URL("./states.json", import.meta.url))).map((x) => Float64Array.from(x));
const f = await load(), out = new Float64Array(qd.length);
let best = 1e300;
for (let k = 0; k < 300; k++) {
  const start = performance.now();
  f.inverse_dynamics(q, qd, qdd, out);
  best = Math.min(best, performance.now() - start);
}
console.log(JSON.stringify({best, tau: [...out.slice(0, 8)]}));
"""


def in_casadi(program: Program) -> ca.Function:
    """Return the program, instruction by instruction, as a function of CasADi."""
    inputs = [ca.SX.sym(port.name, port.size) for port in program.inputs]
    two = {ops.ADD: ca.plus, ops.SUB: ca.minus, ops.MUL: ca.times, ops.DIV: ca.rdivide}
    one = {ops.NEG: lambda x: -x, ops.SIN: ca.sin, ops.COS: ca.cos, ops.SQRT: ca.sqrt}
    values: list[ca.SX] = []
    for op, a, b in (instruction[:3] for instruction in program.code):
        if op == ops.CONST:
            values.append(ca.SX(a))
        elif op == ops.INPUT:
            values.append(inputs[int(a)][int(b or 0)])
        else:
            values.append(two[op](values[int(a)], values[int(b)]) if op in two else one[op](values[int(a)]))
    return ca.Function("tau", inputs, [ca.vertcat(*(values[k] for k in program.results[0]))])


def one_state(robot: Robot, folder: Path) -> dict[str, float]:
    """Return the time of a call [ns] of lissom's kernel, and of exported C and CasADi's C by each compiler."""
    s = random_states(robot, STATES)
    robot.export("inverse_dynamics", folder, name="robot")
    generator = ca.CodeGenerator("peer.c")
    generator.add(in_casadi(robot._program("inverse_dynamics", {})))
    generator.generate(f"{folder}/")
    (folder / "calls.c").write_text(_CALLS)
    expected = robot.inverse_dynamics(s.q, s.qd, s.qdd)
    tau = np.empty((STATES, robot.nv))
    kernel = Kernel(robot.model, robot._task(robot._entry("inverse_dynamics"), {}))
    assert kernel.one is not None  # compiles it
    contenders: dict[str, tuple[object, ctypes.c_void_p]] = {}
    for compiler in filter(shutil.which, COMPILERS):
        target = folder / f"{compiler}.so"
        subprocess.run([compiler, *FLAGS, "robot.c", "peer.c", "calls.c", "-lm", "-o", target], cwd=folder, check=True)
        made = ctypes.CDLL(str(target))
        contenders[f"C, {compiler}"] = made, ctypes.cast(made.ours, ctypes.c_void_p)
        contenders[f"CasADi's C, {compiler}"] = made, ctypes.cast(made.peer, ctypes.c_void_p)
    contenders["kernel"] = made, ctypes.c_void_p(int(kernel.addresses[0]))
    found = dict.fromkeys(contenders, float("inf"))
    arrays = [ctypes.c_void_p(x.ctypes.data) for x in (s.q, s.qd, s.qdd, tau)]
    for _ in range(20):  # they take turns: other work of the machine only adds to a time
        for name, (library, address) in contenders.items():
            library.shortest.restype = ctypes.c_double  # type: ignore[attr-defined]
            best = library.shortest(address, *arrays, STATES, robot.nq, robot.nv, 200)  # type: ignore[attr-defined]
            found[name] = min(found[name], best)
            assert np.allclose(tau, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max()), name
    return found


def web_assembly(robot: Robot, folder: Path) -> tuple[float, float]:
    """Return the time of a sample of a batch [ns]: natively with one thread, and in Node."""
    s = random_states(robot, BATCH)
    out = np.empty((BATCH, robot.nv))
    native = best_times([lambda: robot.inverse_dynamics(s.q, s.qd, s.qdd, out=out)], seconds=0.5)[0]
    robot.export("inverse_dynamics", folder, language="javascript", name="robot")
    (folder / "states.json").write_text(json.dumps([x.ravel().tolist() for x in (s.q, s.qd, s.qdd)]))
    (folder / "time.mjs").write_text(_NODE)
    said = subprocess.run(["node", "time.mjs"], cwd=folder, check=True, capture_output=True, text=True).stdout
    found = json.loads(said)
    assert np.allclose(found["tau"], out.ravel()[:8], rtol=1e-9, atol=1e-9)
    return native * 1e9 / BATCH, found["best"] * 1e6 / BATCH


def export_seconds(file: str, base: str) -> float:
    """Return the processor time [s] of exporting inverse dynamics to C, in a fresh process, its files read before."""
    text = f"""
import tempfile, time, warnings
warnings.simplefilter("ignore")
import lissom
robot = lissom.load({file!r}, base={base!r}, mimic=False)
with tempfile.TemporaryDirectory() as folder:
    start = time.process_time()
    robot.export("inverse_dynamics", folder)
    print(time.process_time() - start)
"""
    return min(float(subprocess.run([sys.executable, "-c", text], check=True, capture_output=True).stdout) for _ in range(3))


def main() -> None:
    lissom.set_threads(1)
    print("one state [ns]: lissom's kernel, exported C, CasADi's C of the same text")
    for name, file, base in ROBOTS:
        robot, _ = open_both(find(file), base)
        with tempfile.TemporaryDirectory() as folder:
            times = one_state(robot, Path(folder))
        own = times.pop("kernel")
        print(f"{name:16}kernel {own:6.0f}", end="")
        for compiler in filter(shutil.which, COMPILERS):
            ours, peer = times[f"C, {compiler}"], times[f"CasADi's C, {compiler}"]
            print(f" | {compiler}: C {ours:5.0f} ({ours / own:.2f}), CasADi {peer:5.0f} ({peer / ours:.2f}x of C)", end="")
        print(flush=True)
    if shutil.which("node"):
        print(f"a sample of a batch of {BATCH} [ns]: native, {jit.vector_width()} doubles a vector; WebAssembly in Node, two")
        for name, file, base in ROBOTS:
            robot, _ = open_both(find(file), base)
            with tempfile.TemporaryDirectory() as folder:
                native, web = web_assembly(robot, Path(folder))
            print(f"{name:16}native {native:6.1f} | WebAssembly {web:6.1f} ({web / native:.1f}x)", flush=True)
    print("processor time of an export of inverse dynamics to C [s]")
    for name, file, base in ROBOTS:
        print(f"{name:16}{export_seconds(find(file), base):6.2f}")
    if lacking := missing():
        print(f"Cortex-M4F: not measured, {', '.join(lacking)} missing")
        return
    print("Cortex-M4F, single precision, gcc -O2; instructions counted by QEMU")
    for name, file, base in ROBOTS[:2]:
        robot, _ = open_both(find(file), base)
        with tempfile.TemporaryDirectory() as folder:
            robot.export("inverse_dynamics", folder, precision="single", name="robot")
            code, stack, count = footprint(Path(folder), robot.nv)
        print(f"{name:16}{code} bytes of code, {stack} bytes of stack, {count} instructions a call")
