"""Shapes of URDF files against Pinocchio's geometry models: links, poses, sizes, mesh files, scales and colors."""

import warnings

import numpy as np
import pytest

from lissom.model import Box, Capsule, Cylinder, Mesh, Sphere
from lissom.read.urdf import read_urdf
from support.published import ROBOTS

pinocchio = pytest.importorskip("pinocchio")

QUICK = ("solo12.urdf", "double_pendulum.urdf", "hyq_no_sensors.urdf", "icub.urdf", "kinova.urdf")
SLOW = ("panda.urdf", "ur5_robot.urdf", "talos_reduced.urdf")  # Pinocchio loads their meshes


def sizes(geometry):
    """Numbers of one of Pinocchio's forms, as lissom's fields."""
    kind = type(geometry).__name__
    if kind == "Box":
        return Box(2 * geometry.halfSide)
    if kind == "Sphere":
        return Sphere(geometry.radius)
    return {"Cylinder": Cylinder, "Capsule": Capsule}[kind](geometry.radius, 2 * geometry.halfLength)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("role", ["visual", "collision"])
@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_shapes_are_those_of_pinocchio(name, role):
    file = next(ROBOTS.rglob(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = [shape for shape in read_urdf(file).shapes if shape.role == role]
    model = pinocchio.buildModelFromUrdf(str(file))
    kind = getattr(pinocchio.GeometryType, role.upper())
    geometry = pinocchio.buildGeomFromUrdf(model, str(file), kind, package_dirs=[str(ROBOTS.parent.parent)])
    theirs = list(geometry.geometryObjects)
    assert len(ours) == len(theirs) > 0
    by_link = {}
    for shape in ours:
        by_link.setdefault(shape.link, []).append(shape)
    for other in theirs:
        frame = model.frames[other.parentFrame]
        shape = by_link[frame.name].pop(0)
        origin = frame.placement.inverse() * other.placement
        assert np.allclose(shape.origin.R, origin.rotation, rtol=0, atol=1e-14)
        assert np.allclose(shape.origin.p, origin.translation, rtol=0, atol=1e-14)
        if isinstance(shape.geometry, Mesh):
            assert shape.geometry.file == other.meshPath
            assert np.array_equal(shape.geometry.scale, other.meshScale)
        else:
            assert shape.geometry == sizes(other.geometry)
        if role == "visual" and shape.color is not None:
            assert np.allclose(shape.color, other.meshColor, rtol=0, atol=1e-6)  # urdfdom has 32-bit colors
