"""Loops in files: YAML, a companion beside a URDF, and MJCF's equalities."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, FileError, Loop, Pose
from lissom.read import load_model
from lissom.write import save
from support.loops import some_pose
from support.states import error

FOUR_BAR = """lissom: 1
kind: tree
name: four_bar
links:
  - name: base
  - {name: crank, mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, 0.01, 0, 0, 0]}
  - {name: coupler, mass: 2, com: [0.25, 0, 0], inertia: [0, 0.04, 0.04, 0, 0, 0]}
  - {name: rocker, mass: 1.5, com: [0.2, 0, 0], inertia: [0, 0.02, 0.02, 0, 0, 0]}
joints:
  - {name: crank_joint, kind: continuous, parent: base, child: crank, axis: [0, -1, 0]}
  - {name: coupler_joint, kind: continuous, parent: crank, child: coupler, axis: [0, -1, 0], origin: {xyz: [0.2, 0, 0]}}
  - {name: rocker_joint, kind: continuous, parent: base, child: rocker, axis: [0, -1, 0], origin: {xyz: [0.45, 0, 0]}}
"""
LOOPS = """loops:
  - name: tip
    kind: revolute
    first: {link: coupler, xyz: [0.5, 0, 0]}
    second: {link: rocker, xyz: [0.4, 0, 0]}
    axis: [0, -1, 0]
active: [crank_joint]
posture: {crank_joint: 60deg, coupler_joint: -0.5, rocker_joint: 1.5}
"""


@pytest.fixture
def write(tmp_path):
    def written(text, name="robot.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def test_a_file_with_loops_is_a_closed_robot(write):
    robot = lissom.load(write(FOUR_BAR + LOOPS))
    assert isinstance(robot, ClosedRobot)
    assert robot.joint_names == ("crank_joint",) and robot.loop_names == ("tip",)
    assert abs(robot.home()[0] - np.pi / 3) < 1e-12


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "five_bar", "delta", "gough_stewart"])
def test_yaml_keeps_every_loop_to_the_last_bit(name, tmp_path):
    model = getattr(lissom.robots, f"{name}_model")()
    save(model, tmp_path / "x.yaml")
    assert load_model(tmp_path / "x.yaml") == model


def test_a_closed_robot_saves_itself(tmp_path):
    robot = lissom.robots.four_bar()
    robot.save(tmp_path / "bars.yaml")
    assert lissom.load(tmp_path / "bars.yaml").model.loops == robot.model.loops


def test_a_motion_without_the_whole_tree_is_damaged(tmp_path):
    robot = lissom.robots.four_bar()
    path = robot.simulate(robot.home(), [0.0], 0.01).save(tmp_path / "motion.npz")
    with np.load(path) as found:
        np.savez(tmp_path / "cut.npz", **{name: found[name] for name in found.files if name != "tree_q"})
    with pytest.raises(FileError, match="lacks 'tree_q'; it is damaged"):
        lissom.closed.ClosedTrajectory.load(tmp_path / "cut.npz", robot)


def test_yaml_keeps_every_kind(tmp_path):
    model = lissom.robots.delta_model()
    rng = np.random.default_rng(0)
    kinds = ("revolute", "prismatic", "spherical", "universal", "rigid")
    loops = []
    for kind in kinds:
        axes = {} if kind in ("spherical", "rigid") else {"axis": tuple(rng.normal(size=3))}
        axes |= {"second_axis": tuple(rng.normal(size=3))} if kind == "universal" else {}
        loops.append(Loop(kind, kind, "forearm_1", "platform", some_pose(rng), some_pose(rng), **axes))
    model = dataclasses.replace(model, loops=tuple(loops))
    save(model, tmp_path / "x.yml")
    assert load_model(tmp_path / "x.yml") == model


def test_a_companion_closes_a_urdf(write, tmp_path):
    whole = lissom.load(write(FOUR_BAR + LOOPS))
    with pytest.raises(lissom.ModelError, match="cannot express loop 'tip'"):
        save(whole.model, tmp_path / "x.urdf")
    save(whole.model, tmp_path / "x.urdf", lossy=True)
    companion = write("lissom: 1\nkind: loops\n" + LOOPS, "x.loops.yaml")
    robot = lissom.load(tmp_path / "x.urdf", loops=companion)
    q, qd, qdd = [[0.9], [1.1]], [[2.0], [1.0]], [[1.0], [3.0]]
    assert error(robot.inverse_dynamics(q, qd, qdd), whole.inverse_dynamics(q, qd, qdd)) < 1e-12
    assert not lissom.load(tmp_path / "x.urdf").model.loops


POSED = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="crank" euler="0 {crank} 0"><joint name="crank_joint" axis="0 -1 0" ref="{crank}"/>
    <geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
    <body name="coupler" pos=".2 0 0" euler="0 {coupler} 0"><joint name="coupler_joint" axis="0 -1 0" ref="{coupler}"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/></body></body>
  <body name="rocker" pos=".45 0 0" euler="0 {rocker} 0"><joint name="rocker_joint" axis="0 -1 0" ref="{rocker}"/>
    <geom type="capsule" fromto="0 0 0 .4 0 0" size=".02"/></body>
</worldbody>{rest}<actuator><motor joint="crank_joint"/></actuator></mujoco>"""
TIP = "lissom: 1\nkind: loops\n" + LOOPS.split("active:")[0]


