"""One state inside PyTorch and JAX: what a call, a gradient and an iteration of a compiled loop cost, beside adam and MJX."""

import importlib.util
from pathlib import Path

import numpy as np

import lissom
from lissom.bench import best_times

from .robots import find, without_shapes

ROBOTS = (("UR5", "ur5_robot.urdf"), ("Panda", "panda.urdf"))
LOOP = 1000  # iterations inside of a compiled program


def main() -> None:
    missing = [name for name in ("torch", "jax") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"not measured: {' and '.join(missing)} not installed (pip install 'lissom[torch,jax]')")
    print(f"{'':52}{'UR5':>12}{'Panda':>12}")
    columns = [measured(find(file), missing) for _, file in ROBOTS]
    for what in columns[0]:
        print(f"{what:52}" + "".join(f"{column[what] * 1e6:9.2f} us" if what in column else f"{'-':>12}" for column in columns))


def measured(path: str, missing: list[str]) -> dict[str, float]:
    """Return seconds of one state by what was done."""
    robot = lissom.load(path, friction=False, mimic=False)
    rng = np.random.default_rng(0)
    state, out = [rng.normal(size=robot.nv) for _ in range(3)], np.empty(robot.nv)
    calls = {"robot, inverse dynamics into out=": lambda: robot.inverse_dynamics(*state, out=out)}
    if "torch" not in missing:
        calls |= torch_calls(robot, state) | adam_in_torch(path, robot, state)
    if "jax" not in missing:
        calls |= jax_calls(robot, state) | adam_in_jax(path, robot, state) | mjx_calls(path, state)
    for call in calls.values():
        call()
    times = dict(zip(calls, best_times(list(calls.values()), seconds=0.3), strict=True))
    return {what: time / LOOP if "iteration" in what else time for what, time in times.items()}


def torch_calls(robot, state):
    import torch

    import lissom.torch

    model = lissom.torch.Robot(robot)
    plain, taped = [torch.tensor(x) for x in state], [torch.tensor(x, requires_grad=True) for x in state]
    weights = torch.ones(robot.nv, dtype=torch.float64)
    return {
        "torch, call": lambda: model.inverse_dynamics(*plain),
        "torch, call that autograd records": lambda: model.inverse_dynamics(*taped),
        "torch, call and gradient": lambda: torch.autograd.grad(model.inverse_dynamics(*taped), taped, weights),
        "torch, an operator of its own for scale: a + b": lambda: taped[0] + taped[1],
    }


def jax_calls(robot, state):
    import jax

    jax.config.update("jax_enable_x64", True)
    import lissom.jax

    model, x = lissom.jax.Robot(robot), [jax.numpy.asarray(y) for y in state]
    call, gradient = jax.jit(model.inverse_dynamics), jax.jit(jax.grad(lambda *x: model.inverse_dynamics(*x).sum(), (0, 1, 2)))

    def step(_, q):
        return q + 1e-9 * model.inverse_dynamics(q, *x[1:])

    loop = jax.jit(lambda q: jax.lax.fori_loop(0, LOOP, step, q))
    return {
        "JAX, jit, call from Python": lambda: call(*x).block_until_ready(),
        "JAX, jit, gradient from Python": lambda: jax.block_until_ready(gradient(*x)),
        "JAX, iteration of a compiled loop": lambda: loop(x[0]).block_until_ready(),
    }


def of_adam(path, robot, backend):
    """Return adam's robot and its bias torques as a function of q and qd, or None where adam is not installed."""
    if importlib.util.find_spec("adam") is None:
        return None
    module = importlib.import_module(f"adam.{backend}")
    try:
        return module.KinDynComputations(path, list(robot.joint_names))
    except (RuntimeError, TypeError, ValueError) as error:
        print(f"adam in {backend} does not take {Path(path).name}: {str(error)[:90]}")
        return None


def adam_in_torch(path, robot, state):
    other = of_adam(path, robot, "pytorch")
    if other is None:
        return {}
    import torch

    torch.set_default_dtype(torch.float64)
    H, still = torch.eye(4), torch.zeros(6)
    q, qd = (torch.tensor(x) for x in state[:2])
    return {"adam in torch, bias torques": lambda: other.bias_force(H, q, still, qd)}


def adam_in_jax(path, robot, state):
    other = of_adam(path, robot, "jax")
    if other is None:
        return {}
    import jax
    import jax.numpy as jnp

    q, qd = (jnp.asarray(x) for x in state[:2])

    def step(_, q):
        return q + 1e-9 * other.bias_force(jnp.eye(4), q, jnp.zeros(6), qd)[6:]

    loop = jax.jit(lambda q: jax.lax.fori_loop(0, LOOP, step, q))
    return {"adam in JAX, bias torques, iteration of a loop": lambda: loop(q).block_until_ready()}


def mjx_calls(path, state):
    if importlib.util.find_spec("mujoco") is None or importlib.util.find_spec("mujoco.mjx") is None:
        return {}
    import jax
    import jax.numpy as jnp
    import mujoco
    from mujoco import mjx

    model = mjx.put_model(mujoco.MjModel.from_xml_string(without_shapes(path)))
    data = mjx.make_data(model)
    qd, qdd = (jnp.asarray(x) for x in state[1:])
    if model.nv != len(state[0]):
        return {}

    def step(_, q):
        return q + 1e-9 * mjx.inverse(model, data.replace(qpos=q, qvel=qd, qacc=qdd)).qfrc_inverse

    loop = jax.jit(lambda q: jax.lax.fori_loop(0, LOOP, step, q))
    return {"MJX, inverse dynamics, iteration of a loop": lambda: loop(jnp.asarray(state[0])).block_until_ready()}
