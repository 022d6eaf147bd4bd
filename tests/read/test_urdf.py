"""What URDF elements mean."""

import math

import numpy as np
import pytest

from lissom.errors import FileError, ModelWarning
from lissom.model import Coupling, Friction, JointKind, Limits
from lissom.read.urdf import parse_urdf, read_urdf

MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>'


def robot(*joints, links="abc", extra=""):
    return '<robot name="r">' + "".join(f'<link name="{n}">{MASS}</link>' for n in links) + "".join(joints) + extra + "</robot>"


def joint(name="j", kind="revolute", parent="a", child="b", inside=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def one(inside="", kind="revolute", **options):
    return parse_urdf(robot(joint(kind=kind, inside=inside), links="ab"), **options).joints[0]


def test_missing_origin_and_axis_take_the_defaults_of_urdf():
    j = one()
    assert (j.axis, j.origin.translation, j.limits) == ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), Limits())


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"])
def test_every_kind_is_read(kind):
    assert one(kind=kind).kind is JointKind(kind)


@pytest.mark.parametrize("kind", ["helical", "universal", "custom"])
def test_kinds_that_urdf_has_no_word_for_are_refused(kind):
    with pytest.raises(FileError, match=f"joint 'j': URDF has no {kind} joints; describe the robot in lissom's YAML"):
        one(kind=kind)


def test_axis_is_normalized_and_ignored_where_it_means_nothing():
    assert one('<axis xyz="0 3 4"/>').axis == (0.0, 0.6, 0.8)
    assert one('<axis xyz="0 0 0"/>', "fixed").kind is JointKind.FIXED


def test_roll_pitch_yaw_turn_about_fixed_axes():
    R = one('<origin rpy="0 0 1.5707963267948966" xyz="1 2 3"/>').origin
    assert (R.rotation, R.translation) == (((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), (1.0, 2.0, 3.0))


def test_quaternion_origin_is_read():
    s = math.sqrt(0.5)
    assert np.allclose(one(f'<origin quat_xyzw="0 0 {s} {s}"/>').origin.R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]])


def test_inertia_is_turned_into_the_axes_of_the_link():
    turned = MASS.replace("<mass", '<origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass')
    inertia = parse_urdf(f'<robot name="r"><link name="a">{turned}</link></robot>').link("a").inertia
    assert inertia.com == (0.1, 0.0, 0.0)
    assert np.allclose(inertia.tensor, np.diag([2, 1, 2.5]), atol=1e-15)


def test_mass_zero_without_inertia_is_a_frame():
    for inside in ('<mass value="0"/>', '<mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'):
        assert (
            parse_urdf(f'<robot name="r"><link name="a"><inertial>{inside}</inertial></link></robot>').link("a").inertia is None
        )


def test_inertia_without_mass_goes_to_what_it_is_fixed_to_as_in_pinocchio():
    pin = pytest.importorskip("pinocchio")
    rotor = MASS.replace('value="1"', 'value="0"')
    text = robot(
        joint(),
        joint("k", "fixed", "b", "f", '<origin xyz="1 0 0" rpy="0.3 0.4 0.5"/>'),
        links="ab",
        extra=f'<link name="f">{rotor}</link>',
    )
    text = text.replace("</child>", "").replace('<child link="b"/>', '<child link="b"/><limit effort="1" velocity="1"/>')
    model = parse_urdf(text)
    assert model.link("f").inertia is None
    assert np.allclose(model.link("b").inertia.tensor, pin.buildModelFromXML(text).inertias[1].inertia, atol=1e-14)


def test_inertia_without_mass_on_the_ground_is_dropped():
    rotor = MASS.replace('value="1"', 'value="0"')
    assert parse_urdf(f'<robot name="r"><link name="a">{rotor}</link></robot>').link("a").inertia is None


def test_limits_default_to_none_but_half_a_range_takes_zero():
    assert one('<limit effort="3" velocity="2"/>').limits == Limits(velocity=2, effort=3)
    assert one('<limit upper="1"/>').limits == Limits(0, 1)
    assert one('<limit lower="-1" upper="1" effort="3"/>', "continuous").limits == Limits(effort=3)
    assert one('<limit lower="-inf" upper="1"/>').limits == Limits(-math.inf, 1)


def test_friction_counts_only_when_asked_for():
    text = '<dynamics damping="0.5" friction="0.1"/>'
    assert one(text).friction == Friction()
    assert one(text, friction=True).friction == Friction(0.5, 0.1)


def test_mimic_couples_or_is_ignored():
    text = robot(joint(), joint("k", parent="b", child="c", inside='<mimic joint="j" multiplier="-2" offset="0.1"/>'))
    assert parse_urdf(text).joint("k").coupling == Coupling("j", -2, 0.1)
    assert parse_urdf(text).nv == 1
    assert parse_urdf(text, mimic=False).nv == 2


def test_followers_of_a_fixed_joint_become_fixed_at_their_offsets(link_poses):
    text = robot(
        joint(kind="fixed"),
        joint("k", "prismatic", "b", "c", '<axis xyz="0 0 1"/><mimic joint="j" offset="0.5"/>'),
        joint("l", "revolute", "c", "d", '<axis xyz="0 0 1"/><mimic joint="k" multiplier="2" offset="0.1"/>'),
        links="abcd",
    )
    model = parse_urdf(text)
    assert model.nv == 0
    pose = link_poses(model, [])["d"]
    assert pose.translation == (0.0, 0.0, 0.5)
    assert np.isclose(math.atan2(pose.R[1, 0], pose.R[0, 0]), 1.1)


def test_mimic_of_an_unknown_joint_is_ignored_with_a_warning():
    with pytest.warns(ModelWarning, match=r"<text>:1: <mimic> of joint 'jj', which does not exist, is ignored; did you mean 'j'"):
        model = parse_urdf(robot(joint(), joint("k", parent="b", child="c", inside='<mimic joint="jj"/>')))
    assert model.nv == 2


def test_mimic_of_a_fixed_joint_itself_is_skipped():
    assert parse_urdf(robot(joint(kind="fixed", inside='<mimic joint="nobody"/>'), links="ab")).nv == 0


def test_joints_of_one_link_come_in_the_byte_order_of_their_names():
    text = robot(joint("b10", child="b"), joint("B", child="c"), joint("b9", child="d"), joint("ä", child="e"), links="abcde")
    assert [j.name for j in parse_urdf(text).joints] == ["B", "b10", "b9", "ä"]


def test_floating_base_comes_first_and_avoids_taken_names():
    model = parse_urdf(robot(joint(), links="ab"), base="floating")
    assert (model.base, model.joints[0].name, model.joints[0].kind, model.nq) == ("universe", "root_joint", JointKind.FLOATING, 8)
    text = robot(joint("root_joint")).replace('"a"', '"universe"').replace(f'<link name="c">{MASS}</link>', "")
    model = parse_urdf(text, base="floating")
    assert (model.base, model.joints[0].name) == ("universe_2", "root_joint_2")


def test_names_with_quotes_and_spaces_survive():
    text = robot(joint(), links="ab").replace('"b"', '"it\'s &lt;&quot;b&quot;>"')
    assert parse_urdf(text).joints[0].child == 'it\'s <"b">'


def test_files_are_read_from_path_and_string(tmp_path):
    file = tmp_path / "r.urdf"
    file.write_text(robot(joint(), links="ab"))
    assert read_urdf(file) == read_urdf(str(file)) == parse_urdf(file.read_bytes())
