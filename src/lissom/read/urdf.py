"""URDF: the XML robot description of ROS.

Read as in urdfdom and Pinocchio, so that results compare entry by entry: joints depth first, those of one link in the byte order
of their names; inertias about the center of mass, rotated into the link's axes. There are four differences:

- a revolute or prismatic joint without limits is unlimited (urdfdom rejects it, or takes 0 to 0 if only the numbers are missing);
- a planar joint moves in the plane normal to its axis, as URDF defines it (Pinocchio always takes x and y);
- a joint that mimics a fixed one becomes fixed at its offset, one that mimics an unknown joint stays independent, with a warning
  (Pinocchio rejects both);
- the kind "spherical" is supported.

The inertia of links without mass is moved to the link they are fixed to. Transmissions become motors with a gear ratio, without
inertia and effect on the motion (`transmission.py`). Geometry and simulator tags are skipped.
"""

from __future__ import annotations

import math
import os
import sys

import numpy as np

from ..errors import ModelError, suggest
from ..model import IDENTITY, Coupling, Friction, Inertia, Joint, JointKind, Limits, Link, Model, Pose
from ..model.joint import SINGLE_DOF
from ..model.pose import EYE3, Matrix3, Vector3, as_matrix3, rotation_from_quaternion, rotation_from_rpy
from .build import Draft, finish
from .number import parse_number, shown
from .source import Source
from .transmission import read_transmissions
from .xml import Element, expect_root, parse_xml, read_xml

# writers that must state a limit use the largest float for none
HUGE = sys.float_info.max

FOREIGN = (JointKind.HELICAL, JointKind.UNIVERSAL, JointKind.CUSTOM)  # not in URDF


def read_urdf(path: str | os.PathLike[str], base: str = "fixed", mimic: bool = True, friction: bool = False) -> Model:
    """Return the model of the URDF file at `path`.

    Args:
        path: the file.
        base: "fixed", or "floating" to put a floating joint "root_joint" under the root link.
        mimic: whether mimic joints are coupled to their leaders; otherwise they are independent.
        friction: whether to include friction from `<dynamics>`.

    Raises:
        FileError: the file is not a robot; with the line.
    """
    return _model(read_xml(path), Source(path), base, mimic, friction)


def parse_urdf(
    text: str | bytes, base: str = "fixed", mimic: bool = True, friction: bool = False, path: object = "<text>"
) -> Model:
    """Return the model of URDF `text`; see read_urdf. `path` is only used in messages."""
    return _model(parse_xml(text, path), Source(path), base, mimic, friction)


def _model(robot: Element, source: Source, base: str, mimic: bool, friction: bool) -> Model:
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
    return finish(draft, source, base, mimic, friction)


def _link(element: Element, source: Source, draft: Draft) -> Link:
    name = element.attributes["name"]
    inertial = element.only("inertial", source)
    if inertial is None:
        return Link(name)
    mass = _number(_need_child(inertial, "mass", source), "value", source)
    if mass < 0:
        raise source.error(f"link {name!r}: mass must not be negative, got {mass:g}", inertial.line)
    entries = inertial.only("inertia", source)
    if entries is None and mass > 0:
        raise source.error(f"link {name!r} has a mass but no <inertia>; write one with zeros for a point mass", inertial.line)
    pose = _origin(inertial, source)
    tensor = as_matrix3(np.zeros((3, 3)) if entries is None else _tensor(entries, pose, source), "inertia")
    if mass > 0:
        with source.at(inertial.line):
            return Link(name, Inertia(mass, pose.translation, tensor))
    if np.any(tensor):
        draft.loose[name] = tensor
    return Link(name)


