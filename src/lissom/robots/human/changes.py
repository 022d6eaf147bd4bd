"""What makes people differ: loads, stiff and fused joints, weak muscles, orthoses, prostheses, and knees that do not straighten.

Each is a change of the model: mass on a link, a spring beside a joint's muscles, the range of a joint, its strength. Names may be
those of axes ("left_knee_flexion"), of joints with all their axes ("left_ankle"), and without a side for both ("knee").
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import ModelError, NameLookupError
from ...model import Inertia, Joint, JointKind, Link, Model
from ...model.payload import with_payload
from ...model.pose import as_number
from ...model.shape import Shape
from ...model.spring import Spring
from .body import Body
from .equipment import Worn, backpack_of, bag_of, worn
from .strength import SIDES, Drive, drive
from .tree import GLOBAL

# muscle groups: the axis that they move, and which way
GROUPS = {
    "hip_flexors": ("hip_flexion", 1),
    "hip_extensors": ("hip_flexion", -1),
    "hip_abductors": ("hip_abduction", 1),
    "hip_adductors": ("hip_abduction", -1),
    "knee_flexors": ("knee_flexion", 1),
    "knee_extensors": ("knee_flexion", -1),
    "dorsiflexors": ("ankle_flexion", 1),
    "plantarflexors": ("ankle_flexion", -1),
}
WEAKEST = 0.95  # share of strength that can be lost: a joint without muscles has a prosthesis, or is fused
FOOT = 4.0  # [N m] that a prosthetic foot gives beside its spring, as by friction; chosen


@dataclass(frozen=True)
class Changes:
    """What differs from a healthy person without load, beside the model's masses and springs.

    Attributes:
        kept: shares of the strengths that are left, in the negative and in the positive way, by axis.
        fused: angles of axes that do not move [rad].
        least: smallest angles of axes [rad], where they are larger than the usual ones.
        passive: axes without muscles: a prosthesis' own.
    """

    kept: dict[str, tuple[float, float]] = field(default_factory=dict)
    fused: dict[str, float] = field(default_factory=dict)
    least: dict[str, float] = field(default_factory=dict)
    passive: tuple[str, ...] = ()

    def of(self, body: Body, joint: str) -> Drive:
        """Return the range and the strength of a joint as they are left."""
        can, (negative, positive) = drive(body, joint), self.kept.get(joint, (1.0, 1.0))
        lower, upper = max(can.lower, self.least.get(joint, can.lower)), can.upper
        if joint in self.fused:
            lower = upper = self.fused[joint]
        if joint in self.passive:
            return Drive(lower, upper, FOOT, FOOT)
        return Drive(lower, upper, negative * can.negative, positive * can.positive)


def changed(
    model: Model,
    body: Body,
    before: Changes,
    *,
    backpack: float | None = None,
    hand_load: float | Mapping[str, float] | None = None,
    stiff: Mapping[str, Any] | None = None,
    fused: Iterable[str] | Mapping[str, float] | None = None,
    weakness: Mapping[str, Any] | None = None,
    orthosis: Mapping[str, Any] | None = None,
    prosthesis: Mapping[str, Any] | None = None,
    crouch: float | None = None,
) -> tuple[Model, Changes]:
    """Return a person's model as changed, and what else differs; for the arguments see `Human.with_changes`."""
    moving = [joint.name for joint in model.joints if joint.kind is not JointKind.FIXED and joint.name not in GLOBAL]
    springs = {name: spring for name in moving if (spring := model.joint(name).spring) is not None}
    kept = dict(before.kept)
    if backpack:
        model = _carried(model, backpack_of(body, _amount(backpack, "backpack", "kg", 2.0 * body.mass)))
    for side, load in _sides(hand_load, "hand_load").items():
        if load:
            model = _carried(model, bag_of(body, side, _amount(load, f"hand_load of the {side} hand", "kg", body.mass)))
    for name, given in _mapping(stiff, "stiff").items():
        for axis in axes_of(name, moving):
            springs[axis] = _spring(given, f"stiff {name!r}", springs.get(axis))
    for name, given in _mapping(orthosis, "orthosis").items():
        own = worn(given, f"orthosis {name!r}", "stiffness")
        for axis in axes_of(name, moving):
            springs[axis] = _spring((own.stiffness, own.angle), f"orthosis {name!r}", springs.get(axis))
        if own.mass:
            for joint in _ends(axes_of(name, moving)):
                model = _heavier(model, joint, own.mass / 2)
    for name, loss in _mapping(weakness, "weakness").items():
        for axis, (less, more) in _lost(name, loss, moving).items():
            a, b = kept.get(axis, (1.0, 1.0))
            kept[axis] = (a * (1 - less), b * (1 - more))
    passive = [*before.passive]
    for side, given in _sides(prosthesis, "prosthesis").items():
        own = worn(given, f"prosthesis of the {side} leg", "stiffness", share=True)
        for axis in axes_of(f"{side}_ankle", moving):
            springs[axis] = _spring((own.stiffness, own.angle), f"prosthesis of the {side} leg", None)
        toes = axes_of(f"{side}_toe", moving)
        springs |= {axis: _spring(own.toes, f"toes of the {side} prosthesis", None) for axis in toes}
        passive += [*axes_of(f"{side}_ankle", moving), *toes]
        model = _scaled(model, [f"{side}_{link}" for link in ("shank", "foot", "toes")], own.share)
    found = Changes(kept, before.fused | _fused(model, fused, moving), before.least | _crouched(crouch, moving), tuple(passive))
    for axis in found.fused:
        springs.pop(axis, None)  # beside a joint that does not move it does nothing

    def one(joint: Joint) -> Joint:
        if joint.name not in moving:
            return joint
        can = found.of(body, joint.name)
        limits = replace(joint.limits, lower=can.lower, upper=can.upper, effort=can.effort)
        return replace(joint, limits=limits, spring=springs.get(joint.name))

    return model.with_joints(one), found


