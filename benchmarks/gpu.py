"""Time on an NVIDIA card, beside the bandwidth of a copy on it; results are compared with NumPy in the same run.

A line is one kernel on arrays that stay on the card: (n, N) are columns, (N, n) rows. "of copy" is the memory traffic of
arguments and results as a share of what a copy on the card moves. LISSOM_GPU_MODELS=folder takes pickled models instead of those
of example-robot-data; "quick" measures the two small robots.
"""

import ctypes
import functools
import os
import pickle
import sys
import time
from pathlib import Path

import numpy as np

import lissom
from lissom.compiler.cuda.arrays import DeviceArray, to_card
from lissom.compiler.cuda.device import Device, Memory, Timer
from lissom.errors import DeviceError

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")
LARGE = ("G1, 29 dof", "Talos, 44 dof")
BYTES = 1 << 30  # of arguments and results of a measurement
CALLS = 8  # in a row
TOLERANCE = {"double": 1e-10, "single": 2e-3}


def main() -> None:
    backends = {precision: lissom.CUDA(precision) for precision in ("double", "single")}
    try:
        card = backends["double"].card()
    except DeviceError as error:
        print(f"nothing is measured: {error}")
        return
    timer = Timer(card)
    copy = copy_bandwidth(card, timer)
    driver = card.driver.integer("cuDriverGetVersion")
    version = f"{driver // 1000}.{driver % 1000 // 10}"
    print(f"{card.name}, {card.target}, {card.processors} processors, CUDA {version}, copy {copy:.0f} GB/s")
    head = f"{'robot':15}{'function':30}{'precision':10}{'arrays':8}{'ps':>9}{'of copy':>9}{'error':>9}"
    print(head + f"{'registers':>10}{'local':>7}{'shared':>8}{'load s':>8}")
    robots = models()
    # tables of derivatives of the large robots last: their kernels are long
    for large_tables in (False, True):
        for name, model in robots.items():
            for function in FUNCTIONS:
                if (function == "inverse_dynamics_derivatives" and name in LARGE) is not large_tables:
                    continue
                for precision, backend in backends.items():
                    for layout in ("columns", "rows"):
                        if large_tables and (layout, precision) != ("columns", "double"):
                            continue
                        line(name, model, function, precision, backend, layout, card, timer, copy)
    panda = robots["Panda"]
    for n in (100_000, 1 << 20):
        simulations(panda, backends["double"], n)
    host(panda, backends["double"])
    launches(panda, backends["double"])
    from benchmarks import gpu_arrays, gpu_peers, gpu_problems

    gpu_arrays.check(panda, backends["double"])
    gpu_problems.main(backends["double"])
    gpu_peers.main()


def models() -> dict[str, lissom.Model]:
    folder = os.environ.get("LISSOM_GPU_MODELS")
    if folder:
        found = {path.stem: pickle.loads(path.read_bytes()) for path in Path(folder).glob("*.pickle")}
    else:
        from .robots import ROBOTS, find

        found = {name: lissom.load(find(file), base=base, mimic=False).model for name, file, base in ROBOTS}
    names = ("UR5", "Panda", "G1, 29 dof", "Talos, 44 dof")
    return {name: found[name] for name in names if "quick" not in sys.argv or name not in LARGE}


def copy_bandwidth(card: Device, timer: Timer) -> float:
    """Return what a copy on the card reads and writes [GB/s]."""
    size = 1 << 30
    a, b = Memory(card, size), Memory(card, size)

    def copy() -> None:
        to, source = ctypes.c_uint64(a.pointer), ctypes.c_uint64(b.pointer)
        card.driver("cuMemcpyDtoDAsync_v2", to, source, ctypes.c_size_t(size), ctypes.c_void_p(0))

    timer.measure(copy)
    return 2 * size / min(timer.measure(copy) for _ in range(10)) * 1e-9


