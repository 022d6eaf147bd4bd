"""Loads: wrenches on links and a motion of the base, for any task of dynamics; and the layout of a task's frames.

A task's text runs on a tree. The frames of the tree are chosen here; texts do not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..compiler.program import Port
from ..compiler.task import Task
from ..model.model import Model
from ..spatial.rotation import TurnInSpace
from ..spatial.scalar import Scalar
from ..spatial.vector import ZERO, Matrix, Vector
from ..tree import BASE, Tree, lump, reframe, regroup
from .step import AT_REST, BaseState, Step, own_motion

EXTERNAL_SIZE = 9  # force, moment, point
BASE_SIZE = 13  # quaternion, angular velocity, acceleration, angular acceleration

External = tuple[tuple[str, str], ...]  # (link, axes) of every external wrench
Wrenches = Mapping[int, tuple[Vector, Vector]]
Layout = Callable[[Tree], Tree]

# layouts of frames: with all inertias as given, or with base parameters, which suffice where only joint torques matter
FULL: tuple[Layout, ...] = (lambda tree: tree, reframe)
REGROUPED: tuple[Layout, ...] = (regroup, lambda tree: regroup(reframe(tree)))


@dataclass(frozen=True)
class Situation:
    """Arguments of a task's text: a tree, the values of its inputs by name, and the loads."""

    tree: Tree
    values: Mapping[str, Sequence[Scalar]]
    wrenches: Wrenches
    base: BaseState
    external: External = ()

    def __getitem__(self, name: str) -> Sequence[Scalar]:
        """Return an input; velocities and accelerations that are not inputs are zero."""
        return self.values[name] if name in self.values else [0.0] * self.tree.nv

    def at(self, **values: Sequence[Scalar]) -> Situation:
        """Return the situation with other values of some inputs; wrenches in the world's axes turn with a new q."""
        values = {**self.values, **values}
        wrenches = _on_bodies(self.tree, self.external, values.get("external", ()), values["q"], self.base)
        return replace(self, values=values, wrenches=wrenches)


def laid_out_task(
    key: str,
    model: Model,
    inputs: Mapping[str, int],
    output: Port | Sequence[Port],
    text: Callable[[Situation], Sequence[Any]],
    external: External = (),
    base_motion: bool = False,
    layouts: Sequence[Layout] = FULL,
) -> Task:
    """Return a task: inputs by name and size, and a text over a Situation that returns the output, or one list for each."""
    ports = [Port(name, size) for name, size in inputs.items()]
    if base_motion:
        ports.append(Port("base_motion", BASE_SIZE))
        key += "[moving base]"
    if external:
        ports.append(Port("external", EXTERNAL_SIZE * len(external)))
        key += f"[external {external!r}]"

    def run_on(layout: Layout) -> Callable[..., list[Sequence[Any]]]:
        def run(*arguments: Sequence[Scalar]) -> list[Sequence[Any]]:
            tree = layout(lump(model))
            values = dict(zip((port.name for port in ports), arguments, strict=True))
            base = _base_state(values["base_motion"]) if base_motion else AT_REST
            wrenches = _on_bodies(tree, external, values.get("external", ()), values.get("q", ()), base)
            result = text(Situation(tree, values, wrenches, base, external))
            return [result] if isinstance(output, Port) else list(result)

        return run

    outputs = (output,) if isinstance(output, Port) else tuple(output)
    return Task(key, tuple(ports), outputs, [run_on(layout) for layout in layouts])


def chain(tree: Tree, body: int) -> list[int]:
    """Return the bodies from the base to `body`."""
    path: list[int] = []
    while body != BASE:
        path.append(body)
        body = tree.bodies[body].parent
    return path[::-1]


def _base_state(x: Sequence[Scalar]) -> BaseState:
    return BaseState(TurnInSpace.by(x[:4]), w=Vector(*x[4:7]), a=Vector(*x[7:10]), dw=Vector(*x[10:13]))


def stated(
    tree: Tree, external: External, values: Sequence[Scalar]
) -> Iterator[tuple[int, str, Vector, Vector, tuple[Vector, Vector]]]:
    """Yield for each external wrench its body and axes, force and moment along these, and the point.

    Components along the link's axes are turned to the body's axes, which are fixed relative to them. The point is given by two
    vectors in the body's axes: from the body's origin to the link's, and from there to the point; for rates of a wrench the first
    is zero. Wrenches on the base move nothing and are left out.
    """
    for k, (link, axes) in enumerate(external):
        x = values[EXTERNAL_SIZE * k : EXTERNAL_SIZE * (k + 1)]
        body, pose = tree.places[link]
        if body == BASE:
            continue
        force, moment, turn = Vector(*x[:3]), Vector(*x[3:6]), Matrix.of(pose.rotation)
        if axes == "link":
            force, moment = turn @ force, turn @ moment
        yield body, axes, force, moment, (Vector.of(pose.translation), turn @ Vector(*x[6:9]))


def acting(
    tree: Tree, external: External, values: Sequence[Scalar], q: Sequence[Scalar], base: BaseState
) -> Iterator[tuple[int, str, Vector, Vector, Vector]]:
    """Yield for each external wrench its body and axes, and in the body's axes force, moment and the point where they act.

    The point counts from the origin of the body's frame; wrenches on the base move nothing and are left out.
    """
    still = [0.0] * tree.nv
    for body, axes, force, moment, (origin, offset) in stated(tree, external, values):
        if axes == "world":
            force, moment = base.turn.to_child(force), base.turn.to_child(moment)
            for j in chain(tree, body):
                step = Step(tree.bodies[j], own_motion(tree.bodies[j], q, still, still))
                force, moment = step.to_child(force), step.to_child(moment)
        yield body, axes, force, moment, origin + offset


def _on_bodies(
    tree: Tree, external: External, values: Sequence[Scalar], q: Sequence[Scalar], base: BaseState
) -> dict[int, tuple[Vector, Vector]]:
    """Sum external wrenches for each body, in its axes, about the origin of its frame."""
    total: dict[int, tuple[Vector, Vector]] = {}
    for body, _, force, moment, arm in acting(tree, external, values, q, base):
        f, m = total.get(body, (ZERO, ZERO))
        total[body] = (f + force, m + moment + arm.cross(force))
    return total
