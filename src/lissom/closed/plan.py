"""Plan: which velocities a closed robot is solved for, and in which order.

Any independent velocities are possible. Those of the user's coordinates, and those of all joints from the base to some body (a
platform), are tried; the smallest blocks of equations win, among choices that are far from singular at the examined poses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..algorithms.closed.closure import Closed, Plan
from ..algorithms.loads import chain
from ..compiler.symbol import Graph
from ..errors import ModelError
from ..model.model import Model
from ..model.names import velocity_names
from ..one_thread import one_thread
from ..tree import lump
from .choice import choose
from .constraints import Constraints
from .mobility import Analysis, freedom

FAIR = 0.02  # share of the best-conditioned choice that another one has to reach


def make_plan(constraints: Constraints, analysis: Analysis, home: np.ndarray) -> Plan:
    """Return how the closure of a model is solved; `home` is the configuration assembled first."""
    model = constraints.model
    names = velocity_names(model)
    driving = _suggest(analysis, model) if model.active is None else []
    if driving:
        single = [joint.name for joint in model.independent_joints if joint.kind.nv == 1]
        raise ModelError(
            f"{model.name!r} has loops, and no joint is active; give active=[...] (in lissom.load, Model or YAML; "
            f"--active on the command line): it has {freedom(analysis.mobility.degrees_of_freedom)}, "
            f"{', '.join(driving)} for example could drive it. Its joints are {', '.join(map(repr, single))}"
        )
    coordinates, active = choose(analysis, model, tuple(names.index(name) for name in model.active or ()))
    rows = tuple(constraints.rows[k] for k in analysis.rows)
    gaps: tuple[float, ...] = ()
    if model.closure_tolerance is not None:
        gaps = tuple(float(x) for x in constraints.residual(home)[list(analysis.rows)])
    plan = Plan(rows, coordinates, coordinates, active, constraints.length, gaps=gaps)
    choices = {coordinates: plan}
    for chosen in _chains(model, len(coordinates)):
        choices.setdefault(chosen, replace(plan, independent=chosen))
    conditions = {chosen: _condition(analysis, chosen) for chosen in choices}
    fair = [chosen for chosen in choices if chosen == coordinates or conditions[chosen] > FAIR * max(conditions.values())]
    return choices[min(fair, key=lambda chosen: _cost(model, choices[chosen]))]


def _chains(model: Model, dof: int) -> Iterator[tuple[int, ...]]:
    """Give the velocities of all joints from the base to a body, where they are as many as the degrees of freedom."""
    tree = lump(model)
    for j in range(len(tree.bodies)):
        bodies = [tree.bodies[k] for k in chain(tree, j)]
        velocities = tuple(body.iv + k for body in bodies for k in range(body.kind.nv))
        plain = all(body.ratio == 1.0 and body.offset == 0.0 and body.law is None for body in bodies)
        if len(velocities) == dof and len(set(velocities)) == dof and plain:
            yield velocities


def _condition(analysis: Analysis, chosen: tuple[int, ...]) -> float:
    """Return how independent velocities are at worst: the smallest singular value of what the free motions do to them."""
    with one_thread(len(chosen)):
        return min(float(np.linalg.svd(N[list(chosen)], compute_uv=False)[-1]) for N in analysis.motions)


def _cost(model: Model, plan: Plan) -> float:
    """Return about how many products the equations take that have to be solved together."""
    tree, graph = lump(model), Graph()
    try:
        closed = Closed(tree, [graph.input(0, k) for k in range(model.nq)], model, plan)
    except ModelError:
        return np.inf
    n = len(plan.coordinates)
    # every block is factored once and solved for each independent velocity; what is behind it is solved for three vectors
    own = 0 if plan.independent == plan.coordinates else n**3 + 6 * n**2
    return sum(size**3 + (2 if size > 3 else 1) * n * size**2 for size in closed.elimination.sizes) + own


def _suggest(analysis: Analysis, model: Model) -> list[str]:
    """Return joints of one axis that could drive the robot; none where joints of several axes carry all its freedom."""
    names = velocity_names(model)
    single = {joint.name for joint in model.independent_joints if joint.kind.nv == 1}
    chosen: list[str] = []
    N = analysis.motions[0]
    Q = np.zeros((N.shape[1], 0))
    for k, name in enumerate(names):
        left = N[k] - Q @ (Q.T @ N[k])
        if (
            name in single
            and np.linalg.norm(left) > 1e-2 * max(float(np.linalg.norm(N[k])), 1e-12)
            and np.linalg.norm(left) > 1e-6
        ):
            chosen.append(repr(name))
            Q = np.column_stack([Q, left / np.linalg.norm(left)])
    return chosen
