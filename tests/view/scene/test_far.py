"""Scenes of sizes that cannot be drawn are refused by name, without warnings of the arithmetic."""

import warnings

import pytest

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, Robot, StateError
from lissom.errors import ModelWarning
from lissom.view.scene.build import robot_scene
from lissom.view.scene.data import scene_data

HUGE = (
    '<box size="1e308 1e308 1e308"/>',
    '<sphere radius="1e200"/>',
    '<cylinder radius="1" length="1e308"/>',
    '<mesh filename="a.obj" scale="1e308 1 1"/>',
)
FINE = ('<sphere radius="1e-320"/>', '<box size="1e20 1e-20 1"/>', '<mesh filename="a.obj" scale="1e-300 1 1e20"/>')


def scene(folder, form, mesh="v 0 0 0\nv 9 0 0\nv 0 1 0\nf 1 2 3\n"):
    (folder / "a.obj").write_text(mesh)
    (folder / "r.urdf").write_text(f"<robot name='r'><link name='a'><visual><geometry>{form}</geometry></visual></link></robot>")
    robot = lissom.load(folder / "r.urdf")
    return robot_scene(robot, robot.neutral())


@pytest.mark.parametrize("form", HUGE)
@pytest.mark.filterwarnings("error")
def test_a_shape_that_is_too_large_is_named_by_its_reach(tmp_path, form):
    with pytest.raises(StateError, match=r"'r' reaches .* from the origin, and 1e\+30 m can be drawn"):
        scene(tmp_path, form)


@pytest.mark.parametrize("form", FINE)
@pytest.mark.filterwarnings("error")
def test_other_sizes_are_drawn(tmp_path, form):
    assert scene_data(scene(tmp_path, form))["parts"]


def test_a_mesh_of_no_size_is_left_out_with_a_warning_of_its_own(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.warns(ModelWarning, match="no triangle of the mesh has an area"):
            scene(tmp_path, '<mesh filename="a.obj"/>', "v 0 0 0\nv 1e-320 0 0\nv 0 1e-320 0\nf 1 2 3\n")


def test_the_report_of_a_motion_too_far_away_has_no_picture(tmp_path):
    joint = Joint("x", JointKind.PRISMATIC, "base", "cart", axis=(1, 0, 0))
    cart = Robot(Model("cart", (Link("base"), Link("cart", Inertia(2.0))), (joint,)))
    motion = cart.simulate([0.0], [1e33], 1.0, method="rk4", dt=0.1)
    with pytest.raises(StateError, match="'cart' reaches"):
        motion.show(save=tmp_path / "a.html")
    near = cart.simulate([0.0], [1.0], 1.0, method="rk4", dt=0.1).report(tmp_path / "b.html").read_text()
    part = '<div class="lissom-player"'
    assert part in near and part not in motion.report(tmp_path / "c.html").read_text()
