"""Tasks that close the loops of a robot, and that show how far they are open."""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...joints.flow import step_along
from ...model.model import Model
from ...spatial.scalar import Scalar, add, is_zero, mul, sub
from ..dynamics.integrate import each_joint
from ..loads import Situation, laid_out_task
from .closure import Closed, Plan
from .coordinates import shares
from .cut_joint import Meeting
from .tasks import closed_task


def newton_step(model: Model, plan: Plan, given: tuple[int, ...]) -> Task:
    """A step of Newton's method toward a configuration that closes the loops, with the coordinates of some velocities given.

    Targets are the coordinates of `shares(model, given)`, quaternions of length one. Results are the configuration after the
    step, then the step along the velocities of the tree. Joints that no loop contains arrive at once, without a step.
    """
    parts = shares(model, given)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        y = c.elimination.solve([sub(0.0, x) for x in c.residuals])
        start = [y.get(k, 0.0) for k in range(model.nv)]
        wanted: list[Scalar] = []
        rows: list[dict[int, Scalar]] = []  # of the velocities of the tree
        arrived: dict[int, Scalar] = {}
        at = 0
        for part in parts:
            target = s["target"][at : at + part.kind.nq]
            at += part.kind.nq
            if not part.inside:
                arrived.update(zip(part.places, target, strict=True))
                wanted += [0.0] * len(part.own)
                rows += [{part.iv + k: 1.0} for k in part.own]
                continue
            e, D = part.kind.traits.error([s["q"][k] for k in part.places], target)
            for k in part.own:
                rows.append({part.iv + j: x for j, x in enumerate(D[k]) if not is_zero(x)})
                wanted.append(sub(e[k], _along(rows[-1], start)))
        A = c.A if given == plan.coordinates and all(len(row) == 1 for row in rows) else c.eliminate(given, along=rows)
        step = c.spread(A.solve(wanted), start)
        q = each_joint(model, step_along, s["q"], step)
        return [*(arrived.get(k, x) for k, x in enumerate(q)), *step]

    output = Port("next", model.nq + model.nv)
    inputs = {"target": sum(part.kind.nq for part in parts)}
    return closed_task(f"newton_step[{given}]", model, plan, inputs, output, text)


def _along(row: dict[int, Scalar], v: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for k, x in row.items():
        total = add(total, mul(x, v[k]))
    return total


def relative_poses(model: Model) -> Task:
    """For each loop the frame on the second link, seen from the first: axes (9), row by row, and origin (3)."""

    def text(s: Situation) -> list[Scalar]:
        found: list[Scalar] = []
        for loop in model.loops:
            meeting = Meeting(s.tree, s["q"], loop)
            found += [x for row in meeting.R.rows for x in row] + list(meeting.p)
        return found

    return laid_out_task("relative_poses", model, {"q": model.nq}, Port("poses", 12 * len(model.loops)), text)


def relative_jacobians(model: Model) -> Task:
    """For each loop the velocity of the second frame relative to the first, in the axes of the first: (6, nv), row by row."""

    def text(s: Situation) -> list[Scalar]:
        found: list[Scalar] = []
        for loop in model.loops:
            meeting = Meeting(s.tree, s["q"], loop)
            columns = meeting.columns(meeting.p)
            table = [[0.0] * model.nv for _ in range(6)]
            for k, (linear, angular) in columns.items():
                for i, x in enumerate((*linear, *angular)):
                    table[i][k] = x
            found += [x for row in table for x in row]
        return found

    return laid_out_task("relative_jacobians", model, {"q": model.nq}, Port("J", 6 * model.nv * len(model.loops)), text)


def dependent_step(model: Model, plan: Plan) -> Task:
    """A step of Newton's method without motion of the independent velocities: legs follow a platform that is held.

    Results are the configuration after the step, then the step along the velocities of the tree.
    """

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        y = c.elimination.solve([sub(0.0, x) for x in c.residuals])
        step = [y.get(k, 0.0) for k in range(model.nv)]
        return [*each_joint(model, step_along, s["q"], step), *step]

    return closed_task("dependent_step", model, plan, {}, Port("next", model.nq + model.nv), text)
