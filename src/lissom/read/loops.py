"""Loops in YAML: cut joints, active joints, and a posture near which the loops close.

    loops:
      - name: tip
        kind: revolute                                 # prismatic, spherical, universal, rigid
        first: {link: coupler, xyz: [0.5, 0, 0]}       # the frame of the cut joint on each of its links
        second: {link: rocker, xyz: [0.4, 0, 0], rpy: [0, 0, 0]}
        axis: [0, 1, 0]                                # in these frames; default z
        second_axis: [1, 0, 0]                         # of a universal joint, on the second link
    active: [crank]                                    # driven joints
    posture: {crank: 60deg, platform: [0, 0, 1, 0, 0, 0, 1]}   # others start at zero
    closure_tolerance: 1e-4                            # [m] largest closure error, for rounded lengths

They are in the robot's own file, or in a separate file for a URDF or MJCF file, which begins with
    lissom: 1
    kind: loops
and is named in `lissom.load("robot.urdf", loops="robot.loops.yaml")`.
"""

from __future__ import annotations

import dataclasses
import os
from typing import NamedTuple

from ..model import Loop, LoopKind, Model
from ..model.pose import Pose, as_vector3
from .document import open_document, read_header
from .entry import Entry
from .fields import POSE, pose_of

KEYS = ("loops", "active", "posture", "closure_tolerance")
_LOOP = ("name", "kind", "first", "second", "axis", "second_axis")
MAX_BYTES = 1 << 20

Posture = tuple[tuple[str, tuple[float, ...]], ...]


class Home(NamedTuple):
    """Active joints and posture from a robot's own file, for loops that another file may give it.

    Attributes:
        active: names of the active joints, or None.
        posture: coordinates by joint, near which the loops close.
    """

    active: tuple[str, ...] | None = None
    posture: Posture = ()


def read_loops(keys: dict[str, Entry]) -> tuple[list[Loop], tuple[str, ...] | None, Posture, float | None]:
    """Return the loops, active joints, posture and closure tolerance of a document."""
    loops = [_loop(item) for item in keys["loops"].items()] if "loops" in keys else []
    active = tuple(item.text() for item in keys["active"].items()) if "active" in keys else None
    tolerance = keys["closure_tolerance"].number() if "closure_tolerance" in keys else None
    return loops, active, _posture(keys["posture"]) if "posture" in keys else (), tolerance


def with_companion(model: Model, path: str | os.PathLike[str], home: Home) -> Model:
    """Return `model` with the loops of the YAML file at `path`.

    The posture of the file is added to that of `home`, joint by joint; its active joints replace those of `home`.
    """
    document = open_document(path, MAX_BYTES)
    keys = read_header(document, ("loops",), KEYS)
    if not any(key in keys for key in KEYS):
        raise document.error(f"the document has none of the keys {', '.join(KEYS)}")
    loops, active, posture, tolerance = read_loops(keys)
    with document.source.at():
        posture = tuple({**dict(home.posture), **dict(posture)}.items())
        return dataclasses.replace(
            model,
            loops=(*model.loops, *loops),
            active=home.active if active is None else active,
            posture=posture,
            closure_tolerance=model.closure_tolerance if tolerance is None else tolerance,
        )


def _loop(item: Entry) -> Loop:
    keys = item.mapping(_LOOP, required=("name", "kind", "first", "second"))
    name = keys["name"].text()
    item.source.note("loop", name, item.line)
    kind = LoopKind(keys["kind"].called(f"'kind' of loop {name!r}").choice([k.value for k in LoopKind]))
    if "second_axis" in keys and kind is not LoopKind.UNIVERSAL:
        raise keys["second_axis"].error(f"loop {name!r} is {kind.value}; only a universal joint has a second axis")
    if "axis" in keys and kind in (LoopKind.SPHERICAL, LoopKind.RIGID):
        raise keys["axis"].error(f"loop {name!r} is {kind.value} and has no axis")
    (first, first_pose), (second, second_pose) = _end(keys["first"]), _end(keys["second"])
    axes = {key: as_vector3(keys[key].numbers(3), key) for key in ("axis", "second_axis") if key in keys}
    with item.source.at(item.line):
        return Loop(name, kind, first, second, first_pose, second_pose, **axes)


def _end(entry: Entry) -> tuple[str, Pose]:
    keys = entry.mapping(("link", *POSE), required=("link",))
    return keys["link"].text(), pose_of(entry, keys)


def _posture(entry: Entry) -> Posture:
    import yaml

    found = []
    if not isinstance(entry.node, yaml.MappingNode):
        raise entry.error(f"{entry.label} must give coordinates by joint: {{crank: 60deg}}")
    for key_node, value in entry.node.value:
        name = Entry(key_node, entry.source, f"a key of {entry.label}").text()
        own = Entry(value, entry.source, f"posture of joint {name!r}")
        many = isinstance(value, yaml.SequenceNode)
        found.append((name, tuple(item.number() for item in own.items()) if many else (own.number(),)))
    return tuple(found)
