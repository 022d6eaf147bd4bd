"""Quantities of task space: values beside the robot's own functions and Pinocchio, angles beside closed forms, errors."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.predict import State
from lissom.predict.quantities.by_name import Quantities
from lissom.robots import tree_model
from lissom.spatial.quaternion import quaternion_from_rotation, rotation_from_quaternions
from support.elastic_arms import by_differences, hua
from support.states import error

MODEL = tree_model(5, branching=1.5, skew=0.7, seed=4, kinds=["revolute", "prismatic", "revolute"], drives=True)
TIP = MODEL.links[-1].name
POINT = (0.1, -0.2, 0.3)


def random_state(n, count=6, orders=4, seed=0):
    rng = np.random.default_rng(seed)
    return State(tuple(rng.uniform(-1.5, 1.5, (count, n)) for _ in range(orders)))


def turned_about(axis, angles):
    """Return rotations by angles (K,) about a unit vector."""
    half = np.asarray(angles)[:, None] / 2
    return rotation_from_quaternions(np.hstack([np.sin(half) * axis, np.cos(half)]))


def ball_joint():
    """Three hinges whose axes meet: any orientation of the last link."""
    axes = {"a": (0, 0, 1), "b": (0, 1, 0), "c": (1, 0, 0)}
    links = [lissom.Link("base"), *(lissom.Link(f"link_{name}", lissom.Inertia(1.0)) for name in axes)]
    joints = [
        lissom.Joint(name, lissom.JointKind.REVOLUTE, before.name, after.name, axis=axis)
        for (name, axis), before, after in zip(axes.items(), links, links[1:], strict=False)
    ]
    return Robot(lissom.Model("ball", tuple(links), tuple(joints)))


def angles_of(R):
    """Return yaw, pitch and roll (K, 3) of rotations (K, 3, 3)."""
    return np.stack(
        [np.arctan2(R[:, 1, 0], R[:, 0, 0]), -np.arcsin(np.clip(R[:, 2, 0], -1, 1)), np.arctan2(R[:, 2, 1], R[:, 2, 2])], axis=1
    )


def at(q):
    return State((q,) + (np.zeros_like(q),) * 3)


def test_values_are_those_of_the_robot(backend):
    robot = Robot(MODEL, backend=backend)
    quantities, state = Quantities(robot), random_state(MODEL.nv)
    q, qd, qdd, _ = state.rates

    def of(name, **options):
        return quantities.get(name, **options).values(state)

    for axes in ("world", "link"):
        options = {"link": TIP, "axes": axes, "point": POINT}
        assert error(of("link_velocity", **options), robot.link_velocity(q, qd, **options)) < 1e-13
        assert error(of("link_acceleration", **options), robot.link_acceleration(q, qd, qdd, **options)) < 1e-13
    assert error(of("link_velocity", link=TIP), robot.link_velocity(q, qd, TIP)) < 1e-13
    v = robot.link_velocity(q, qd, TIP, point=POINT)[:, :3]
    assert error(of("speed_squared", link=TIP, point=POINT)[:, 0], (v * v).sum(axis=1)) < 1e-13
    for about in ("com", "origin"):
        assert error(of("momentum", about=about), robot.momentum(q, qd, point=about)) < 1e-13
    J = robot.center_of_mass_jacobian(q)
    assert error(of("center_of_mass_velocity"), (J @ qd[..., None])[..., 0]) < 1e-13


def test_velocities_and_momenta_are_those_of_pinocchio():
    pin = pytest.importorskip("pinocchio")
    from support.peer import Peer

    peer, state, quantities = Peer(MODEL), random_state(MODEL.nv, 3, seed=1), Quantities(Robot(MODEL))
    for k, (q, qd, _, _) in enumerate(zip(*state.rates, strict=True)):
        pin.computeCentroidalMomentum(peer.model, peer.data, peer.q(q), peer.G @ qd)
        theirs = np.array(peer.data.hg.vector)
        assert error(quantities.get("momentum").values(state)[k], theirs) < 1e-12
        pin.centerOfMass(peer.model, peer.data, peer.q(q), peer.G @ qd)
        assert error(quantities.get("center_of_mass_velocity").values(state)[k], peer.data.vcom[0]) < 1e-12


def test_accelerations_are_the_slope_of_velocities_along_a_motion():
    quantities = Quantities(Robot(MODEL))
    path = lissom.SplinePath(np.random.default_rng(5).normal(size=(9, MODEL.nv)), 1.3, 5)
    t, h = np.array([0.2, 0.61, 1.0]), 1e-5
    velocity = quantities.get("link_velocity", link=TIP, point=POINT)
    after, before = (velocity.values(State(path.states(t + x))) for x in (h, -h))
    ours = quantities.get("link_acceleration", link=TIP, point=POINT).values(State(path.states(t)))
    assert error(ours, (after - before) / (2 * h)) < 1e-8


def test_momentum_of_an_elastic_arm_counts_its_spinning_rotors():
    robot = hua()
    path = lissom.SplinePath(np.random.default_rng(4).normal(size=(12, robot.link_nv)), 2.0, 7)
    t = np.linspace(0.1, 1.9, 7)
    q, qd, _, _ = by_differences(robot, path, t)
    state, quantities = State.along(path, t, 6), Quantities(robot)
    assert error(quantities.get("momentum").values(state), robot.momentum(q, qd)) < 1e-7
    still = np.zeros_like(qd[:, robot.link_nv :])
    joints = robot.momentum(q, np.hstack([qd[:, : robot.link_nv], still]))
    assert error(robot.momentum(q, qd), joints) > 1e-4
    assert error(quantities.get("link_velocity", link="tip").values(state), robot.link_velocity(q, qd, "tip")) < 1e-7


@pytest.mark.slow
def test_a_closed_robot_moves_its_links_as_its_own_functions_say():
    robot = lissom.robots.five_bar()
    rng = np.random.default_rng(0)
    q, qd, qdd = robot.home() + 0.1 * rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 2))
    quantities, state = Quantities(robot), State((q, qd, qdd, 0 * q))
    tip: dict = {"link": "left_forearm", "point": (0.35, 0.0, 0.0)}
    assert error(quantities.get("link_velocity", **tip).values(state), robot.link_velocity(q, qd, **tip)) < 1e-12
    tree_q, tree_qd, tree_qdd = robot.tree_motion(q, qd, qdd)
    tree = robot.tree
    theirs = tree.link_acceleration(tree_q, tree_qd, tree_qdd, **tip)
    assert error(quantities.get("link_acceleration", **tip).values(state), theirs) < 1e-11
    assert error(quantities.get("momentum").values(state), tree.momentum(tree_q, tree_qd)) < 1e-12


@pytest.mark.sweep(6)
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 0.4, 1.6, 2.2, 3.0, np.pi - 1e-3])
def test_orientation_is_twice_the_sine_of_half_the_angle_along_the_axis(backend, angle):
    robot = Robot(ball_joint().model, backend=backend)
    rng = np.random.default_rng(7)
    axes = np.concatenate([rng.normal(size=(20, 3)), np.eye(3), -np.eye(3)])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    target = rotation_from_quaternions(rng.normal(size=4))
    for axis in axes:
        q = angles_of(target @ turned_about(axis, [angle]))
        found = Quantities(robot).get("orientation", link="link_c", target=target).values(at(q))[0]
        assert np.abs(found - 2 * np.sin(angle / 2) * axis).max() < 1e-9


def test_link_pose_is_the_way_and_the_turn_from_its_target():
    quantities, state = Quantities(Robot(MODEL)), random_state(MODEL.nv)
    R = rotation_from_quaternions(np.array([0.3, -0.2, 0.5, 0.8]))
    target = np.block([[R, np.array([[0.4], [-0.5], [0.6]])], [np.zeros((1, 3)), np.ones((1, 1))]])
    found = quantities.get("link_pose", link=TIP, target=target, point=POINT)
    assert found.labels[2:4] == (f"{TIP}.z", f"{TIP}.rx") and found.units() == ("m", "m", "m", "1", "1", "1")
    position = quantities.get("link_position", link=TIP, point=POINT).values(state)
    turn = quantities.get("orientation", link=TIP, target=R).values(state)
    assert error(found.values(state), np.hstack([position - [0.4, -0.5, 0.6], turn])) < 1e-14
    again = quantities.get("link_pose", link=TIP, target=lissom.Pose(R, (0.4, -0.5, 0.6)), point=POINT)
    assert np.allclose(again.values(state), found.values(state), atol=1e-14)


def test_orientation_is_two_half_a_turn_away_in_every_direction():
    quantity = Quantities(ball_joint()).get("orientation", link="link_c")
    for axis in np.eye(3):
        q = angles_of(turned_about(axis, [np.pi]))
        assert abs(np.linalg.norm(quantity.values(at(q))) - 2) < 1e-12
        assert np.isfinite(quantity.derivatives(at(q))).all()


def test_a_quaternion_and_its_matrix_are_the_same_target():
    R = rotation_from_quaternions(np.array([0.3, -0.2, 0.5, 0.8]))
    quantities, state = Quantities(Robot(MODEL)), random_state(MODEL.nv)
    one = quantities.get("orientation", link=TIP, target=R).values(state)
    two = quantities.get("orientation", link=TIP, target=quaternion_from_rotation(R)).values(state)
    assert error(one, two) < 1e-14


@pytest.mark.parametrize("direction", [(0, 0, 1), (0, 2, 0), (-1, 0, 0), (0.3, -0.4, 1.2)])
def test_tilt_is_twice_the_sine_of_half_the_angle_and_zero_at_the_direction_alone(backend, direction):
    robot, axis = Robot(ball_joint().model, backend=backend), np.array([0.5, 1.0, -0.2])
    q = np.random.default_rng(8).uniform(-1.5, 1.5, (40, 3))
    ours = Quantities(robot).get("tilt", link="link_c", axis=axis, direction=direction).values(at(q))
    z = robot.link_pose(q, "link_c")[:, :3, :3] @ axis / np.linalg.norm(axis)
    angles = np.arccos(z @ direction / np.linalg.norm(direction))
    assert error(np.linalg.norm(ours, axis=1), 2 * np.sin(angles / 2)) < 1e-12


def test_the_entries_of_tilt_lean_towards_x_and_y_where_the_direction_is_up():
    quantity = Quantities(ball_joint()).get("tilt", link="link_c")
    towards_x, towards_y = np.array([[0.0, 0.1, 0.0]]), np.array([[0.0, 0.0, -0.1]])
    assert np.allclose(quantity.values(at(towards_x)), [[2 * np.sin(0.05), 0.0]])
    assert np.allclose(quantity.values(at(towards_y)), [[0.0, 2 * np.sin(0.05)]])
    upside_down = at(np.array([[0.0, 0.0, np.pi]]))
    assert (
        np.linalg.norm(quantity.values(upside_down)) == pytest.approx(2) and np.isfinite(quantity.derivatives(upside_down)).all()
    )


def test_labels_and_units_say_what_the_entries_are():
    quantities = Quantities(ball_joint())
    velocity = quantities.get("link_velocity", link="link_c")
    assert velocity.labels[0] == "link_c.vx" and velocity.labels[5] == "link_c.wz"
    assert velocity.units() == ("m/s",) * 3 + ("rad/s",) * 3
    assert quantities.get("link_acceleration", link="link_c").units() == ("m/s^2",) * 3 + ("rad/s^2",) * 3
    assert quantities.get("momentum").units() == ("N s",) * 3 + ("N m s",) * 3
    assert quantities.get("speed_squared", link="link_c").entry_label(0) == "speed_squared of link_c"
    assert quantities.get("tilt", link="link_c").entry_label(1) == "tilt of link_c.v"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("link_velocity", {}, "'link_velocity' needs link="),
        ("link_velocity", {"link": "hnad"}, "no link 'hnad'"),
        ("link_velocity", {"link": "link_c", "axes": "sky"}, "no axes 'sky' of a velocity"),
        ("speed_squared", {"link": "link_c", "point": (0, 1)}, "point is .*, expected three numbers"),
        ("link_pose", {"link": "link_c", "target": np.eye(3)}, r"target has shape \(3, 3\), expected \(4, 4\)"),
        ("link_pose", {"link": "link_c", "target": (1, 2, 3)}, "target of link_pose is a position, expected a pose"),
        ("orientation", {"link": "link_c", "target": (1, 2, 3)}, "target is .*expected a rotation matrix .* or a quaternion"),
        ("orientation", {"link": "link_c", "target": 2 * np.eye(3)}, "target is not a rotation matrix"),
        ("orientation", {"link": "link_c", "target": -np.eye(3)}, "right-handed"),
        ("orientation", {"link": "link_c", "target": (0, 0, 0, 0)}, "target: a quaternion must not be zero"),
        ("tilt", {"link": "link_c", "axis": (0, 0, 0)}, "axis is zero, expected three numbers, a direction"),
        ("tilt", {"link": "link_c", "direction": "up"}, "direction is 'up', expected three numbers, a direction"),
        ("momentum", {"about": "foot"}, "no momentum about 'foot'"),
    ],
)
def test_wrong_options_are_errors(name, options, message):
    with pytest.raises(lissom.LissomError, match=message):
        Quantities(ball_joint()).get(name, **options)
