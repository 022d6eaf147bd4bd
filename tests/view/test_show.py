"""Every result can be shown: what is drawn at a time is where the robot is then, and options and files are explained."""

import json
import re

import numpy as np
import pytest

import lissom
from lissom.errors import FileError, StateError
from lissom.timing import time_optimal
from lissom.view import show as showing
from lissom.view.scene.frames import frame_times
from support.scenes import matrices, read_back


@pytest.fixture
def shown(monkeypatch):
    """Return a function that gives the data of the scene that a `show` would show."""
    kept = []
    monkeypatch.setattr(showing, "show", lambda scene, save=None, live=None, **output: kept.append((scene, save, live, output)))

    def data(show, *args, **options):
        show(*args, **options)
        scene, *_ = kept[-1]
        return read_back(scene)

    data.calls = kept
    return data


@pytest.fixture(scope="module")
def arm():
    return lissom.robots.rr()


@pytest.fixture(scope="module")
def swing(arm):
    link = arm.link_names[-1]
    push = lissom.Wrench(force=(0.0, 1.0, 0.0), axes="world")
    return arm.simulate([0.5, 0.2], [0.0, 0.0], 1.0, torque=[0.4, 0.1], external={link: push})


def drawn_at(data, link, prefix=""):
    return matrices(data["poses"][:, data["bodies"].index(prefix + link)])


def test_a_trajectory_is_drawn_where_it_is_at_each_time(arm, swing, shown):
    data = shown(swing.show)
    assert len(data["times"]) == 121 and data["times"][-1] == 1.0
    for link in arm.link_names:
        expected = np.array([arm.link_pose(swing.at(t).q, link) for t in data["times"]])
        np.testing.assert_allclose(drawn_at(data, link), expected, atol=1e-6)


def test_a_trajectory_shows_its_torques_and_external_wrenches(arm, swing, shown):
    data = shown(swing.show)
    arrows = {arrow["name"]: arrow for arrow in data["arrows"]}
    assert set(arrows) == {*arm.torque_names, f"force on {arm.link_names[-1]}"}
    np.testing.assert_allclose(np.abs(arrows[arm.torque_names[0]]["vector"]).max(axis=1), 0.4, atol=1e-6)
    np.testing.assert_allclose(arrows[f"force on {arm.link_names[-1]}"]["vector"], [[0.0, 1.0, 0.0]] * 121)


def test_a_trajectory_from_a_table_does_not_know_its_wrenches(arm, swing, tmp_path):
    assert swing.external is not None
    assert lissom.Trajectory.load(swing.save(tmp_path / "motion.csv"), arm).external is None


def test_a_closed_trajectory_is_drawn_on_its_own_branch(shown):
    robot = lissom.robots.four_bar()
    other = robot.branches(robot.home())[-1]
    motion = robot.simulate(None, np.zeros(robot.nv), 0.1, tree_q=other)
    data = shown(motion.show, layers={"reactions": True})
    for link in robot.link_names:
        np.testing.assert_allclose(drawn_at(data, link)[0], robot.tree.link_pose(other, link), atol=1e-5)
    assert any(arrow["layer"] == "reactions" for arrow in data["arrows"])


def test_many_motions_side_by_side_are_not_shown_at_once(arm):
    many = arm.simulate(np.zeros((3, 2)), np.zeros((3, 2)), 0.1, method="rk4", dt=0.01)
    with pytest.raises(StateError, match=r"the trajectory has \(3,\) motions side by side, and one is shown at a time"):
        many.show(save="x.html")


def test_events_are_marked_on_the_slider(arm, shown):
    event = lissom.simulate.Event(lambda t, q, qd: t - 0.25, name="quarter")
    motion = arm.simulate([0.5, 0.2], [0.0, 0.0], 0.5, events=event)
    assert [(round(t, 6), text) for t, text in shown(motion.show)["events"]] == [(0.25, "quarter")]


@pytest.fixture(scope="module")
def prediction(arm):
    tip = arm.link_names[-1]
    problem = lissom.MotionProblem(arm, control_points=10, duration=(0.3, 2.0), name="reach")
    problem.start([0.0, -2.0]).end([1.0, -1.0]).limit("velocity", -6, 6).minimize("time")
    problem.avoid(tip, center=(5.0, 5.0, 0.0), distance=0.3)
    where = arm.link_pose([0.5, -1.5], tip)[:3, 3]
    problem.limit("link_position", where - 9.0, where + 9.0, link=tip, at=0.5)
    problem.limit("link_position", *[arm.link_pose([1.0, -1.0], tip)[:3, 3]] * 2, link=tip, at=1.0)
    return problem.solve()


