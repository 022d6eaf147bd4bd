"""MJCF: MuJoCo's XML, through MuJoCo's own compiler, which resolves defaults, units, meshes and inertias.

Coordinates are MuJoCo's qpos, joint by joint, but for quaternions (x y z w here, w x y z there) and for the linear velocity of a
free joint (the body's axes here, the world's there). A body with several joints becomes a chain with massless links between.
Equalities `connect` and `weld` are loops. What a Model cannot hold, such as tendons, gives a warning with its name.
Armature is inertia at the joint already, and an actuator's gear scales its control: neither makes a motor with its own rotor.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np

from ..errors import MissingExtraError
from ..model import IDENTITY, Coupling, Friction, Inertia, Joint, JointKind, Limits, Link, Model, Pose, Spring
from ..model.pose import as_matrix3, as_vector3, rotation_about, rotation_from_quaternion, tidy
from .build import Draft, check_base, finish, unused
from .mjcf_loops import add_loops
from .mjcf_rest import warn_of_rest
from .source import Source
from .xml import expect_root, read_xml

_KINDS = {0: JointKind.FLOATING, 1: JointKind.SPHERICAL, 2: JointKind.PRISMATIC, 3: JointKind.REVOLUTE}
_FOLDERS = ("meshdir", "texturedir", "assetdir")

TRUSTED = "lissom.read.mjcf.read_mjcf(path, trusted=True)"


def read_mjcf(
    path: str | os.PathLike[str], base: str = "fixed", mimic: bool = True, friction: bool = True, trusted: bool = False
) -> Model:
    """Return the model of the MJCF file at `path`. Needs the package mujoco: pip install 'lissom[mjcf]'.

    Args:
        path: the file.
        base: "fixed" keeps the free joints that the file states; "floating" adds one to the top body if the file states none.
        mimic: whether linear joint equalities couple joints; otherwise they are dropped.
        friction: whether damping and friction loss count.
        trusted: True lets the file include others and name files anywhere; otherwise only files below its own folder are read.

    Raises:
        FileError: for anything that MuJoCo refuses, and for files that reach outside their folder.
    """
    source = Source(path)
    check_base(base)
    try:
        import mujoco
    except ImportError:
        raise MissingExtraError("mujoco", "mjcf", "reading MJCF files") from None
    _check_safe(path, source, trusted)
    compiled = _compile(mujoco, path, source)
    _still_springs(mujoco, compiled)
    names = _Names(mujoco, compiled)
    draft = Draft(_model_name(compiled))
    draft.gravity = _gravity(mujoco, compiled)
    with source.at():
        for body in range(compiled.nbody):
            _add_body(compiled, body, names, draft)
    couplings = warn_of_rest(mujoco, compiled, names, source)
    draft.joints = [_coupled(joint, couplings) for joint in draft.joints]
    with source.at():
        add_loops(mujoco, compiled, names, draft, mimic)
    if base == "floating":
        _free_the_top_body(draft, source)
    return finish(draft, source, "fixed", mimic, friction)


def _check_safe(path: str | os.PathLike[str], source: Source, trusted: bool) -> None:
    root = read_xml(path)
    expect_root(root, "mujoco", "an MJCF file", source)
    for element in root.walk():
        if element.tag == "include" and not trusted:
            raise source.error(f"<include> reads another file; paste it in, or use {TRUSTED}", element.line)
        for key, value in element.attributes.items():
            outside = any(p.is_absolute() or p.drive or ".." in p.parts for p in (PurePosixPath(value), PureWindowsPath(value)))
            if (key.startswith("file") or key in _FOLDERS) and outside and not trusted:
                raise source.error(f"{key}={value!r} reaches outside the folder of the file; {TRUSTED} allows it", element.line)


def _compile(mujoco: Any, path: str | os.PathLike[str], source: Source) -> Any:
    # MuJoCo would write its warnings to a log file in the current folder
    said: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(said.append)
    try:
        compiled = mujoco.MjModel.from_xml_path(os.fspath(path))
    except ValueError as error:
        raise source.error(f"MuJoCo refuses the file: {' '.join(str(error).split())}") from None
    finally:
        mujoco.set_mju_user_warning(before)
    for message in said:
        source.warn(f"MuJoCo warns: {' '.join(str(message).split())}")
    return compiled


class _Names:
    """Names of MuJoCo's objects; those without one are numbered, so that they stay the same from run to run."""

    def __init__(self, mujoco: Any, compiled: Any) -> None:
        kinds = mujoco.mjtObj
        self.tables = {}
        for what, kind, count in (
            ("body", kinds.mjOBJ_BODY, compiled.nbody),
            ("joint", kinds.mjOBJ_JOINT, compiled.njnt),
            ("equality", kinds.mjOBJ_EQUALITY, compiled.neq),
            ("tendon", kinds.mjOBJ_TENDON, compiled.ntendon),
            ("actuator", kinds.mjOBJ_ACTUATOR, len(compiled.actuator_trntype)),
        ):
            given = [mujoco.mj_id2name(compiled, kind, i) for i in range(count)]
            self.tables[what] = [name or unused(f"{what}_{i}", given) for i, name in enumerate(given)]

    def __call__(self, what: str, index: int) -> str:
        return str(self.tables[what][index])


