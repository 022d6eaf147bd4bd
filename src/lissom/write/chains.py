"""Chains: helical and universal joints replaced by two joints each, for formats that do not have them.

The mechanism is the same: a universal joint becomes two revolute joints with a massless link between them, a helical joint a
revolute and a coupled prismatic joint. Names of coordinates change for universal joints: hip becomes hip_1 and hip_2.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..errors import ModelError
from ..model import IDENTITY, Coupling, Joint, JointKind, Link, Model
from ..model.names import take


def is_chain(joint: Joint) -> bool:
    """Return whether the joint is one of several simple motions, for which other formats have no word."""
    return bool(joint.kind.traits.parts(joint)) and not joint.kind.traits.in_urdf


def replaceable(joint: Joint) -> bool:
    """Return whether simple joints can replace a chain: its parts move in proportion to its coordinates."""
    return all(part.law is None for part in joint.kind.traits.parts(joint))


def with_chains(model: Model) -> Model:
    """Return the model with chains of revolute and prismatic joints in place of its helical and universal joints.

    Raises:
        ModelError: a joint is custom, which no chain of simple joints can replace.
    """
    if not any(map(is_chain, model.joints)):
        return model
    names = {joint.name for joint in model.joints} | {motor.name for motor in model.motors}
    links, joints = list(model.links), []
    taken = {link.name for link in links}
    for joint in model.joints:
        if not is_chain(joint):
            joints.append(joint)
            continue
        if not replaceable(joint):
            raise ModelError(
                f"joint {joint.name!r} is {joint.kind.value}, which no chain of other joints can replace; write YAML"
            )
        found = _chain(joint, names, taken)
        links += [Link(part.child) for part in found[:-1]]
        joints += found
    return model.replace(links=tuple(links), joints=tuple(joints))


def _chain(joint: Joint, names: set[str], links: set[str]) -> list[Joint]:
    """Return a joint for each part; those that move with a coordinate of another one follow it."""
    parts = joint.kind.traits.parts(joint)
    if len({part.axis for part in parts}) == 1:  # along one axis any order is the same: leaders come first
        parts = tuple(sorted(parts, key=lambda part: part.slides != (joint.unit == "m")))
    found: list[Joint] = []
    leaders: dict[int, str] = {}
    parent, origin = joint.parent, joint.origin
    for k, part in enumerate(parts):
        last = k == len(parts) - 1
        child = joint.child if last else take(f"{joint.child}_{'nut' if any(p.slides for p in parts) else 'cross'}", links)
        place: dict[str, Any] = {"parent": parent, "child": child, "origin": origin, "axis": part.axis}
        place["tail"] = joint.tail if last else IDENTITY
        kind = JointKind.PRISMATIC if part.slides else JointKind.REVOLUTE
        if part.coordinate in leaders:
            name = take(f"{joint.name}_{'slide' if part.slides else 'turn'}", names)
            found.append(Joint(name, kind, coupling=Coupling(leaders[part.coordinate], part.factor), **place))
        elif joint.kind.nv == 1:
            leaders[part.coordinate] = joint.name
            own: dict[str, Any] = dict.fromkeys(joint.kind.traits.own)
            found.append(dataclasses.replace(joint, kind=kind, **place, **own))
        else:
            name = take(f"{joint.name}{joint.kind.traits.coordinates[part.coordinate]}", names)
            leaders[part.coordinate] = name
            found.append(Joint(name, kind if part.slides else JointKind.CONTINUOUS, **place))
        parent, origin = child, IDENTITY
    return found
