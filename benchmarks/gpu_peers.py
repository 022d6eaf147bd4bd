"""Batches on an NVIDIA card beside MJX, adam and frax on JAX: states a second of one function, arrays that stay on the card.

Peers are batched by vmap and compiled by jit. All take rows (N, n), are measured by the clock over several calls in a row,
and are compared with NumPy.
"""

import functools
import importlib.util
import os
import re
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import lissom
from benchmarks.robots import without_shapes

ROBOTS = ("UR5", "Panda")
FILES = {"UR5": "ur5_robot.urdf", "Panda": "panda.urdf"}
TOLERANCE = {"double": 1e-6, "single": 1e-2}
# function, precision, states
CASES = (
    ("inverse_dynamics", "double", 1 << 20),
    ("inverse_dynamics", "single", 1 << 20),
    ("forward_dynamics", "double", 1 << 20),
)


def main() -> None:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if importlib.util.find_spec("jax") is None:
        print("peers are not measured: JAX is not installed")
        return
    import jax

    jax.config.update("jax_enable_x64", True)
    if jax.default_backend() != "gpu":
        print("peers are not measured: JAX sees no card")
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(folder)


def measure(folder: str) -> None:
    """Print a line a case, and how many times faster we are than the fastest peer."""
    for robot in ROBOTS:
        path = stripped(urdf(robot), folder)
        makers = [(name, make) for name, make in PEERS.items() if available(name)]
        for function, precision, n in CASES:
            given = arguments(path, function, n)
            reference = definition(path)
            expected = getattr(reference, function)(*(a[:1000] for a in given))
            ours = of_lissom(path, function, precision, given, expected)
            text = f"{robot:6} {function} {precision} {n} states: lissom {ours / n * 1e12:.1f} ps"
            found = {}
            for name, make in makers:
                begin = time.perf_counter()
                try:
                    seconds, error = of_jax(make(path, reference), function, precision, given, expected)
                except Exception as failed:
                    print(f"{robot:6} {function}: {name} does not run: {type(failed).__name__}: {str(failed)[:90]}", flush=True)
                    makers = [x for x in makers if x[0] != name]
                    continue
                wrong = "" if error < TOLERANCE[precision] else " WRONG"
                found[name] = seconds
                took = time.perf_counter() - begin
                text += f", {name} {seconds / n * 1e12:.0f} ps (error {error:.0e}{wrong}, ready in {took:.0f} s)"
            if found:
                text += f"; fastest peer / lissom = {min(found.values()) / ours:.0f}"
            print(text, flush=True)


def available(name: str) -> bool:
    """Return whether a peer is installed; say so if not."""
    try:
        there = importlib.util.find_spec(MODULES[name]) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        print(f"{name} is not installed")
    return there


def urdf(robot: str) -> str:
    """Return the path of a robot's URDF."""
    folder = os.environ.get("LISSOM_GPU_MODELS")
    if folder and (path := Path(folder) / f"{robot}.urdf").exists():
        return str(path)
    from .robots import find

    return find(FILES[robot])


def stripped(path: str, folder: str) -> str:
    """Return the path of a copy without friction, mimic joints and shapes."""
    other = Path(folder) / Path(path).name
    other.write_text(re.sub(r"<(dynamics|mimic)\b.*?/>", "", without_shapes(path)))
    return str(other)


@functools.cache
def definition(path: str) -> lissom.Robot:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lissom.ModelWarning)
        return lissom.load(path, base="fixed").to("numpy")


def arguments(path: str, function: str, n: int) -> list[np.ndarray]:
    robot = definition(path)
    rng = np.random.default_rng(0)
    return [robot.random_configuration(rng, size=n), *(rng.uniform(-1, 1, (n, robot.nv)) for _ in range(2))]


def of_lissom(path, function, precision, given, expected) -> float:
    """Return seconds of our kernel."""
    chosen = lissom.CUDA(precision)
    robot = lissom.Robot(definition(path).model, backend=chosen)
    there = [chosen.array(a) for a in given]
    out = getattr(robot, function)(*there)
    error = np.abs(out.copy_to_host()[:1000] - expected).max() / np.abs(expected).max()
    assert error < TOLERANCE[precision], error
    call = getattr(robot, function)
    return clock(lambda: call(*there, out=out), chosen.card().synchronize)