def four_bar_pose(crank, branch):
    """Angles of crank, coupler (relative) and rocker by intersection of two circles; `branch` chooses the intersection."""
    tip = 0.2 * np.array([np.cos(crank), np.sin(crank)])
    to = np.array([0.45, 0.0]) - tip
    d = np.linalg.norm(to)
    along = (0.5**2 - 0.4**2 + d**2) / (2 * d)
    point = tip + along * to / d + branch * np.sqrt(0.5**2 - along**2) * np.array([-to[1], to[0]]) / d
    coupler = np.arctan2(*(point - tip)[::-1]) - crank
    rocker = np.arctan2(*(point - [0.45, 0.0])[::-1])
    return np.angle(np.exp(1j * np.array([crank, coupler, rocker])))


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("crank", np.linspace(-3, 3, 7).round(3).tolist())
def test_a_companion_keeps_the_posture_and_the_drives_of_an_mjcf_file(write, crank, branch):
    """Both branches of the four-bar close; the file's configuration is on one of them."""
    pytest.importorskip("mujoco")
    pose = four_bar_pose(crank, branch)
    said = dict(zip(("crank", "coupler", "rocker"), pose.round(6), strict=True))
    # euler turns about +y, the joints about -y
    text = POSED.format(**said, rest="")
    for angle in said.values():
        text = text.replace(f'euler="0 {angle} 0"', f'euler="0 {-angle} 0"')
    robot = lissom.load(write(text, "x.xml"), loops=write(TIP, "x.loops.yaml"))
    assert robot.torque_names == ("crank_joint",)
    assert np.abs(np.angle(np.exp(1j * (robot.home_tree_q() - pose)))).max() < 1e-5


def test_a_companions_posture_overrides_the_files_joint_by_joint(write):
    pytest.importorskip("mujoco")
    equality = '<equality><connect name="hold" body1="rocker" body2="coupler" anchor="0 0 0"/></equality>'
    for rest in ("", equality):
        text = POSED.format(crank=0.3, coupler=0.4, rocker=0.5, rest=rest)
        companion = TIP + "active: [rocker_joint]\nposture: {coupler_joint: 1.5}\n"
        model = load_model(write(text, "x.xml"), loops=write(companion, "x.loops.yaml"))
        assert model.active == ("rocker_joint",)
        assert dict(model.posture) == {"crank_joint": (0.3,), "coupler_joint": (1.5,), "rocker_joint": (0.5,)}
        assert len(model.loops) == (2 if rest else 1)
        assert not rest or load_model(write(text, "x.xml")).active == ("crank_joint",)


def test_a_companion_adds_to_the_posture_of_a_yaml_file(write):
    robot = write(FOUR_BAR + LOOPS)
    companion = TIP.replace("name: tip", "name: tip_2") + "posture: {rocker_joint: 1.25}\n"
    model = load_model(robot, loops=write(companion, "x.loops.yaml"))
    assert dict(model.posture) == {"crank_joint": (np.pi / 3,), "coupler_joint": (-0.5,), "rocker_joint": (1.25,)}


def test_a_companion_may_give_a_posture_alone(write):
    robot = write(FOUR_BAR + LOOPS)
    model = load_model(robot, loops=write("lissom: 1\nkind: loops\nposture: {rocker_joint: 1.25}\n", "x.loops.yaml"))
    assert model.loops == load_model(robot).loops
    assert dict(model.posture)["rocker_joint"] == (1.25,)
    with pytest.raises(FileError, match="x.loops.yaml:1: the document has none of the keys loops, active, posture"):
        load_model(robot, loops=write("lissom: 1\nkind: loops\n", "x.loops.yaml"))


