"""Links of closed robots: Jacobians beside differences and MuJoCo, and coordinates that put a link where it is wanted."""

import mujoco
import numpy as np
import pytest

import lissom
from lissom import ConvergenceError, StateError
from lissom.spatial.quaternion import quaternion_from_rotation, quaternion_log

LINKS = {"four_bar": "coupler", "five_bar": "left_forearm", "delta": "platform", "gough_stewart": "upper_3"}
POINT = (0.1, -0.05, 0.2)


@pytest.fixture(scope="module", params=LINKS)
def robot(request):
    return getattr(lissom.robots, request.param)()


def some_state(robot, count=3, seed=0):
    rng = np.random.default_rng(seed)
    return robot.home() + 0.05 * rng.normal(size=(count, robot.nq)), rng.normal(size=(count, robot.nv))


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("axes", "point"), [("world", None), ("world", POINT), ("link", POINT), ("world", "origin")])
def test_jacobian_times_velocities_is_the_velocity_of_the_link(robot, axes, point):
    link = LINKS[robot.name]
    q, qd = some_state(robot)
    J = robot.jacobian(q, link, axes=axes, point=point)
    assert J.shape == (3, 6, robot.nv)
    velocity = robot.link_velocity(q, qd, link, axes=axes, point=point)
    assert np.abs(np.einsum("nij,nj->ni", J, qd) - velocity).max() < 1e-13 * max(1.0, np.abs(velocity).max())


def test_jacobian_is_the_slope_of_poses(robot):
    link, h = LINKS[robot.name], 1e-5
    q, _ = some_state(robot)
    R, J = robot.link_pose(q, link)[:, :3, :3], robot.jacobian(q, link, point=POINT)
    for k in range(robot.nv):
        ahead, back = (robot.link_pose(q + s * h * np.eye(robot.nq)[k], link) for s in (1.0, -1.0))
        linear = ((ahead - back) @ [*POINT, 1.0])[:, :3] / (2 * h)
        turn = quaternion_log(quaternion_from_rotation(ahead[:, :3, :3] @ np.swapaxes(back[:, :3, :3], 1, 2))) / (2 * h)
        assert np.abs(J[:, :3, k] - linear).max() < 1e-8 and np.abs(J[:, 3:, k] - turn).max() < 1e-8
    assert np.allclose(robot.link_poses(q)[:, robot.link_names.index(link), :3, :3], R)


FIVE_BAR = """<mujoco model="bars"><compiler angle="radian"/><worldbody>
<body name="left_arm" pos="-.15 0 0"><joint name="left" axis="0 0 1"/>
<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
 <body name="left_forearm" pos=".25 0 0"><joint name="left_elbow" axis="0 0 1"/>
 <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
 </body></body>
<body name="right_arm" pos=".15 0 0"><joint name="right" axis="0 0 1"/>
<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
 <body name="right_forearm" pos=".25 0 0"><joint name="right_elbow" axis="0 0 1"/>
 <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body></body>
</worldbody></mujoco>"""


def test_mujoco_moves_the_links_alike():
    """MuJoCo's Jacobians of the two ends of the pin close the loop, and that of the link follows along what they leave free."""
    robot = lissom.robots.five_bar()
    m = mujoco.MjModel.from_xml_string(FIVE_BAR)
    d = mujoco.MjData(m)
    places = [m.joint(name).qposadr[0] for name in robot.tree.joint_names]
    for q in some_state(robot)[0]:
        d.qpos[places] = robot.closure(q)
        mujoco.mj_forward(m, d)
        pins = []
        for side in ("left", "right"):
            body, J = m.body(f"{side}_forearm").id, np.zeros((2, 3, 4))
            pin = d.xpos[body] + d.xmat[body].reshape(3, 3) @ [0.35, 0.0, 0.0]
            mujoco.mj_jac(m, d, J[0], J[1], pin, body)
            pins.append(J)
        active = np.zeros((2, 4))
        active[0, m.joint("left").dofadr[0]] = active[1, m.joint("right").dofadr[0]] = 1.0
        G = np.linalg.solve(np.concatenate([active, (pins[0][0] - pins[1][0])[:2]]), np.eye(4)[:, :2])
        expected = np.concatenate([pins[0][0] @ G, pins[0][1] @ G])
        assert np.abs(robot.jacobian(q, "left_forearm", point=(0.35, 0.0, 0.0)) - expected).max() < 1e-12


