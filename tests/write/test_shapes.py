"""Shapes written and read again: bit for bit by YAML, to rounding by URDF, with meshes that are found again."""

import math
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom import Link, Model, ModelError, ModelWarning
from lissom.model import Box, Capsule, Cylinder, Ellipsoid, Mesh, Pose, Shape, Sphere
from lissom.model.pose import rotation_from_rpy
from lissom.read import load_model
from lissom.read.urdf import parse_urdf
from lissom.read.yaml import parse_yaml
from lissom.write import save, to_urdf, to_yaml
from support.published import ROBOTS

POSE = Pose(rotation_from_rpy(0.1, -0.7, 2.5), (0.1, 1 / 3, -2e-7))
UGLY = "a\"b'<c>&{d}: [e]\n\x1b[31m\u2028"


def model(*shapes):
    return Model("m", (Link("a"), Link(UGLY)), (lissom.Joint("j", lissom.JointKind.FIXED, "a", UGLY),), shapes=shapes)


def random_shape(rng):
    x = rng.uniform(1e-3, 1, 6)
    forms = (Box(x[:3]), Sphere(x[0]), Ellipsoid(x[:3]), Cylinder(*x[:2]), Capsule(*x[:2]), Mesh("none/a.stl", scale=x[:3] - 2))
    pose = Pose(rotation_from_rpy(*rng.uniform(-3, 3, 3)), rng.normal(size=3))
    color = None if rng.random() < 0.3 else tuple(rng.random(4))
    role, name = rng.choice(["visual", "collision", "both"]), rng.choice(["", "x", UGLY])
    return Shape(rng.choice(["a", UGLY]), forms[rng.integers(6)], pose if rng.random() < 0.8 else Pose(), color, role, name)


@pytest.mark.filterwarnings("ignore:.*mesh file")
@pytest.mark.parametrize("seed", range(20))
def test_yaml_keeps_every_shape_bit_for_bit(seed):
    rng = np.random.default_rng(seed)
    drawn = model(*(random_shape(rng) for _ in range(8)))
    assert parse_yaml(to_yaml(drawn)).shapes == drawn.shapes


def close(shape, other):
    assert (shape.link, shape.geometry, shape.color, shape.name) == (other.link, other.geometry, other.color, other.name)
    assert np.allclose(shape.origin.R, other.origin.R, rtol=0, atol=1e-15)
    assert np.allclose(shape.origin.p, other.origin.p, rtol=1e-15, atol=0)


@pytest.mark.parametrize("form", [Box((1, 2, 3)), Sphere(0.1), Cylinder(0.2, 0.3), Mesh("a.stl", scale=(1, -2, 0.001))])
@pytest.mark.filterwarnings("ignore:.*mesh file")
def test_urdf_keeps_shapes_to_rounding_once_per_role(form):
    shape = Shape("a", form, POSE, (1, 0.5, 0.25, 1), "both", "b<&>'\"")
    visual, collision = parse_urdf(to_urdf(model(shape).replace(links=(Link("a"),), joints=()))).shapes
    assert (visual.role, collision.role) == ("visual", "collision")
    close(visual, shape)
    assert collision.color is None
    close(lissom.Shape("a", collision.geometry, collision.origin, shape.color, "collision", collision.name), shape)


def test_urdf_has_a_capsule_as_a_cylinder_and_two_spheres():
    one = Model(
        "m", (Link("a"),), (), shapes=(Shape("a", Capsule(0.1, 0.4), Pose(rotation_from_rpy(0, math.pi / 2, 0), (1, 0, 0))),)
    )
    cylinder, low, high = parse_urdf(to_urdf(one)).shapes
    assert cylinder.geometry == Cylinder(0.1, 0.4) and low.geometry == high.geometry == Sphere(0.1)
    assert np.allclose([low.origin.p, high.origin.p], [(0.8, 0, 0), (1.2, 0, 0)], rtol=0, atol=1e-15)


def test_urdf_refuses_ellipsoids_and_leaves_them_out_on_demand():
    one = Model("m", (Link("a"),), (), shapes=(Shape("a", Ellipsoid((1, 2, 3))), Shape("a", Sphere(1))))
    with pytest.raises(ModelError, match="URDF cannot express an ellipsoid of link 'a'; write YAML"):
        to_urdf(one)
    assert parse_urdf(to_urdf(one, lossy=True)).shapes == (Shape("a", Sphere(1)),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{link: a, kind: ball, radius: 1}", "'kind' of item 1 of 'shapes' .* must be one of box, .*, got 'ball'"),
        ("{link: a, kind: sphere}", "item 1 of 'shapes' .* has no key 'radius'"),
        ("{link: a, kind: sphere, radius: 0}", "the radius of a sphere must be positive, got 0"),
        ("{link: a, kind: sphere, radius: 1, size: [1, 1, 1]}", "unknown key 'size'"),
        ("{kind: sphere, radius: 1}", "has no key 'link'"),
        ("{link: a, kind: box, size: [1, 1]}", "must be 3 numbers, got 2"),
        ("{link: a, kind: sphere, radius: 1, color: [1, 1, 1]}", "must be 4 numbers, got 3"),
        ("{link: a, kind: sphere, radius: 1, color: [2, 1, 1, 1]}", "must be four numbers from 0 to 1"),
        ("{link: a, kind: sphere, radius: 1, role: seen}", "must be one of visual, collision, both, got 'seen'"),
        ("{link: a, kind: mesh}", "has no key 'file'"),
        ("{link: a, kind: mesh, file: a.stl, scale: [0, 1, 1]}", "the scale of a mesh must not be zero"),
        ("{link: b, kind: sphere, radius: 1}", "no link 'b'; expected 'a'"),
    ],
)
def test_errors_of_yaml_shapes_name_the_line(text, message):
    with pytest.raises(lissom.FileError, match=message) as caught:
        parse_yaml(f"lissom: 1\nkind: tree\nname: m\nlinks: [{{name: a}}]\nshapes:\n  - {text}\n")
    assert caught.value.line == 6