def axes_of(name: str, moving: Iterable[str]) -> list[str]:
    """Return the axes that a name means: itself, those of a joint, on the side that it names or on both."""
    known = list(moving)
    found = [axis for axis in known if axis == name or axis.rpartition("_")[0] == name]
    for side in SIDES:
        found += [axis for axis in known if axis in (side + name,) or axis.rpartition("_")[0] == side + name]
    if not found or not isinstance(name, str):
        joints = dict.fromkeys(axis.rpartition("_")[0] for axis in known)
        raise NameLookupError("joint", str(name), [*joints, *known], " that moves")
    return found


def _lost(name: str, given: Any, moving: list[str]) -> dict[str, tuple[float, float]]:
    """Return the shares of strength that are lost in the negative and in the positive way, by axis."""
    what = f"weakness of {name!r}"
    if isinstance(given, (tuple, list)):
        if len(given) != 2:
            raise ModelError(f"{what} is {given!r}, expected a share, or two: of the negative and of the positive way")
        pair = _share(given[0], what), _share(given[1], what)
        return dict.fromkeys(axes_of(name, moving), pair)
    share = _share(given, what)
    ways = _muscles(name, moving)
    return {axis: (share if -1 in way else 0.0, share if 1 in way else 0.0) for axis, way in ways.items()}


def _muscles(name: str, moving: list[str]) -> dict[str, set[int]]:
    """Return axes and ways of a muscle group, or both ways of a joint's axes."""
    side = next((side for side in SIDES if str(name).startswith(side)), "")
    group = str(name).removeprefix(side)
    if group in GROUPS:
        axis, way = GROUPS[group]
        return {each: {way} for each in axes_of(side + axis, moving)}
    try:
        return {axis: {-1, 1} for axis in axes_of(name, moving)}
    except NameLookupError as error:
        raise NameLookupError("joint or muscle group", str(name), [*GROUPS, *error.choices]) from None


