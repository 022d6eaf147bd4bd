"""Chains: helical and universal joints replaced by two joints each, for formats that do not have them.

The mechanism is the same: a universal joint becomes two revolute joints with a massless link between them, a helical joint a
revolute and a coupled prismatic joint. Names of coordinates change for universal joints: hip becomes hip_1 and hip_2.
"""

from __future__ import annotations

import dataclasses

from ..errors import ModelError
from ..model import IDENTITY, Coupling, Joint, JointKind, Link, Model

CHAINS = (JointKind.HELICAL, JointKind.UNIVERSAL, JointKind.CUSTOM)


def with_chains(model: Model) -> Model:
    """Return the model with chains in place of its helical and universal joints.

    Raises:
        ModelError: a joint is custom, which no chain of simple joints can replace.
    """
    if not any(joint.kind in CHAINS for joint in model.joints):
        return model
    names = {joint.name for joint in model.joints} | {motor.name for motor in model.motors}
    links, joints = list(model.links), []
    taken = {link.name for link in links}
    for joint in model.joints:
        if joint.kind not in CHAINS:
            joints.append(joint)
            continue
        if joint.kind is JointKind.CUSTOM:
            raise ModelError(f"joint {joint.name!r} is custom, which no chain of other joints can replace; write YAML")
        middle = _unused(f"{joint.child}_{'cross' if joint.kind is JointKind.UNIVERSAL else 'nut'}", taken)
        links.append(Link(middle))
        joints += _universal(joint, middle, names) if joint.kind is JointKind.UNIVERSAL else _helical(joint, middle, names)
    return model.replace(links=tuple(links), joints=tuple(joints))


def _universal(joint: Joint, middle: str, names: set[str]) -> list[Joint]:
    assert joint.second_axis is not None
    first, second = (_unused(f"{joint.name}_{k}", names) for k in (1, 2))
    return [
        Joint(first, JointKind.CONTINUOUS, joint.parent, middle, joint.origin, joint.axis),
        Joint(second, JointKind.CONTINUOUS, middle, joint.child, axis=joint.second_axis, tail=joint.tail),
    ]


def _helical(joint: Joint, middle: str, names: set[str]) -> list[Joint]:
    assert joint.pitch is not None
    turn = dataclasses.replace(joint, kind=JointKind.REVOLUTE, child=middle, tail=IDENTITY, pitch=None)
    slide = _unused(f"{joint.name}_slide", names)
    follows = Coupling(joint.name, joint.pitch)
    return [turn, Joint(slide, JointKind.PRISMATIC, middle, joint.child, axis=joint.axis, tail=joint.tail, coupling=follows)]


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
