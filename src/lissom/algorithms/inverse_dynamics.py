"""The tasks that the recursive Newton-Euler algorithm serves: joint forces, gravity, bias, and the wrenches inside joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..compiler.program import Port
from ..model.model import Model
from ..spatial.rotation import TurnInSpace
from ..spatial.scalar import Scalar
from ..spatial.vector import Matrix, Vector
from ..tree import BASE, Tree, lump, reframe, regroup
from .rnea import Passes, rnea
from .step import BaseState, Step, own_motion
from .task import Task

WRENCH_FRAMES = ("joint", "link", "parent", "world")
EXTERNAL_FRAMES = ("link", "world")
EXTERNAL_SIZE = 9  # force, moment, point
BASE_SIZE = 13  # quaternion, angular velocity, acceleration, angular acceleration

External = tuple[tuple[str, str], ...]  # (link, frame) of every external wrench
Laid = Callable[[Tree], Tree]


def inverse_dynamics(model: Model, external: External = (), base_motion: bool = False, regrouped: bool = True) -> Task:
    """tau(q, qd, qdd)."""
    return _joint_forces("inverse_dynamics", model, ("q", "qd", "qdd"), external, base_motion, regrouped)


def bias_forces(model: Model, external: External = (), base_motion: bool = False, regrouped: bool = True) -> Task:
    """tau(q, qd, 0): Coriolis, centrifugal, gravity and friction forces."""
    return _joint_forces("bias_forces", model, ("q", "qd"), external, base_motion, regrouped)


def gravity_forces(model: Model, external: External = (), base_motion: bool = False, regrouped: bool = True) -> Task:
    """tau(q, 0, 0)."""
    return _joint_forces("gravity_forces", model, ("q",), external, base_motion, regrouped)


def joint_wrenches(model: Model, external: External = (), base_motion: bool = False, frame: str = "joint") -> Task:
    """Force and moment through every joint, on its child, in the chosen frame."""

    def text(tree: Tree, passes: Passes, base: BaseState) -> list[list[Scalar]]:
        values = []
        for j in range(len(tree.bodies)):
            f, m = _reported(tree, passes, base, model, j, frame)
            values += [*f, *m]
        return [values]

    n = len(lump(model).bodies)
    output = Port("wrenches", 6 * n)
    # regrouping would move inertia from one side of a joint to the other
    layouts: list[Laid] = [lambda tree: tree, reframe]
    return _task(f"joint_wrenches[{frame}]", model, ("q", "qd", "qdd"), output, external, base_motion, layouts, text)


def _joint_forces(name: str, model: Model, state: Sequence[str], external: External, base_motion: bool, regrouped: bool) -> Task:
    layouts: list[Laid] = [regroup, lambda tree: regroup(reframe(tree))] if regrouped else [lambda tree: tree, reframe]
    key = name if regrouped else name + "[full inertia]"
    return _task(key, model, state, Port("tau", model.nv), external, base_motion, layouts, lambda _, passes, __: [passes.tau])


def _task(
    key: str,
    model: Model,
    state: Sequence[str],
    output: Port,
    external: External,
    base_motion: bool,
    layouts: Sequence[Laid],
    report: Callable[[Tree, Passes, BaseState], list[list[Scalar]]],
) -> Task:
    sizes = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    inputs = [Port(name, sizes[name]) for name in state]
    if base_motion:
        inputs.append(Port("base_motion", BASE_SIZE))
        key += "[moving base]"
    if external:
        inputs.append(Port("external", EXTERNAL_SIZE * len(external)))
        key += "[external: " + ", ".join(f"{link} in {frame}" for link, frame in external) + "]"

    def text(layout: Laid) -> Callable[..., list[list[Any]]]:
        def run(*arguments: Sequence[Scalar]) -> list[list[Any]]:
            tree = layout(lump(model))
            values = dict(zip((port.name for port in inputs), arguments, strict=True))
            still = [0.0] * model.nv
            q, qd, qdd = values["q"], values.get("qd", still), values.get("qdd", still)
            base = _base_state(values["base_motion"]) if base_motion else BaseState()
            wrenches = _on_bodies(tree, external, values.get("external", ()), q, base)
            return report(tree, rnea(tree, q, qd, qdd, wrenches, base), base)

        return run

    return Task(key, tuple(inputs), (output,), [text(layout) for layout in layouts])


def _base_state(x: Sequence[Scalar]) -> BaseState:
    return BaseState(TurnInSpace.by(x[:4]), w=Vector(*x[4:7]), a=Vector(*x[7:10]), dw=Vector(*x[10:13]))


def _chain(tree: Tree, body: int) -> list[int]:
    """Bodies from the base to `body`."""
    path: list[int] = []
    while body != BASE:
        path.insert(0, body)
        body = tree.bodies[body].parent
    return path


def _on_bodies(
    tree: Tree, external: External, values: Sequence[Scalar], q: Sequence[Scalar], base: BaseState
) -> dict[int, tuple[Vector, Vector]]:
    """Sum external wrenches for each body, in its axes, about the origin of its frame; those on the base move nothing."""
    total: dict[int, tuple[Vector, Vector]] = {}
    still = [0.0] * tree.nv
    for k, (link, frame) in enumerate(external):
        own = values[EXTERNAL_SIZE * k : EXTERNAL_SIZE * (k + 1)]
        force, moment, point = Vector(*own[:3]), Vector(*own[3:6]), Vector(*own[6:9])
        body, pose = tree.places[link]
        if body == BASE:
            continue
        turn = Matrix.of(pose.rotation)
        if frame == "link":
            force, moment = turn @ force, turn @ moment
        else:
            force, moment = base.turn.to_child(force), base.turn.to_child(moment)
            for j in _chain(tree, body):
                step = Step(tree.bodies[j], own_motion(tree.bodies[j], q, still, still))
                force, moment = step.to_child(force), step.to_child(moment)
        arm = Vector.of(pose.translation) + turn @ point
        f, m = total.get(body, (Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)))
        total[body] = (f + force, m + moment + arm.cross(force))
    return total


def _reported(tree: Tree, passes: Passes, base: BaseState, model: Model, j: int, frame: str) -> tuple[Vector, Vector]:
    """Return the wrench of joint j in the axes asked for; about the link's origin for "link", otherwise the joint's."""
    body = tree.bodies[j]
    pose = tree.places[model.joint(body.name).child][1] if frame == "link" else body.joint_pose
    f, m = passes.f[j], passes.m[j]
    m = m - Vector.of(pose.translation).cross(f)
    if frame in ("joint", "link"):
        to_user = Matrix.of(pose.R.T)
        return to_user @ f, to_user @ m
    f, m = passes.steps[j].to_parent(f), passes.steps[j].to_parent(m)
    if frame == "parent":
        _, parent_pose = tree.places[model.joint(body.name).parent]
        to_user = Matrix.of(parent_pose.R.T)
        return to_user @ f, to_user @ m
    for i in reversed(_chain(tree, body.parent)):
        f, m = passes.steps[i].to_parent(f), passes.steps[i].to_parent(m)
    return base.turn.to_parent(f), base.turn.to_parent(m)