def test_a_prediction_is_drawn_with_obstacles_targets_start_and_end(arm, prediction, shown):
    data = shown(prediction.show)
    q = prediction.coordinates(data["times"])[0]
    np.testing.assert_allclose(drawn_at(data, arm.link_names[-1]), arm.link_pose(q, arm.link_names[-1]), atol=1e-6)
    layers = {part["layer"] for part in data["parts"]}
    assert {"obstacles", "targets", "ghosts", "paths"} <= layers and data["name"] == "reach"
    (ball,) = [part for part in data["parts"] if part["layer"] == "obstacles"]
    np.testing.assert_allclose([*ball["pose"][:3], ball["scale"][0]], [5.0, 5.0, 0.0, 0.3])
    (target,) = [part for part in data["parts"] if part["layer"] == "targets"]
    np.testing.assert_allclose(target["pose"][:3], arm.link_pose([1.0, -1.0], arm.link_names[-1])[:3, 3])
    assert not [part for part in shown(prediction.show, ghosts=0)["parts"] if part["layer"] == "ghosts"]


def test_a_timing_is_drawn_where_it_is_at_each_time(arm, shown):
    timing = time_optimal(arm, np.array([[0.0, 0.0], [1.0, 0.5], [0.5, 1.0]]), torque=20.0)
    data = shown(timing.show, fps=30)
    q = timing.states(data["times"])[0]
    np.testing.assert_allclose(drawn_at(data, arm.link_names[-1]), arm.link_pose(q, arm.link_names[-1]), atol=1e-6)


def test_tracking_is_drawn_over_its_reference(arm, swing, shown):
    tracking = lissom.control.track(swing, np.array([0.3, -0.4]), name="hold")
    data = shown(tracking.show)
    names = [name for name in data["bodies"] if name.endswith(arm.link_names[-1])]
    wanted = matrices(data["poses"][:, data["bodies"].index(names[1])])
    np.testing.assert_allclose(wanted, [arm.link_pose([0.3, -0.4], arm.link_names[-1])] * len(wanted), atol=1e-6)
    assert data["name"] == "hold"


def test_inverse_kinematics_shows_robot_and_target(shown):
    robot = lissom.robots.stanford()
    poses = robot.link_pose(robot.random_configuration(3, size=2), "link_6")
    found = robot.inverse_kinematics("link_6", poses)
    data = shown(found.show)
    np.testing.assert_allclose(drawn_at(data, "link_6")[[0, -1]], poses, atol=1e-5)
    axes = [part for part in data["parts"] if part["layer"] == "targets" and part["scale"][0] > 0.02]
    np.testing.assert_allclose([matrices(part["pose"]) for part in axes], poses, atol=1e-6)
    closed = lissom.robots.five_bar()
    tip = closed.link_pose(closed.home(), closed.link_names[-1])[:3, 3]
    assert shown(closed.inverse_kinematics(closed.link_names[-1], position=tip).show)["times"].tolist() == [0.0]


def test_several_targets_of_a_closed_robot_are_shown_with_closed_loops(shown):
    robot = lissom.robots.five_bar()
    link = robot.link_names[-1]
    q = robot.home() + np.array([[0.0, 0.0], [0.05, -0.05], [0.1, 0.0]])
    found = robot.inverse_kinematics(link, position=robot.link_pose(q, link)[:, :3, 3])
    data = shown(found.show)
    loop = robot.model.loops[0]
    ends = [
        drawn_at(data, name)[:, :3, :3] @ pose.p + drawn_at(data, name)[:, :3, 3]
        for name, pose in ((loop.first, loop.first_pose), (loop.second, loop.second_pose))
    ]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)
    np.testing.assert_allclose(drawn_at(data, link)[-1], robot.tree.link_pose(found.tree_q[-1], link), atol=1e-5)


def test_a_result_without_targets_has_nothing_to_show():
    robot = lissom.robots.rr()
    with pytest.raises(StateError, match="no target, so there is nothing to show"):
        robot.inverse_kinematics(robot.link_names[-1], position=np.zeros((0, 3))).show()


def test_a_robot_stands_at_its_neutral_or_home_coordinates(shown):
    robot = lissom.robots.panda()
    data = shown(robot.show)
    np.testing.assert_allclose(
        drawn_at(data, robot.link_names[-1])[0], robot.link_pose(robot.neutral(), robot.link_names[-1]), atol=1e-6
    )
    closed = lissom.robots.five_bar()
    shown(closed.show)
    _, _, (live, q), _ = shown.calls[-1]
    assert live is closed
    np.testing.assert_array_equal(q, closed.home())


