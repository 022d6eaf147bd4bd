"""Stand-ins of robots without shapes."""

import dataclasses

import numpy as np
import pytest

from lissom import robots
from lissom.doubts import known_doubts
from lissom.geometry import stand_ins
from lissom.model import Inertia, Joint, JointKind, Limits, Link, Model, Pose
from lissom.model.elements.point_spring import PointSpring
from lissom.robots import BUILTIN, CLOSED

from ..support.surfaces import is_closed, outward


def models():
    for name, make in BUILTIN.items():
        yield pytest.param(make, id=name)
    for name in CLOSED:
        yield pytest.param(getattr(robots, f"{name}_model"), id=name)
    for seed in range(6):
        yield pytest.param(
            lambda seed=seed: robots.tree_model(12, seed=seed, floating=seed > 3, fixed=0.2, tails=0.3), id=f"tree{seed}"
        )


@pytest.mark.parametrize("make", list(models()))
def test_every_link_with_mass_is_drawn_by_closed_surfaces_with_outward_faces(make):
    with known_doubts():
        model = make().replace(shapes=())
    found = stand_ins(model)
    names = {each.name for each in found if each.kind == "link"}
    assert names >= {link.name for link in model.links if link.inertia is not None}
    for each in found:
        assert is_closed(each.surface), each.name
        assert outward(each.surface) > 0, each.name


def arm(length=1.0, mass=1.0, **more):
    """A chain of two links along x; `length` [m]."""
    inertia = Inertia(mass, (length / 2, 0.0, 0.0))
    joints = (
        Joint("one", JointKind.REVOLUTE, "base", "upper", axis=(0.0, 1.0, 0.0)),
        Joint("two", JointKind.PRISMATIC, "upper", "lower", Pose(translation=(length, 0.0, 0.0)), axis=(1.0, 0.0, 0.0), **more),
    )
    with known_doubts():
        return Model("arm", (Link("base"), Link("upper", inertia), Link("lower", inertia)), joints)


def extent(found, name, kind="link"):
    vertices = np.concatenate([each.surface.vertices for each in found if each.name == name and each.kind == kind])
    return vertices.min(axis=0), vertices.max(axis=0)


def test_a_link_reaches_from_its_joint_to_the_next_and_the_last_to_twice_its_center_of_mass():
    found = stand_ins(arm())
    for name in ("upper", "lower"):
        low, high = extent(found, name)
        radius = -low[2]
        assert 0.01 < radius < 0.2
        assert low[0] == pytest.approx(-radius, rel=0.05)
        assert 1.0 < high[0] < 1.0 + 1.001 * radius


@pytest.mark.parametrize("factor", [1e-9, 1e-3, 1e3, 1e6])
def test_robots_of_any_size_look_alike(factor):
    one, other = stand_ins(arm()), stand_ins(arm(factor, factor**3))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(b.surface.vertices, a.surface.vertices * factor, rtol=1e-9, atol=1e-9 * factor)


@pytest.mark.parametrize("mass", [1e-12, 1e12])
def test_radii_stay_between_4_and_12_percent_of_the_typical_length(mass):
    low, high = extent(stand_ins(arm(1.0, mass)), "upper")
    assert 0.039 <= high[2] <= 0.121


def test_a_base_without_mass_is_as_thick_as_the_link_on_it():
    raised = Pose(translation=(0.0, 0.0, 1.0))
    model = arm(1.0, 20.0).with_joints(lambda joint: dataclasses.replace(joint, origin=raised) if joint.name == "one" else joint)
    found = stand_ins(model)
    (low, high), (_, top) = extent(found, "base"), extent(found, "upper")
    assert top[2] > 0.05  # more than a frame without mass has
    assert (high - low)[0] / 2 == pytest.approx(top[2], rel=0.01)


def test_a_heavier_link_is_thicker():
    radius = [extent(stand_ins(arm(1.0, mass)), "upper")[1][2] for mass in (10.0, 20.0, 40.0)]
    assert radius[0] < radius[1] < radius[2]


def test_a_rail_covers_the_range_of_a_prismatic_joint():
    found = stand_ins(arm(limits=Limits(lower=-0.2, upper=0.5)))
    rail = next(each for each in found if each.name == "two" and each.link == "upper")
    assert rail.surface.vertices[:, 0].min() == pytest.approx(0.8)
    assert rail.surface.vertices[:, 0].max() == pytest.approx(1.5)


def test_a_rod_moves_in_a_tube_without_a_rail():
    model = robots.gough_stewart_model()
    found = [each for each in stand_ins(model) if each.name == "leg_1"]
    assert [each.link for each in found] == ["lower_1"]
    tube = extent(stand_ins(model), "lower_1")
    assert tube[0][2] < found[0].surface.vertices[:, 2].mean() <= tube[1][2]


def test_sliders_on_the_base_are_drawn_and_axes_without_bodies_are_not():
    names = {each.name for each in stand_ins(robots.slider_crank_model())}
    slides = {joint.name for joint in robots.slider_crank_model().joints if joint.kind is JointKind.PRISMATIC}
    assert slides and slides <= names
    model = robots.delta_model()
    slides = {joint.name for joint in model.joints if joint.kind is JointKind.PRISMATIC}
    assert slides and not slides & {each.name for each in stand_ins(model)}


def test_a_revolute_joint_is_a_cylinder_along_its_axis():
    low, high = extent(stand_ins(arm()), "one", "joint")
    extents = high - low
    assert extents[1] == pytest.approx(1.2 * extents[0], rel=0.01)
    assert extents[0] == pytest.approx(extents[2], rel=0.01)


def test_links_without_length_and_mass_are_balls_or_nothing():
    with known_doubts():
        point = Model("point", (Link("base"), Link("ball", Inertia(1.0))), (Joint("free", JointKind.FLOATING, "base", "ball"),))
        frame = Model("frame", (Link("base"),), ())
        dots = Model(
            "dots",
            (Link("a"), Link("b", Inertia(1.0)), Link("c")),
            (Joint("x", JointKind.FIXED, "a", "b"), Joint("y", JointKind.FIXED, "b", "c")),
        )
    (ball,) = stand_ins(point)
    assert ball.link == "ball" and is_closed(ball.surface)
    assert stand_ins(frame) == ()
    assert [each.link for each in stand_ins(dots)] == ["b"]


def test_ends_of_springs_are_reached():
    spring = PointSpring("spring", "base", (0.0, 0.0, 1.0), "lower", (0.5, 0.0, 0.4), stiffness=1.0)
    _, high = extent(stand_ins(arm().replace(force_elements=(spring,))), "lower")
    assert high[2] > 0.4


def test_only_chosen_links_are_drawn():
    found = stand_ins(arm(), ["lower"])
    assert {each.link for each in found} == {"lower"}
    assert stand_ins(arm(), []) == ()


def test_huge_and_tiny_numbers_give_finite_surfaces():
    for length in (1e-200, 1e-30, 1e30, 1e100):
        for each in stand_ins(arm(length, 1.0)):
            assert np.isfinite(each.surface.vertices).all()
            assert np.isfinite(each.surface.normals).all()
