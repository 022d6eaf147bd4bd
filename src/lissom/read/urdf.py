"""URDF: the XML robot description of ROS.

Read as in urdfdom and Pinocchio, so that results compare entry by entry: joints depth first, those of one link in the byte order
of their names; inertias about the center of mass, rotated into the link's axes. There are four differences:

- a revolute or prismatic joint without limits is unlimited (urdfdom rejects it, or takes 0 to 0 if only the numbers are missing);
- a planar joint moves in the plane normal to its axis, as URDF defines it (Pinocchio always takes x and y);
- a joint that mimics a fixed one becomes fixed at its offset, one that mimics an unknown joint stays independent, with a warning
  (Pinocchio rejects both);
- the kind "spherical" is supported.

The inertia of links without mass is moved to the link they are fixed to. Transmissions become motors with a gear ratio, without
inertia and effect on the motion (`transmission.py`). Visuals and collisions become shapes (`urdf_shapes.py`). Simulator tags are
skipped.
"""

from __future__ import annotations

import math
import os
import sys

import numpy as np

from ..errors import ModelError, suggest
from ..model import IDENTITY, Coupling, Friction, Inertia, Joint, JointKind, Limits, Link, Model, Pose
from ..model.joint import SINGLE_DOF
from ..model.pose import EYE3, Matrix3, Vector3, as_matrix3
from .build import Draft, finish
from .mesh_paths import MeshPath, MeshPaths
from .source import Source
from .transmission import read_transmissions
from .urdf_shapes import read_shapes
from .urdf_values import need_child, number, origin, vector
from .xml import Element, expect_root, parse_xml, read_xml

# writers that must state a limit use the largest float for none
HUGE = sys.float_info.max


def read_urdf(
    path: str | os.PathLike[str],
    base: str = "fixed",
    mimic: bool = True,
    friction: bool = False,
    mesh_path: MeshPath = None,
    trusted: bool = False,
) -> Model:
    """Return the model of the URDF file at `path`.

    Args:
        path: the file.
        base: "fixed", or "floating" to put a floating joint "root_joint" under the root link.
        mimic: whether mimic joints are coupled to their leaders; otherwise they are independent.
        friction: whether to include friction from `<dynamics>`.
        mesh_path: folders in which mesh files are searched too (`mesh_paths.py`).
        trusted: True lets mesh files lie anywhere.

    Raises:
        FileError: the file is not a robot; with the line.
    """
    return _model(read_xml(path), Source(path), base, mimic, friction, MeshPaths(path, mesh_path, trusted))


def parse_urdf(
    text: str | bytes,
    base: str = "fixed",
    mimic: bool = True,
    friction: bool = False,
    path: object = "<text>",
    mesh_path: MeshPath = None,
) -> Model:
    """Return the model of URDF `text`; see read_urdf. `path` is only used in messages.

    A text has no folder: meshes are only searched in `mesh_path`.
    """
    return _model(parse_xml(text, path), Source(path), base, mimic, friction, MeshPaths(None, mesh_path))


def _model(robot: Element, source: Source, base: str, mimic: bool, friction: bool, meshes: MeshPaths) -> Model:
    expect_root(robot, "robot", "a URDF file", source)
    for child in robot.children:
        if child.tag.startswith("xacro:"):
            raise source.error(f"<{child.tag}> belongs to a xacro file; expand it first: xacro a.xacro > a.urdf", child.line)
    links, joints = robot.all("link"), robot.all("joint")
    if not links:
        raise source.error("<robot> has no <link>; was it made from a xacro file that only defines macros?", robot.line)
    draft = Draft(robot.need("name", source))
    for element in links:
        source.note("link", element.need("name", source), element.line)
    for element in joints:
        source.note("joint", element.need("name", source), element.line)
    # urdfdom keeps joints in a map: siblings come in the byte order of their names
    joints.sort(key=lambda joint: joint.attributes["name"].encode())
    draft.links = [_link(element, source, draft) for element in links]
    draft.joints = [_joint(element, source, mimic) for element in joints]
    read_transmissions(robot, draft, source)
    draft.shapes = read_shapes(robot, source, meshes)
    return finish(draft, source, base, mimic, friction)


