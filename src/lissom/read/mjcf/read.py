"""MJCF: MuJoCo's XML, through MuJoCo's own compiler, which resolves defaults, units, meshes and inertias.

Coordinates are MuJoCo's qpos, joint by joint, except for quaternions (x y z w here, w x y z there) and the linear velocity of a
free joint (the body's axes here, the world's there). A body with several joints becomes a chain with massless links between.
Equalities `connect` and `weld` become loops, geoms shapes (`shapes.py`). What a Model cannot contain, such as tendons, is ignored
with a warning. Armature is already an inertia at the joint, and an actuator's gear scales its control: neither becomes a motor
with a rotor.
"""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from ...errors import MissingExtraError
from ...model import IDENTITY, Friction, Inertia, Joint, JointKind, Limits, Link, Model, Motion, Pose, Spring
from ...model.joint import SINGLE_DOF
from ...model.names import unused
from ...model.pose import as_matrix3, as_vector3, rotation_about, rotation_from_quaternion
from ..build import Draft, check_base, finish
from ..loops import Home
from ..mesh_paths import MeshPath, MeshPaths
from ..source import Source
from ..xml import Element, expect_root, read_xml
from .compile import Compiled, compile_mjcf
from .flags import apply_flags, check_finite
from .frames import pose_of, xyzw
from .loops import add_loops
from .safe import check_stranger
from .shapes import read_shapes
from .unsupported import Followed, warn_of_rest

_KINDS = {0: JointKind.FLOATING, 1: JointKind.SPHERICAL, 2: JointKind.PRISMATIC, 3: JointKind.REVOLUTE}


def read_mjcf(
    path: str | os.PathLike[str], base: str = "fixed", mimic: bool = True, friction: bool = True, trusted: bool = False
) -> Model:
    """Return the model of the MJCF file at `path`. Needs the package mujoco: pip install 'lissom[mjcf]'.

    Args:
        path: the file.
        base: "fixed" keeps the free joints of the file; "floating" adds one to the top body if the file has none.
        mimic: whether equalities of joints couple them, linearly or by polynomials; otherwise they are dropped.
        friction: whether to include damping and friction loss.
        trusted: True lets the file read files anywhere and have any size; otherwise it and its includes read only files below
            its folder. MuJoCo's time and memory are limited either way.

    Raises:
        FileError: MuJoCo rejects the file, or it reaches outside its folder.
        MissingExtraError: the package mujoco is not installed.
    """
    return read_with_home(path, read_xml(path), base, mimic, friction, trusted)[0]


def read_with_home(
    path: str | os.PathLike[str],
    root: Element,
    base: str,
    mimic: bool,
    friction: bool,
    trusted: bool,
    name: object = None,
    mesh_path: MeshPath = None,
) -> tuple[Model, Home]:
    """Return the model, as `read_mjcf` does, and the actuated joints and the posture of the file with this root.

    Messages call the file `name`, if given.
    """
    source, meshes = Source(path if name is None else name), MeshPaths(path, mesh_path, trusted)
    check_base(base)
    if find_spec("mujoco") is None:
        raise MissingExtraError("mujoco", "mjcf", "reading MJCF files")
    expect_root(root, "mujoco", "an MJCF file", source)
    if not trusted:
        check_stranger(path, root, source)
    compiled = compile_mjcf(path, source)
    check_finite(compiled, source)
    apply_flags(compiled)
    names = _Names(compiled)
    draft = Draft(compiled.model or "mujoco")
    with source.at():
        draft.gravity = as_vector3(compiled.gravity, "gravity")
        for body in range(compiled.sizes["body"]):
            _add_body(compiled, body, names, draft)
    with source.at():
        couplings = warn_of_rest(compiled, names, source)
        units = {joint.name: joint.unit for joint in draft.joints if joint.kind in SINGLE_DOF}
        draft.joints = [_coupled(joint, couplings, units, source) if mimic else joint for joint in draft.joints]
        home = add_loops(compiled, names, draft, mimic)
    draft.shapes = read_shapes(compiled, names, source, meshes)
    if base == "floating":
        _free_the_top_body(draft, source)
    return finish(draft, source, "fixed", mimic, friction), home


class _Names:
    """Names of MuJoCo's objects; those without one are numbered, the same in every run."""

    def __init__(self, compiled: Compiled) -> None:
        self.tables = {}
        for what, given in compiled.names.items():
            taken = set(given)
            self.tables[what] = [name or unused(f"{what}_{i}", taken) for i, name in enumerate(given)]
        self.taken = {what: set(table) for what, table in self.tables.items()}

    def __call__(self, what: str, index: int) -> str:
        return self.tables[what][index]


def _add_body(m: Compiled, body: int, names: _Names, draft: Draft) -> None:
    name = names("body", body)
    draft.links.append(Link(name, _inertia(m, body, name, draft)))
    if body == 0:
        return
    parent = names("body", m.body_parentid[body])
    placed = pose_of(m.body_pos[body], m.body_quat[body])
    first, count = m.body_jntadr[body], m.body_jntnum[body]
    if count == 0:
        draft.joints.append(Joint(unused(f"{name}_fixed", names.taken["joint"]), JointKind.FIXED, parent, name, placed))
    for j in range(first, first + count):
        last = j == first + count - 1
        child = name if last else unused(f"{name}_after_{names('joint', j)}", names.taken["body"])
        if not last:
            draft.links.append(Link(child))
        draft.joints.append(_joint(m, j, names("joint", j), parent, child, placed))
        parent, placed = child, IDENTITY