def test_several_poses_are_passed_through_one_after_the_other(shown):
    robot = lissom.robots.tree(3, seed=4, kinds=("spherical", "revolute"))
    q = robot.random_configuration(4, size=4)
    data = shown(robot.show, q)
    assert data["times"][-1] == pytest.approx(1.5)
    at = [int(np.argmin(np.abs(data["times"] - t))) for t in (0.0, 0.5, 1.0, 1.5)]
    for link in robot.link_names:
        np.testing.assert_allclose(drawn_at(data, link)[at], robot.link_pose(q, link), atol=1e-5)
    # links stay joined between the poses: no link changes its distance from the joint that holds it
    moving = drawn_at(data, robot.model.joints[0].child)
    still = robot.model.joints[0]
    if np.linalg.norm(still.tail.p) == 0.0:
        np.testing.assert_allclose(moving[:, :3, 3], np.broadcast_to(still.origin.p, moving[:, :3, 3].shape), atol=1e-5)


def test_motors_behind_springs_may_be_left_out(shown):
    robot = lissom.robots.hua_arm()
    data = shown(robot.show, [0.1, 0.2, 0.3])
    expected = robot.link_pose([0.1, 0.2, 0.3, 0.0], "tip")
    np.testing.assert_allclose(drawn_at(data, "tip")[0], expected, atol=1e-6)


@pytest.mark.parametrize("where", ["beside", "over"])
def test_two_motions_share_time_and_the_shorter_one_waits_at_its_end(arm, swing, shown, where):
    short = arm.simulate([0.1, 0.2], [0.0, 0.0], 0.4)
    data = shown(swing.show, **{where: short})
    tip, name = arm.link_names[-1], arm.name
    one, two = drawn_at(data, tip, f"{name} 1: "), drawn_at(data, tip, f"{name} 2: ")
    t = data["times"]
    assert t[-1] == 1.0
    np.testing.assert_allclose(one, [arm.link_pose(swing.at(x).q, tip) for x in t], atol=1e-6)
    expected = np.array([arm.link_pose(short.at(min(x, 0.4)).q, tip) for x in t])
    shift = (two - expected)[:, :3, 3]
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=2e-6)
    assert (np.linalg.norm(shift[0]) > 0.1) == (where == "beside")
    np.testing.assert_allclose(two[..., :3, :3], expected[..., :3, :3], atol=1e-6)
    assert len([part for part in data["parts"] if part["layer"] == "ground"]) == 1


def test_links_in_the_same_place_are_drawn_once_where_one_motion_is_over_another(arm, swing, shown):
    still = arm.simulate([0.1, 0.2], [0.0, 0.0], 0.4)
    bodies = {part["body"] for part in shown(swing.show, over=still)["parts"] if part["layer"] == "frames"}
    both = shown(swing.show, over=still)["bodies"]
    assert f"{arm.name} 2: {arm.model.base}" in both and both.index(f"{arm.name} 2: {arm.model.base}") not in bodies
    assert both.index(f"{arm.name} 2: {arm.link_names[-1]}") in bodies


def test_two_motions_that_are_compared_have_the_names_that_are_given(arm, swing, shown):
    short = arm.simulate([0.1, 0.2], [0.0, 0.0], 0.4)
    tip = arm.link_names[-1]
    data = shown(swing.show, beside=short, names=("fast", "<b>gentle</b>"))
    assert data["name"] == "fast and <b>gentle</b>" and [text for text, *_ in data["labels"]] == ["fast", "<b>gentle</b>"]
    assert {f"fast: {tip}", f"<b>gentle</b>: {tip}"} < set(data["bodies"])
    assert shown(swing.show, over=short, names=["fast", "gentle"])["name"] == "fast, and gentle in orange"
    with pytest.raises(StateError, match="names= are of two motions that are compared, and one is shown; title= names it"):
        swing.show(names=("fast", "gentle"), save="x.html")


def test_a_motion_is_compared_with_a_motion_of_another_robot(swing, shown):
    other = lissom.robots.stanford()
    data = shown(swing.show, beside=other, title="both")
    assert data["name"] == "both" and f"stanford: {other.link_names[-1]}" in data["bodies"]


def test_arrows_of_two_motions_have_one_scale(arm, swing, shown):
    weak = arm.simulate([0.5, 0.2], [0.0, 0.0], 0.5, torque=[0.01, 0.01])
    data = shown(swing.show, beside=weak)
    assert len({arrow["scale"] for arrow in data["arrows"] if arrow["layer"] == "torques"}) == 1