@pytest.fixture
def drawn(tmp_path):
    """A robot in a package of its own, with a mesh beside it and one in the package."""
    folder = tmp_path / "arm" / "urdf"
    folder.mkdir(parents=True)
    for name in ("arm/urdf/near.stl", "arm/meshes/far.stl", "arm/package.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    visual = "<visual><geometry><mesh filename='{}'/></geometry></visual>"
    text = "".join(map(visual.format, ("near.stl", "package://arm/meshes/far.stl", "../meshes/far.stl")))
    (folder / "r.urdf").write_text(f"<robot name='r'><link name='a'>{text}</link></robot>")
    return folder / "r.urdf"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", [".yaml", ".urdf"])
@pytest.mark.parametrize("folder", ["urdf", ".", "meshes", "new"])
def test_a_converted_file_finds_its_meshes_again_anywhere_in_the_package(drawn, folder, ending):
    before = load_model(drawn)
    target = drawn.parent.parent / folder / f"x{ending}"
    target.parent.mkdir(exist_ok=True)
    save(before, target)
    after = load_model(target)
    assert [shape.geometry.file for shape in after.shapes] == [shape.geometry.file for shape in before.shapes]
    assert None not in [shape.geometry.file for shape in before.shapes]
    assert ending == ".urdf" or after.shapes == before.shapes
    assert "package://arm/meshes/far.stl" in target.read_text()  # addresses of packages stay
    assert str(drawn.parent.parent) not in target.read_text()  # no absolute path


@pytest.mark.parametrize("ending", [".yaml", ".urdf"])
def test_a_file_elsewhere_says_that_it_needs_a_mesh_path(drawn, tmp_path, ending):
    before, tmp_path = load_model(drawn), tmp_path / "other"
    tmp_path.mkdir()
    (drawn.parent.parent / "package.xml").unlink()  # with it, the package would be found
    with pytest.warns(ModelWarning, match=r"x\.\w+: 2 mesh files of 'r' outside its folder; load it with mesh_path="):
        save(before, tmp_path / f"x{ending}")
    with pytest.warns(ModelWarning, match="mesh files, .* 2 outside the folder and the package of the robot"):
        assert all(shape.geometry.file is None for shape in load_model(tmp_path / f"x{ending}").shapes)
    assert "package://arm/meshes/far.stl" in (tmp_path / f"x{ending}").read_text()
    after = load_model(tmp_path / f"x{ending}", mesh_path=drawn.parent.parent)
    assert [shape.geometry.file for shape in after.shapes] == [shape.geometry.file for shape in before.shapes]


def test_a_moved_folder_with_robot_and_meshes_still_finds_them(drawn, tmp_path):
    save(load_model(drawn), drawn.with_suffix(".yaml"))
    shutil.move(tmp_path / "arm", tmp_path / "limb")
    (tmp_path / "limb/package.xml").unlink()
    files = [shape.geometry.file for shape in load_model(tmp_path / "limb/urdf/r.yaml", mesh_path=tmp_path / "limb").shapes]
    assert files == [str(tmp_path / "limb" / name) for name in ("urdf/near.stl", "meshes/far.stl", "meshes/far.stl")]


@pytest.mark.parametrize("name", ["talos_reduced.urdf", "panda.urdf", "ur5_robot.urdf", "pr2.urdf"])
def test_published_robots_keep_all_shapes_from_urdf_to_yaml_to_urdf(name, tmp_path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        first = load_model(next(ROBOTS.rglob(name)))
        save(first, tmp_path / "x.yaml")
        second = load_model(tmp_path / "x.yaml", mesh_path=ROBOTS.parent)
        save(second, tmp_path / "y.urdf")
        third = load_model(tmp_path / "y.urdf", mesh_path=ROBOTS.parent)
    advice = [str(warning.message) for warning in caught if "outside its folder" in str(warning.message)]
    assert len(advice) == 2 and all(text.endswith(f"mesh_path={str(ROBOTS.parent)!r} (--mesh-path)") for text in advice)
    assert second.shapes == first.shapes
    order = [shape for link in first.links for shape in first.shapes if shape.link == link.name]
    assert len(third.shapes) == len(order) > 0
    for shape, other in zip(third.shapes, order, strict=True):
        assert shape.role == other.role and getattr(shape.geometry, "file", 0) == getattr(other.geometry, "file", 0)
        assert np.allclose(shape.origin.R, other.origin.R, rtol=0, atol=1e-15)
        assert np.allclose(shape.origin.p, other.origin.p, rtol=1e-14, atol=0)
        assert shape.role == "collision" or shape.color == other.color


def test_robots_save_and_convert_with_their_shapes(drawn):
    robot = lissom.load(drawn)
    robot.save(drawn.with_name("y.yaml"))
    assert lissom.load(drawn.with_name("y.yaml")).model.shapes == robot.model.shapes
    assert Path(robot.model.shapes[0].geometry.file).is_absolute()