def _inertia(m: Compiled, body: int, name: str, draft: Draft) -> Inertia | None:
    mass = float(m.body_mass[body])
    R = rotation_from_quaternion(xyzw(m.body_iquat[body]))
    I = R @ np.diag(m.body_inertia[body]) @ R.T
    tensor = as_matrix3((I + I.T) / 2, "inertia")
    if mass > 0:
        return Inertia(mass, as_vector3(m.body_ipos[body], "com"), tensor)
    if np.any(tensor):
        draft.loose[name] = tensor
    return None


def _joint(m: Compiled, j: int, name: str, parent: str, child: str, placed: Pose) -> Joint:
    kind = _KINDS[int(m.jnt_type[j])]
    axis = as_vector3(m.jnt_axis[j], "axis")
    if kind is JointKind.FLOATING:
        # its coordinates are the body's pose in the world, independent of the body's placement in the file
        return Joint(name, kind, parent, child)
    anchor = as_vector3(m.jnt_pos[j], "anchor")
    to, back = Pose(translation=anchor), Pose(translation=as_vector3(-np.array(anchor), "anchor"))
    if kind is JointKind.SPHERICAL:
        return Joint(name, kind, parent, child, placed @ to, tail=back)
    # MuJoCo moves by qpos - qpos0
    reference = float(m.qpos0[m.jnt_qposadr[j]])
    if kind is JointKind.PRISMATIC:
        origin, tail = placed @ Pose(translation=as_vector3(-reference * np.array(axis), "reference")), IDENTITY
    else:
        origin, tail = placed @ to @ Pose(as_matrix3(rotation_about(axis, -reference), "rotation")), back
        kind = JointKind.REVOLUTE if m.jnt_limited[j] else JointKind.CONTINUOUS
    dof = m.jnt_dofadr[j]
    friction = Friction(m.dof_damping[dof], m.dof_frictionloss[dof])
    drive = (_limits(m, j), friction, float(m.dof_armature[dof]), None, _spring(m, j))
    return Joint(name, kind, parent, child, origin, axis, tail, *drive)


def _spring(m: Compiled, j: int) -> Spring | None:
    """Return the spring of a joint of one axis; damping belongs to the joint and is read as friction."""
    return Spring(m.jnt_stiffness[j], m.qpos_spring[m.jnt_qposadr[j]]) if m.jnt_stiffness[j] else None


def _limits(m: Compiled, j: int) -> Limits:
    lower, upper = m.jnt_range[j] if m.jnt_limited[j] else (-np.inf, np.inf)
    effort = np.inf
    # only an actuator of this joint alone; the limits of several cannot be expressed by one number
    drives = np.flatnonzero(m.works & (m.actuator_trntype == 0) & (m.actuator_trnid[:, 0] == j))
    if m.jnt_actfrclimited[j]:
        effort = np.abs(m.jnt_actfrcrange[j]).max()
    elif len(drives) == 1 and m.actuator_forcelimited[drives[0]]:
        effort = np.abs(m.actuator_forcerange[drives[0]]).max() * abs(m.actuator_gear[drives[0], 0])
    return Limits(lower, upper, effort=effort)


def _coupled(joint: Joint, couplings: dict[str, Followed], units: dict[str, str], source: Source) -> Joint:
    followed = couplings.get(joint.name)
    if followed is None:
        return joint
    if followed.law is None:
        return replace(joint, coupling=followed.coupling)
    # its coordinate is its leader's, so that its own properties cannot be expressed
    own = {"range": joint.limits, "friction": joint.friction, "armature": joint.rotor_inertia, "spring": joint.spring}
    lost = [name for name, value in own.items() if value not in (Limits(), Friction(), 0.0, None)]
    if lost:
        source.warn(f"{', '.join(lost)} of joint {joint.name!r} ignored: it follows another joint by a polynomial")
    along = ((joint.axis, followed.law),)
    slides = joint.kind is JointKind.PRISMATIC
    motion = Motion(translations=along if slides else (), rotations=() if slides else along, unit=units[followed.coupling.joint])
    place = (joint.parent, joint.child, joint.origin)
    return Joint(joint.name, JointKind.CUSTOM, *place, tail=joint.tail, coupling=followed.coupling, motion=motion)


def _free_the_top_body(draft: Draft, source: Source) -> None:
    world = draft.links[0].name
    top = [joint for joint in draft.joints if joint.parent == world]
    if any(joint.kind is JointKind.FLOATING for joint in top):
        return
    if len(top) != 1 or top[0].kind is not JointKind.FIXED:
        raise source.error("a floating base needs one top body without joints; write a <freejoint/> into the file instead")
    root = Joint(unused("root_joint", [j.name for j in draft.joints]), JointKind.FLOATING, world, top[0].child)
    draft.joints = [root if joint is top[0] else joint for joint in draft.joints]
