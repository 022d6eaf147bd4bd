"""Reactions of the ground from the motion alone, in two steps, without unknowns (Barman 2020, section 5.3).

Inverse dynamics without the ground gives the wrench that the motion needs, F and M about the origin of a surface. One support
takes all of it. Two share it by the lever rule, from an anchor A on the rear one to an anchor B on the leading one:
    Z = (-M_2, M_1) / F_n              zero-moment point: where the tangential moments vanish
    a = (Z - A).d / d.d,   d = B - A   share of the leading support, along the surface
    F_lead = a F - h e,   F_rear = (1 - a) F + h e,   e = d / |d|
    C = M - ((1 - a) A + a B) x F      what the forces at the anchors leave, split alike: a C, (1 - a) C
h e is an internal force along the line between the anchors: it has no resultant and no moment, so that it is free to choose.
Inverse dynamics again, with these wrenches, gives the torques of joints; a root without drives carries nothing then.
Symbols: n normal of the surface, 1 and 2 along it | h [N] sum of the entries that are given, times their unit.

The input "ground" describes the supports at an instant: of each link the anchor in its frame, the anchor's height over the
surface, whether it is the rear and whether it is the leading support (0 or 1); then whether there are two.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...compiler.derivative import forward
from ...compiler.program import Port, Program
from ...compiler.replay import replay
from ...compiler.task import Task
from ...compiler.trace import trace
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sqrt, sub
from ...spatial.vector import ZERO, Matrix, Vector
from ...tree import BASE
from ..derivatives.directional import Record
from ..dynamics.inverse_dynamics import reported
from ..dynamics.rnea import Passes, rnea
from ..kinematics.kinematics import Frame, frames_in_world, link_frame
from ..loads import FULL, External, Situation, laid_out_task
from .loads import Point, Rows

A_LINK = 6  # numbers of "ground" for each link
TOTALS = ("t1", "t2", "n", "u", "v", "share", "beside")  # F, Z, a, and the distance of Z from the line through the anchors


class Ground(NamedTuple):
    """The ground, and the links that may stand on it.

    Attributes:
        links: those that may stand on it.
        axes: rotation matrix, row by row, whose columns are t1, t2, n in the world.
        origin: of the surface's coordinates, in the world [m].
        internal: number of entries that are given: internal forces.
        unit: of these [N].
    """

    links: tuple[str, ...]
    axes: Rows
    origin: Point
    internal: int = 0
    unit: float = 1.0

    @property
    def size(self) -> int:
        """Numbers of the input "ground"."""
        return A_LINK * len(self.links) + 1


class Support(NamedTuple):
    """Reaction on one link, in the axes of the surface: force, couple at the anchor, anchor, and pressure point."""

    force: Vector
    couple: Vector
    anchor: Vector
    pressure: tuple[Scalar, Scalar]


class Split(NamedTuple):
    """The reaction of the ground: in total, and on each link."""

    passes: Passes
    totals: list[Scalar]
    supports: list[Support]


def ground_reaction(model: Model, ground: Ground, external: External = ()) -> Task:
    """Torques of joints, forces on links, totals, and of each link couple, anchor and pressure point; see `reaction_entries`."""

    def text(s: Situation) -> list[Scalar]:
        found = _split(s, ground)
        forces = [x for support in found.supports for x in support.force]
        others = [x for one in found.supports for x in (*one.couple, *one.anchor, *one.pressure)]
        return [*found.passes.tau, *forces, *found.totals, *others]

    size = reaction_entries(model, ground)["pressure"].stop
    return _task(f"ground_reaction[{ground!r}]", model, ground, Port("reaction", size), text, external)


def reaction_entries(model: Model, ground: Ground) -> dict[str, slice]:
    """Return where the entries of `ground_reaction` are: "torque", "force" (3 a link), "totals", and the rest (8 a link)."""
    m = len(ground.links)
    ends = [0, model.nv, model.nv + 3 * m, model.nv + 3 * m + len(TOTALS), model.nv + 11 * m + len(TOTALS)]
    return {name: slice(a, b) for name, a, b in zip(("torque", "force", "totals", "pressure"), ends[:-1], ends[1:], strict=True)}


def ground_power(model: Model, ground: Ground, external: External = ()) -> Task:
    """Power of every joint's drive, tau qd [W]."""

    def text(s: Situation) -> list[Scalar]:
        return [mul(force, speed) for force, speed in zip(_split(s, ground).passes.tau, s["qd"], strict=True)]

    return _task(f"ground_power[{ground!r}]", model, ground, Port("power", model.nv), text, external)


def ground_wrench(
    model: Model, ground: Ground, joint: int, components: tuple[int, ...], axes: str, external: External = ()
) -> Task:
    """Some components of the wrench through one joint, on its child."""

    def text(s: Situation) -> list[Scalar]:
        six = [x for part in reported(s, _split(s, ground).passes, model, joint, axes) for x in part]
        return [six[k] for k in components]

    key = f"ground_wrench[{ground!r} {joint} {components} {axes}]"
    return _task(key, model, ground, Port("wrench", len(components)), text, external)


