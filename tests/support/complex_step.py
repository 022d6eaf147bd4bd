"""Derivatives by complex steps: exact to rounding, and nothing of lissom's derivatives is used.

The imaginary part of f(x + i h dx) / h is the derivative along dx with an error of h^2; h = 1e-30 leaves none. Derivatives by q
are by velocities: dx = dq/dt at a unit velocity, along the four numbers of a quaternion.
"""

import numpy as np

from lissom.model import Model
from support.kinematics import rate_of_coordinates

H = 1e-30
VELOCITIES = ("qd", "qdd", "tau", "given")


def evaluate(task, arguments, output=0):
    """Return one output (N, size) of a task at arrays (N, size) that may be complex."""
    columns = [list(np.ascontiguousarray(np.asarray(a).T)) for a in arguments]
    n = len(arguments[0])
    values = task.texts[0](*columns)[output]
    return np.array([np.broadcast_to(np.asarray(x), n) for x in values]).reshape(len(values), n).T


def directional(model: Model, task, arguments, tangents, output=0):
    """Return the derivative (size,) of an output at one state, along tangents {name: (nv,)} of its inputs by name."""
    along = {name: np.asarray(x, dtype=float) for name, x in tangents.items()}
    state = {port.name: np.asarray(a, dtype=float) for port, a in zip(task.inputs, arguments, strict=True)}
    steps = []
    for port in task.inputs:
        x, dx = state[port.name], along.get(port.name)
        if dx is not None and port.name == "q":
            dx = rate_of_coordinates(model, x, dx)
        steps.append((x if dx is None else x + 1j * H * dx)[None])
    return np.imag(evaluate(task, steps, output)[0]) / H


def jacobians(model: Model, task, *arguments, output=0):
    """Return {name: (size, nv)}: derivatives of an output by q, qd, qdd, tau or given, at one state.

    Args:
        model, task: `lissom.algorithms.<...>.<task>(model, ...)`.
        arguments: one array for each input of the task.
        output: which one, where the task has several.
    """
    state = [np.asarray(a, dtype=float) for a in arguments]
    found = {}
    for k, port in enumerate(task.inputs):
        if port.name == "q":
            steps = np.array([rate_of_coordinates(model, state[k], v) for v in np.eye(model.nv)]).reshape(model.nv, port.size)
        elif port.name in VELOCITIES:
            steps = np.eye(port.size)
        else:
            continue
        many = [np.broadcast_to(a, (len(steps), len(a))) for a in state]
        many[k] = many[k] + 1j * H * steps
        found[port.name] = np.imag(evaluate(task, many, output)).T / H
    return found
