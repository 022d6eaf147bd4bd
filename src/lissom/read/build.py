"""The last steps of every reader: from the links and joints of the file to the model."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from ..errors import ModelError, suggest
from ..model import EARTH, ForceElement, Friction, Inertia, Joint, JointKind, Link, Loop, Model, Motor, Shape
from ..model.displacement import displacement
from ..model.names import unused
from ..model.pose import Matrix3, Vector3, as_matrix3
from .source import Source

BASES = ("fixed", "floating")


@dataclass
class Draft:
    """Parts collected by a reader, before they are checked as a whole.

    Attributes:
        name, links, joints, gravity, motors, loops, active, posture, closure_tolerance, force_elements, shapes: as in Model.
        loose: inertia tensors [kg m^2] of links without mass, in the axes of these links.
    """

    name: str
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    gravity: Vector3 = EARTH
    loops: list[Loop] = field(default_factory=list)
    active: tuple[str, ...] | None = None
    posture: tuple[tuple[str, tuple[float, ...]], ...] = ()
    closure_tolerance: float | None = None
    loose: dict[str, Matrix3] = field(default_factory=dict)
    motors: list[Motor] = field(default_factory=list)
    force_elements: list[ForceElement] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


def check_base(base: str) -> None:
    """Raise a ModelError if `base` is neither "fixed" nor "floating"."""
    if base not in BASES:
        raise ModelError(f"base must be 'fixed' or 'floating', got {base!r}; {suggest(str(base), BASES)}")


def finish(draft: Draft, source: Source, base: str, mimic: bool, friction: bool) -> Model:
    """Return the model of `draft`.

    Args:
        draft: links and joints; it is not changed.
        source: for errors.
        base: "floating" puts a floating joint "root_joint" between a new link "universe" and the base.
        mimic: False drops the couplings between joints.
        friction: False drops the friction of joints and motors.
    """
    check_base(base)
    links, joints, motors = list(draft.links), list(draft.joints), list(draft.motors)
    if not friction:
        joints = [dataclasses.replace(j, friction=Friction()) for j in joints]
        motors = [dataclasses.replace(m, friction=Friction()) for m in motors]
    if mimic:
        with source.at():
            free, joints = joints, _freeze_followers_of_fixed(joints)
        frozen = {a.name for a, b in zip(free, joints, strict=True) if a.kind is not b.kind}
        # a motor without inertia at a joint that cannot move has no effect
        motors = [m for m in motors if m.joint not in frozen or m.inertia is not None]
    else:
        joints = [dataclasses.replace(j, coupling=None) for j in joints]
    if base == "floating":
        links, joints = _add_floating_base(links, joints, {motor.name for motor in motors})
    with source.at():
        links = _settle_loose_tensors(links, joints, draft.loose, source)
        closed = (tuple(draft.loops), draft.active, draft.posture, draft.closure_tolerance)
        rest = (tuple(draft.force_elements), tuple(draft.shapes))
        return Model(draft.name, tuple(links), tuple(joints), draft.gravity, tuple(motors), *closed, *rest)


def fix_at(joint: Joint, value: float) -> Joint:
    """Return `joint` locked at the coordinate `value` [rad or m]."""
    origin = joint.origin @ displacement(joint, value)
    return Joint(joint.name, JointKind.FIXED, joint.parent, joint.child, origin, joint.axis, joint.tail)


def _freeze_followers_of_fixed(joints: list[Joint]) -> list[Joint]:
    """Fix joints coupled to fixed joints at their offsets. Wrong couplings are left to the model."""
    followers: dict[str, list[Joint]] = {}
    for joint in joints:
        if joint.coupling is not None:
            followers.setdefault(joint.coupling.joint, []).append(joint)
    # constant coordinates, passed from the fixed joints down the chains of couplings
    values = {j.name: 0.0 for j in joints if j.kind is JointKind.FIXED}
    queue = list(values)
    for leader in queue:
        for joint in followers.get(leader, []):
            assert joint.coupling is not None
            values[joint.name] = joint.coupling.ratio * values[leader] + joint.coupling.offset
            queue.append(joint.name)
    return [fix_at(j, values[j.name]) if j.coupling is not None and j.name in values else j for j in joints]


def _add_floating_base(links: list[Link], joints: list[Joint], taken: set[str]) -> tuple[list[Link], list[Joint]]:
    children = {j.child for j in joints}
    roots = [link.name for link in links if link.name not in children]
    if len(roots) != 1:
        return links, joints  # not a tree: the model reports why
    world = unused("universe", {link.name for link in links})
    root = Joint(unused("root_joint", taken | {j.name for j in joints}), JointKind.FLOATING, world, roots[0])
    return [Link(world), *links], [root, *joints]


def _settle_loose_tensors(links: list[Link], joints: list[Joint], loose: dict[str, Matrix3], source: Source) -> list[Link]:
    """Move the inertia of links without mass to a massive link that they are fixed to: the motion is the same.

    Such a tensor depends only on its axes, so moving it is exact.
    """
    by_name = {link.name: link for link in links}
    grounded = by_name.keys() - {j.child for j in joints}
    for group in _rigid_groups(by_name, joints) if loose else []:
        heavy = next((name for name in group if by_name[name].inertia is not None), None)
        for name in [name for name in group if name in loose]:
            if heavy is not None:
                R = group[heavy].T @ group[name]
                by_name[heavy] = Link(heavy, _with_more(by_name[heavy].inertia, R @ np.array(loose[name]) @ R.T))
            elif not grounded & group.keys():
                raise source.error(
                    f"link {name!r} has inertia but no mass, and no massive link is fixed to it; give it a mass, such as 1e-9 at "
                    "its origin, which adds nothing else",
                    source.lines.get(f"link {name!r}"),
                )
    return [by_name[link.name] for link in links]


def _rigid_groups(links: Collection[str], joints: list[Joint]) -> list[dict[str, np.ndarray]]:
    """Return the sets of links connected by fixed joints, each link with its rotation in the frame of the first."""
    touching: dict[str, list[tuple[str, np.ndarray]]] = {}
    for joint in joints:
        if joint.kind is JointKind.FIXED and joint.parent in links and joint.child in links:
            R = (joint.origin @ joint.tail).R
            touching.setdefault(joint.parent, []).append((joint.child, R))
            touching.setdefault(joint.child, []).append((joint.parent, R.T))
    groups: list[dict[str, np.ndarray]] = []
    seen: set[str] = set()
    for first in links:
        if first in seen:
            continue
        group, queue = {first: np.eye(3)}, [first]
        for name in queue:
            for other, R in touching.get(name, []):
                if other not in group:
                    group[other] = group[name] @ R
                    queue.append(other)
        seen.update(group)
        groups.append(group)
    return groups


def _with_more(inertia: Inertia | None, tensor: np.ndarray) -> Inertia:
    assert inertia is not None
    return dataclasses.replace(inertia, tensor=as_matrix3(np.array(inertia.tensor) + (tensor + tensor.T) / 2, "inertia"))
