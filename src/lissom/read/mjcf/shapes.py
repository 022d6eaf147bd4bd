"""Geoms of an MJCF file as shapes.

MuJoCo moves the vertices of a mesh into its inertial frame, and the geom with it; here a mesh has the frame of its file again.
A geom is visual in the groups 0, 1 and 2, which MuJoCo shows by default, and a collision shape if it can make contacts (contype
or conaffinity). One that is neither is left out, and so are planes, which are the ground. Its color is its rgba, if it differs
from MuJoCo's default, or that of its material.
"""

from __future__ import annotations

import numpy as np

from ...errors import ModelError
from ...model import Box, Capsule, Color, Cylinder, Ellipsoid, Geometry, Mesh, Pose, Shape, Sphere
from ...model.pose import Vector3, as_matrix3, as_vector3, rotation_from_quaternion, tidy
from ..mesh_paths import MeshPaths
from ..remarks import Remarks
from ..source import Source
from .compile import Compiled
from .frames import pose_of, xyzw
from .unsupported import Names

SHOWN = 3  # groups that MuJoCo shows by default: 0, 1, 2
GRAY = (0.5, 0.5, 0.5, 1.0)  # rgba of geoms that have none of their own


def read_shapes(m: Compiled, names: Names, source: Source, meshes: MeshPaths) -> list[Shape]:
    """Return the shapes of all bodies, and warn of geoms that cannot be drawn."""
    remarks = Remarks(source)
    if m.geoms["names"] is None:
        remarks.add(str(source.error(f"{m.geoms['count']} geoms are too many to be drawn; all are left out")))
        return []
    shapes = []
    kinds = {value: name.removeprefix("mjGEOM_").lower() for name, value in m.enums.items() if name.startswith("mjGEOM_")}
    for g, name in enumerate(m.geoms["names"]):
        kind, role = kinds.get(int(m.geom_type[g]), "unknown"), _role(m, g)
        if kind == "plane" or role is None:
            continue
        try:
            geometry, inner = _geometry(m, g, kind, meshes)
            origin = _tidy(pose_of(m.geom_pos[g], m.geom_quat[g]) @ inner)
            shapes.append(Shape(names("body", int(m.geom_bodyid[g])), geometry, origin, _color(m, g), role, name or ""))
        except ModelError as error:
            called = f"geom {name!r}" if name else f"geom number {g}"
            remarks.add(str(source.error(f"{called} of body {names('body', int(m.geom_bodyid[g]))!r} is left out: {error}")))
    for skin in range(m.geoms["skins"]):
        remarks.add(str(source.error(f"skin {skin} is left out")))
    remarks.finish("geoms and skins are left out")
    meshes.report(source)
    return shapes


def _tidy(pose: Pose) -> Pose:
    """Return a pose without what rounding leaves of frames that cancel."""
    R, p = tidy(np.where(np.abs(pose.R) < 1e-14, 0.0, pose.R)), np.where(np.abs(pose.p) < 1e-14, 0.0, pose.p)
    return Pose(as_matrix3(R, "rotation"), as_vector3(p, "translation"))


def _role(m: Compiled, g: int) -> str | None:
    seen, touched = m.geom_group[g] < SHOWN, bool(m.geom_contype[g] or m.geom_conaffinity[g])
    return ("both" if touched else "visual") if seen else ("collision" if touched else None)


def _color(m: Compiled, g: int) -> Color | None:
    rgba = m.geom_rgba[g]
    if np.allclose(rgba, GRAY, rtol=0, atol=1e-6):  # 32-bit numbers
        if m.geom_matid[g] < 0:
            return None
        rgba = m.mat_rgba[m.geom_matid[g]]
    red, green, blue, opacity = (round(min(max(float(x), 0.0), 1.0), 7) for x in rgba)
    return red, green, blue, opacity


def _geometry(m: Compiled, g: int, kind: str, meshes: MeshPaths) -> tuple[Geometry, Pose]:
    """Return the form of a geom, and the pose of its frame in that of the geom."""
    x, y, z = (float(s) for s in m.geom_size[g])
    if kind == "box":
        return Box((2 * x, 2 * y, 2 * z)), Pose()
    if kind == "sphere":
        return Sphere(x), Pose()
    if kind == "ellipsoid":
        return Ellipsoid((x, y, z)), Pose()
    if kind in ("cylinder", "capsule"):
        return (Cylinder if kind == "cylinder" else Capsule)(x, 2 * y), Pose()
    if kind in ("mesh", "sdf") and m.geom_dataid[g] >= 0:
        return _mesh(m, int(m.geom_dataid[g]), meshes)
    raise ModelError(f"lissom does not draw geoms of type {kind!r}")


def _mesh(m: Compiled, k: int, meshes: MeshPaths) -> tuple[Mesh, Pose]:
    """Return a mesh, and the pose of its file's frame in MuJoCo's: a vertex v of the file is at scale R' (v - p), moved by M^-1.

    R and p are refquat and refpos, M is the inertial frame.
    """
    file, reference = m.geoms["meshes"][k]
    if not file:
        raise ModelError("its mesh is not in a file")
    scale = as_vector3(m.mesh_scale[k], "scale of a mesh")
    back = pose_of(m.mesh_pos[k], m.mesh_quat[k]).inverse()
    address = meshes.relative(file)
    return Mesh(address, meshes.find(address), scale), back @ _reference(reference, scale)


def _reference(reference: list[float], scale: Vector3) -> Pose:
    p, q = np.array(reference[:3]), np.array(reference[3:])
    R = rotation_from_quaternion(xyzw(q))
    if np.array_equal(R, np.eye(3)):
        return Pose(translation=as_vector3(-np.array(scale) * p, "refpos"))
    if len(set(scale)) > 1:
        raise ModelError(f"its mesh has a refquat and a scale {scale} that differs along its axes")
    return Pose(as_matrix3(tidy(R.T), "refquat"), as_vector3(-scale[0] * R.T @ p, "refpos"))
