"""What a closed robot refuses, and what it says."""

import dataclasses
import pickle

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, Joint, Loop, Model, ModelError, NameLookupError, Robot, StateError


def five_bar(**changes):
    return dataclasses.replace(lissom.robots.five_bar_model(), **changes)


def test_a_robot_is_a_tree_and_a_closed_robot_is_not():
    with pytest.raises(ModelError, match="has loops .pin., and a Robot is a tree: use lissom.ClosedRobot"):
        Robot(five_bar())
    with pytest.raises(ModelError, match="has no loops; lissom.Robot"):
        ClosedRobot(five_bar(loops=(), active=None, posture=()))
    assert Robot(five_bar().without_loops()).nq == 4


def test_drives_have_to_be_said():
    with pytest.raises(ModelError, match="no joint is active.*'left', 'left_elbow' for example"):
        ClosedRobot(five_bar(active=None)).nq  # noqa: B018


def test_drives_named_beside_the_model():
    robot = ClosedRobot(five_bar(active=None), active=("left", "right"))
    assert robot.torque_names == ("left", "right") == pickle.loads(pickle.dumps(robot)).torque_names
    model = lissom.robots.gough_stewart_model()
    legs = tuple(reversed(model.active))
    assert lissom.ParallelRobot(model, active=legs).torque_names == legs
    with pytest.raises(NameLookupError, match="no joint 'lefty'"):
        ClosedRobot(five_bar(), active=("lefty", "right"))


def test_under_actuated_mechanisms_say_which_joints_move():
    with pytest.raises(ModelError, match="under-actuated: it has 2 degrees of freedom, and with left held still.*still move"):
        ClosedRobot(five_bar(active=("left",))).nq  # noqa: B018


def test_over_constrained_mechanisms_say_so():
    model = lissom.robots.four_bar_model()
    second = Loop("brace", "spherical", "crank", "base", second_pose=lissom.Pose(translation=(0.0, 0.0, 0.0)))
    tight = Loop("tight", "rigid", "coupler", "rocker")
    # the frames of coupler and rocker as they stand at home, welded
    home = ClosedRobot(model).link_poses([1.0])
    relative = np.linalg.inv(home[2]) @ home[3]
    tight = dataclasses.replace(tight, first_pose=lissom.Pose(relative[:3, :3], relative[:3, 3]))
    with pytest.raises(ModelError, match="cannot move: its loops have 3 independent equations.*over-constrained"):
        ClosedRobot(dataclasses.replace(model, loops=(tight,))).nq  # noqa: B018
    assert ClosedRobot(dataclasses.replace(model, loops=(*model.loops, second))).mobility().degrees_of_freedom == 1


def test_an_active_joint_that_the_loops_hold_still():
    """A crank welded to the base, while a five-bar goes on moving."""
    model = five_bar()
    links = (*model.links, lissom.Link("flag", lissom.Inertia(0.1, (0.1, 0, 0), np.diag([1e-3] * 3))))
    joints = (*model.joints, Joint("flag_joint", "revolute", "base", "flag"))
    loops = (*model.loops, Loop("bolt", "rigid", "base", "flag"))
    stuck = dataclasses.replace(model, links=links, joints=joints, loops=loops, active=("left", "right", "flag_joint"))
    with pytest.raises(ModelError, match="active joint 'flag_joint' cannot move: the loops hold it still"):
        ClosedRobot(stuck).nq  # noqa: B018
    assert ClosedRobot(stuck).mobility().immobile == ("flag_joint",)


def test_names_and_kinds():
    with pytest.raises(ModelError, match="unknown kind of loop 'hinge'"):
        Loop("a", "hinge", "x", "y")
    with pytest.raises(NameLookupError, match="no joint 'lefty'.*did you mean 'left'"):
        five_bar(active=("lefty", "right"))
    with pytest.raises(ModelError, match="joint 'left' is active twice"):
        five_bar(active=("left", "left"))
    with pytest.raises(ModelError, match="active joint 'pose' is floating"):
        dataclasses.replace(lissom.robots.gough_stewart_model(), active=("pose",))
    with pytest.raises(ModelError, match="active joints are for closed robots"):
        five_bar(loops=(), posture=())
    with pytest.raises(ModelError, match="the loops of a model must be a sequence of Loop"):
        five_bar(loops=("pin",))