def _tensor(element: Element, pose: Pose, source: Source) -> Matrix3:
    xx, xy, xz, yy, yz, zz = (_number(element, key, source) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if pose.rotation != EYE3:
        I = pose.R @ I @ pose.R.T
        I = (I + I.T) / 2  # rounding
    return as_matrix3(I, "inertia")


def _joint(element: Element, source: Source, mimic: bool) -> Joint:
    name = element.attributes["name"]
    with source.at(element.line):
        kind = JointKind.parse(element.need("type", source))
        if kind in FOREIGN:
            raise ModelError(f"joint {name!r}: URDF has no {kind.value} joints; describe the robot in lissom's YAML (kind: tree)")
    parent, child = (_link_name(element, role, source) for role in ("parent", "child"))
    axis_element = element.only("axis", source) if kind.traits.has_axis else None
    axis: Vector3 = (1.0, 0.0, 0.0) if kind.traits.has_axis else (0.0, 0.0, 1.0)
    if axis_element is not None:
        axis = _vector(axis_element, "xyz", source, axis)
    limits, friction, coupling = Limits(), Friction(), None
    if kind in SINGLE_DOF:
        limits = _limits(element.only("limit", source), kind, name, source)
        friction = _friction(element.only("dynamics", source), name, source)
        coupling = _coupling(element.only("mimic", source), source) if mimic else None
    with source.at(element.line):
        return Joint(name, kind, parent, child, _origin(element, source), axis, IDENTITY, limits, friction, coupling=coupling)


def _link_name(joint: Element, role: str, source: Source) -> str:
    element = _need_child(joint, role, source)
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
    values = {key: free.get(key, _number(element, key, source, default[key], infinite=True)) for key in default}
    values = {key: math.copysign(math.inf, value) if abs(value) == HUGE else value for key, value in values.items()}
    try:
        return Limits(**values)
    except ModelError as error:
        raise source.error(f"joint {name!r}: {error}", element.line) from None


def _friction(element: Element | None, name: str, source: Source) -> Friction:
    if element is None:
        return Friction()
    try:
        return Friction(_number(element, "damping", source, 0.0), _number(element, "friction", source, 0.0))
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
    return Coupling(leader, _number(element, "multiplier", source, 1.0), _number(element, "offset", source, 0.0))


def _origin(parent: Element, source: Source) -> Pose:
    element = parent.only("origin", source)
    if element is None:
        return IDENTITY
    rotation = rotation_from_rpy(*_vector(element, "rpy", source, (0.0, 0.0, 0.0)))
    if "quat_xyzw" in element.attributes:
        if "rpy" in element.attributes:
            raise source.error("<origin> has both rpy and quat_xyzw; remove one", element.line)
        with source.at(element.line):
            rotation = rotation_from_quaternion(_numbers(element, "quat_xyzw", source, 4))
    return Pose(as_matrix3(rotation, "rotation"), _vector(element, "xyz", source, (0.0, 0.0, 0.0)))


def _need_child(element: Element, tag: str, source: Source) -> Element:
    child = element.only(tag, source)
    if child is None:
        name = f" {element.attributes['name']!r}" if "name" in element.attributes else ""
        raise source.error(f"<{element.tag}>{name} has no element <{tag}>", element.line)
    return child


def _number(element: Element, name: str, source: Source, default: float | None = None, infinite: bool = False) -> float:
    if default is not None and name not in element.attributes:
        return default
    text = element.need(name, source)
    value = parse_number(text, infinite)
    if value is None:
        raise source.error(f"attribute {name!r} of <{element.tag}> must be a number, got {shown(text)}", element.line)
    return value


def _numbers(element: Element, name: str, source: Source, count: int) -> list[float]:
    words = element.need(name, source).split()
    values = [parse_number(word) for word in words]
    good = [value for value in values if value is not None]
    if len(words) != count or len(good) != count:
        text = " ".join(words)
        raise source.error(f"attribute {name!r} of <{element.tag}> must be {count} numbers, got {shown(text)}", element.line)
    return good


def _vector(element: Element, name: str, source: Source, default: Vector3) -> Vector3:
    if name not in element.attributes:
        return default
    x, y, z = _numbers(element, name, source, 3)
    return (x, y, z)