def test_coordinates_that_put_a_link_where_it_was(robot):
    link = LINKS[robot.name]
    q, _ = some_state(robot)
    wanted = robot.link_pose(q, link)
    found = robot.inverse_kinematics(link, wanted)
    assert found.reached.all() and found.q.shape == q.shape and robot.closure_error(found.tree_q).max() < 1e-12
    assert np.abs(robot.link_pose(None, link, tree_q=found.tree_q) - wanted).max() < 1e-7
    # it starts at home, and stays on its branch where the way is short
    if robot.name != "gough_stewart":
        assert np.abs(found.q - q).max() < 1e-6
    one = robot.inverse_kinematics(link, position=(wanted[0] @ [*POINT, 1.0])[:3], point=POINT, q0=q[0])
    assert one.q.shape == (robot.nq,) and np.abs(one.q - q[0]).max() < 1e-7 and one.position_error < 1e-8


def test_passive_joints_keep_their_limits():
    model = lissom.robots.five_bar_model()
    free = lissom.ClosedRobot(model)
    q = free.home() + [0.4, 0.2]
    pin = free.link_pose(q, "left_forearm") @ [0.35, 0.0, 0.0, 1.0]
    place = free.tree.joint_names.index("left_elbow")
    bent, home = free.closure(q)[place], free.home_tree_q()[place]
    edge = 0.5 * (bent + home)
    limits = lissom.Limits(*((-np.inf, edge) if bent > home else (edge, np.inf)))
    held = lissom.ClosedRobot(
        model.with_joints(lambda j: lissom.Joint(**{**vars_of(j), "limits": limits}) if j.name == "left_elbow" else j)
    )
    target = {"position": pin[:3], "point": (0.35, 0.0, 0.0), "restarts": 0}
    with pytest.raises(ConvergenceError, match="held by the limit of 'left_elbow'"):
        held.inverse_kinematics("left_forearm", **target)
    found = held.inverse_kinematics("left_forearm", **target, limits=False)
    assert np.abs(found.q - q).max() < 1e-7


def vars_of(joint):
    return {name: getattr(joint, name) for name in joint.__dataclass_fields__}


def test_targets_out_of_reach_and_arguments_that_are_wrong():
    robot = lissom.robots.five_bar()
    with pytest.raises(ConvergenceError, match="left_forearm' of 'five_bar': the target is unreachable.*beyond the total length"):
        robot.inverse_kinematics("left_forearm", position=(2.0, 0.0, 0.0), restarts=1)
    near = robot.inverse_kinematics("left_forearm", position=(2.0, 0.0, 0.0), restarts=1, throw=False)
    assert not near.reached and near.beyond > 1.0 and near.q.shape == (2,)
    with pytest.raises(StateError, match="no joint moves link 'base'"):
        robot.inverse_kinematics("base", position=(0.0, 0.0, 0.0))
    with pytest.raises(lissom.NameLookupError, match="no link 'forearm'"):
        robot.jacobian(robot.home(), "forearm")
    with pytest.raises(StateError, match="restarts must be a whole number, 0 or more, got -1"):
        robot.inverse_kinematics("left_forearm", position=(0.0, 0.3, 0.0), restarts=-1)
    with pytest.raises(StateError, match="no axes 'body'"):
        robot.link_velocity(robot.home(), [0.0, 0.0], "left_forearm", axes="body")


def test_another_branch_is_told_by_its_tree():
    """From the other branch the search stays there, and other functions follow with near=."""
    robot = lissom.robots.five_bar()
    other = robot.branches(robot.home())[1]
    pin = robot.link_pose(None, "left_forearm", tree_q=other) @ [0.35, 0.0, 0.0, 1.0]
    found = robot.inverse_kinematics("left_forearm", position=pin[:3], point=(0.35, 0.0, 0.0), near=other)
    assert np.abs(found.q - robot.home()).max() < 1e-7
    there = robot.link_pose(found.q, "left_forearm", near=found.tree_q) @ [0.35, 0.0, 0.0, 1.0]
    here = robot.link_pose(found.q, "left_forearm") @ [0.35, 0.0, 0.0, 1.0]
    assert np.abs(there - pin).max() < 1e-7 < np.abs(here - pin).max()