def clock(call, wait) -> float:
    """Return the seconds of one of several calls in a row, the best of some rounds."""
    call()
    wait()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(10):
            call()
        wait()
        best = min(best, (time.perf_counter() - begin) / 10)
    return best


def of_jax(one, function, precision, given, expected) -> tuple[float, float]:
    """Return seconds of a peer and its error."""
    import jax
    import jax.numpy as jnp

    kind = jnp.float64 if precision == "double" else jnp.float32
    with jax.enable_x64(precision == "double"):
        there = [jax.device_put(a.astype(kind)) for a in given]
        call = jax.jit(jax.vmap(functools.partial(one[function], kind)))
        found = [call(*there)]
        error = float(np.abs(np.asarray(found[0][:1000]) - expected).max() / np.abs(expected).max())
        assert found[0].dtype == kind, found[0].dtype

        def again():
            found[0] = call(*there)

        return clock(again, lambda: found[0].block_until_ready()), error


@functools.cache
def mjx(path: str, robot: lissom.Robot):
    """Return functions of one state by MJX; joints without limits, contacts and other constraints."""
    import jax
    import jax.numpy as jnp
    import mujoco
    from mujoco import mjx

    model = mujoco.MjModel.from_xml_path(path)
    if model.nv != robot.nv:
        raise ValueError(f"{model.nv} degrees of freedom, not {robot.nv}")
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.opt.gravity[:] = robot.model.gravity
    model = mjx.put_model(model)
    data = mjx.make_data(model)

    def cast(tree, kind):
        change = lambda x: x.astype(kind) if hasattr(x, "dtype") and jnp.issubdtype(x.dtype, jnp.floating) else x  # noqa: E731
        return jax.tree_util.tree_map(change, tree)

    def inverse(kind, q, qd, qdd):
        return mjx.inverse(cast(model, kind), cast(data, kind).replace(qpos=q, qvel=qd, qacc=qdd)).qfrc_inverse

    def forward(kind, q, qd, tau):
        return mjx.forward(cast(model, kind), cast(data, kind).replace(qpos=q, qvel=qd, qfrc_applied=tau)).qacc

    return {"inverse_dynamics": inverse, "forward_dynamics": forward}


@functools.cache
def adam(path: str, robot: lissom.Robot):
    """Return functions of one state by adam: a fixed base is one that rests."""
    import jax.numpy as jnp
    from adam.jax import KinDynComputations

    gravity = np.concatenate([robot.model.gravity, np.zeros(3)])

    @functools.cache
    def at(kind):
        made = KinDynComputations(path, list(robot.joint_names), dtype=kind, gravity=jnp.asarray(gravity, kind))
        made.rbdalgos.math.factory._device = None  # arrays inside of vmap have none
        return made

    def inverse(kind, q, qd, qdd):
        other, H, still = at(kind), jnp.eye(4, dtype=kind), jnp.zeros(6, kind)
        return other.mass_matrix(H, q)[6:, 6:] @ qdd + other.bias_force(H, q, still, qd)[6:]

    def forward(kind, q, qd, tau):
        other, H, still = at(kind), jnp.eye(4, dtype=kind), jnp.zeros(6, kind)
        rest = tau - other.bias_force(H, q, still, qd)[6:]
        return jnp.linalg.solve(other.mass_matrix(H, q)[6:, 6:], rest)

    at(jnp.float64), at(jnp.float32)
    return {"inverse_dynamics": inverse, "forward_dynamics": forward}


@functools.cache
def frax(path: str, robot: lissom.Robot):
    """Return functions of one state by frax."""
    import jax.numpy as jnp
    from frax.core.robot import Robot

    other = Robot(path)
    upward = np.concatenate([-np.asarray(robot.model.gravity), np.zeros(3)])
    if other.nv != robot.nv:
        raise ValueError(f"{other.nv} degrees of freedom, not {robot.nv}")

    def inverse(kind, q, qd, qdd):
        return other.rnea(q, qd, qdd, jnp.asarray(upward, kind), None)

    def forward(kind, q, qd, tau):
        return other.forward_dynamics(q, qd, tau, None)

    return {"inverse_dynamics": inverse, "forward_dynamics": forward}


PEERS = {"MJX": mjx, "adam": adam, "frax": frax}
MODULES = {"MJX": "mujoco.mjx", "adam": "adam", "frax": "frax"}

if __name__ == "__main__":
    main()
