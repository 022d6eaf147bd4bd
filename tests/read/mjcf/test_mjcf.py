"""MJCF against MuJoCo itself: poses, masses, inertias, names; and what is refused or warned of."""

import re
import sys

import numpy as np
import pytest

import lissom
from lissom.errors import FileError, MissingExtraError, ModelWarning
from lissom.model import Coupling, Friction, JointKind, Limits, Spring
from lissom.read.mjcf import read_mjcf

mujoco = pytest.importorskip("mujoco")

GEOM = '<geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0" euler="10 20 30"/>'
RICH = f"""<mujoco model="rich">
<option gravity="0 0 -3.7"/>
<worldbody>
<body name="a" pos="1 0 0.5" quat="1 1 0 0">
  <joint name="h1" type="hinge" axis="0 1 1" pos="0.1 0.2 0.3" ref="30" range="-90 120"/>
  <joint name="s1" type="slide" axis="1 0 0" pos="0.3 0 0" ref="0.2"/>
  <joint name="h2" type="hinge" axis="1 0 0" pos="-0.1 0 0.2" armature="0.5" damping="0.2" frictionloss="0.1"/>
  {GEOM}
  <body pos="0 0 1" euler="0 45 0"><joint name="b1" type="ball" pos="0 0 0.1"/>{GEOM}
    <body name="welded" pos="0.1 0 0">{GEOM}</body>
  </body>
</body>
<body name="free" pos="5 5 5" quat="0 1 0 0"><freejoint/>{GEOM}<body name="tail"><joint axis="0 0 1"/>{GEOM}</body></body>
</worldbody></mujoco>"""


def read(tmp_path, text, **options):
    file = tmp_path / "m.xml"
    file.write_text(text)
    return read_mjcf(file, **options)


def arm(joint='<joint name="j"/>', rest="", head=""):
    return f'<mujoco>{head}<worldbody><body name="a">{joint}{GEOM}</body></worldbody>{rest}</mujoco>'


def to_lissom(m, qpos):
    """MuJoCo's qpos with quaternions x y z w."""
    q = np.array(qpos)
    for j in range(m.njnt):
        if m.jnt_type[j] in (0, 1):
            at = m.jnt_qposadr[j] + (3 if m.jnt_type[j] == 0 else 0)
            q[at : at + 4] = np.roll(q[at : at + 4], -1)
    return q


def test_poses_masses_and_inertias_are_those_of_mujoco(tmp_path, link_poses):
    model = read(tmp_path, RICH)
    m = mujoco.MjModel.from_xml_string(RICH)
    d = mujoco.MjData(m)
    assert (model.nq, model.nv, model.name, model.gravity) == (m.nq, m.nv, "rich", (0.0, 0.0, -3.7))
    generator = np.random.default_rng(1)
    for _ in range(5):
        d.qpos[:] = generator.normal(size=m.nq)
        mujoco.mj_normalizeQuat(m, d.qpos)
        mujoco.mj_kinematics(m, d)
        poses = link_poses(model, to_lissom(m, d.qpos))
        for body in range(m.nbody):
            name = mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_BODY, body) or f"body_{body}"
            assert np.allclose(poses[name].p, d.xpos[body], atol=1e-13)
            assert np.allclose(poses[name].R, d.xmat[body].reshape(3, 3), atol=1e-13)
            inertia = model.link(name).inertia
            if body:
                mujoco.mj_comPos(m, d)
                X = d.ximat[body].reshape(3, 3)
                assert inertia.mass == m.body_mass[body]
                assert np.allclose(poses[name].R @ inertia.com + poses[name].p, d.xipos[body], atol=1e-13)
                world = poses[name].R @ np.array(inertia.tensor) @ poses[name].R.T
                assert np.allclose(world, X @ np.diag(m.body_inertia[body]) @ X.T, atol=1e-12)


def test_names_kinds_and_drives_are_kept(tmp_path):
    model = read(tmp_path, RICH)
    assert [j.name for j in model.joints] == ["h1", "s1", "h2", "b1", "welded_fixed", "joint_4", "joint_5"]
    assert [link.name for link in model.links if "after" in link.name] == ["a_after_h1", "a_after_s1"]
    h1, h2 = model.joint("h1"), model.joint("h2")
    assert (h1.kind, h2.kind) == (JointKind.REVOLUTE, JointKind.CONTINUOUS)
    assert np.allclose([h1.limits.lower, h1.limits.upper], np.radians([-90, 120]))
    assert (h2.rotor_inertia, h2.friction) == (0.5, Friction(0.2, 0.1))
    assert read(tmp_path, RICH, friction=False).joint("h2").friction == Friction()
    assert model.joint("joint_4").kind is JointKind.FLOATING


def test_zero_gravity_flag_counts(tmp_path):
    assert read(tmp_path, arm(head='<option><flag gravity="disable"/></option>')).gravity == (0, 0, 0)


