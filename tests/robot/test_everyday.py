"""What a robot is asked for at once: limits, random configurations, payloads, summaries."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import lissom
from lissom import Coupling, Inertia, Joint, Limits, Link, Model, ModelError, Motor, Robot, Spring, StateError, robots
from lissom.robots import tree_model
from support.states import random_states

TENSOR = np.array([[0.02, 0.001, 0.002], [0.001, 0.03, -0.003], [0.002, -0.003, 0.025]])
BOX = {"mass": 2.5, "com": (0.02, -0.03, 0.1), "inertia": TENSOR}
LIMITS = (Limits(-1.0, 2.0, 3.0, 4.0), Limits(-0.5, 0.5, 1.0, 9.0))


def branched(limits=LIMITS, ratio=-2.0, offset=0.1):
    """Return a floating trunk with a turn, a slide that follows it, a ball and a slide without limits."""
    body = Inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.01)
    links = [Link("ground"), *(Link(name, body) for name in ("trunk", "a", "b", "c", "d"))]
    joints = (
        Joint("free", "floating", "ground", "trunk"),
        Joint("turn", "revolute", "trunk", "a", limits=limits[0]),
        Joint("follower", "prismatic", "a", "b", limits=limits[1], coupling=Coupling("turn", ratio, offset)),
        Joint("ball", "spherical", "trunk", "c"),
        Joint("slide", "prismatic", "c", "d", limits=Limits(velocity=7.0)),
    )
    return Model("branched", tuple(links), joints)


def test_limits_are_arrays_in_the_order_of_q_and_qd():
    limits = Robot(branched()).limits
    inf = np.inf
    # the follower, at -2 turn + 0.1, is within -0.5 .. 0.5 where turn is within -0.2 .. 0.3, and at most half as fast
    assert np.allclose(limits.lower, [-inf] * 7 + [-0.2] + [-inf] * 5)
    assert np.allclose(limits.upper, [inf] * 7 + [0.3] + [inf] * 5)
    assert np.allclose(limits.velocity, [inf] * 6 + [0.5] + [inf] * 3 + [7.0])
    assert np.allclose(limits.effort, [inf] * 6 + [4.0] + [inf] * 4)
    assert limits.names[7:] == ("turn", "ball_qx", "ball_qy", "ball_qz", "ball_qw", "slide")
    assert repr(limits) == "<CoordinateLimits: 1 of 13 positions, 2 of 11 velocities, 1 of 11 efforts are limited>"
    assert limits.position.shape == (13, 2)
    assert limits.position[7].tolist() == [limits.lower[7], limits.upper[7]]
    with pytest.raises(ValueError, match="read-only"):
        limits.lower[7] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        limits.position[7, 0] = 0.0


def test_limits_are_those_of_the_joints_of_an_arm():
    model = robots.panda_model()
    limits = Robot(model).limits
    moving = model.independent_joints
    for name in ("lower", "upper", "velocity", "effort"):
        assert getattr(limits, name).tolist() == [getattr(joint.limits, name) for joint in moving]


def test_limits_without_a_common_position_are_an_error():
    robot = Robot(branched((Limits(1.0, 2.0), Limits(0.0, 1.0))))
    with pytest.raises(
        ModelError, match="limits of joint 'turn' and of 'follower', which follows it, leave no position; correct them in"
    ):
        _ = robot.limits


def test_random_configurations_are_within_limits_and_have_unit_quaternions():
    robot = Robot(branched())
    q = robot.random_configuration(np.random.default_rng(3), size=(40, 50)).reshape(-1, robot.nq)
    limits = robot.limits
    assert (q >= limits.lower).all() and (q <= limits.upper).all()
    assert np.allclose(np.linalg.norm(q[:, 3:7], axis=1), 1.0) and np.allclose(np.linalg.norm(q[:, 8:12], axis=1), 1.0)
    assert np.abs(q[:, :3]).max() <= 1.0 and np.abs(q[:, 12]).max() <= 1.0
    # uniform: means within five standard errors of the middle, the fourth moment of a uniform unit quaternion's entry is 1/8
    wide = {0: (-1.0, 1.0), 7: (-0.2, 0.3), 12: (-1.0, 1.0)}
    for k, (low, high) in wide.items():
        assert abs(q[:, k].mean() - (low + high) / 2) < 5 * (high - low) / np.sqrt(12 * len(q))
    assert np.allclose((q[:, 3:7] ** 4).mean(axis=0), 1 / 8, atol=5 * np.sqrt(0.03 / len(q)))


def test_joints_without_limits_turn_once_around_and_slide_a_meter():
    joints = (
        Joint("around", "continuous", "ground", "a"),
        Joint("from", "revolute", "a", "b", limits=Limits(lower=2.0)),
        Joint("to", "prismatic", "b", "c", limits=Limits(upper=-4.0)),
    )
    model = Model("m", (Link("ground"), *(Link(name, Inertia(1.0)) for name in "abc")), joints)
    q = Robot(model).random_configuration(0, size=2000)
    for k, (low, high) in enumerate(((-np.pi, np.pi), (2.0, 2.0 + 2 * np.pi), (-6.0, -4.0))):
        assert low <= q[:, k].min() < low + 0.02 * (high - low)
        assert high - 0.02 * (high - low) < q[:, k].max() <= high


def test_random_configurations_depend_on_the_generator_alone():
    robot = robots.puma560()
    one = robot.random_configuration(7)
    assert one.shape == (6,) and np.array_equal(one, robot.random_configuration(np.random.default_rng(7)))
    assert not np.array_equal(robot.random_configuration(), robot.random_configuration())
    assert robot.random_configuration(1, size=0).shape == (0, 6) and robot.random_configuration(1, size=3).shape == (3, 6)


@pytest.mark.parametrize("rng", ["seven", -1, 1.5])
def test_what_is_no_generator_is_refused(rng):
    with pytest.raises(StateError, match="rng must be a numpy.random.Generator, a seed or None, got"):
        robots.rr().random_configuration(rng)


@pytest.mark.parametrize("size", [-1, (2, -3), "many", 2.5])
def test_what_is_no_size_is_refused(size):
    with pytest.raises(StateError, match="size must be a number of configurations, or the shape of a batch, got"):
        robots.rr().random_configuration(size=size)


def test_motors_behind_springs_stand_where_these_are_at_rest():
    model = robots.planar_two_link_model()
    rotor = Inertia(0.1, (0, 0, 0), np.diag([1e-4, 1e-4, 2e-4]))
    motor = Motor("m", "elbow", ratio=50.0, inertia=rotor, spring=Spring(300.0, rest=0.2), limits=Limits(-1.0, 1.0))
    robot = Robot(model.replace(motors=(motor,)))
    q = robot.random_configuration(0, size=500)
    free = np.abs(q[:, 1] + 0.2) < 1.0
    assert 20 < free.sum() < 480
    assert np.allclose(q[free, 2], q[free, 1] + 0.2) and np.abs(q[:, 2]).max() == 1.0


def test_a_payload_is_a_body_on_a_fixed_joint():
    """The same body as a link of its own must need the same torques."""
    model = robots.panda_model()
    box = Link("box", Inertia(BOX["mass"], BOX["com"], BOX["inertia"]))
    grip = Joint("grip", "fixed", "flange", "box")
    apart = Robot(model.replace(links=(*model.links, box), joints=(*model.joints, grip)))
    state = random_states(model, 5, seed=4)
    empty = Robot(model)
    for robot in (empty.with_payload(**BOX), empty.with_payload(2.5, BOX["com"], BOX["inertia"], "flange")):
        assert np.allclose(robot.inverse_dynamics(*state), apart.inverse_dynamics(*state), rtol=1e-12, atol=1e-12)
    assert empty.model == model and not np.allclose(empty.inverse_dynamics(*state), apart.inverse_dynamics(*state), atol=1.0)


def test_a_payload_keeps_backend_and_class():
    class Mine(Robot):
        pass

    loaded = Mine(robots.rr_model(), backend="numpy").with_payload(0.5)
    assert type(loaded) is Mine and loaded.backend.name == "numpy"
    assert loaded.model.links[-1].inertia.mass == robots.rr_model().links[-1].inertia.mass + 0.5


def test_a_robot_of_several_ends_needs_to_know_which_one_carries():
    robot = Robot(branched())
    with pytest.raises(ModelError, match="'branched' has 2 ends: 'b', 'd'; give the link that carries the payload with link="):
        robot.with_payload(1.0)
    assert robot.with_payload(1.0, link="b").model.link("b").inertia.mass == 2.0
    with pytest.raises(lissom.NameLookupError, match="no link 'e' in 'branched'"):
        robot.with_payload(1.0, link="e")
    still = Robot(Model("still", (Link("a"), Link("b", Inertia(1.0))), (Joint("j", "fixed", "a", "b"),)))
    with pytest.raises(ModelError, match="'still' has no link that moves; give the link"):
        still.with_payload(1.0)
    many = Robot(tree_model(40, branching=20, seed=1))
    with pytest.raises(ModelError, match=r"ends: .* and \d+ more; give the link"):
        many.with_payload(1.0)
    with pytest.raises(ModelError, match="mass must be positive, got -1"):
        robot.with_payload(-1.0, link="b")


def test_ends_that_cannot_move_do_not_count():
    model = robots.rr_model()
    base = model.joints[0].parent
    marked = model.replace(links=(*model.links, Link("mark")), joints=(*model.joints, Joint("at", "fixed", base, "mark")))
    assert Robot(marked).with_payload(1.0).model.links == (*Robot(model).with_payload(1.0).model.links, Link("mark"))


def test_a_summary_names_every_moving_joint_with_its_limits():
    text = Robot(branched()).summary()
    lines = text.splitlines()
    assert lines[0] == "branched: 6 links, 5 joints, 5 kg, nq = 13, nv = 11"
    assert lines[1].split() == ["joint", "kind", "link", "mass", "[kg]", "range", "speed", "effort"]
    assert lines[3].split() == ["turn", "revolute", "a", "1", "-1", "..", "2", "rad", "3", "rad/s", "4", "N", "m"]
    assert "prismatic, follows turn" in lines[4] and "-0.5 .. 0.5 m" in lines[4] and lines[4].endswith("9 N")
    assert lines[-1] == "gravity (0, 0, -9.81) m/s^2"


def test_a_summary_fits_a_terminal():
    huge = Robot(tree_model(200, seed=1))
    lines = huge.summary().splitlines()
    assert len(lines) <= 35 and any("and 170 more moving joints" in line for line in lines)
    for robot in (huge, robots.panda(), robots.srms(), robots.hua_arm(), robots.gough_stewart()):
        assert max(map(len, robot.summary().splitlines())) <= 120
    motors = robots.hua_arm().summary()
    assert all(motor.name[:20] in motors for motor in robots.hua_arm().model.motors)


def test_names_cannot_write_to_a_terminal_or_a_page():
    body = Inertia(1.0)
    joint = Joint("<script>\x1b[2J", "revolute", "ground", "body\n<b>", limits=Limits(-1, 1))
    robot = Robot(Model("<i>\r", (Link("ground"), Link("body\n<b>", body)), (joint,)))
    text, html = robot.summary(), robot._repr_html_()
    assert "\x1b" not in text and "\r" not in text and len(text.splitlines()) == 4
    assert "<script" not in html and "<i>" not in html and "&lt;script&gt;" in html


def test_a_table_of_a_robot_without_limits_has_no_columns_for_them():
    html = robots.hua_arm()._repr_html_()
    assert ">mass [kg]<" in html and ">range<" not in html and ">speed<" not in html
    assert ">range<" in robots.puma560()._repr_html_() and ">speed<" not in robots.puma560()._repr_html_()


@pytest.mark.slow
def test_mechanisms_with_loops_have_limits_and_random_coordinates_that_close_the_loops():
    for robot in (robots.five_bar(), robots.gough_stewart()):
        q = robot.random_configuration(2, size=(2, 5))
        assert q.shape == (2, 5, robot.nq)
        limits = robot.limits
        assert (q >= limits.lower).all() and (q <= limits.upper).all()
        assert robot.closure_error(robot.closure(q)).max() < 1e-9
        own = {joint.name: joint.limits.effort for joint in robot.model.independent_joints}
        assert limits.effort.tolist() == [own[name] for name in robot.torque_names]
        assert np.array_equal(q, robot.random_configuration(2, size=(2, 5)))
    legs = robots.gough_stewart().model.joint("leg_1").limits
    assert np.allclose(limits.lower, legs.lower) and np.allclose(limits.upper, legs.upper)


def test_a_mechanism_whose_loops_hardly_ever_close_says_so():
    model = robots.five_bar_model()
    # both cranks where no forearms meet
    far = {"left": Limits(-1.0, -0.9), "right": Limits(np.pi + 0.9, np.pi + 1.0)}
    narrow = lambda joint: Joint(**{**vars(joint), "limits": far[joint.name]}) if joint.name in far else joint  # noqa: E731
    robot = lissom.ClosedRobot(model.with_joints(narrow))
    with pytest.raises(StateError, match="the loops of 'five_bar' closed at 0 of 1 random coordinates in 50 rounds; set limits"):
        robot.random_configuration(0)


@pytest.mark.slow
def test_a_platform_carries_a_payload_by_default():
    robot = robots.delta()
    loaded = robot.with_payload(0.7, com=(0, 0, 0.05))
    assert type(loaded) is type(robot) and loaded.model.link("platform").inertia.mass == pytest.approx(1.0)
    # at rest the drives hold its weight: the work of a small motion is that of the weight
    q, J = robot.home(), robot.platform_jacobian(robot.home())
    more = loaded.inverse_dynamics(q, 0 * q, 0 * q) - robot.inverse_dynamics(q, 0 * q, 0 * q)
    assert np.allclose(more, J.T @ [0, 0, 0.7 * 9.81], atol=1e-9)
    assert "loops: ball_1, ball_2, ball_3; active joints: drive_1, drive_2, drive_3" in robot.summary()
    with pytest.raises(ModelError, match="'five_bar' has 2 ends: 'left_forearm', 'right_forearm'; give the link"):
        robots.five_bar().with_payload(1.0)


def test_a_payload_warns_of_its_own_inertia_and_not_again_of_the_robots():
    robot = robots.puma560()  # link_3 is known to be doubtful
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot.with_payload(1.0)
    with pytest.warns(lissom.ModelWarning, match="link 'flange': principal moments violate the triangle inequality"):
        robots.panda().with_payload(1.0, inertia=np.diag([0.1, 0.2, 0.9]))


def coupled(own, other, ratio=-1.0):
    joints = (
        Joint("leader", "revolute", "ground", "a", limits=own),
        Joint("other", "revolute", "a", "b", limits=other, coupling=Coupling("leader", ratio)),
    )
    return Robot(Model("m", (Link("ground"), Link("a", Inertia(1.0)), Link("b", Inertia(1.0))), joints))


def test_a_range_of_one_position_is_drawn_from():
    robot = coupled(Limits(0.0, 0.5), Limits(0.0, 0.5))  # only 0 suits both
    assert robot.limits.lower.tolist() == robot.limits.upper.tolist() == [0.0]
    assert not np.signbit(robot.limits.upper).any()
    assert robot.random_configuration(0, size=3).tolist() == [[0.0]] * 3


def test_a_range_wider_than_the_largest_number_is_drawn_from():
    q = coupled(Limits(-1e308, 1e308), Limits()).random_configuration(0, size=200)
    assert np.abs(q).max() <= 1e308 and q.min() < -9e307 and q.max() > 9e307


def test_what_follows_from_the_model_cannot_be_set():
    robot = robots.panda()
    for one in (robot, robots.five_bar()):
        for name in ("limits", "total_mass", "link_names", "backend"):
            with pytest.raises(AttributeError, match=f"'{name}' of a .*Robot cannot be set: it follows from the model"):
                setattr(one, name, 3)
    slow = robot.model.with_joints(lambda joint: replace(joint, limits=replace(joint.limits, velocity=1.0)))
    assert Robot(slow).limits.velocity.tolist() == [1.0] * 7 and robot.limits.velocity.max() > 2.0


def test_six_numbers_of_inertia_are_those_of_files():
    t = TENSOR
    six = (t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2])
    robot = robots.panda()
    assert robot.with_payload(2.5, inertia=six).model == robot.with_payload(2.5, inertia=TENSOR).model
    with pytest.raises(ModelError, match="inertia must be a 3x3 matrix"):
        robot.with_payload(2.5, inertia=(1, 2, 3, 4, 5))


def test_a_payload_on_a_link_that_cannot_move_warns_and_the_summary_counts_it_as_fixed():
    robot = robots.panda()
    base = robot.model.joints[0].parent
    with pytest.warns(lissom.ModelWarning, match=f"link '{base}' cannot move, so that a payload on it changes no torque"):
        loaded = robot.with_payload(5.0, link=base)
    q = np.ones(7)
    assert np.array_equal(loaded.gravity_torques(q), robot.gravity_torques(q)) and loaded.total_mass == robot.total_mass
    assert f"{robot.total_mass + 5.0:.6g} kg (5 kg of it fixed), nq" in loaded.summary().splitlines()[0]


def test_the_summary_names_motors_with_their_joints():
    model = robots.hua_arm().model
    text = " ".join(robots.hua_arm().summary().split())
    for motor in model.motors[:8]:
        assert f"{motor.name} at {motor.joint}" in text
