"""Where links are and how they move: against plain multiplication, against differences of it, along all axes, at all points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import NameLookupError, Robot, StateError
from lissom.algorithms.kinematics.kinematics import AXES, frames_in_world, link_frame
from lissom.robots import tree_model
from lissom.tree import lump, reframe
from support.kinematics import Motion, link_poses, rate_of_coordinates, velocities
from support.states import random_states
from support.trees import trees

seeds = st.integers(0, 1000)
H = 1e-30
WAYS = {"world": {}, "link": {"axes": "link"}, "origin": {"point": "origin"}, "both": {"axes": "link", "point": "origin"}}
ALL = tree_model(9, seed=3, floating=True, coupled=0.4, tails=0.4, fixed=0.4)


def moved(twist, R=None, by=None):
    """Return a motion seen from a point `by` away, then along other axes: R' of the components."""
    linear, angular = twist[:3], twist[3:]
    linear = linear if by is None else linear + np.cross(angular, by)
    return np.concatenate([linear, angular] if R is None else [R.T @ linear, R.T @ angular])


@given(trees(), seeds)
def test_links_are_where_plain_multiplication_puts_them(model, seed):
    robot, (q, _, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    poses, plain = robot.link_poses(q), link_poses(model, q)[0]
    assert poses.shape == (len(model.links), 4, 4)
    for pose, link in zip(poses, robot.link_names, strict=True):
        assert np.allclose(pose[:3, :3], plain[link][0], rtol=0, atol=1e-13)
        assert np.allclose(pose[:3, 3], plain[link][1], rtol=0, atol=1e-12)
        assert np.array_equal(pose[3], [0, 0, 0, 1])
        assert np.array_equal(robot.link_pose(q, link), pose)


@given(trees(), seeds)
def test_velocity_is_the_rate_of_the_pose(model, seed):
    robot, (q, qd, _) = Robot(model, backend="numpy"), random_states(model, seed=seed)
    rates = link_poses(model, q + 1j * H * rate_of_coordinates(model, q, qd))[0]
    for link, (R, p) in rates.items():
        W = np.imag(R) / H @ np.real(R).T
        twist = np.array([*np.imag(p) / H, W[2, 1], W[0, 2], W[1, 0]])
        size = max(1.0, np.abs(twist).max())
        ours = {name: robot.link_velocity(q, qd, link, **way) for name, way in WAYS.items()}
        assert np.allclose(ours["world"], twist, rtol=0, atol=1e-12 * size)
        assert np.allclose(ours["link"], moved(twist, R=np.real(R)), rtol=0, atol=1e-12 * size)
        assert np.allclose(ours["origin"], moved(twist, by=-np.real(p)), rtol=0, atol=1e-11 * size)
        assert np.allclose(ours["both"], moved(twist, R=np.real(R), by=-np.real(p)), rtol=0, atol=1e-11 * size)


@settings(max_examples=15)
@given(trees(), seeds)
def test_classical_acceleration_is_the_rate_of_the_velocity(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    for link, (w, v) in velocities(Motion(model, *state), 1j * H).items():
        rate = np.imag([*v, *w]) / H
        ours = robot.link_acceleration(*state, link)
        assert np.allclose(ours, rate, rtol=0, atol=1e-7 * max(1.0, np.abs(rate).max()))


@given(trees(), seeds)
def test_spatial_acceleration_lacks_the_velocity_turned_and_transforms_as_a_velocity_does(model, seed):
    robot, state = Robot(model, backend="numpy"), random_states(model, seed=seed)
    link = model.links[seed % len(model.links)].name
    for way in WAYS.values():
        V = robot.link_velocity(*state[:2], link, **way)
        classical, spatial = (robot.link_acceleration(*state, link, **way, classical=c) for c in (True, False))
        size = max(1.0, np.abs(classical).max())
        assert np.allclose(classical[:3] - spatial[:3], np.cross(V[3:], V[:3]), rtol=0, atol=1e-11 * size)
        assert np.allclose(classical[3:], spatial[3:], rtol=0, atol=1e-12 * size)
    pose = robot.link_pose(state[0], link)
    A = {name: robot.link_acceleration(*state, link, **way, classical=False) for name, way in WAYS.items()}
    R, p = pose[:3, :3], pose[:3, 3]
    assert np.allclose(A["link"], moved(A["world"], R=R), rtol=0, atol=1e-11 * size)
    assert np.allclose(A["origin"], moved(A["world"], by=-p), rtol=0, atol=1e-11 * size)
    assert np.allclose(A["both"], moved(A["world"], R=R, by=-p), rtol=0, atol=1e-11 * size)


@pytest.mark.parametrize("axes", AXES)
def test_a_point_moves_with_its_link(axes, backend):
    robot, state = Robot(ALL, backend=backend), random_states(ALL, 5, seed=1)
    points = np.random.default_rng(1).normal(size=(5, 3))
    velocity = robot.link_velocity(*state[:2], "link_9", axes=axes, point=points)
    acceleration = robot.link_acceleration(*state, "link_9", axes=axes, point=points)
    for k in range(5):
        V = robot.link_velocity(*(x[k] for x in state[:2]), "link_9", axes=axes)
        A = robot.link_acceleration(*(x[k] for x in state), "link_9", axes=axes)
        R = robot.link_pose(state[0][k], "link_9")[:3, :3] if axes == "world" else np.eye(3)
        arm, w = R @ points[k], V[3:]
        assert np.allclose(velocity[k], moved(V, by=arm), rtol=0, atol=1e-12)
        expected = moved(A, by=arm) + [*np.cross(w, np.cross(w, arm)), 0, 0, 0]
        assert np.allclose(acceleration[k], expected, rtol=0, atol=1e-11)


def test_plain_floats_give_the_pose_in_any_frames_of_the_recursion():
    q = random_states(ALL, seed=2)[0]
    for tree in (lump(ALL), reframe(lump(ALL))):
        frames = frames_in_world(tree, [float(x) for x in q], range(len(tree.bodies)))
        for link, (R, p) in link_poses(ALL, q)[0].items():
            own = link_frame(tree, frames, link)
            assert all(type(x) is float for x in own.p)
            assert np.allclose([list(row) for row in own.R.rows], R, rtol=0, atol=1e-14)
            assert np.allclose(list(own.p), p, rtol=0, atol=1e-13)


def test_machine_code_agrees_with_numpy_for_batches_and_single_states():
    compiled, plain = Robot(ALL, backend="llvm"), Robot(ALL, backend="numpy")
    state = random_states(ALL, (3, 7), seed=4)
    calls = {
        "link_poses": lambda r, q, qd, qdd: r.link_poses(q),
        "link_pose": lambda r, q, qd, qdd: r.link_pose(q, "link_9"),
        "link_velocity": lambda r, q, qd, qdd: r.link_velocity(q, qd, "link_9"),
        "link_acceleration": lambda r, q, qd, qdd: r.link_acceleration(q, qd, qdd, "link_9"),
        "jacobian": lambda r, q, qd, qdd: r.jacobian(q, "link_9", axes="link", point="origin"),
        "jacobian_rate_product": lambda r, q, qd, qdd: r.jacobian_rate_product(q, qd, "link_9", point="origin"),
    }
    for name, call in calls.items():
        ours, theirs = call(compiled, *state), call(plain, *state)
        assert ours.shape == theirs.shape and ours.shape[:2] == (3, 7), name
        assert np.allclose(ours, theirs, rtol=0, atol=1e-12 * np.abs(theirs).max()), name
        one = call(compiled, *(x[1, 2] for x in state))
        assert np.allclose(one, theirs[1, 2], rtol=0, atol=1e-12 * np.abs(theirs).max()), name


def test_the_result_goes_where_the_caller_wants_it(backend):
    robot, (q, qd, qdd) = Robot(ALL, backend=backend), random_states(ALL, 4, seed=5)
    for shape, call in [
        ((4, 4, 4), lambda **o: robot.link_pose(q, "link_3", **o)),
        ((4, len(ALL.links), 4, 4), lambda **o: robot.link_poses(q, **o)),
        ((4, 6), lambda **o: robot.link_velocity(q, qd, "link_3", **o)),
        ((4, 6), lambda **o: robot.link_acceleration(q, qd, qdd, "link_3", **o)),
        ((4, 6, ALL.nv), lambda **o: robot.jacobian(q, "link_3", **o)),
        ((4, 6), lambda **o: robot.jacobian_rate_product(q, qd, "link_3", **o)),
    ]:
        out = np.full(shape, np.nan)
        assert call(out=out) is out
        assert np.array_equal(out, call())


@pytest.mark.sweep("numpy")
def test_what_is_fixed_to_the_base_stands_still(backend):
    model = tree_model(3, seed=8, fixed=1.0)
    robot, (q, qd, qdd) = Robot(model, backend=backend), random_states(model, 2, seed=5)
    for link in ("ground", "bracket_1"):
        assert np.array_equal(robot.link_pose(q, link)[0], robot.link_pose(q, link)[1])
        for way in WAYS.values():
            assert not robot.link_velocity(q, qd, link, **way).any()
            assert not robot.link_acceleration(q, qd, qdd, link, **way).any()
            assert not robot.jacobian(q, link, **way).any()


def test_steps_and_differences_at_the_front_door():
    robot = Robot(ALL, backend="numpy")
    q, v, _ = random_states(ALL, 3, seed=6, size=0.3)
    assert np.allclose(robot.difference(q, robot.integrate(q, v, 0.5)), 0.5 * v, rtol=0, atol=1e-13)


def test_wrong_arguments_are_named():
    robot = Robot(ALL, backend="numpy")
    q, v = robot.neutral(), np.zeros(robot.nv)
    with pytest.raises(NameLookupError, match="no link 'link_99' in .*; did you mean 'link_9'"):
        robot.link_pose(q, "link_99")
    with pytest.raises(StateError, match="link must be the name of a link, got 3"):
        robot.jacobian(q, 3)
    with pytest.raises(StateError, match="no axes 'wrld'; did you mean 'world'"):
        robot.link_velocity(q, v, "link_9", axes="wrld")
    with pytest.raises(StateError, match="no point 'tip'; expected three numbers in the link's frame .m., or 'origin' for that"):
        robot.jacobian(q, "link_9", point="tip")
    with pytest.raises(StateError, match="point has size 2, expected 3"):
        robot.jacobian(q, "link_9", point=(1, 0))
    with pytest.raises(StateError, match=r"point\[1\] \(given in the call\) is nan"):
        robot.jacobian(q, "link_9", point=(1, np.nan, 0))
    with pytest.raises(StateError, match="qd has size 2, expected nv = "):
        robot.link_acceleration(q, [1, 2], v, "link_9")
    with pytest.raises(StateError, match="v has size 2, expected"):
        robot.integrate(q, [1, 2])
    with pytest.raises(StateError, match="q is not finite"):
        robot.integrate(q + np.inf, v)
    with pytest.raises(StateError, match="dt must be a time .* got 'soon'"):
        robot.integrate(q, v, "soon")
    with pytest.raises(StateError, match="dt is not finite"):
        robot.integrate(q, v, np.nan)
    with pytest.raises(StateError, match="end: the quaternion of joint 'free' is zero"):
        robot.difference(q, 0 * q)
    with pytest.raises(StateError, match=r"the leading axes of start \(2,\), end \(3,\) do not fit together"):
        robot.difference([q] * 2, [q] * 3)