def reaction_rates(model: Model, inner: Callable[..., Task], count: int, **options: Any) -> Task:
    """Rates along a path of the first `count` entries of a task of the reaction, by its program.

    Inputs are those of the task with one more derivative of the path, then the rates of "ground" and of what is given.
    """
    task = inner(model, **options)
    names = [port.name for port in task.inputs]
    path = [port for port in task.inputs if port.name.startswith("q")]
    next_one = Port(f"{path[-1].name}d", path[-1].size)
    changing = [Port(f"{port.name}_rate", port.size) for port in task.inputs if port.name in ("ground", "given")]
    inputs = (*path, next_one, *task.inputs[len(path) :], *changing)
    outputs = (Port("rates", count),)
    primal = functools.cache(lambda: task.program(model.name))

    def text(*arguments: Sequence[Any]) -> list[list[Any]]:
        values = dict(zip((port.name for port in inputs), arguments, strict=True))
        record = Record(model, primal(), names, [values[name] for name in names], task.of_columns)
        chain = [port.name for port in (*path, next_one)]
        tangents = [(name, 0, values[rate]) for name, rate in zip(chain[:-1], chain[1:], strict=True)]
        tangents += [(port.name.removesuffix("_rate"), 0, values[port.name]) for port in changing]
        return [[t.get(0, record.zero) for t in forward(record.graph, record.seeds(tangents), record.results[:count])]]

    @functools.cache
    def program() -> Program:
        return trace(f"rates of {task.key}", inputs, outputs, text)

    key = f"rates[{count}] of {task.key}"
    return Task(key, inputs, outputs, [lambda *arguments: replay(program(), arguments)], of_columns=task.of_columns)


def _task(
    key: str, model: Model, ground: Ground, output: Port, text: Callable[[Situation], list[Scalar]], external: External
) -> Task:
    inputs: dict[str, int] = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "ground": ground.size}
    if ground.internal:
        inputs["given"] = ground.internal
    return laid_out_task(key, model, inputs, output, text, external, layouts=FULL)


def _split(s: Situation, ground: Ground) -> Split:
    """Return the reaction of the ground."""
    tree, q = s.tree, s["q"]
    before = rnea(tree, q, s["qd"], s["qdd"], s.wrenches)
    frames = frames_in_world(tree, q, range(len(tree.bodies)))
    to_surface, origin = Matrix.of(ground.axes).T, Vector.of(ground.origin)
    F, M = _needed(before, frames, [j for j, body in enumerate(tree.bodies) if body.parent == BASE])
    F, M = to_surface @ F, to_surface @ (M - origin.cross(F))

    stated, double = s.values["ground"], s.values["ground"][A_LINK * len(ground.links)]
    anchors, rear, lead = [], [], []
    A, B, bearing = ZERO, ZERO, 0.0
    for k, link in enumerate(ground.links):
        x, y, z, height, is_rear, is_lead = stated[A_LINK * k : A_LINK * (k + 1)]
        frame = link_frame(tree, frames, link)
        at = to_surface @ (frame.p + frame.R @ Vector(x, y, z) - origin)
        anchors.append(Vector(at.x, at.y, height))
        rear.append(is_rear)
        lead.append(is_lead)
        A, B, bearing = A + anchors[k] * is_rear, B + anchors[k] * is_lead, add(bearing, is_lead)

    # one support, or none, must not divide by zero
    single = sub(1.0, double)
    up = 1.0 / add(mul(F.z, bearing), sub(1.0, bearing))
    Zx, Zy = mul(mul(M.y, -1.0), up), mul(M.x, up)
    d, X, Y = B - A, sub(Zx, A.x), sub(Zy, A.y)
    square = add(add(mul(d.x, d.x), mul(d.y, d.y)), single)
    a = add(mul(bearing, single), mul(double, add(mul(X, d.x), mul(Y, d.y)) / square))
    length = sqrt(square)
    beside = mul(double, sub(mul(Y, d.x), mul(X, d.y)) / length)
    rest = M - (A * mul(double, sub(1.0, a)) + B * a).cross(F)

    h = mul(mul(double, ground.unit), functools.reduce(add, s.values["given"])) / length if ground.internal else 0.0
    supports, acting = [], dict(s.wrenches)
    for link, at, is_rear, is_lead in zip(ground.links, anchors, rear, lead, strict=True):
        share = add(mul(is_rear, sub(1.0, a)), mul(is_lead, a))
        force, couple = F * share + d * mul(h, sub(is_rear, is_lead)), rest * share
        bears = mul(add(is_rear, is_lead), up)
        supports.append(Support(force, couple, at, (sub(at.x, mul(rest.y, bears)), add(at.y, mul(rest.x, bears)))))
        body = tree.places[link][0]
        own = _on_body(frames[body], to_surface.T, origin, force, at.cross(force) + couple)
        already = acting.get(body, (ZERO, ZERO))
        acting[body] = already[0] + own[0], already[1] + own[1]
    after = rnea(tree, q, s["qd"], s["qdd"], acting)
    return Split(after, [*F, Zx, Zy, a, beside], supports)


def _needed(passes: Passes, frames: Mapping[int, Frame], roots: Sequence[int]) -> tuple[Vector, Vector]:
    """Return the wrench that the motion needs, about the world's origin."""
    F, M = ZERO, ZERO
    for j in roots:
        f = frames[j].R @ passes.f[j]
        F, M = F + f, M + frames[j].R @ passes.m[j] + frames[j].p.cross(f)
    return F, M


def _on_body(frame: Frame, to_world: Matrix, origin: Vector, force: Vector, moment: Vector) -> tuple[Vector, Vector]:
    """Return a wrench about the surface's origin, in its axes, as one about a body's origin, in the body's axes."""
    F = to_world @ force
    M = to_world @ moment - (frame.p - origin).cross(F)
    return frame.R.T @ F, frame.R.T @ M