def _fused(model: Model, given: Any, moving: list[str]) -> dict[str, float]:
    if isinstance(given, str) or (given is not None and not isinstance(given, Iterable)):
        raise ModelError(f"fused is {given!r}, expected names of joints, or their angles [rad] by name")
    listed = given if isinstance(given, Mapping) else dict.fromkeys(given or (), 0.0)
    found = {}
    for name, angle in listed.items():
        for axis in axes_of(name, moving):
            limits, at = model.joint(axis).limits, as_number(angle, f"angle of the fused {name!r}")
            if not limits.lower <= at <= limits.upper:
                raise ModelError(
                    f"fused {name!r} at {at:g} rad is outside of the range of {axis}, {limits.lower:.3g} to {limits.upper:.3g} "
                    "rad (20 degrees are 0.35)"
                )
            found[axis] = at
    return found


def _crouched(given: Any, moving: list[str]) -> dict[str, float]:
    if not given:
        return {}
    angle, most = as_number(given, "crouch"), 1.2
    if not 0 < angle <= most:
        raise ModelError(f"crouch is {angle:g}, expected the least angle of the knees, up to {most:g} rad (30 degrees are 0.52)")
    return dict.fromkeys(axes_of("knee_flexion", moving), angle)


def _mapping(given: Any, what: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ModelError(f"{what} is {given!r:.60}, expected values by name, such as {{'left_knee': ...}}")
    return given


def _sides(given: Any, what: str) -> dict[str, Any]:
    """Return values by side; one number is for the right one."""
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        given = {"right": given}
    found = _mapping(given, what)
    for side in found:
        if side not in ("left", "right"):
            raise NameLookupError("side", str(side), ("left", "right"), f" of {what}")
    return dict(found)


def _amount(given: Any, what: str, unit: str, most: float) -> float:
    value = as_number(given, what)
    if not 0 <= value <= most:
        raise ModelError(f"{what} is {value:g} {unit}, expected 0 to {most:g} {unit}")
    return value


def _share(given: Any, what: str) -> float:
    value = as_number(given, what)
    if not 0 <= value <= WEAKEST:
        raise ModelError(
            f"{what} is {value:g}, expected the share of strength that is lost, 0 to {WEAKEST:g} "
            "(a joint without muscles: prosthesis= or fused=)"
        )
    return value


def _spring(given: Any, what: str, beside: Spring | None) -> Spring:
    """Return a spring from its stiffness, or (stiffness, angle of rest), with another one beside it."""
    pair = tuple(given) if isinstance(given, (tuple, list)) else (given, 0.0)
    if len(pair) != 2:
        raise ModelError(f"{what} is {given!r}, expected the stiffness [N m/rad], or (stiffness, angle of rest [rad])")
    k, rest = as_number(pair[0], f"stiffness, {what},"), as_number(pair[1], f"angle of rest, {what},")
    if not 0 < k < math.inf:
        raise ModelError(f"{what}: the stiffness is {k:g} N m/rad, expected more than 0; a rigid joint is fused=[...]")
    if beside is None:
        return Spring(k, rest)
    both = k + beside.stiffness
    return Spring(both, (k * rest + beside.stiffness * beside.rest) / both)


def _carried(model: Model, load: Worn) -> Model:
    shapes = tuple(Shape(load.link, form, pose, color, name=load.name) for form, pose, color in load.shapes)
    return with_payload(model, load.mass, load.center, load.inertia, load.link).replace(shapes=(*model.shapes, *shapes))


def _ends(axes: list[str]) -> list[str]:
    """Return the last axis of every joint."""
    return list({axis.rpartition("_")[0]: axis for axis in axes}.values())


def _heavier(model: Model, axis: str, mass: float) -> Model:
    """Return the model with masses at the centers of the segments on both sides of a joint."""
    joint = model.joint(axis)
    above, by_child = joint, {each.child: each for each in model.joints}
    while model.link(above.parent).inertia is None and above.parent in by_child:
        above = by_child[above.parent]
    for name in (joint.child, above.parent):
        inertia = model.link(name).inertia
        if inertia is not None:
            model = with_payload(model, mass, inertia.com, link=name)
    return model


def _scaled(model: Model, links: list[str], share: float) -> Model:
    def one(link: Link) -> Link:
        own = link.inertia
        if link.name not in links or own is None:
            return link
        tensor: Any = [[share * x for x in row] for row in own.tensor]
        return Link(link.name, Inertia(share * own.mass, own.com, tensor))

    return model.replace(links=tuple(one(link) for link in model.links))