def test_effort_limits_come_from_joint_or_single_actuator(tmp_path):
    motor = '<actuator><motor joint="j" gear="10" forcerange="-2 3" forcelimited="true"/></actuator>'
    assert read(tmp_path, arm(rest=motor)).joint("j").limits == Limits(effort=30)
    limited = '<joint name="j" actuatorfrcrange="-5 5" actuatorfrclimited="true"/>'
    assert read(tmp_path, arm(limited, motor)).joint("j").limits == Limits(effort=5)


TWO = '<body name="b"><joint name="k" ref="20"/><geom size="0.1"/></body>'


def test_linear_joint_equalities_couple_joints(tmp_path):
    text = (
        arm()
        .replace("</body></worldbody>", TWO + "</body></worldbody>")
        .replace("</mujoco>", '<equality><joint joint1="k" joint2="j" polycoef="0.1 2 0 0 0"/></equality></mujoco>')
    )
    coupling = read(tmp_path, text).joint("k").coupling
    assert (coupling.joint, coupling.ratio) == ("j", 2)
    assert np.isclose(coupling.offset, np.radians(20) + 0.1)
    assert read(tmp_path, text, mimic=False).nv == 2
    assert read(tmp_path, text.replace("<joint joint1", '<joint active="false" joint1')).joint("k").coupling is None
    assert Coupling("j").ratio == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (arm('<joint name="j" type="ball" stiffness="2"/>'), "the spring of joint 'j' is ignored: it has more than one axis"),
        (arm('<joint name="j" type="ball" damping="2"/>'), "damping, friction and armature of joint 'j' are ignored"),
        (arm('<joint name="j" type="ball" range="0 20"/>'), "the range of joint 'j' is ignored"),
        (arm(head='<option density="1.2"/>'), "the fluid .* is ignored"),
        (arm(rest='<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'), "tendon 't' is ignored"),
        (arm(rest='<equality><joint name="e" joint1="j"/></equality>'), "'e' is ignored: it is not between two joints"),
        (arm().replace('<body name="a"', '<body name="a" gravcomp="1"'), "gravity compensation of body 'a' is ignored"),
    ],
)
def test_what_cannot_be_kept_is_named_in_a_warning(tmp_path, text, said):
    with pytest.warns(ModelWarning, match=said):
        read(tmp_path, text)


def test_springs_are_read_with_their_rest_positions(tmp_path):
    text = arm('<joint name="j" stiffness="2" springref="30" ref="10" damping="0.5"/>')
    found = read(tmp_path, text).joint("j")
    assert found.spring == Spring(2.0, np.radians(30)) and found.friction.viscous == 0.5
    assert read(tmp_path, text, friction=False).joint("j").spring == found.spring
    assert read(tmp_path, arm('<joint name="j" springref="30"/>')).joint("j").spring is None
    off = arm('<joint name="j" stiffness="2"/>', head='<option><flag spring="disable"/></option>')
    assert read(tmp_path, off).joint("j").spring is None


def test_a_spring_that_pushes_away_names_its_joint(tmp_path):
    with pytest.raises(FileError, match="joint 'j': stiffness of the spring must be positive and finite, got -2"):
        read(tmp_path, arm('<joint name="j" stiffness="-2"/>'))


def test_second_equality_of_a_joint_is_named_in_a_warning(tmp_path):
    text = arm().replace("</body></worldbody>", TWO + "</body></worldbody>")
    twice = "<equality>" + f'<joint name="e{1}" joint1="k" joint2="j"/>' + '<joint name="e2" joint1="k" joint2="j"/></equality>'
    with pytest.warns(ModelWarning, match="'e2' is ignored: joint 'k' already follows another"):
        read(tmp_path, text.replace("</mujoco>", twice + "</mujoco>"))


def test_nonlinear_damping_and_actuator_armature_are_named_in_a_warning(tmp_path):
    if not hasattr(mujoco.MjModel, "dof_dampingpoly"):
        pytest.skip("this MuJoCo has neither")
    with pytest.warns(ModelWarning, match="damping of joint 'j' beyond the linear part"):
        read(tmp_path, arm('<joint name="j" damping="1 2"/>'))
    with pytest.warns(ModelWarning, match="armature and damping of actuator 'm' are ignored"):
        read(tmp_path, arm(rest='<actuator><motor name="m" joint="j" armature="0.1"/></actuator>'))


def test_flexible_bodies_are_named_in_a_warning_and_no_log_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flex = '<flexcomp name="f" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" mass="1" dim="2"/>'
    with pytest.warns(ModelWarning) as said:
        read(tmp_path, arm().replace("</worldbody>", flex + "</worldbody>"))
    texts = [str(w.message) for w in said]
    assert any("flex 0 is ignored" in text for text in texts)
    assert any("MuJoCo warns: flex 'f' is not rigid" in text for text in texts)
    assert [file.name for file in tmp_path.iterdir()] == ["m.xml"]


