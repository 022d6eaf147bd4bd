"""What URDF can and cannot say."""

import re

import numpy as np
import pytest

from lissom import Robot
from lissom.errors import ModelError
from lissom.model import (
    Coupling,
    Friction,
    Inertia,
    Joint,
    JointKind,
    Limits,
    Link,
    Model,
    Motion,
    Motor,
    Polynomial,
    Pose,
    Spring,
)
from lissom.read.urdf import parse_urdf
from lissom.write import to_urdf

DISC = Inertia(1.0, tensor=np.diag([1.0, 1.0, 1.5]))
BODY = Inertia(1.0, (0.1, 0.2, 0.3), np.diag([1.0, 1.5, 2.0]))


def model(*joints, gravity=(0.0, 0.0, -9.81), links="abc"):
    return Model("m", tuple(Link(n, BODY) for n in links), joints, gravity)


def joint(name="j", kind=JointKind.REVOLUTE, parent="a", child="b", **rest):
    return Joint(name, kind, parent, child, **rest)


def driven(**rest):
    return model(joint(), links="ab").replace(motors=(Motor("m", "j", **{"ratio": 7.0, **rest}),))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (model(links="a", gravity=(0, 0, -1)), "URDF cannot express gravity (0.0, 0.0, -1.0); write YAML"),
        (model(joint(kind=JointKind.SPHERICAL), links="ab"), "spherical joint 'j'"),
        (model(joint(rotor_inertia=1), links="ab"), "rotor inertia of joint 'j'"),
        (model(joint(spring=Spring(1)), links="ab"), "spring of joint 'j'"),
        (model(joint(kind=JointKind.CONTINUOUS, limits=Limits(-1, 1)), links="ab"), "limits of the continuous joint 'j'"),
        (model(joint(kind=JointKind.FLOATING, limits=Limits(effort=1)), links="ab"), "limits of the floating joint 'j'"),
        (driven(inertia=DISC), "mass and inertia of motor 'm'"),
        (driven(inertia=DISC, spring=Spring(5)), "mass and inertia of motor 'm'; spring of motor 'm'"),
        (driven(friction=Friction(1.0)), "friction of motor 'm'"),
        (driven(ratio=0.0), "motor 'm', whose gear ratio is 0"),
        (model(joint("z"), joint("y", child="c")), "joint 'y' after 'z' on one link (URDF readers sort them by name)"),
    ],
)
def test_what_urdf_cannot_say_is_refused_unless_lossy(what, said):
    with pytest.raises(ModelError, match=re.escape(said)):
        to_urdf(what)
    again = parse_urdf(to_urdf(what, lossy=True))
    assert {link.name for link in again.links} == {link.name for link in what.links}
    # of a motor the gear ratio is left
    assert again.motors == tuple(Motor(m.name, m.joint, m.link, m.ratio) for m in what.motors if m.ratio)


def test_helical_and_universal_joints_become_chains_where_losses_are_allowed():
    screw = joint(kind=JointKind.HELICAL, pitch=0.1, axis=(1, 0, 0), limits=Limits(-1, 2))
    hook = joint("k", JointKind.UNIVERSAL, "b", "c", axis=(1, 0, 0), second_axis=(0, 1, 0), tail=Pose(translation=(0, 0, 1)))
    before = model(screw, hook)
    with pytest.raises(ModelError, match=r"helical joint 'j' \(lossy replaces it by two joints\); universal joint 'k'"):
        to_urdf(before)
    after = parse_urdf(to_urdf(before, lossy=True))
    assert [(j.name, j.kind.value) for j in after.joints][:2] == [("j", "revolute"), ("j_slide", "prismatic")]
    assert after.joint("j_slide").coupling == Coupling("j", 0.1)
    assert after.nq == before.nq and after.joint("j").limits == Limits(-1, 2)
    q = np.array([0.3, -0.4, 0.5])
    ours, theirs = (Robot(m, backend="numpy").link_pose(q, "c") for m in (before, after))
    assert np.allclose(ours, theirs, rtol=0, atol=1e-15)


def test_custom_joints_have_no_chain():
    knee = joint(kind=JointKind.CUSTOM, motion=Motion(rotations=(((0, 0, 1), Polynomial((0.0, 0.0, 1.0))),)))
    with pytest.raises(ModelError, match="joint 'j' is custom, which no chain of other joints can replace; write YAML"):
        to_urdf(model(knee, links="ab"), lossy=True)
    with pytest.raises(ModelError, match="custom joint 'j'; write YAML, which keeps everything$"):
        to_urdf(model(knee, links="ab"))


def test_new_joints_are_not_called_as_motors_are():
    tail = Pose(translation=(0.5, 0.0, 0.0))
    before = model(joint(tail=tail), links="ab").replace(motors=(Motor("j_tail", "j", ratio=7.0),))
    after = parse_urdf(to_urdf(before))
    assert after.motors == before.motors and [j.name for j in after.joints] == ["j", "j_tail_2"]


def test_tails_become_fixed_joints_and_links_keep_names_frames_and_inertias():
    tail = Pose(translation=(0.5, 0.0, 0.0))
    before = model(joint(tail=tail), joint("k", parent="b", child="b_joint_frame", tail=tail), links=("a", "b", "b_joint_frame"))
    after = parse_urdf(to_urdf(before))
    assert [j.name for j in after.joints] == ["j", "j_tail", "k", "k_tail"]
    assert (after.joint("j").child, after.joint("j_tail").child) == ("b_joint_frame_2", "b")
    assert after.joint("j_tail").origin == tail
    assert all(after.link(link.name) == link for link in before.links)


def test_the_tail_of_a_fixed_joint_joins_its_origin():
    fixed = joint(kind=JointKind.FIXED, origin=Pose(translation=(1, 0, 0)), tail=Pose(translation=(0, 1, 0)))
    assert parse_urdf(to_urdf(model(fixed, links="ab"))).joint("j").origin.translation == (1, 1, 0)


def test_floating_base_is_written_as_a_floating_joint():
    floating = parse_urdf(to_urdf(model(joint(), links="ab")), base="floating")
    assert parse_urdf(to_urdf(floating)) == floating


def test_other_programs_read_what_is_written():
    pin = pytest.importorskip("pinocchio")
    written = pin.buildModelFromXML(to_urdf(model(joint(), joint("k", JointKind.PRISMATIC, "b", "c"))))
    assert list(written.names) == ["universe", "j", "k"]
    assert np.allclose(written.inertias[2].inertia, BODY.tensor)


def test_names_that_xml_cannot_hold_are_refused():
    with pytest.raises(ModelError, match=r"the name 'a\\x01' has characters that XML cannot"):
        to_urdf(Model("m", (Link("a\x01"),), ()))