def _model_name(compiled: Any) -> str:
    return bytes(compiled.names).split(b"\0", 1)[0].decode("utf-8", "replace") or "mujoco"


def _gravity(mujoco: Any, compiled: Any) -> tuple[float, float, float]:
    off = compiled.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    return (0.0, 0.0, 0.0) if off else as_vector3(compiled.opt.gravity, "gravity")


def _still_springs(mujoco: Any, compiled: Any) -> None:
    """Take springs out where the file switches them off; older MuJoCo has one switch for springs and dampers."""
    bits = mujoco.mjtDisableBit
    if compiled.opt.disableflags & int(getattr(bits, "mjDSBL_SPRING", None) or bits.mjDSBL_PASSIVE):
        compiled.jnt_stiffness[:] = 0.0


def _add_body(m: Any, body: int, names: _Names, draft: Draft) -> None:
    name = names("body", body)
    draft.links.append(Link(name, _inertia(m, body, name, draft)))
    if body == 0:
        return
    parent = names("body", m.body_parentid[body])
    placed = _pose(m.body_pos[body], m.body_quat[body])
    first, count = m.body_jntadr[body], m.body_jntnum[body]
    if count == 0:
        taken = names.tables["joint"]
        draft.joints.append(Joint(unused(f"{name}_fixed", taken), JointKind.FIXED, parent, name, placed))
    for j in range(first, first + count):
        last = j == first + count - 1
        child = name if last else unused(f"{name}_after_{names('joint', j)}", names.tables["body"])
        if not last:
            draft.links.append(Link(child))
        draft.joints.append(_joint(m, j, names("joint", j), parent, child, placed))
        parent, placed = child, IDENTITY


def _inertia(m: Any, body: int, name: str, draft: Draft) -> Inertia | None:
    mass = float(m.body_mass[body])
    R = rotation_from_quaternion(_xyzw(m.body_iquat[body]))
    I = R @ np.diag(m.body_inertia[body]) @ R.T
    tensor = as_matrix3((I + I.T) / 2, "inertia")
    if mass > 0:
        return Inertia(mass, as_vector3(m.body_ipos[body], "com"), tensor)
    if np.any(tensor):
        draft.loose[name] = tensor
    return None


def _joint(m: Any, j: int, name: str, parent: str, child: str, placed: Pose) -> Joint:
    kind = _KINDS[int(m.jnt_type[j])]
    axis = as_vector3(m.jnt_axis[j], "axis")
    if kind is JointKind.FLOATING:
        # its coordinates are the body's pose in the world, wherever the file placed the body
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


def _spring(m: Any, j: int) -> Spring | None:
    """Return the spring of a joint of one axis; damping is the joint's, with or without a spring, and counts as friction."""
    return Spring(m.jnt_stiffness[j], m.qpos_spring[m.jnt_qposadr[j]]) if m.jnt_stiffness[j] else None


def _limits(m: Any, j: int) -> Limits:
    lower, upper = m.jnt_range[j] if m.jnt_limited[j] else (-np.inf, np.inf)
    effort = np.inf
    # an actuator that pulls on this joint alone; several share it in ways that one number cannot say
    drives = [a for a in range(len(m.actuator_trntype)) if m.actuator_trntype[a] == 0 and m.actuator_trnid[a, 0] == j]
    if m.jnt_actfrclimited[j]:
        effort = np.abs(m.jnt_actfrcrange[j]).max()
    elif len(drives) == 1 and m.actuator_forcelimited[drives[0]]:
        effort = np.abs(m.actuator_forcerange[drives[0]]).max() * abs(m.actuator_gear[drives[0], 0])
    return Limits(lower, upper, effort=effort)


def _coupled(joint: Joint, couplings: dict[str, Coupling]) -> Joint:
    return replace(joint, coupling=couplings[joint.name]) if joint.name in couplings else joint


def _free_the_top_body(draft: Draft, source: Source) -> None:
    world = draft.links[0].name
    top = [joint for joint in draft.joints if joint.parent == world]
    if any(joint.kind is JointKind.FLOATING for joint in top):
        return
    if len(top) != 1 or top[0].kind is not JointKind.FIXED:
        raise source.error("base='floating' needs one top body without joints; write a <freejoint/> into the file instead")
    root = Joint(unused("root_joint", [j.name for j in draft.joints]), JointKind.FLOATING, world, top[0].child)
    draft.joints = [root if joint is top[0] else joint for joint in draft.joints]


def _xyzw(quaternion: np.ndarray) -> list[float]:
    return [float(x) for x in np.roll(quaternion, -1)]


def _pose(position: np.ndarray, quaternion: np.ndarray) -> Pose:
    return Pose(as_matrix3(tidy(rotation_from_quaternion(_xyzw(quaternion))), "rotation"), as_vector3(position, "translation"))
