"""Tasks of the recursive Newton-Euler algorithm: joint torques, gravity, bias, and joint wrenches."""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...model.pose import Pose
from ...spatial.scalar import Scalar
from ...spatial.vector import Matrix, Vector
from ...tree import lump
from ..loads import FULL, REGROUPED, External, Situation, chain, laid_out_task
from ..step import Step
from .hybrid import Found
from .rnea import Passes, rnea

WRENCH_AXES = ("joint", "link", "parent", "world")


def inverse_dynamics(model: Model, external: External = (), base_motion: bool = False, regrouped: bool = True) -> Task:
    """tau(q, qd, qdd)."""
    return _joint_forces("inverse_dynamics", model, ("q", "qd", "qdd"), external, base_motion, regrouped)


def bias_torques(model: Model, external: External = (), base_motion: bool = False, regrouped: bool = True) -> Task:
    """tau(q, qd, 0): Coriolis, centrifugal, gravity and friction forces."""
    return _joint_forces("bias_torques", model, ("q", "qd"), external, base_motion, regrouped)


def gravity_torques(model: Model, external: External = (), base_motion: bool = False, regrouped: bool = True) -> Task:
    """tau(q, 0, 0)."""
    return _joint_forces("gravity_torques", model, ("q",), external, base_motion, regrouped)


def joint_wrenches(model: Model, external: External = (), base_motion: bool = False, axes: str = "joint") -> Task:
    """Force and moment through every joint, on its child, in the chosen axes."""

    def text(s: Situation) -> list[Scalar]:
        passes = _passes(s)
        return [x for j in s.tree.jointed for part in reported(s, passes, model, j, axes) for x in part]

    output = Port("wrenches", 6 * len(lump(model).jointed))
    # inertias as given: regrouping would move parts of them across joints
    return laid_out_task(f"joint_wrenches[{axes}]", model, _sizes(model), output, text, external, base_motion, FULL)


def _sizes(model: Model, state: Sequence[str] = ("q", "qd", "qdd")) -> dict[str, int]:
    return {name: model.nq if name == "q" else model.nv for name in state}


def _passes(s: Situation) -> Passes:
    return rnea(s.tree, s["q"], s["qd"], s["qdd"], s.wrenches, s.base)


def _joint_forces(name: str, model: Model, state: Sequence[str], external: External, base_motion: bool, regrouped: bool) -> Task:
    layouts, key = (REGROUPED, name) if regrouped else (FULL, name + "[full inertia]")
    output = Port("tau", model.nv)
    return laid_out_task(key, model, _sizes(model, state), output, lambda s: _passes(s).tau, external, base_motion, layouts)


def reported(s: Situation, passes: Passes | Found, model: Model, j: int, axes: str) -> tuple[Vector, Vector]:
    """Return the wrench of joint j in the requested axes; about the link's origin for "link", otherwise the joint's."""
    return in_axes(s, passes.steps, model, j, axes, *about_point(s, model, j, axes, passes.f[j], passes.m[j]))


def about_point(s: Situation, model: Model, j: int, axes: str, f: Vector, m: Vector) -> tuple[Vector, Vector]:
    """Refer a wrench at the origin of body j, in its axes, to the point that its moment is reported about."""
    return f, m - Vector.of(_own_pose(s, model, j, axes).translation).cross(f)


def in_axes(s: Situation, steps: Sequence[Step], model: Model, j: int, axes: str, f: Vector, m: Vector) -> tuple[Vector, Vector]:
    """Turn force and moment from the axes of body j to the requested ones."""
    body = s.tree.bodies[j]
    if axes in ("joint", "link"):
        to_user = Matrix.of(_own_pose(s, model, j, axes).R.T)
        return to_user @ f, to_user @ m
    *_, first = parts = s.tree.parts(j)
    for k in parts:
        f, m = steps[k].to_parent(f), steps[k].to_parent(m)
    if axes == "parent":
        _, parent_pose = s.tree.places[model.joint(body.name).parent]
        to_user = Matrix.of(parent_pose.R.T)
        return to_user @ f, to_user @ m
    for i in reversed(chain(s.tree, s.tree.bodies[first].parent)):
        f, m = steps[i].to_parent(f), steps[i].to_parent(m)
    return s.base.turn.to_parent(f), s.base.turn.to_parent(m)


def _own_pose(s: Situation, model: Model, j: int, axes: str) -> Pose:
    """Return the pose of the link for "link", otherwise of the joint after its motion, in the frame of body j."""
    body = s.tree.bodies[j]
    return s.tree.places[model.joint(body.name).child][1] if axes == "link" else body.joint_pose