def test_frames_are_even_and_not_too_many():
    assert len(frame_times(0.0, 0.7)) == 121
    assert len(frame_times(0.0, 10.0)) == 601
    assert len(frame_times(0.0, 3600.0)) == 1501
    np.testing.assert_allclose(np.diff(frame_times(1.0, 2.0, 25)), 0.04)
    assert frame_times(3.0, 3.0).tolist() == [3.0]
    for wrong in (0, -1, "fast", True, np.nan):
        with pytest.raises(StateError, match="fps is .*, expected frames per second: a positive number"):
            frame_times(0.0, 1.0, wrong)
    with pytest.raises(StateError, match="fps=1e.06 makes 1000000 frames of 1 s, expected 20000 at most"):
        frame_times(0.0, 1.0, 1e6)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"layer": ["com"]}, "show has no option layer=; did you mean 'layers'"),
        ({"sav": "x.png"}, "show has no option sav=; did you mean 'save'"),
        ({"size": (100, 100)}, "size= is for .png and .jpg and .jpeg and .gif and .mp4 files, and nothing is saved"),
        ({"speed": 0.5, "save": "x.png"}, "speed= is for .gif and .mp4 files, and 'x.png' is another file"),
        ({"time": 0.5, "save": "x.html"}, "time= is for .png and .jpg and .jpeg files, and 'x.html' is another file"),
        ({"port": 8000, "save": "x.html"}, "port= is for the view in a browser, and a file is written; leave out save= or port="),
        ({"names": "fast"}, "names must be the two texts that say which motion is which, got 'fast'"),
        ({"names": ("fast", 2)}, r"names must be the two texts that say which motion is which, got \('fast', 2\)"),
        ({"beside": 3}, "beside is int, expected another motion"),
        ({"over": "other"}, "over is str, expected another motion"),
    ],
)
def test_options_of_show_are_explained(swing, shown, options, message):
    with pytest.raises(StateError, match=message):
        swing.show(**options)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"paths": ["nowhere"]}, r"paths is \['nowhere'\], and only motions have paths; one pose is shown"),
        ({"paths": True}, "paths is True, and only motions have paths; one pose is shown"),
        ({"ghosts": 3}, "ghosts is 3, and only motions have earlier poses; one pose is shown"),
        ({"ghosts": [0.5]}, r"ghosts is \[0.5\], and only motions have earlier poses; one pose is shown"),
    ],
)
def test_one_pose_has_neither_paths_nor_ghosts(arm, shown, options, message):
    with pytest.raises(StateError, match=message):
        arm.show(save="x.html", **options)
    key = next(iter(options))
    assert shown(arm.show, **{key: 0 if key == "ghosts" else False})["name"] == arm.name


def test_beside_and_over_exclude_each_other(swing):
    with pytest.raises(StateError, match="beside and over are both given"):
        swing.show(beside=swing, over=swing, save="x.html")


@pytest.mark.parametrize("name", ["pose.pdf", "pose", "pose.HTLM"])
def test_other_endings_are_refused_before_any_work(arm, name):
    with pytest.raises(FileError, match="cannot show anything in a file ending in .*; use .html for a page, .png for a picture"):
        arm.show(save=name)


@pytest.mark.parametrize(
    "q, message",
    [
        ([0.0], r"q has shape \(1,\), expected \(2,\) for 'barman_rr', or \(K, 2\) for K poses"),
        ("home", "q has the value 'home', expected"),
        (np.zeros((30_000, 2)), r"q has 30000 poses, and 20000 can be shown; leave some out: q\[::2\]"),
        ([0.0, np.nan], "q is not finite"),
        (np.zeros((2, 2, 2)), r"q has shape \(2, 2, 2\), expected"),
        (np.zeros((0, 2)), "expected"),
    ],
)
def test_coordinates_that_do_not_fit_are_explained(arm, q, message):
    with pytest.raises(StateError, match=message):
        arm.show(q, save="x.html")


def test_a_page_a_picture_and_a_film_are_written(arm, swing, tmp_path):
    page = swing.show(save=tmp_path / "deep" / "motion.html")
    text = page.read_text("utf-8")
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1])
    assert data["format"] == 1 and data["bodies"][1:3] == list(arm.link_names[:2])
    assert arm.show(save=tmp_path / "pose.png", size=(64, 48)).read_bytes()[:4] == b"\x89PNG"
    assert swing.show(save=tmp_path / "motion.gif", size=(64, 48), fps=5, speed=2.0).read_bytes()[:3] == b"GIF"


