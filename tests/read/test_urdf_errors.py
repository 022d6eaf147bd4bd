"""Every refusal of the URDF reader names the file, the line, what was found and what to do."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lissom.errors import FileError, LissomError, ModelError
from lissom.read.urdf import parse_urdf, read_urdf

GOOD = """<robot name="r">
<link name="a"/>
<link name="arm">
<inertial>
<origin xyz="0 0 0.1"/>
<mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
</inertial>
</link>
<joint name="j" type="revolute">
<parent link="a"/>
<child link="arm"/>
<origin xyz="0 0 1"/>
<axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/>
<dynamics damping="1"/>
</joint>
</robot>"""


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('<robot name="r">', "<robot>", 1, "<robot> has no attribute 'name'"),
        ('<link name="a"/>', "<link/>", 2, "<link> has no attribute 'name'"),
        ('<link name="a"/>', '<link name="arm"/>', 3, r"two links are called 'arm' \(the first at line 2\)"),
        ('<joint name="j"', "<joint", 10, "<joint> has no attribute 'name'; it has 'type'"),
        ("</robot>", '<joint name="j" type="fixed"/></robot>', 18, "two joints are called 'j'"),
        ('"revolute"', '"revolut"', 10, "unknown joint kind 'revolut'; did you mean 'revolute'"),
        (' type="revolute"', "", 10, "<joint> has no attribute 'type'"),
        ('<parent link="a"/>', "", 10, "<joint> 'j' has no element <parent>"),
        ('<child link="arm"/>', "", 10, "<joint> 'j' has no element <child>"),
        ('<child link="arm"/>', "<child/>", 12, "<child> has no attribute 'link'"),
        ('<child link="arm"/>', '<child link="amr"/>', 12, r"no link 'amr' \(child of joint 'j'\); did you mean 'arm'"),
        ('<child link="arm"/>', '<child link="a"/>', 10, "its parent and its child are the same link 'a'"),
        ('<mass value="1"/>', "", 4, "<inertial> has no element <mass>"),
        ('value="1"', 'value="-1"', 4, "link 'arm': mass must not be negative, got -1"),
        ('value="1"', 'value="heavy"', 6, "attribute 'value' of <mass> must be a number, got 'heavy'"),
        ('value="1"', f'value="{"1" * 3000}"', 6, "must be a number, got '1{60}'.. \\(3000 characters\\)"),
        ('value="1"', 'value="nan"', 6, "attribute 'value' of <mass> must be a number, got 'nan'"),
        ('value="1"', 'value="inf"', 6, "attribute 'value' of <mass> must be a number, got 'inf'"),
        ('value="1"', 'value="0"', 3, "link 'arm' has inertia but no mass, and no massive link is fixed to it"),
        ('<inertia ixx="1"', '<inert ixx="1"', 4, "link 'arm' has a mass but no <inertia>"),
        ('ixx="1"', "", 7, "<inertia> has no attribute 'ixx'"),
        ('ixx="1"', 'ixx="-9"', 3, "not positive definite"),
        ('xyz="0 0 1"/>\n<axis', 'xyz="0 1"/>\n<axis', 13, "attribute 'xyz' of <origin> must be 3 numbers, got '0 1'"),
        ('xyz="0 0 1"/>\n<axis', 'xyz="0 0 ${h}"/>\n<axis', 13, "must be 3 numbers"),
        ('xyz="0 0 1"/>\n<axis', 'rpy="0 0 0" quat_xyzw="0 0 0 1"/>\n<axis', 13, "has both rpy and quat_xyzw"),
        ('xyz="0 0 1"/>\n<axis', 'quat_xyzw="0 0 0 0"/>\n<axis', 13, "a quaternion must not be zero"),
        ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', 10, "joint 'j': its axis has zero length"),
        ('lower="-1"', 'lower="2"', 15, "joint 'j': lower limit 2 is above the upper limit 1"),
        ('effort="1"', 'effort="-1"', 15, "joint 'j': limits of velocity"),
        ('lower="-1"', 'lower="nan"', 15, "attribute 'lower' of <limit> must be a number, got 'nan'"),
        ('damping="1"', 'damping="-1"', 16, "joint 'j': viscous friction must be zero or positive"),
        ("<dynamics", "<axis/><dynamics", 16, "<joint> has 2 elements <axis>, expected one"),
        ("<dynamics", '<mimic joint="j"/><dynamics', 10, "coupled in a circle"),
        ('<link name="a"/>', '<xacro:include filename="b"/>', 2, "belongs to a xacro file; expand it first"),
        ('<link name="a"/>', '<link name="a"/><link name="b"/>', 2, "have no parent joint"),
        ('<link name="a"/>', '<link name="a"/><!DOCTYPE x>', 2, "not well-formed XML"),
    ],
)
def test_refusals_name_line_and_reason(old, new, line, said):
    assert old in GOOD
    with pytest.raises(FileError, match=said) as caught:
        parse_urdf(GOOD.replace(old, new, 1), friction=True, path="f.urdf")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"f.urdf:{line}: ")


def links_and_joints(*pairs):
    links = sorted({name for pair in pairs for name in pair})
    text = '<robot name="r">\n' + "".join(f'<link name="{n}"/>\n' for n in links)
    for i, (parent, child) in enumerate(pairs):
        text += f'<joint name="j{i}" type="fixed"><parent link="{parent}"/><child link="{child}"/></joint>\n'
    return text + "</robot>"


def test_cycles_and_second_parents_are_refused():
    with pytest.raises(FileError, match=r"f:2: the joints form a cycle through 'a' -> 'b' -> 'a'"):
        parse_urdf(links_and_joints("ab", "ba"), path="f")
    with pytest.raises(FileError, match="form a cycle through 'c' -> 'b' -> 'c', which is not connected"):
        parse_urdf(links_and_joints("bc", "cb", "xa"), path="f")
    with pytest.raises(FileError, match="f:4: link 'c' is the child of two joints, 'j0' and 'j1'"):
        parse_urdf(links_and_joints("ac", "bc"), path="f")


def test_two_roots_are_refused_with_a_floating_base_too():
    with pytest.raises(FileError, match="links 'a', 'x' have no parent joint"):
        parse_urdf(links_and_joints("ab", "xy"), base="floating", path="f")


def test_broken_published_files_are_refused_for_the_true_reason(robots_folder):
    with pytest.raises(FileError, match=r"falcon.urdf:182: no link 'Z_propeller' \(child of joint 'top_propeller_joint'\)"):
        read_urdf(robots_folder / "falcon_description/urdf/falcon.urdf")
    with pytest.raises(FileError, match="ur3.urdf:6: <robot> has no <link>; was it made from a xacro file"):
        read_urdf(robots_folder / "ur_description/urdf/ur3.urdf")


def test_another_kind_of_file_is_named():
    with pytest.raises(FileError, match="f:1: a URDF file starts with <robot>, this file with <sdf>"):
        parse_urdf("<sdf/>", path="f")


def test_unknown_base_is_refused():
    with pytest.raises(ModelError, match="base must be 'fixed' or 'floating', got 'float'; did you mean 'floating'"):
        parse_urdf(GOOD, base="float")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, len(GOOD)), st.integers(0, len(GOOD)), st.sampled_from(["", "<", ">", '"', "&", "\0", "-", "9e99", "a"]))
def test_cut_and_damaged_files_raise_or_load(start, end, inserted):
    damaged = GOOD[: min(start, end)] + inserted + GOOD[max(start, end) :]
    for text in (GOOD[:start], damaged):
        try:
            parse_urdf(text)
        except LissomError as error:
            assert isinstance(error, FileError)


def test_huge_rings_are_refused_quickly_with_a_short_message():
    n = 3000
    text = '<robot name="r">' + "".join(f'<link name="l{i}"/>' for i in range(n))
    ring = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l{i}"/><child link="l{(i + 1) % n}"/></joint>' for i in range(n)
    )
    with pytest.raises(FileError, match=r"form a cycle through 'l0' -> .* -> \.\.\. -> .* -> 'l0'") as caught:
        parse_urdf(text + ring + "</robot>")
    assert len(str(caught.value)) < 400
    chain = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<mimic joint="j{(i + 1) % (n - 1)}"/></joint>'
        for i in range(n - 1)
    )
    with pytest.raises(FileError, match=r"coupled in a circle: 'j0' -> .* -> \.\.\. -> .* -> 'j0'") as caught:
        parse_urdf(text + chain + "</robot>")
    assert len(str(caught.value)) < 400