def states(robot: lissom.Robot, function: str, n: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    count = {"mass_matrix": 1}.get(function, 3)
    return [robot.random_configuration(rng, size=n), *(rng.uniform(-1, 1, (n, robot.nv)) for _ in range(count - 1))]


def line(name, model, function, precision, backend, layout, card, timer, copy) -> None:
    """Measure one kernel."""
    definition, robot = lissom.Robot(model, backend="numpy"), lissom.Robot(model, backend=backend)
    kind = np.dtype(np.float64 if precision == "double" else np.float32)
    start = time.perf_counter()
    try:
        base = states(definition, function, 1000)
        tables = {"packed": True} if function.endswith("derivatives") else {}
        expected = stacked(getattr(definition, function)(*base, **tables))
        own = expected.shape[1:]
        size = kind.itemsize * (sum(a.shape[1] for a in base) + int(np.prod(own)))
        n = max(4096, 1 << int(np.log2(BYTES / size)))
        index = np.arange(n) % len(base[0])
        if layout == "rows":
            arguments = [to_card(a.astype(kind)[index], card) for a in base]
            out = to_card(np.full((n, *own), np.nan, kind), card)
        else:
            arguments = [to_card(np.ascontiguousarray(a.T.astype(kind)[:, index]), card).T for a in base]
            out = columns(np.full((*own, n), np.nan, kind), card)
        begin = time.perf_counter()
        call = functools.partial(getattr(robot, function), **tables)
        call(*arguments, out=out)
        robot.backend.synchronize()
        loading = time.perf_counter() - begin
        error = worst(out, expected, index, layout)
        if size < 1 << 12:  # another kernel, that of rows; those of long tables take minutes to compile
            small = [a[:999] for a in base]
            error = max(error, relative(stacked(call(*small)), expected[:999]))
        # several in a row, so that the card never waits for Python
        times = [timer.measure(lambda: [call(*arguments, out=out) for _ in range(CALLS)]) for _ in range(7)]
        seconds = float(np.median(times[2:])) / CALLS
        robot.backend.synchronize()
    except lissom.LissomError as failed:
        took = time.perf_counter() - start
        print(f"{name:15}{function:30}{precision:10}{layout:8} FAILED after {took:.0f} s: {failed}", flush=True)
        return
    prepared = next(iter(robot._functions.values())).prepared
    module = prepared.module([layout] * (len(base) + 1))
    remark = "" if error < TOLERANCE[precision] else "  WRONG"
    share = 100 * size * n / seconds * 1e-9 / copy
    text = f"{name:15}{function:30}{precision:10}{layout:8}{seconds / n * 1e12:9.1f}{share:8.0f}%{error:9.1e}"
    text += f"{module.attribute(4):10}{module.attribute(3):7}{module.kernel.shared:8}{loading:8.2f}"
    print(text + remark, flush=True)


def stacked(found) -> np.ndarray:
    """Return tables of derivatives, packed, as one array."""
    return found if isinstance(found, np.ndarray) else np.stack(list(found), axis=-2)


def columns(array: np.ndarray, card: Device) -> DeviceArray:
    """Return an array (*own, n) on the card as (n, *own)."""
    there = to_card(array, card)
    own = array.ndim - 1
    shape, strides = ((x[own], *x[:own]) for x in (array.shape, there.strides))
    return DeviceArray(there._memory, shape, array.dtype, strides, 0)


def worst(out: DeviceArray, expected: np.ndarray, index: np.ndarray, layout: str) -> float:
    """Return the largest relative error of some samples of the whole, or infinity if one is not finite."""
    found = out.copy_to_host()
    some = np.unique(np.concatenate([np.arange(1000), np.arange(0, len(index), 997), np.arange(len(index) - 1000, len(index))]))
    return relative(found[some], expected[index[some]])


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    if not np.isfinite(found).all():
        return float("inf")
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def simulations(model: lissom.Model, backend: lissom.CUDA, n: int) -> None:
    """Measure simulations of many robots: steps between two lengths, so that start and samples do not count, and in all."""
    robot, definition = lissom.Robot(model, backend=backend), lissom.Robot(model)
    rng = np.random.default_rng(1)
    q, qd = rng.uniform(-1, 1, (2, n, model.nq))
    for label, method, controlled in (("computed torque", "rk4", True), ("free", "rk4", False), ("free", "semi_implicit", False)):
        ours, theirs = (simulated(r, (q[:100], qd[:100]), 0.05, method, controlled)[0] for r in (robot, definition))
        error = max(relative(getattr(ours, x), getattr(theirs, x)) for x in ("q", "qd", "qdd"))
        simulated(robot, (q, qd), 0.5, method, controlled)
        short, long = (min(simulated(robot, (q, qd), span, method, controlled)[1] for _ in range(4)) for span in (0.1, 1.1))
        text = f"{n * 1000 / (long - short):.2e} steps a second, with start and two samples of 1100 steps {n * 1100 / long:.2e}"
        print(f"Panda, {method}, {label}, {n} robots: {text}, error {error:.1e}", flush=True)


def simulated(robot, state, duration, method, controlled):
    """Return a motion, and the time it took."""
    law = lissom.control.ComputedTorque(robot, lissom.control.Sine(0.3, 2.0, n=robot.nv), 100.0) if controlled else None
    begin = time.perf_counter()
    found = robot.simulate(*state, duration, law, method=method, dt=1e-3, sample=duration)
    return found, time.perf_counter() - begin


def host(model: lissom.Model, backend: lissom.CUDA) -> None:
    """Measure a batch in the memory of the host."""
    robot = lissom.Robot(model, backend=backend)
    q, qd, qdd = states(robot, "inverse_dynamics", 1 << 21)
    out = np.empty_like(q)
    best = float("inf")
    for _ in range(4):
        begin = time.perf_counter()
        robot.inverse_dynamics(q, qd, qdd, out=out)
        best = min(best, time.perf_counter() - begin)
    numbers = 4 * q.size * 8
    print(
        f"Panda, inverse dynamics of {len(q)} states from and to the host: {best * 1e3:.1f} ms, {numbers / best * 1e-9:.1f} GB/s"
    )


def launches(model: lissom.Model, backend: lissom.CUDA) -> None:
    """Measure small calls."""
    robot = lissom.Robot(model, backend=backend)
    for n in (1, 1024, 16384):
        there = [backend.array(a) for a in states(robot, "inverse_dynamics", n)]
        out = robot.inverse_dynamics(*there)
        for label, option in (("a new result", {}), ("out=", {"out": out})):
            begin = time.perf_counter()
            for _ in range(300):
                robot.inverse_dynamics(*there, **option)
            asked = time.perf_counter() - begin
            backend.card().synchronize()
            whole = time.perf_counter() - begin
            print(f"Panda, {n} states on the card, {label}: {asked / 300 * 1e6:.1f} us to ask, {whole / 300 * 1e6:.1f} us in all")
    q, qd, qdd = (a[0] for a in states(robot, "inverse_dynamics", 1))
    begin = time.perf_counter()
    for _ in range(300):
        robot.inverse_dynamics(q, qd, qdd)
    print(f"Panda, one state of NumPy: {(time.perf_counter() - begin) / 300 * 1e6:.1f} us")


if __name__ == "__main__":
    main()