def test_without_a_file_a_live_view_is_served(arm, swing, monkeypatch):
    import lissom.view.live

    served = []
    monkeypatch.setattr(lissom.view.live, "serve", lambda *given, **more: served.append(given))
    monkeypatch.setattr(lissom.view.live, "in_notebook", lambda: False)
    arm.show([0.1, 0.2])
    swing.show()
    (_, robot, q), (_, none, nothing) = served
    assert robot is arm and q.tolist() == [0.1, 0.2] and none is nothing is None


def test_in_a_notebook_it_is_shown_below_the_cell(arm, monkeypatch):
    import lissom.view.live

    shown = []
    monkeypatch.setattr(lissom.view.live, "show_inline", lambda *given, **more: shown.append(given))
    monkeypatch.setattr(lissom.view.live, "in_notebook", lambda: True)
    arm.show([0.1, 0.2])
    assert shown[0][1] is arm


def test_predictions_beside_each_other_are_called_by_their_problems(arm, prediction, swing, shown):
    data = shown(prediction.show, beside=swing)
    assert data["name"] == f"reach and {arm.name}"
    assert f"reach: {arm.link_names[-1]}" in data["bodies"] and f"{arm.name}: {arm.link_names[-1]}" in data["bodies"]


def test_a_huge_robot_has_fewer_frames():
    assert len(frame_times(0.0, 100.0, None, 10_000)) == 201
    with pytest.raises(StateError, match="fps=60 makes 6000 frames of 100 s, expected 800 at most"):
        frame_times(0.0, 100.0, 60, 10_000)


def test_a_prediction_from_a_file_knows_its_obstacles_and_targets(arm, prediction, shown, tmp_path):
    loaded = lissom.Prediction.load(prediction.save(tmp_path / "reach.npz"), arm)
    one, two = shown(prediction.show), shown(loaded.show)
    for layer in ("obstacles", "targets"):
        kept = [[part for part in data["parts"] if part["layer"] == layer] for data in (one, two)]
        assert len(kept[0]) == len(kept[1]) == 1
        assert {**kept[0][0], "form": 0} == {**kept[1][0], "form": 0}


@pytest.mark.parametrize("name, value", [("obstacles", [[0.0, 0.0, 0.0, -1.0]]), ("targets", [[np.inf, 0.0, 0.0]])])
def test_a_prediction_with_damaged_surroundings_is_refused(arm, prediction, tmp_path, name, value):
    path = prediction.save(tmp_path / "reach.npz")
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **{**arrays, name: np.array(value)})
    with pytest.raises(FileError, match=f"an? {name[:-1]} is .*; it is damaged"):
        lissom.Prediction.load(path, arm)


def test_wrenches_that_change_are_drawn_at_the_time_of_each_frame(arm, shown):
    t = np.linspace(0.0, 1.0, 11)
    q = np.stack([t, -t], axis=-1)
    push = lissom.Wrench(force=np.stack([t, 2 * t, 0 * t], axis=-1), axes="world")
    motion = lissom.Trajectory(arm, t, q, 0 * q, 0 * q, 0 * q, external={arm.link_names[-1]: push})
    data = shown(motion.show)
    (arrow,) = [arrow for arrow in data["arrows"] if arrow["layer"] == "wrenches"]
    times = data["times"]
    np.testing.assert_allclose(arrow["vector"], np.stack([times, 2 * times, 0 * times], axis=-1), atol=1e-6)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"save": np.zeros(2)}, "save is ndarray, expected the name of a file: .html"),
        ({"save": b"x.html"}, "save is bytes, expected the name of a file"),
        ({"save": 3}, "save is int, expected the name of a file"),
        ({"title": 3, "save": "x.html"}, "title is int, expected text"),
        ({"layers": {"com": np.zeros(2)}, "save": "x.html"}, "for 'com', expected True or False"),
    ],
)
def test_arguments_of_another_type_are_explained(arm, options, message):
    with pytest.raises(StateError, match=message):
        arm.show(**options)


def test_a_robot_without_joints_is_shown_at_no_coordinates(tmp_path):
    still = lissom.Robot(lissom.Model("post", (lissom.Link("post"),), ()))
    assert still.show([], save=tmp_path / "a.html").read_bytes() == still.show(save=tmp_path / "b.html").read_bytes()


def test_a_progress_that_is_neither_a_function_nor_a_choice_is_refused(tmp_path):
    with pytest.raises(StateError, match="progress is 'slow', expected True, False, or a function"):
        lissom.robots.rr().show(np.zeros((2, 2)), save=tmp_path / "a.gif", size=(32, 32), progress="slow")
    assert not list(tmp_path.iterdir())
