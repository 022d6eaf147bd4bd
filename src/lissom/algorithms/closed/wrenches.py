"""Wrenches inside a closed robot: through every joint of the tree, and through every cut one.

The loops supply the forces of the tree's joints that drives do not: K' lambda = tau_tree - tau (of active joints). The
wrenches of the cut joints act on their two links like any other load, and the recursion then gives those of the tree's joints.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.loop import Loop
from ...model.model import Model
from ...spatial.scalar import Scalar, sub
from ...spatial.series import terms_of
from ...spatial.twist import Twist
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import lump
from ..dynamics.inverse_dynamics import reported
from ..dynamics.rnea import Passes, rnea
from ..loads import FULL, External, Situation, chain
from .closure import Closed, Plan
from .tasks import Text, Weights, along_motion, closed_task, motion, with_rates


def joint_wrenches(model: Model, plan: Plan, external: External = (), axes: str = "joint", weights: Weights = None) -> Task:
    """Force and moment through every moving joint of the tree, on its child, then through every cut joint, on its second link."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return _wrenches(s, c, model, axes, weights)

    return _task("joint_wrenches", "qd qdd", text, model, plan, external, axes, weights)


def joint_wrench_rates(
    model: Model, plan: Plan, external: External = (), axes: str = "joint", weights: Weights = None, changing: bool = False
) -> Task:
    """Rates of the components of these wrenches along a motion: the same text on series in time.

    `changing`: external wrenches come with rates.
    """

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return [terms_of(x, 2)[1] for x in _wrenches(*along_motion(s, c, model), model, axes, weights)]

    return _task("joint_wrench_rates", "qd qdd qddd", text, model, plan, external, axes, weights, changing)


def _task(
    name: str,
    rates: str,
    text: Text,
    model: Model,
    plan: Plan,
    external: External,
    axes: str,
    weights: Weights,
    changing: bool = False,
) -> Task:
    size = 6 * (len(lump(model).jointed) + len(model.loops))
    key = f"{name}[{axes}]" + ("" if weights is None else f"[weights {weights!r}]")
    inputs, end = with_rates(dict.fromkeys(rates.split(), len(plan.coordinates)), external, changing)
    return closed_task(key + end, model, plan, inputs, Port("wrenches", size), text, external, FULL)


def _wrenches(s: Situation, c: Closed, model: Model, axes: str, weights: Weights) -> list[Scalar]:
    qd, qdd = motion(c, s["qd"], s["qdd"])
    needed = rnea(s.tree, s["q"], qd, qdd, s.wrenches, s.base).tau
    rest = list(needed)
    for k, force in zip(c.plan.active, c.driving(c.gather(needed), weights), strict=True):
        rest[k] = sub(rest[k], force)
    cut = cut_wrenches(c, c.multipliers(rest))
    total = dict(s.wrenches)
    for pair in cut:
        for body, f, m in pair:
            before = total.get(body, (ZERO, ZERO))
            total[body] = (before[0] + f, before[1] + m)
    passes = rnea(s.tree, s["q"], qd, qdd, total, s.base)
    found = [part for j in s.tree.jointed for part in reported(s, passes, model, j, axes)]
    for loop, pair in zip(model.loops, cut, strict=True):
        found += _reported(s, passes, loop, pair[0 if c.plan.swapped else 1], axes)
    return [x for part in found for x in part]


def cut_wrenches(c: Closed, multipliers: Sequence[Scalar]) -> list[list[tuple[int, Vector, Vector]]]:
    """Return for each loop the wrenches of its joint on its two bodies: force and moment in the body's axes, about its origin."""
    values: dict[int, dict[int, Scalar]] = {}
    for (loop, row), value in zip(c.plan.rows, multipliers, strict=True):
        values.setdefault(loop, {})[row] = value
    return [meeting.wrenches(values.get(k, {})) for k, meeting in enumerate(c.meetings)]


def _reported(s: Situation, passes: Passes, loop: Loop, on_body: tuple[int, Vector, Vector], axes: str) -> Twist:
    """Return the wrench on the second link of a loop in the requested axes, about the cut joint; for "link" about the link."""
    body, f, m = on_body
    pose = s.tree.places[loop.second][1]
    cut = pose @ loop.second_pose
    m = m - Vector.of((pose if axes == "link" else cut).translation).cross(f)
    if axes in ("joint", "link"):
        to_user = Matrix.of((pose if axes == "link" else cut).R.T)
        return to_user @ f, to_user @ m
    for j in reversed(chain(s.tree, body)):
        f, m = passes.steps[j].to_parent(f), passes.steps[j].to_parent(m)
    if axes == "world":
        return s.base.turn.to_parent(f), s.base.turn.to_parent(m)
    first, pose = s.tree.places[loop.first]
    for j in chain(s.tree, first):
        f, m = passes.steps[j].to_child(f), passes.steps[j].to_child(m)
    to_user = Matrix.of(pose.R.T)
    return to_user @ f, to_user @ m
