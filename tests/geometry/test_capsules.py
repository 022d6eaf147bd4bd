"""Capsules around links."""

from dataclasses import replace

import numpy as np
import pytest

import lissom
from lissom.geometry import link_capsules, surface
from lissom.geometry.capsules import bounding_capsule
from lissom.model import Pose
from lissom.model.pose import rotation_about
from lissom.model.shape import Box, Capsule, Cylinder, Shape, Sphere

RNG = np.random.default_rng(5)


def beyond(points, start, end, radius):
    """Return how far points (N, 3) are outside of a capsule, at most."""
    way = end - start
    share = np.clip((points - start) @ way / max(way @ way, 1e-300), 0, 1)
    return (np.linalg.norm(points - start - share[:, None] * way, axis=1) - radius).max()


@pytest.mark.parametrize("stretch", [(1, 1, 1), (5, 1, 1), (1, 8, 2)])
def test_all_points_are_inside_and_the_farthest_touch(stretch):
    points = RNG.normal(size=(300, 3)) * stretch + [3.0, 1.0, -2.0]
    assert abs(beyond(points, *bounding_capsule(points))) < 1e-9


def test_capsules_and_spheres_are_kept_and_others_surrounded():
    pose = Pose(rotation_about((0.6, 0.0, 0.8), 0.7), (0.1, 0.2, 0.3))
    model = lissom.robots.rr().model
    name = model.links[1].name
    shapes = (
        Shape(name, Capsule(0.05, 0.3), pose, role="collision"),
        Shape(name, Sphere(0.07), role="collision"),
        Shape(name, Cylinder(0.1, 0.6), pose, role="collision"),
        Shape(name, Box((9.0, 9.0, 9.0)), role="visual"),
    )
    found = link_capsules(replace(model, shapes=shapes))
    assert {each.link for each in found} == {name} and len(found) == 3
    assert found[0].radius == 0.05 and found[1] == (name, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.07)
    ends = np.array([found[0].start, found[0].end])
    assert np.allclose(ends.mean(axis=0), pose.p) and np.allclose(ends[1] - ends[0], 0.3 * pose.R[:, 2])
    form = surface(Cylinder(0.1, 0.6), detail=1e-4).vertices @ pose.R.T + pose.p
    assert beyond(form, np.array(found[2].start), np.array(found[2].end), found[2].radius) < 1e-12


def test_links_without_shapes_reach_from_joint_to_joint():
    model = lissom.robots.panda().model
    found = {each.link: each for each in link_capsules(model)}
    for joint in model.joints[1:]:
        if np.linalg.norm(joint.origin.p) > 0.05:
            assert np.allclose(found[joint.parent].end, joint.origin.p)
    assert all(0.0 < each.radius < 0.1 for each in found.values())
