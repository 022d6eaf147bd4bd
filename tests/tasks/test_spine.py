"""Loads at L5/S1 beside a person whose pelvis has a joint there, and beside statics by hand."""

from dataclasses import replace

import numpy as np
import pytest

from lissom import Joint, JointKind, Link, Robot, Wrench
from lissom.model import Pose
from lissom.robots.human.inertias import cut
from lissom.tasks.body import person_of
from lissom.tasks.spine import ARM, HEIGHT, SLOPE, spine_load


@pytest.fixture(scope="module")
def person():
    return person_of(1.7, 68.0, "female", None)


def with_joint(person):
    """Return the person with the pelvis cut at L5/S1 by a joint of its own."""
    trunk, at = person.segments["lower_trunk"], HEIGHT * person.body.stature
    low, high = cut(trunk, at / trunk.length)
    links = [replace(link, inertia=low) if link.name == "pelvis" else link for link in person.model.links]
    above = {"parent": "upper_pelvis", "origin": Pose(translation=(0, 0, trunk.length - at))}
    joints = [replace(j, **above) if j.name == "spine_1_flexion" else j for j in person.model.joints]
    own = Joint("lumbosacral", JointKind.REVOLUTE, "pelvis", "upper_pelvis", Pose(translation=(0, 0, at)), (0, 1, 0))
    return Robot(person.model.replace(links=(*links, Link("upper_pelvis", high)), joints=(*joints, own), shapes=()))


def test_loads_are_those_of_a_joint_at_the_same_place(person):
    cut_open = with_joint(person)
    rng = np.random.default_rng(0)
    motion = rng.uniform(-1, 1, (3, 4, person.nv))
    push = {"left_hand": Wrench(rng.uniform(-50, 50, (4, 3)), rng.uniform(-5, 5, (4, 3)), axes="world")}
    order = [person.joint_names.index(name) if name in person.joint_names else -1 for name in cut_open.joint_names]
    wider = np.concatenate([motion, np.zeros((3, 4, 1))], axis=2)[:, :, order]
    wrench = cut_open.joint_wrenches(*wider, external=push, axes="parent")
    wrench = wrench[:, cut_open.wrench_names.index("lumbosacral")]
    load, (s, c) = spine_load(person, *motion, push), (np.sin(SLOPE), np.cos(SLOPE))
    force = np.stack([load.compression, -load.shear, -load.lateral], axis=1)
    axes = np.array([[s, 0, c], [c, 0, -s], [0, 1, 0]])
    assert np.allclose(force, wrench[:, :3] @ axes.T, rtol=0, atol=1e-9)
    assert np.allclose(load.extension, -wrench[:, 4], rtol=0, atol=1e-9)
    assert np.allclose(load.disc, load.compression + np.abs(load.extension) / ARM, rtol=0, atol=1e-9)


def test_upright_the_disc_bears_the_weight_above_along_and_across_its_slope(person):
    q = person.neutral()[None]
    load = spine_load(person, q, 0 * q, 0 * q, None)
    # legs, and the part of the lower trunk below the cut
    part = cut(person.segments["lower_trunk"], HEIGHT * 1.7 / person.segments["lower_trunk"].length)[0].mass
    legs = 2 * sum(person.segments[name].mass for name in ("thigh", "shank", "foot"))
    weight = (68.0 - legs - part) * 9.81
    assert np.isclose(np.hypot(load.compression[0], load.shear[0]), weight, rtol=1e-9)
    assert np.isclose(load.shear[0] / load.compression[0], np.tan(SLOPE), rtol=1e-9) and abs(load.lateral[0]) < 1e-9
