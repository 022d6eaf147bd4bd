"""Meshes of example-robot-data: visual ones have the size of the collision meshes beside them, and of assimp's reading."""

import os

import numpy as np
import pytest

from lissom.geometry.mesh import read_mesh

from ...support.published import ROBOTS

needs_robots = pytest.mark.skipif(not ROBOTS.exists(), reason="needs example-robot-data")


def pairs():
    """Return visual and collision meshes of the same names."""
    found = []
    for place in ("panda_description/meshes", "ur_description/meshes/ur5", "ur_description/meshes/ur10", "z1_description/meshes"):
        for visual in sorted((ROBOTS / place / "visual").iterdir()):
            collision = ROBOTS / place / "collision" / (visual.stem + ".stl")
            if collision.exists():
                found.append((visual, collision))
    return found


def box(path):
    vertices = read_mesh(path).vertices
    return vertices.min(axis=0), vertices.max(axis=0)


@needs_robots
def test_visual_meshes_have_the_size_and_place_of_collision_meshes():
    assert len(pairs()) >= 20
    for visual, collision in pairs():
        (low, high), (bottom, top) = box(visual), box(collision)
        size = np.linalg.norm(top - bottom)
        assert np.abs(np.concatenate([low - bottom, high - top])).max() < 0.15 * size, visual


@needs_robots
@pytest.mark.parametrize(
    "name",
    ["icub_description/meshes/upmc/visual/icub_l_forearm.dae", "romeo_description/meshes/V1/visual/HeadRoll.dae",
     "talos_data/meshes/arm/arm_3.stl", "solo_description/meshes/obj/with_foot/solo_body.obj"],
)  # fmt: skip
def test_meshes_are_where_assimp_reads_them(name):
    coal = pytest.importorskip("coal")
    path = os.path.realpath(ROBOTS / name)
    other = np.array(coal.MeshLoader().load(path, np.ones(3)).vertices())
    low, high = box(path)
    np.testing.assert_allclose(low, other.min(axis=0), atol=1e-5)
    np.testing.assert_allclose(high, other.max(axis=0), atol=1e-5)
