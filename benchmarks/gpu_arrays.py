"""Arrays of PyTorch, CuPy and JAX on a card: results beside NumPy, in `python -m benchmarks gpu`."""

import os

import numpy as np

import lissom
from benchmarks.gpu import relative, states


def check(model: lissom.Model, backend: lissom.CUDA) -> None:
    """Print the errors of results for arrays of each library that is installed."""
    for other in (of_torch, of_cupy, of_jax):
        try:
            other(model, backend)
        except ImportError as error:
            print(f"{other.__name__}: {error}")


def of_torch(model: lissom.Model, backend: lissom.CUDA) -> None:
    import torch

    robot, definition = lissom.Robot(model, backend=backend), lissom.Robot(model, backend="numpy")
    base = states(robot, "inverse_dynamics", 1000)
    there = [torch.tensor(a, device="cuda") for a in base]
    expected = definition.inverse_dynamics(*base)
    with torch.cuda.stream(torch.cuda.Stream()):
        moved = [x * 1.0 for x in there]
        found = torch.as_tensor(robot.inverse_dynamics(*moved), device="cuda") * 1.0
    out = torch.empty_like(there[0])
    assert robot.inverse_dynamics(*there, out=out) is out
    torch.cuda.synchronize()
    third = torch.from_dlpack(robot.inverse_dynamics(*there))
    errors = [relative(x.cpu().numpy(), expected) for x in (found, out, third)]
    errors_by_way = f"errors {errors[0]:.1e} on a stream of its own, {errors[1]:.1e} with out=, {errors[2]:.1e} by DLPack"
    print(f"PyTorch {torch.__version__}: {errors_by_way}")


def of_cupy(model: lissom.Model, backend: lissom.CUDA) -> None:
    import cupy

    robot, definition = lissom.Robot(model, backend=backend), lissom.Robot(model, backend="numpy")
    base = states(robot, "inverse_dynamics", 1000)
    found = cupy.asarray(robot.inverse_dynamics(*(cupy.asarray(a) for a in base)))
    print(f"CuPy {cupy.__version__}: error {relative(found.get(), definition.inverse_dynamics(*base)):.1e}")


def of_jax(model: lissom.Model, backend: lissom.CUDA) -> None:
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    jax.config.update("jax_enable_x64", True)
    robot, definition = lissom.Robot(model, backend=backend), lissom.Robot(model, backend="numpy")
    base = states(robot, "inverse_dynamics", 1000)
    there = [jax.device_put(a) for a in base]
    for x in there:
        x.block_until_ready()
    found = jax.dlpack.from_dlpack(robot.inverse_dynamics(*there))
    print(f"JAX {jax.__version__}: error {relative(np.asarray(found), definition.inverse_dynamics(*base)):.1e}")
