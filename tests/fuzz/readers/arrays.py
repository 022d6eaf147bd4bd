"""Arrays handed to every public function of trees and of closed mechanisms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import lissom

from ..odd_values import odd_array, odd_text
from ..reader import Reader

# not functions of a state, or writers of files
SKIPPED = {"save", "program", "operation_count", "locked", "neutral", "inertial_parameters", "base_parameters"}
SKIPPED |= {"branches"}  # hundreds of searches
# prediction, timing and control call these with arrays that they have checked
SKIPPED |= {"path_task", "path_inputs", "path_function", "path_state", "path_torques", "path_torque_rates"}
SKIPPED |= {"reachable", "expect_reach", "poses_along", "as_trajectory"}


@cache
def _trees() -> list[lissom.Robot]:
    elastic = lissom.robots.tree_model(2, seed=2, kinds=["revolute", "prismatic"], motors=1.0, elastic=1.0)
    coupled = lissom.robots.tree_model(3, seed=1, kinds=["revolute", "spherical"], coupled=1.0)
    models = [lissom.robots.rr().model, elastic, coupled, lissom.robots.tree_model(1, seed=3, floating=True)]
    spring = lissom.PointSpring("spring", "ground", (0, 0, 0.1), "link_2", (0.1, 0, 0), 80.0, 0.2, 1.0)
    models.append(lissom.robots.tree_model(2, seed=5).replace(force_elements=(spring,)))
    return [lissom.Robot(model, backend=backend) for model in models for backend in ("numpy", "llvm")]


@cache
def _closed() -> list[Any]:
    models = [lissom.robots.five_bar_model(), lissom.robots.four_bar_model()]
    return [lissom.ClosedRobot(model, backend=backend) for model in models for backend in ("numpy", "llvm")]


@cache
def _functions(kind: type) -> list[tuple[str, inspect.Signature]]:
    found = []
    for name, function in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_") and name not in SKIPPED:
            found.append((name, inspect.signature(function)))
    return found


def _follow(robots: Callable[[], list[Any]]) -> Callable[[Path, Random], Iterator[Any]]:
    def follow(path: Path, rng: Random) -> Iterator[Any]:
        robot = rng.choice(robots())
        name, signature = rng.choice(_functions(type(robot)))
        arguments = _arguments(robot, name, signature, rng)
        path.write_text(f"{robot.name} ({robot.backend}).{name}({', '.join(f'{k}={_shown(v)}' for k, v in arguments.items())})\n")
        first = [arguments.pop(key) for key, p in list(signature.parameters.items())[1:] if p.kind is p.POSITIONAL_ONLY]
        result = getattr(robot, name)(*first, **arguments)
        # infinite conditions and residuals, and samples of what failed, are answers
        if name not in ("inverse_kinematics", "simulate", "singularity"):
            yield from _arrays(result)

    return follow


def _arguments(robot: Any, name: str, signature: inspect.Signature, rng: Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, parameter in list(signature.parameters.items())[1:]:
        needed = parameter.default is parameter.empty
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or not (needed or rng.random() < 0.2):
            continue
        found[key] = _good(robot, name, key, rng)
    if name == "simulate":
        found |= {"duration": rng.choice((1e-3, 1e-3, -1.0, np.nan, "a")), "method": "rk4", "dt": rng.choice((1e-3, 1e-4, 0.0))}
    for key in rng.sample(list(found), min(len(found), rng.choice((0, 1, 1, 1, 2)))):
        if isinstance(found[key], str):
            found[key] = odd_text(rng, [*robot.link_names, *robot.joint_names])
        elif isinstance(found[key], np.ndarray):
            found[key] = odd_array(rng, found[key])
        elif key not in ("duration", "dt", "progress", "events", "torque"):
            found[key] = rng.choice((None, 3, "text", [], {}, {"a": 1}, np.zeros(2), object()))
    return found


def _good(robot: Any, name: str, key: str, rng: Random) -> Any:
    """Return an argument that fits, or nearly."""
    if key in ("q", "q0", "start", "end", "near"):
        return robot.home_tree_q() if key == "near" else robot.neutral()
    if key == "tree":
        return robot.home_tree_q()
    if key in ("link", "target_link", "other"):
        return rng.choice(robot.link_names)
    if key == "name":
        return rng.choice(("inverse_dynamics", "forward_dynamics", "kinetic_energy", "link_velocity", "momentum"))
    if key == "state":
        return [robot.neutral(), np.zeros(robot.nv), np.zeros(robot.nv)]
    if key == "axes":
        return rng.choice(("world", "link", "joint", "wrld"))
    if key in ("point", "position", "target"):
        return np.zeros(3)
    if key == "rotation":
        return np.eye(3)
    if key in ("torque_known", "packed", "progress", "throw", "square", "regrouped", "drives"):
        return np.zeros(robot.nv, bool) if key == "torque_known" else rng.random() < 0.5
    if key == "external":
        return {rng.choice(robot.link_names): lissom.Wrench([1.0, 2.0, 3.0], axes="world")}
    if key == "base_motion":
        return lissom.BaseMotion(acceleration=[0.0, 0.0, 1.0])
    if key in ("part", "convention", "rates"):
        return {"part": "origin", "convention": "standard"}.get(key, "qd")
    if key in ("method", "events", "torque", "acceleration", "known"):
        return None
    if key in ("dt", "starts", "seed", "iterations", "tolerance"):
        return rng.choice((1, 0, -1, 1e-3))
    return np.zeros(robot.nv)


def _arrays(result: Any) -> Iterator[Any]:
    if isinstance(result, np.ndarray) or np.isscalar(result):
        yield result
    elif isinstance(result, dict):
        for value in result.values():
            yield from _arrays(value)
    elif isinstance(result, (tuple, list)):
        for value in result:
            yield from _arrays(value)
    elif hasattr(result, "__dict__"):
        yield from _arrays({key: value for key, value in vars(result).items() if not key.startswith("_")})


def _shown(value: Any) -> str:
    """Return a value for people, its beginning only."""
    try:
        text = f"{type(value).__name__}{value.shape} {value.dtype} " if isinstance(value, np.ndarray) else ""
        return text + (repr(value)[:200] if not isinstance(value, np.ndarray) or value.size < 100 else "..")
    except Exception as error:
        return f"<{type(value).__name__}: {error}>"


def _nothing(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    return b""


ROBOT = Reader("arrays", ".txt", lambda: [b""], _nothing, _follow(_trees))
CLOSED = Reader("arrays-closed", ".txt", lambda: [b""], _nothing, _follow(_closed))