def test_an_actuator_on_a_follower_drives_its_leader(write):
    pytest.importorskip("mujoco")
    gear = '<joint joint1="crank_joint" joint2="coupler_joint" polycoef="0 -1 0 0 0"/>'
    model = load_model(write(MJCF.replace("{equality}", CONNECT + gear), "x.xml"))
    assert model.active == ("coupler_joint",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("kind: revolute\n    first", "kind: hinge\n    first"), ":15: .*must be one of revolute"),
        (("link: coupler", "link: copler"), "no link 'copler'.*did you mean 'coupler'"),
        (("active: [crank_joint]", "active: [crank]"), "no joint 'crank'"),
        (
            ("posture: {crank_joint: 60deg", "posture: {crank_joint: [1, 2]"),
            "posture of joint 'crank_joint' must be 1 finite number",
        ),
        (("    axis: [0, -1, 0]\nactive", "    second_axis: [0, -1, 0]\nactive"), "only a universal joint has a second axis"),
        (("    axis: [0, -1, 0]\nactive", "    axis: [0, 0, 0]\nactive"), "its axis has zero length"),
        (("second: {link: rocker", "second: {link: coupler"), "connects link 'coupler' to itself"),
        (("name: tip", "name: crank_joint"), "a joint and a loop are both called 'crank_joint'"),
        (("posture: {crank_joint: 60deg", "posture: {crank: 1"), "no joint 'crank'"),
    ],
)
def test_mistakes_in_a_file_are_named(write, change, message):
    with pytest.raises(FileError, match=message):
        load_model(write((FOUR_BAR + LOOPS).replace(*change)))


def test_loops_of_one_body_are_refused(write):
    fixed = FOUR_BAR + "  - {name: weld, kind: fixed, parent: rocker, child: pad}\n" + LOOPS.replace("link: coupler", "link: pad")
    fixed = fixed.replace("joints:", "  - {name: pad, mass: 0.1}\njoints:")
    with pytest.raises(FileError, match="'pad' and 'rocker', which are one body"):
        load_model(write(fixed))


MJCF = """<mujoco model="four_bar">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="crank"><joint name="crank_joint" axis="0 -1 0"/><geom type="capsule" fromto="0 0 0 0 0 .2" size=".02"/>
      <body name="coupler" pos="0 0 .2"><joint name="coupler_joint" axis="0 -1 0"/>
        <geom type="capsule" fromto="0 0 0 .45 0 .2" size=".02"/></body></body>
    <body name="rocker" pos=".45 0 0"><joint name="rocker_joint" axis="0 -1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 .4" size=".02"/></body>
  </worldbody>
  <equality>{equality}</equality>
  <actuator><motor joint="crank_joint"/></actuator>
</mujoco>"""
CONNECT = (
    '<connect name="tip" body1="coupler" body2="rocker" anchor=".45 0 .2" solref="-1e7 -1e4" solimp=".999999 .999999 1e-3"/>'
)


def test_connect_is_a_ball_joint_and_actuators_are_active(write):
    mujoco = pytest.importorskip("mujoco")
    path = write(MJCF.replace("{equality}", CONNECT), "x.xml")
    robot = lissom.load(path)
    assert robot.torque_names == ("crank_joint",)
    assert robot.model.loops[0].kind is lissom.LoopKind.SPHERICAL
    # MuJoCo keeps the loop softly: with a hard one it gives the same accelerations, nearly
    m = mujoco.MjModel.from_xml_path(str(path))
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    d = mujoco.MjData(m)
    tree, v, _ = robot.tree_motion([0.2], [1.0])
    d.qpos[:], d.qvel[:], d.ctrl[:] = tree, v, [0.7]
    mujoco.mj_forward(m, d)
    qdd = robot.forward_dynamics([0.2], [1.0], [0.7])
    assert error(robot.tree_motion([0.2], [1.0], qdd)[2], d.qacc) < 1e-4


def test_weld_is_rigid(write):
    pytest.importorskip("mujoco")
    weld = '<weld name="hold" body1="coupler" body2="rocker"/>'
    model = load_model(write(MJCF.replace("{equality}", weld), "x.xml"))
    (loop,) = model.loops
    assert loop.kind is lissom.LoopKind.RIGID
    robot = ClosedRobot(model)
    assert robot.mobility().degrees_of_freedom == 0
    with pytest.raises(lissom.ModelError, match="cannot move.*over-constrained"):
        robot.inverse_dynamics([0.0], [0.0], [0.0])
    free = ClosedRobot(dataclasses.replace(model, joints=(*model.joints[:2],)[:0] or model.joints, active=None))
    assert free.constraints.error(free.home_tree_q()) < 1e-12
    assert isinstance(loop.first_pose, Pose)


@pytest.mark.parametrize("mimic", [True, False])
def test_a_joint_equality_beside_a_connect(write, mimic):
    """The follower has no coordinate of its own, and with it the loop leaves the crank no freedom but along a coupled rocker."""
    pytest.importorskip("mujoco")
    gear = '<joint joint1="rocker_joint" joint2="coupler_joint" polycoef="0 -1 0 0 0"/>'
    model = load_model(write(MJCF.replace("{equality}", CONNECT + gear), "x.xml"), mimic=mimic)
    mobility = ClosedRobot(model).mobility()
    assert mobility.velocities == (2 if mimic else 3)
    assert mobility.degrees_of_freedom == (0 if mimic else 1)