def _link(element: Element, source: Source, draft: Draft) -> Link:
    name = element.attributes["name"]
    inertial = element.only("inertial", source)
    if inertial is None:
        return Link(name)
    mass = number(need_child(inertial, "mass", source), "value", source)
    if mass < 0:
        raise source.error(f"link {name!r}: mass must not be negative, got {mass:g}", inertial.line)
    entries = inertial.only("inertia", source)
    if entries is None and mass > 0:
        raise source.error(f"link {name!r} has a mass but no <inertia>; write one with zeros for a point mass", inertial.line)
    pose = origin(inertial, source)
    tensor = as_matrix3(np.zeros((3, 3)) if entries is None else _tensor(entries, pose, source), "inertia")
    if mass > 0:
        with source.at(inertial.line):
            return Link(name, Inertia(mass, pose.translation, tensor))
    if np.any(tensor):
        draft.loose[name] = tensor
    return Link(name)


def _tensor(element: Element, pose: Pose, source: Source) -> Matrix3:
    xx, xy, xz, yy, yz, zz = (number(element, key, source) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if pose.rotation != EYE3:
        I = pose.R @ I @ pose.R.T
        I = (I + I.T) / 2  # rounding
    return as_matrix3(I, "inertia")


def _joint(element: Element, source: Source, mimic: bool) -> Joint:
    name = element.attributes["name"]
    with source.at(element.line):
        kind = JointKind.parse(element.need("type", source))
        if not kind.traits.in_urdf:
            raise ModelError(f"joint {name!r}: URDF has no {kind.value} joints; describe the robot in lissom's YAML (kind: tree)")
    parent, child = (_link_name(element, role, source) for role in ("parent", "child"))
    axis_element = element.only("axis", source) if kind.traits.has_axis else None
    axis: Vector3 = (1.0, 0.0, 0.0) if kind.traits.has_axis else (0.0, 0.0, 1.0)
    if axis_element is not None:
        axis = vector(axis_element, "xyz", source, axis)
    limits, friction, coupling = Limits(), Friction(), None
    if kind in SINGLE_DOF:
        limits = _limits(element.only("limit", source), kind, name, source)
        friction = _friction(element.only("dynamics", source), name, source)
        coupling = _coupling(element.only("mimic", source), source) if mimic else None
    with source.at(element.line):
        return Joint(name, kind, parent, child, origin(element, source), axis, IDENTITY, limits, friction, coupling=coupling)


def _link_name(joint: Element, role: str, source: Source) -> str:
    element = need_child(joint, role, source)
    name = element.need("link", source)
    if f"link {name!r}" not in source.lines:
        links = [key[len("link '") : -1] for key in source.lines if key.startswith("link ")]
        where = f" ({role} of joint {joint.attributes['name']!r})"
        raise source.error(f"no link {name!r}{where}; {suggest(name, links)}", element.line)
    return name


def _limits(element: Element | None, kind: JointKind, name: str, source: Source) -> Limits:
    if element is None:
        return Limits()
    # URDF's default for one missing position limit is zero; without both there is none
    bounded = kind is not JointKind.CONTINUOUS and ("lower" in element.attributes or "upper" in element.attributes)
    free = {} if bounded else {"lower": -math.inf, "upper": math.inf}
    default = {"lower": 0.0, "upper": 0.0, "velocity": math.inf, "effort": math.inf}
    values = {key: free.get(key, number(element, key, source, default[key], infinite=True)) for key in default}
    values = {key: math.copysign(math.inf, value) if abs(value) == HUGE else value for key, value in values.items()}
    try:
        return Limits(**values)
    except ModelError as error:
        raise source.error(f"joint {name!r}: {error}", element.line) from None


def _friction(element: Element | None, name: str, source: Source) -> Friction:
    if element is None:
        return Friction()
    try:
        return Friction(number(element, "damping", source, 0.0), number(element, "friction", source, 0.0))
    except ModelError as error:
        raise source.error(f"joint {name!r}: {error}", element.line) from None


def _coupling(element: Element | None, source: Source) -> Coupling | None:
    if element is None:
        return None
    leader = element.need("joint", source)
    if f"joint {leader!r}" not in source.lines:
        joints = (key[len("joint '") : -1] for key in source.lines if key.startswith("joint "))
        # some published robots have this: the joint stays independent, as in readers without mimic
        source.warn(f"<mimic> of joint {leader!r}, which does not exist, is ignored{source.hint(leader, joints)}", element.line)
        return None
    return Coupling(leader, number(element, "multiplier", source, 1.0), number(element, "offset", source, 0.0))
