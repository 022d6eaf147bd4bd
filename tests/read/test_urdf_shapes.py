"""Shapes of URDF files: what the elements mean, and what becomes of broken ones."""

import warnings

import numpy as np
import pytest

import lissom
from lissom.errors import ModelError, ModelWarning
from lissom.model import Box, Capsule, Cylinder, Mesh, Shape, Sphere
from lissom.model.pose import rotation_from_rpy
from lissom.read.urdf import parse_urdf

BALL, NOTHING, MESH = '<sphere radius="1"/>', '<sphere radius="0"/>', '<mesh filename="a.stl"/>'
RED = '<material name="red"><color rgba="1 0 0 0.5"/></material>'


def shapes(*elements, extra=""):
    return parse_urdf(f'<robot name="r">{extra}<link name="a">{"".join(elements)}</link></robot>').shapes


def visual(geometry, more="", tag="visual"):
    return f"<{tag}><geometry>{geometry}</geometry>{more}</{tag}>"


@pytest.mark.parametrize(
    ("text", "geometry"),
    [
        ('<box size="1 2 3"/>', Box((1, 2, 3))),
        ('<sphere radius="0.5"/>', Sphere(0.5)),
        ('<cylinder radius="0.5" length="2"/>', Cylinder(0.5, 2)),
        ('<capsule radius="0.5" length="2"/>', Capsule(0.5, 2)),
    ],
)
@pytest.mark.parametrize("role", ["visual", "collision"])
def test_every_form_is_read_in_both_roles(text, geometry, role):
    assert shapes(visual(text, tag=role)) == (Shape("a", geometry, role=role),)


def test_origin_and_name_belong_to_the_shape():
    (shape,) = shapes(
        '<visual name="eye"><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><geometry><sphere radius="1"/></geometry></visual>'
    )
    assert (shape.name, shape.origin.translation) == ("eye", (1, 2, 3))
    assert np.array_equal(shape.origin.R, rotation_from_rpy(0.1, 0.2, 0.3))


@pytest.mark.parametrize(
    ("extra", "material", "color"),
    [
        ("", RED, (1, 0, 0, 0.5)),
        (RED, '<material name="red"/>', (1, 0, 0, 0.5)),
        (RED, '<material name="red"><color rgba="0 1 0 1"/></material>', (1, 0, 0, 0.5)),  # the first definition, as in urdfdom
        (RED, '<material><color rgba="0 1 0 1"/></material>', (0, 1, 0, 1)),
        (RED, '<material name=""><color rgba="0 1 0 1"/></material>', (0, 1, 0, 1)),
        (f'<link name="b">{visual(BALL, RED)}</link>', '<material name="red"/>', (1, 0, 0, 0.5)),
        ("", '<material name="blue"/>', None),
        ("", '<material name="red"><texture filename="x.png"/></material>', None),
        ("", '<material name="red"><color rgba="2 -1 0 1"/></material>', (1, 0, 0, 1)),
        ("", "", None),
    ],
)
def test_colors_come_from_the_material_or_from_its_definition_elsewhere(extra, material, color):
    text = f'<robot name="r"><link name="a">{visual(BALL, material)}</link>{extra}'
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>' if "<link" in extra else ""
    assert parse_urdf(f"{text}{joint}</robot>").shapes[0].color == color


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            visual('<box size="1 2"/>'),
            "attribute 'size' of <box> must be 3 numbers, got '1 2'; this <visual> of link 'a' is left out",
        ),
        (visual('<box size="1 2 0"/>'), "the size of a box must be positive"),
        (visual('<sphere radius="-1"/>'), "the radius of a sphere must be positive, got -1"),
        (visual('<sphere radius="big"/>'), "attribute 'radius' of <sphere> must be a number, got 'big'"),
        (visual('<cylinder radius="1"/>'), "<cylinder> has no attribute 'length'"),
        (visual("<mesh/>"), "<mesh> has no attribute 'filename'"),
        (visual('<mesh filename="a.stl" scale="0 1 1"/>'), "the scale of a mesh must not be zero"),
        (visual("<cone/>"), "<geometry> must have one of <box>, .*, got <cone>"),
        (visual(""), "<geometry> must have one of <box>, .*, got nothing"),
        ("<visual/>", "<visual> has no element <geometry>"),
        (visual('<sphere radius="1"/>', '<origin xyz="1 2"/>'), "attribute 'xyz' of <origin> must be 3 numbers"),
    ],
)
def test_a_broken_shape_is_left_out_with_a_warning_that_names_its_line(text, message):
    with pytest.warns(ModelWarning, match=rf"<text>:1: {message}"):
        found = shapes(text, visual('<sphere radius="1"/>'))
    assert found == (Shape("a", Sphere(1)),)


def test_a_broken_color_costs_only_the_color():
    with pytest.warns(ModelWarning, match="attribute 'rgba' of <color> must be 4 numbers, got '1 0'; this color is left out"):
        found = shapes(visual('<sphere radius="1"/>', '<material name="m"><color rgba="1 0"/></material>'))
    assert found == (Shape("a", Sphere(1)),)


def test_hundreds_of_broken_shapes_give_a_few_warnings():
    with pytest.warns(ModelWarning) as caught:
        shapes(*[visual('<sphere radius="0"/>')] * 300)
    assert len(caught) == 6
    assert "295 more shapes and materials are left out (at most 20000 shapes are read)" in str(caught[-1].message)


def test_strict_loading_does_not_mind_shapes():
    text = f'<robot name="r">\n<link name="a">{visual(NOTHING)}{visual(MESH)}</link></robot>'
    with pytest.warns(ModelWarning) as caught:
        robot = lissom.load(text, strict=True)
    assert robot.model.shapes == (Shape("a", Mesh("a.stl")),)
    assert len(caught) == 2
    doubtful = text.replace(
        "</link>", '<inertial><mass value="1"/><inertia ixx="9" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )
    with pytest.warns(ModelWarning), pytest.raises(ModelError, match=r"strict=True rejects 1 doubtful part:\n"):
        lissom.load(doubtful, strict=True)


@pytest.mark.sweep(25)
def test_published_robots_have_all_shapes_that_they_name(published):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = lissom.read.load_model(published).shapes
    text = published.read_text(encoding="utf-8")
    meshes = [shape.geometry for shape in found if isinstance(shape.geometry, Mesh)]
    assert all(mesh.file is not None for mesh in meshes if not mesh.source.endswith(".mesh"))
    assert len(found) <= text.count("<geometry")