def test_floating_base_frees_the_one_top_body(tmp_path):
    fixed = arm(TWO)
    model = read(tmp_path, fixed, base="floating")
    assert (model.joints[0].name, model.joints[0].kind, model.joints[0].child) == ("root_joint", JointKind.FLOATING, "a")
    assert read(tmp_path, fixed).nv == 1
    free = arm("<freejoint/>")
    assert read(tmp_path, free, base="floating") == read(tmp_path, free)
    with pytest.raises(FileError, match="a floating base needs one top body without joints"):
        read(tmp_path, arm(), base="floating")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (arm(head='<include file="../b.xml"/>'), "m.xml:1: file='../b.xml' reaches outside the folder"),
        (arm(head='<asset><mesh name="x" file="/etc/passwd"/></asset>'), "file='/etc/passwd' reaches outside the folder"),
        (arm(head='<asset><mesh name="x" file="../x.stl"/></asset>'), "file='../x.stl' reaches outside the folder"),
        (arm(head='<compiler meshdir="C:/x"/>'), "meshdir='C:/x' reaches outside the folder"),
        ('<!DOCTYPE m [<!ENTITY x "y">]><mujoco/>', "DOCTYPE"),
        ("<robot/>", "an MJCF file starts with <mujoco>, this file with <robot>"),
        (arm('<joint name="j" type="hing"/>'), "MuJoCo rejects the file: .*hing"),
        (arm('<joint name="j"/><joint name="j"/>'), "MuJoCo rejects the file"),
    ],
)
def test_refusals_say_why(tmp_path, text, said):
    with pytest.raises(FileError, match=said):
        read(tmp_path, text)


def test_files_may_include_others_of_their_folder(tmp_path):
    (tmp_path / "b.xml").write_text('<mujoco><option gravity="0 0 -1"/></mujoco>')
    assert read(tmp_path, arm(head='<include file="b.xml"/>')).gravity == (0, 0, -1)


def test_the_call_that_a_refusal_advises_runs(tmp_path):
    (tmp_path / "b.xml").write_text('<mujoco><option gravity="0 0 -1"/></mujoco>')
    (tmp_path / "inner").mkdir()
    text = arm(head='<include file="../b.xml"/>')
    with pytest.raises(FileError, match="allows it") as caught:
        read(tmp_path / "inner", text)
    advice = re.search(r"; (\S+\(path, .*\)) allows it", str(caught.value))[1]
    robot = eval(advice, {"lissom": lissom, "path": tmp_path / "inner" / "m.xml"})
    assert robot.model.gravity == (0, 0, -1)


def test_meshes_below_the_folder_give_inertia(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    head = '<compiler meshdir="meshes"/><asset><mesh name="t" file="t.obj"/></asset>'
    text = (
        f'<mujoco>{head}<worldbody><body name="a"><joint/><geom type="mesh" mesh="t" density="600"/></body></worldbody></mujoco>'
    )
    assert np.isclose(read(tmp_path, text).link("a").inertia.mass, 100)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (arm('<joint name="j" ref="inf"/>'), "joint 'j': ref is inf; all numbers except ranges must be finite"),
        (arm('<joint name="j" ref="nan"/>'), "joint 'j': ref is nan"),
        (arm('<joint type="slide"/><joint springref="-inf" axis="1 0 0"/>'), "joint number 1: springref is -inf"),
        (arm('<joint name="j" damping="inf"/>'), "joint 'j': damping is inf"),
        (arm('<joint name="j" pos="0 0 nan"/>'), "joint 'j': pos is nan"),
        (arm().replace('<body name="a"', '<body name="a" pos="inf 0 0"'), "body 'a': pos is inf"),
        (arm().replace('size="0.1', 'size="1e200'), "body 'a': (mass|inertia) is inf"),
        (arm(head='<option gravity="0 nan 0"/>'), "<option>: gravity is nan"),
        (arm(rest='<actuator><motor name="m" joint="j" gear="inf"/></actuator>'), "actuator 'm': gear is inf"),
        (arm(rest='<equality><weld name="e" body1="a" relpose="nan 0 0 1 0 0 0"/></equality>'), "equality 'e': data is nan"),
        (arm('<joint name="j" range="nan 1" limited="true"/>'), "limit 'lower' is not a number"),
        (arm('<joint name="j" damping="-1"/>'), "viscous friction must be zero or positive"),
    ],
)
@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_numbers_that_are_not_finite_are_named(tmp_path, text, said):
    with pytest.raises(FileError, match=said):
        read(tmp_path, text)


def test_ranges_may_be_infinite(tmp_path):
    assert read(tmp_path, arm('<joint name="j" range="-inf 90" limited="true"/>')).joint("j").limits == Limits(-np.inf, np.pi / 2)


def test_missing_mujoco_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r"reading MJCF files needs the package 'mujoco'.*lissom\[mjcf\]"):
        read(tmp_path, arm())


def test_inertia_without_mass_goes_to_what_it_is_fixed_to(tmp_path):
    rotor = '<body name="rotor"><inertial mass="0" diaginertia="1 2 3" pos="0 0 0"/></body>'
    before, after = read(tmp_path, arm()), read(tmp_path, arm(rotor + '<joint name="j"/>'))
    assert after.link("rotor").inertia is None
    gained = np.array(after.link("a").inertia.tensor) - np.array(before.link("a").inertia.tensor)
    assert np.allclose(gained, np.diag([1, 2, 3]))
