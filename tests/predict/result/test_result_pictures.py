"""Pictures of predictions: what is drawn is what was found."""

import numpy as np
import pytest
from PIL import Image

import lissom
from lissom import FileError, MotionProblem, StateError
from lissom.view.animation import best_view
from lissom.view.stick import best_plane, shown, sticks

LENGTH = 0.4


@pytest.fixture(scope="module")
def rr():
    problem = MotionProblem(lissom.robots.rr(), control_points=10, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    return problem.limit("torque", -10, 10).limit("velocity", -8, 8, at=0.5).limit("position", -12, 12).minimize("time").solve()


@pytest.fixture(scope="module")
def panda():
    problem = MotionProblem(lissom.robots.panda(), control_points=8, duration=(0.1, 3.0))
    problem.start([0, -0.5, 0, -2, 0, 1.6, 0.7]).end([1, 0.3, -0.5, -1.2, 0.4, 2.0, 0])
    return problem.limit_by_model().minimize("time").solve(restart=False)


def panel(figure, title):
    (found,) = [axis for axis in figure.axes if axis.get_title(loc="left") == title]
    return found


def dashed(axis):
    return sorted(float(line.get_ydata()[0]) for line in axis.lines if line.get_linestyle() == "--")


def test_every_joint_has_its_force_position_and_velocity(rr):
    titles = [axis.get_title(loc="left") for axis in rr.plot().axes]
    assert titles[:3] == ["joint_1: torque", "joint_1: position", "joint_1: velocity"]
    assert titles[3:6] == ["joint_2: torque", "joint_2: position", "joint_2: velocity"]
    assert titles[6] == "joint reaction forces (magnitude)"
    assert titles[7].startswith("motion, one pose per")


def test_curves_are_the_motion_and_its_forces(rr):
    figure, t = rr.plot(points=31), rr.times(31)
    for k in (1, 2):
        for what, values, unit in (("torque", rr.torques(t), "N m"), ("position", rr.states(t)[0], "rad")):
            axis = panel(figure, f"joint_{k}: {what}")
            curve = next(line for line in axis.lines if len(line.get_xdata()) == 31)
            assert np.array_equal(curve.get_xdata(), t)
            assert np.array_equal(curve.get_ydata(), values[:, k - 1])
            assert axis.get_ylabel() == f"[{unit}]"


def test_limits_are_lines_marks_or_words(rr):
    figure = rr.plot()
    assert dashed(panel(figure, "joint_1: torque")) == [-10, 10]
    # a limit at one instant is a mark there
    velocity = panel(figure, "joint_2: velocity")
    assert dashed(velocity) == []
    marks = [line for line in velocity.lines if line.get_marker() == "_"]
    half = rr.duration / 2
    assert {(float(m.get_xdata()[0]), float(m.get_ydata()[0])) for m in marks} == {(half, -8.0), (half, 8.0)}
    # one far away is written down: its line would flatten the curve
    position = panel(figure, "joint_1: position")
    assert dashed(position) == []
    assert position.get_title(loc="right") == "limit -12, 12 rad"


def test_sizes_of_forces_are_those_of_the_wrenches(rr):
    axis = panel(rr.plot(points=31), "joint reaction forces (magnitude)")
    forces = rr.joint_wrenches(rr.times(31))[..., :3]
    for k in range(2):
        assert np.allclose(axis.lines[k].get_ydata(), np.sqrt((forces[:, k] ** 2).sum(axis=-1)))
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["joint_1", "joint_2"]


def test_the_strobe_picture_shows_the_arm_in_its_plane(rr):
    axis = rr.plot().axes[-1]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("x [m]", "y [m]")
    poses = [line for line in axis.lines if line.get_linestyle() == "-"]
    q = rr.path.at(rr.times(len(poses)))
    for line, (q1, q2) in zip(poses, q, strict=True):
        elbow = LENGTH * np.array([np.cos(q1), np.sin(q1)])
        tip = elbow + LENGTH * np.array([np.cos(q1 + q2), np.sin(q1 + q2)])
        points = np.stack(line.get_data(), axis=1)
        for point in (np.zeros(2), elbow, tip):
            assert np.linalg.norm(points - point, axis=1)[~np.isnan(points[:, 0])].min() < 1e-12


def test_joints_can_be_chosen(rr):
    assert len(rr.plot(joints=["joint_2"]).axes) == 3 + 2
    with pytest.raises(StateError, match="cannot plot joint 'joint_9'; did you mean"):
        rr.plot(joints=["joint_9"])
    with pytest.raises(StateError, match="joints is empty"):
        rr.plot(joints=[])


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_picture_is_written_and_its_path_returned(panda, tmp_path, ending):
    path = panda.plot(tmp_path / f"panda{ending}", joints=["joint_1"])
    assert path == tmp_path / f"panda{ending}"
    assert path.stat().st_size > 10_000
    with pytest.raises(FileError, match="cannot draw into a file ending in '.bmp'"):
        panda.plot(tmp_path / "panda.bmp")


def test_sticks_pass_through_the_frames_of_links(panda):
    q = panda.path.at(panda.times(3))
    lines = sticks(panda.robot, q).lines
    for k, joint in enumerate(panda.robot.model.joints):
        assert np.allclose(lines[:, k, 0], panda.robot.link_pose(q, joint.parent)[:, :3, 3])
        assert np.allclose(lines[:, k, 3], panda.robot.link_pose(q, joint.child)[:, :3, 3])
        # a turning joint stays where it is: before its motion and after it
        assert np.allclose(lines[:, k, 1], lines[:, k, 2])


def test_a_sliding_joint_is_as_long_as_its_way():
    robot = lissom.robots.rp(0.0)
    lines = sticks(robot, np.array([[0.0, 0.3], [0.25, 0.3]])).lines
    assert np.allclose(np.linalg.norm(lines[:, 0, 2] - lines[:, 0, 1], axis=-1), [0.0, 0.25])


def test_the_best_plane_is_that_of_the_points():
    random = np.random.default_rng(1)
    flat = random.normal(size=(50, 3)) * [1.0, 0.0, 1.0]
    plane = best_plane(flat)
    assert plane.flat
    assert plane.labels == ("x [m]", "z [m]")
    assert np.array_equal(plane.project(flat), flat[:, [0, 2]])
    # turned by 30 degrees about z: lengths in the plane stay, and z is up
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    turned = flat @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    plane = best_plane(turned)
    assert plane.flat
    assert np.allclose(np.linalg.norm(plane.project(turned), axis=1), np.linalg.norm(turned, axis=1))
    assert plane.labels == ("along (0.87, 0.50, 0.00) [m]", "z [m]")
    assert not best_plane(random.normal(size=(50, 3))).flat
    assert best_plane(np.outer(np.arange(5.0), [1.0, 2.0, 0.0])).flat  # on a line
    assert best_plane(np.zeros((4, 3))).flat


def test_names_in_pictures_are_printable_and_short():
    assert shown("elbow") == "elbow"
    assert shown("a\x00b\nc\u202ed") == "a?b?c?d"
    assert shown("x" * 100) == "x" * 29 + "..."


@pytest.mark.slow
def test_an_animation_has_its_pictures_and_its_time(rr, tmp_path):
    path = rr.animate(tmp_path / "rr.gif", frames=12, seconds=1.0)
    with Image.open(path) as gif:
        assert gif.n_frames == 12
        lasts, seen = [], set()
        for k in range(12):
            gif.seek(k)
            lasts.append(gif.info["duration"])
            seen.add(gif.convert("RGB").tobytes())
    assert sum(lasts) == 1000 + 1000  # and the last stays for a second
    assert len(seen) == 12
    assert 5_000 < path.stat().st_size < 500_000


def test_a_short_motion_is_slowed_down_to_be_seen(rr, tmp_path):
    with Image.open(rr.animate(tmp_path / "rr.gif", frames=6)) as gif:
        total = 0
        for k in range(gif.n_frames):
            gif.seek(k)
            total += gif.info["duration"]
    assert total == 3000 + 1000


def test_a_robot_that_leaves_the_plane_moves_in_space(panda, tmp_path):
    with Image.open(panda.animate(tmp_path / "panda.gif", frames=5, seconds=0.5)) as gif:
        assert gif.n_frames == 5
    points = panda.robot.poses_along(panda.coordinates(panda.times(5))[0])[..., :3, 3].reshape(-1, 3)
    assert best_view(panda.robot.model, points) == "default"


@pytest.mark.parametrize(
    ("right", "up", "gravity"),
    [((1, 0, 0), (0, 0, 1), (0, 0, -9.81)), ((0, 1, 0), (0, 0, 1), (0, 0, -9.81)), ((1, 0, 0), (0, 1, 0), (0, -9.81, 0))],
)
def test_a_motion_in_an_upright_plane_is_seen_nearly_along_its_normal(rr, right, up, gravity):
    from lissom.view.camera import camera
    from lissom.view.scene.scene import Scene

    right, up = np.array(right, dtype=float), np.array(up, dtype=float)
    points = np.random.default_rng(2).normal(size=(20, 2)) @ np.stack([right, up])
    azimuth, elevation = best_view(rr.robot.model.replace(gravity=gravity), points)
    scene = Scene("", ("world",), np.eye(4)[None, None], np.zeros(1), (), up=up)
    seen = camera(scene, (100, 100), (azimuth, elevation)).pose[:3, :3].T
    assert seen[0] @ right > 0.9 and seen[1] @ up > 0.9 and seen[2] @ np.cross(right, up) > 0.9


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"path": "a.mp4"}, FileError, "cannot write an animation into a file ending in '.mp4'; use .gif"),
        ({"frames": 1}, StateError, "frames is 1, expected a whole number from 2 to 1000"),
        ({"frames": 100, "seconds": 1.0}, StateError, "100 frames in 1 s, expected at most 50 per second"),
        ({"seconds": float("nan")}, StateError, "60 frames in nan s"),
    ],
)
def test_animations_that_cannot_be_are_refused(rr, tmp_path, options, error, message):
    path = tmp_path / options.pop("path", "a.gif")
    with pytest.raises(error, match=message):
        rr.animate(path, **options)
    assert not list(tmp_path.iterdir())
