"""What an MJCF file switches off in <option> is off here too: MuJoCo judges, by mj_inverse."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from support.states import error

mujoco = pytest.importorskip("mujoco")
TOLERANCE = 1e-10

# fast joints without acceleration saturate MuJoCo's soft friction; the range of j is left in every state tried
TEXT = """<mujoco><option gravity="1 2 -9.81" {option}><flag contact="disable" {flags}/></option>
<compiler angle="radian" autolimits="true"/>
<worldbody><body name="a"><geom type="box" size=".1 .2 .3" pos=".1 0 .2"/>
  <joint name="j" axis="0 1 0" damping="2" frictionloss="0.7" stiffness="3" springref="0.4" {range}/>
  <body name="b" pos="0 .3 1"><joint name="k" axis="1 0 1" damping="0.5" frictionloss="0.2"/>
    <geom type="box" size=".1 .2 .3" pos="0 .1 0"/>
    <body name="c" pos="0 .3 0"><joint name="s" type="slide" axis="0 1 1" stiffness="9" frictionloss="0.1"/>
      <geom size=".1"/></body>
  </body></body></worldbody>
  {rest}</mujoco>"""
GEAR = '<equality><joint joint1="k" joint2="j" polycoef="0.1 0.5 0 0 0"/></equality>'
CONNECT = '<equality><connect body1="c" body2="world" anchor="0 0 0"/></equality>'
MOTORS = """<actuator><motor joint="j" forcerange="-2 2" group="3"/>
<motor joint="k" forcerange="-5 5"/></actuator>"""


def load(tmp_path, backend=None, flags="", option="", rest="", limits=""):
    text = TEXT.format(flags=flags, option=option, rest=rest, range=limits)
    file = tmp_path / "m.xml"
    file.write_text(text)
    robot = lissom.load(file)
    return text, robot if robot.model.loops else Robot(robot.model, backend=backend)


def mujoco_tau(text, q, qd):
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:] = q, qd
    mujoco.mj_inverse(m, d)
    return d.qfrc_inverse.copy()


def assert_same(text, robot):
    rng = np.random.default_rng(0)
    for q in rng.uniform(-1, 1, (4, 3)):
        qd = 5 * np.sign(rng.normal(size=3)) + rng.normal(size=3)
        assert error(robot.inverse_dynamics(q, qd, np.zeros(3)), mujoco_tau(text, q, qd)) < TOLERANCE


@pytest.mark.parametrize(
    "flags",
    [
        "",
        'damper="disable"',
        'spring="disable"',
        'frictionloss="disable"',
        'gravity="disable"',
        'constraint="disable"',
        'damper="disable" spring="disable"',
        'damper="disable" frictionloss="disable" gravity="disable"',
    ],
)
def test_joint_forces_with_parts_switched_off_are_those_of_mujoco(tmp_path, backend, flags):
    text, robot = load(tmp_path, backend, flags)
    assert_same(text, robot)


@pytest.mark.parametrize("flag", ["equality", "constraint"])
@pytest.mark.parametrize("rest", [GEAR, CONNECT, GEAR.replace("</equality>", "") + CONNECT.replace("<equality>", "")])
def test_equalities_that_are_switched_off_neither_couple_nor_close(tmp_path, backend, flag, rest):
    text, robot = load(tmp_path, backend, f'{flag}="disable"', rest=rest)
    assert robot.nv == 3 and not robot.model.loops
    assert_same(text, robot)
    _, whole = load(tmp_path, backend, rest=rest)
    assert whole.model.loops or whole.nv < 3


@pytest.mark.parametrize("rest", [GEAR, CONNECT])
def test_inactive_equalities_neither_couple_nor_close(tmp_path, backend, rest):
    off = rest.replace("<joint ", '<joint active="false" ').replace("<connect ", '<connect active="false" ')
    text, robot = load(tmp_path, backend, rest=off)
    assert_same(text, robot)


@pytest.mark.parametrize("flag", ["limit", "constraint"])
def test_ranges_that_are_switched_off_do_not_bound(tmp_path, backend, flag):
    text, robot = load(tmp_path, backend, f'{flag}="disable"', limits='range="8 9"')
    assert robot.model.joint("j").limits == lissom.Limits()
    assert_same(text, robot)  # with the range in force MuJoCo pushes the joint back into it
    on, robot = load(tmp_path, backend, limits='range="8 9"')
    assert robot.model.joint("j").limits == lissom.Limits(8, 9)
    assert error(robot.inverse_dynamics([0.0] * 3, [5.0] * 3, [0.0] * 3), mujoco_tau(on, [0.0] * 3, [5.0] * 3)) > 0.1


def test_actuators_that_are_switched_off_neither_drive_nor_bound(tmp_path):
    efforts = {
        "": (2, 5),
        'actuatorgroupdisable="3"': (np.inf, 5),
        'actuatorgroupdisable="0 3"': (np.inf, np.inf),
    }
    for option, expected in efforts.items():
        text, robot = load(tmp_path, option=option, rest=MOTORS)
        assert tuple(robot.model.joint(name).limits.effort for name in "jk") == expected
        # MuJoCo: what full control does to the joints
        m = mujoco.MjModel.from_xml_string(text)
        d = mujoco.MjData(m)
        d.ctrl[:] = 100
        mujoco.mj_forward(m, d)
        assert d.qfrc_actuator[:2].tolist() == [x if np.isfinite(x) else 0 for x in expected]
    _, robot = load(tmp_path, flags='actuation="disable"', rest=MOTORS)
    assert robot.model.joint("j").limits.effort == robot.model.joint("k").limits.effort == np.inf
    _, closed = load(tmp_path, rest=MOTORS + CONNECT)
    assert closed.model.active == ("j", "k")
    _, closed = load(tmp_path, flags='actuation="disable"', rest=MOTORS + CONNECT)
    assert closed.model.active is None


def test_what_is_switched_off_is_not_warned_of(tmp_path, recwarn):
    text = (
        '<mujoco><option><flag spring="disable" gravity="disable" frictionloss="disable" damper="disable"/></option><worldbody>'
        '<body name="a" gravcomp="1"><joint type="ball" stiffness="2" damping="3" frictionloss="1"/><geom size="1"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "m.xml").write_text(text)
    lissom.load(tmp_path / "m.xml")
    assert not [w for w in recwarn if issubclass(w.category, lissom.ModelWarning)]