def test_states():
    robot = lissom.robots.five_bar()
    good = robot.home()
    with pytest.raises(StateError, match="q has size 4, expected nq = 2"):
        robot.inverse_dynamics(np.zeros(4), [0, 0], [0, 0])
    with pytest.raises(StateError, match="qd has size 3"):
        robot.inverse_dynamics(good, [0, 0, 0], [0, 0])
    with pytest.raises(StateError, match="nan for joint 'right'"):
        robot.inverse_dynamics([good[0], np.nan], [0, 0], [0, 0])
    with pytest.raises(StateError, match=r"qd\[1\] .joint 'right'. is inf"):
        robot.inverse_dynamics(good, [0, np.inf], [0, 0])
    with pytest.raises(StateError, match="give coordinates q, or tree_q="):
        robot.inverse_dynamics(None, [0, 0], [0, 0])
    with pytest.raises(StateError, match="weights are for robots with more drives"):
        robot.inverse_dynamics(good, [0, 0], [0, 0], weights=[1, 1])
    with pytest.raises(StateError, match="no axes 'body'"):
        robot.joint_wrenches(good, [0, 0], [0, 0], axes="body")
    with pytest.raises(NameLookupError, match="no link 'tool'"):
        robot.inverse_dynamics(good, [0, 0], [0, 0], external={"tool": lissom.Wrench((0, 0, 1), axes="world")})
    extra = ClosedRobot(five_bar(active=("left", "right", "left_elbow")))
    with pytest.raises(StateError, match="weights must be 3 positive numbers"):
        extra.inverse_dynamics(good, [0, 0], [0, 0], weights=[1, 1, 0])
    with pytest.raises(StateError, match="weights name 'elbow', which is not active"):
        extra.inverse_dynamics(good, [0, 0], [0, 0], weights={"elbow": 2.0})


def test_fingerprints():
    plain = five_bar(loops=(), active=None, posture=())
    assert plain.fingerprint == five_bar().without_loops().fingerprint
    assert plain.fingerprint != five_bar().fingerprint != five_bar(active=("right", "left")).fingerprint


def test_closed_robots_are_pickled():
    for robot in (lissom.robots.five_bar(), lissom.robots.delta()):
        again = pickle.loads(pickle.dumps(robot))
        assert (again.home() == robot.home()).all()
        assert type(again) is type(robot)


def test_repr_and_names():
    robot = lissom.robots.five_bar()
    assert repr(robot) == "<ClosedRobot 'five_bar': 1 loop, 2 coordinates, 2 drives>"
    assert robot.passive_names == ("left_elbow", "right_elbow")
    assert robot.wrench_names == ("left", "left_elbow", "right", "right_elbow", "pin")
    assert isinstance(robot.model, Model)
    assert robot.operation_count("inverse_dynamics").multiplications > 0
    with pytest.raises(NameLookupError, match="no function 'inverse'"):
        robot.operation_count("inverse")


def test_a_configuration_of_the_tree_has_to_close_the_loops():
    robot = lissom.robots.five_bar()
    with pytest.raises(lissom.StateError, match=r"tree_q= does not close the loops: loop 'pin' is open by 0.137 m and 0 rad"):
        robot.inverse_dynamics(None, [1.0, 1.0], [1.0, 1.0], tree_q=robot.home_tree_q() + [0.0, 0.3, 0.0, -0.2])
    with pytest.raises(lissom.StateError, match="near= does not close the loops"):
        robot.closure(robot.home(), near=robot.home_tree_q() + 0.1)
    with pytest.raises(lissom.StateError, match=r"the leading axes of q \(2, 2\), qd \(3, 2\)"):
        robot.inverse_dynamics(np.ones((2, 2)), np.ones((3, 2)), [1.0, 1.0])


def test_motors_behind_springs_begin_with_their_springs_at_rest():
    model = lissom.robots.five_bar_model()
    rotor = lissom.Inertia(0.1, (0.0, 0.0, 0.0), ((1e-4, 0.0, 0.0), (0.0, 1e-4, 0.0), (0.0, 0.0, 1e-4)))
    motor = lissom.Motor("motor", "left", None, 10.0, rotor, spring=lissom.Spring(200.0, 0.1))
    robot = lissom.ClosedRobot(model.replace(motors=(motor,), active=("left", "right", "motor")))
    at = dict(zip(robot.tree.joint_names, robot.home_tree_q(), strict=True))
    assert at["motor"] == pytest.approx(at["left"] + 0.1)
    assert robot.tree.spring_energy(robot.home_tree_q()) == pytest.approx(0.0, abs=1e-20)


def test_postures_far_off_are_refused():
    joint = five_bar().posture[0][0]
    with pytest.raises(ModelError, match=f"posture of joint '{joint}' is .4294967296.0. .rad or m., farther than 1e.06"):
        five_bar(posture=((joint, (4294967296.0,)),))


@pytest.mark.parametrize("length", [1e160, 1e200, 1e300])
def test_lengths_that_overflow_leave_loops_open(length):
    model = lissom.robots.slider_crank_model()
    far = lissom.Pose(translation=(length, 0.0, 0.0))
    for k in range(len(model.joints)):
        joints = tuple(dataclasses.replace(j, origin=far) if i == k else j for i, j in enumerate(model.joints))
        with pytest.raises(lissom.LissomError, match="cannot be closed here"):
            ClosedRobot(dataclasses.replace(model, joints=joints)).nq  # noqa: B018


def test_more_loops_than_can_be_closed_are_refused():
    (loop,) = five_bar().loops
    with pytest.raises(ModelError, match="101 loops, expected at most 100"):
        five_bar(loops=tuple(dataclasses.replace(loop, name=f"loop {k}") for k in range(101)))


def test_coordinates_far_off_are_refused_by_name():
    robot = ClosedRobot(five_bar())
    with pytest.raises(StateError, match="q has 1e.200 for joint 'right', farther than 1e.09"):
        robot.closure([2.0, 1e200])
