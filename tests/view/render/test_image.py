import math
import sys

import numpy as np
import pytest

import lissom
from lissom import StateError
from lissom.view.camera import camera
from lissom.view.render import image
from lissom.view.scene.build import robot_scene
from lissom.view.scene.forms import cylinder, sphere
from lissom.view.scene.scene import Arrow, Lines, Part, Scene, Span
from support.drawn import BLUE, CUBE, GREEN, RED, cube, moved, reddish, sliding, still

SIZE = (320, 240)


def drawn(picture, background):
    """Where a picture is not its background."""
    return (np.abs(picture.astype(int) - background.astype(int)) > 2).any(axis=-1)


def empty(size=SIZE):
    return image(still(), size=size, text=False)


def hull_contains(corners, points):
    """Whether points (n, 2) lie inside the convex hull of corners, by cross products with its edges."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(corners)
    return (points @ hull.equations[:, :2].T + hull.equations[:, 2] <= 0).all(axis=-1)


@pytest.mark.parametrize("view", ["default", "front", "top", (10.0, -35.0)])
def test_a_cube_covers_the_hull_of_its_projected_corners(view):
    scene = still(Part(0, cube(), "visual", RED))
    seen = drawn(image(scene, size=SIZE, view=view, text=False), empty())
    corners = camera(scene, SIZE, view).project(CUBE, SIZE)[:, :2]
    rows, columns = np.mgrid[:240, :320]
    inside = np.stack([hull_contains(corners, np.stack([columns + x, rows + y], -1)) for x in (0, 1) for y in (0, 1)])
    assert seen[inside.all(axis=0)].all()  # pixels with all corners inside
    middle = corners.mean(axis=0)
    wider = middle + (corners - middle) * (1 + 3 / np.ptp(corners, axis=0).min())
    assert not seen[~hull_contains(wider, np.stack([columns + 0.5, rows + 0.5], -1))].any()


def test_the_nearer_of_two_things_is_seen_whatever_their_order():
    near, far = Part(0, cube(), "visual", RED, pose=moved(1.2)), Part(0, cube(), "visual", GREEN)
    for parts in ((near, far), (far, near)):
        picture = image(still(*parts), size=SIZE, view="front", text=False).astype(int)
        middle = picture[120, 160]
        assert middle[0] > middle[1] + 40
    behind = image(still(near, far), size=SIZE, view=(180.0, 0.0), text=False)[120, 160].astype(int)
    assert behind[1] > behind[0] + 40


def test_the_area_of_a_disk_approaches_that_of_an_ellipse():
    angle = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    rim = np.column_stack([np.zeros(200), np.cos(angle), np.sin(angle)])
    from lissom.view.scene.scene import Triangles

    disk = Triangles(
        np.vstack([rim, np.zeros(3)]), np.column_stack([np.arange(200), (np.arange(200) + 1) % 200, np.full(200, 200)])
    )
    scene = still(Part(0, disk, "visual", RED))
    errors = []
    for size in ((160, 120), (640, 480)):
        seen = camera(scene, size, "front")
        radius = seen.focal(size[1]) / seen.distance
        share = np.abs(image(scene, size=size, view="front", text=False).astype(float) - empty(size)).sum(axis=-1)
        area = (share / share[size[1] // 2, size[0] // 2]).sum()
        errors.append(abs(area / (math.pi * radius**2) - 1))
    assert errors[1] < 0.01 and errors[0] < 0.04


def test_a_sphere_is_lit_symmetrically_about_the_plane_of_eye_and_lights():
    # seen from above, key light in the plane of 0.35 east - 0.62 north: only the fill light is beside it, so it is taken away
    from lissom.view.render import shade

    scene = still(Part(0, sphere(), "visual", (0.8, 0.8, 0.8, 1.0)))
    azimuth = math.degrees(math.atan2(-0.62, 0.35))
    fill, shade.FILL = shade.FILL, (0.0, 0.0, 0.0)
    try:
        picture = image(scene, size=(301, 301), view=(azimuth, 30.0), text=False).astype(int)
    finally:
        shade.FILL = fill
    difference = np.abs(picture - picture[:, ::-1])
    assert np.median(difference) == 0 and np.mean(difference > 12) < 0.02
    assert picture[60:120, 150].mean() > picture[200:240, 150].mean() + 20  # light comes from above


def test_an_outline_has_no_dark_dots():
    robot = lissom.robots.gough_stewart()
    rod = next(part.form for part in robot_scene(robot, robot.home()).parts if part.layer == "visual")  # a tapered capsule
    picture = image(still(Part(0, rod, "visual", (0.8, 0.8, 0.8, 1.0))), size=(640, 480), text=False).astype(int).sum(axis=-1)
    left, middle, right = picture[:, :-2], picture[:, 1:-1], picture[:, 2:]
    assert (np.minimum(left, right) - middle).max() < 60


def test_transparent_parts_blend_with_what_is_behind_them():
    pane = (1.0, 0.0, 0.0, 0.25)
    back, front = Part(0, cube(), "visual", BLUE), Part(0, cube(), "obstacles", pane, pose=moved(1.5))

    def at(*parts):
        return image(still(*parts), size=SIZE, view=moved_camera(), text=False)[120, 160].astype(float)

    solid = Part(0, cube(), "obstacles", RED, pose=moved(1.5))
    expected = 0.75 * at(back) + 0.25 * at(back, solid)
    assert np.allclose(at(back, front), expected, atol=1.5)
    assert np.allclose(at(front, back), expected, atol=1.5)
    hidden = Part(0, cube(), "obstacles", pane, pose=moved(-1.5))
    assert np.array_equal(at(back, hidden), at(back))


def moved_camera():
    """A camera on the x axis that looks toward the origin."""
    pose = np.zeros((4, 4))
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:, 3] = (0, 1, 0), (0, 0, 1), (1, 0, 0), (8, 0, 0, 1)
    return pose


def test_of_two_transparent_parts_the_farther_is_painted_first():
    near = Part(0, cube(), "visual", (1.0, 0.0, 0.0, 0.6), pose=moved(1.2))
    far = Part(0, cube(), "visual", (0.0, 0.0, 1.0, 0.6))
    pictures = [image(still(*parts), size=SIZE, view="front", text=False) for parts in ((near, far), (far, near))]
    assert np.array_equal(*pictures)
    middle = pictures[0][120, 160].astype(int)
    assert middle[0] > middle[2]


def test_lines_are_as_wide_as_their_layer_says_and_go_behind_things():
    line = Lines(np.array([[[0.0, -3, 0], [0, 3, 0]]]))
    scene = still(
        Part(0, line, "paths", RED),
        Part(0, cube(), "visual", BLUE, pose=moved(0, 1.5)),
        Part(0, cube(), "visual", GREEN, pose=moved(-2, -1.5)),
    )
    picture = image(scene, size=SIZE, view="front", text=False)
    middle = SIZE[1] // 2
    widths = reddish(picture).sum(axis=0)
    assert np.median(widths[widths > 0]) in (2, 3, 4)
    place = camera(scene, SIZE, "front").project([[0.5, 1.5, 0], [0, -1.5, 0], [0, 0, 0]], SIZE)
    assert not reddish(picture)[middle - 3 : middle + 3, int(place[0, 0])].any()
    assert reddish(picture)[middle - 3 : middle + 3, int(place[1, 0])].any()
    assert reddish(picture)[middle - 3 : middle + 3, int(place[2, 0])].any()


def test_lines_that_pass_the_eye_are_cut_there():
    line = Lines(np.array([[[-50.0, 0.0, -0.3], [50, 0.0, -0.3]], [[20.0, 0, 0], [30, 0, 0]]]))
    scene = still(Part(0, cube(), "visual", GREEN), Part(0, line, "ground", RED))
    picture = image(scene, size=SIZE, view=moved_camera(), text=False)
    column = reddish(picture)[:, 160]
    assert column[-1] and not column[:100].any()


def test_an_arrow_reaches_from_its_start_to_its_tip_and_a_moment_has_two_heads():
    size = (1280, 960)

    def heads(unit):
        arrow = Arrow("f", "wrenches", RED, unit, 0.01, np.zeros((1, 3)), np.array([[0, 0, 200.0]]))
        scene = still(Part(0, cube(), "ghosts", (0, 0, 1, 0.01)), arrows=(arrow,))
        seen = reddish(image(scene, size=size, view=moved_camera(), text=False))
        start, tip = camera(scene, size, moved_camera()).project([[0, 0, 0], [0, 0, 2.0]], size)
        rows = np.flatnonzero(seen.any(axis=1))
        assert abs(rows[0] - tip[1]) < 4 and abs(rows[-1] + 1 - start[1]) < 3
        thinner = np.flatnonzero(np.diff(seen.sum(axis=1).astype(int))[: rows[-1] - 3] <= -2)  # at once, going down
        return 1 + int((np.diff(thinner) > 3).sum())

    assert heads("N") == 1 and heads("N m") == 2


@pytest.mark.parametrize("coils", [0, 5])
def test_rods_and_springs_join_the_points_of_two_bodies(coils):
    size = (640, 480)
    poses = np.stack([np.eye(4), moved(0, 0, 1.0)])[None]
    span = Span("s", "springs", RED, 0, np.array([0, 0, -1.0]), 1, np.array([0, 0, 1.0]), 0.1, coils)
    scene = Scene("", ("world", "body"), poses, np.zeros(1), (), (), (span,))
    seen = reddish(image(scene, size=size, view=moved_camera(), text=False))
    low, high = camera(scene, size, moved_camera()).project([[0, 0, -1.0], [0, 0, 2.0]], size)
    rows, columns = np.nonzero(seen)
    assert abs(rows.min() - high[1]) < 4 and abs(rows.max() - low[1]) < 4
    edge = np.array([np.flatnonzero(row)[0] for row in seen if row.any()])
    out = edge < (edge.min() + np.median(columns)) / 2  # rows that reach far to the left: once per turn
    assert (np.diff(out.astype(int)) == 1).sum() + out[0] == max(coils, 1)


def test_a_link_is_drawn_where_link_pose_projects():
    robot = lissom.robots.panda()
    q = np.array([0.3, -0.5, 0.2, -1.8, 0.1, 1.6, 0.4])
    poses = np.stack([np.eye(4), *(robot.link_pose(q, link.name) for link in robot.model.links)])[None]
    names = ("world", *(link.name for link in robot.model.links))
    for body in (4, 8):
        ball = Part(body, sphere(), "visual", RED, scale=(0.03,) * 3)
        others = [Part(k, sphere(), "ghosts", (0, 0, 1, 0.02), scale=(0.02,) * 3) for k in range(1, len(names))]
        scene = Scene("", names, poses, np.zeros(1), (ball, *others))
        rows, columns = np.nonzero(reddish(image(scene, size=SIZE, text=False)))
        place = camera(scene, SIZE).project(robot.link_pose(q, names[body])[:3, 3], SIZE)
        assert abs(columns.mean() + 0.5 - place[0]) < 0.6 and abs(rows.mean() + 0.5 - place[1]) < 0.6


def test_between_two_frames_bodies_move_on_a_line_and_turn_about_one_axis():
    scene = sliding(duration=2.0)
    turned = scene.poses.copy()
    turned[-1, 1, :3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    scene = Scene("", scene.bodies, turned, scene.times, scene.parts)
    from lissom.view.render.pose import moment

    now = moment(scene, 1.5)
    c = math.sqrt(0.5)
    assert np.allclose(now.poses[0, 1], [[c, -c, 0, 1.5], [c, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def test_large_pictures_are_drawn_strip_by_strip_without_a_seam(monkeypatch):
    scene = still(Part(0, sphere(), "visual", RED), Part(0, cylinder(), "obstacles", (0, 0, 1, 0.4)))
    whole = image(scene, size=SIZE)
    monkeypatch.setattr(sys.modules["lissom.view.render.image"], "AT_ONCE", 50_000)
    assert np.array_equal(image(scene, size=SIZE), whole)


def test_colors_of_vertices_and_scaled_parts_are_drawn():
    from lissom.view.scene.scene import Triangles

    painted = Triangles(CUBE, cube().faces, None, np.tile([0.0, 1.0, 0.0], (8, 1)))
    scene = still(Part(0, painted, "visual", RED, scale=(1.0, 2.0, 0.5)))
    picture = image(scene, size=SIZE, view="front", text=False)
    rows, columns = np.nonzero(drawn(picture, empty()))
    assert np.ptp(columns) / np.ptp(rows) == pytest.approx(4.0, rel=0.05)
    assert not reddish(picture).any()


def test_layers_are_shown_as_they_say_or_as_they_are_named():
    scene = still(Part(0, cube(), "collision", RED), Part(0, cube(), "visual", BLUE, pose=moved(0, 3)))
    assert not reddish(image(scene, size=SIZE)).any()
    assert reddish(image(scene, size=SIZE, layers=["collision"])).any()
    assert reddish(image(scene, size=SIZE, layers={"collision": True, "torques": True})).any()
    assert np.array_equal(image(scene, size=SIZE, layers={"visual": False}), image(scene, size=SIZE, layers=[]))
    with pytest.raises(StateError, match="no layer 'colision'.*'collision'"):
        image(scene, layers=["colision"])
    with pytest.raises(StateError, match=r"layers is 'visual'.*write layers=\[...\]"):
        image(scene, layers="visual")


def test_names_and_the_scale_of_arrows_are_written_as_text():
    arrow = Arrow("f", "wrenches", RED, "N", 0.01, np.zeros((1, 3)), np.array([[0, 0, 100.0]]))
    scene = still(Part(0, cube(), "visual", BLUE), arrows=(arrow,), name="\x1b[31m<b>\u202e\n" + "x" * 300)
    with_text, without = (image(scene, size=SIZE, text=text) for text in (True, False))
    changed = drawn(with_text, without)
    assert changed[:30, :200].any() and changed[-30:, :100].any() and not changed[60:180].any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": (10, 100)}, r"size is \(10, 100\), expected width and height in pixels, from 16 to 8192 each"),
        ({"size": 100}, "size is 100"),
        ({"size": (100.5, 100)}, "size is"),
        ({"size": (10**6, 100)}, "size is"),
        ({"time": 1.5}, "time is 1.5, expected a time from 0 to 1 s"),
        ({"time": math.nan}, "time is nan"),
        ({"time": "soon"}, "time is 'soon'"),
    ],
)
def test_pictures_that_cannot_be_are_refused(options, message):
    with pytest.raises(StateError, match=message):
        image(sliding(), **options)


def test_arrows_that_are_always_zero_have_no_scale():
    def written(vector):
        arrow = Arrow("f", "wrenches", RED, "N", 0.01, np.zeros((1, 3)), np.array([vector]))
        scene = still(Part(0, cube(), "visual", BLUE), arrows=(arrow,))
        return drawn(*(image(scene, size=SIZE, text=text) for text in (True, False)))

    assert written([0, 0, 5.0]).any() and not written([0, 0, 0.0]).any()


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_positions_that_are_not_finite_are_refused(bad):
    scene = sliding()
    poses = scene.poses.copy()
    poses[1, 1, 0, 3] = bad
    with pytest.raises(StateError, match="positions that are not finite|beyond all numbers"):
        image(Scene("", scene.bodies, poses, scene.times, scene.parts), time=0.0)


def test_a_scene_that_does_not_move_has_no_times():
    with pytest.raises(StateError, match="time is 1.0, but nothing moves: a pose has no time; leave out time="):
        image(still(Part(0, cube(), "visual", RED)), time=1.0)


def plane(height=0.0, half=3.0):
    """Lines around a level square."""
    corners = np.array([[-half, -half, height], [half, -half, height], [half, half, height], [-half, half, height]])
    return Part(0, Lines(np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)), "ground", (0.6, 0.6, 0.6, 1.0))


def test_a_shadow_falls_on_the_ground_where_rays_of_the_key_light_meet_it():
    scene = still(
        Part(0, sphere(), "visual", RED, pose=moved(0, 0, 1.0), scale=(0.2,) * 3),
        Part(0, cube(), "ghosts", (0, 0, 1, 0.01)),
        plane(),
    )
    picture = image(scene, size=(640, 480), view=(30.0, 60.0), text=False)
    without = image(scene, size=(640, 480), view=(30.0, 60.0), text=False, layers={"ground": False})
    key = np.array([0.35, -0.62, 1.0])  # east, north, up
    place = camera(scene, (640, 480), (30.0, 60.0)).project([0, 0, 1.0] - key, (640, 480))
    darker = without.astype(int).sum(axis=-1) - picture.astype(int).sum(axis=-1) > 60
    rows, columns = np.nonzero(darker)
    assert abs(rows.mean() - place[1]) < 6 and abs(columns.mean() - place[0]) < 6


def test_what_lies_in_shadow_is_darker_and_what_lies_in_the_light_is_not():
    below = Part(0, cube(), "visual", (0.8, 0.8, 0.8, 1.0), scale=(4.0, 4.0, 0.1))
    above = Part(0, cube(), "visual", (0.8, 0.8, 0.8, 1.0), pose=moved(0, 0, 1.0), scale=(0.5, 0.5, 0.1))
    key = np.array([0.35, -0.62, 1.0])
    pictures = [
        image(still(*parts), size=SIZE, view=(0.0, 35.0), text=False).astype(int).sum(axis=-1)
        for parts in ((below, above), (below,))
    ]
    seen = camera(still(below, above), SIZE, (0.0, 35.0))
    column, row, _ = seen.project([0, 0, 1.0] - 0.95 * key, SIZE)
    lit = seen.project([1.2, 1.2, 0.05], SIZE)
    assert pictures[0][int(row), int(column)] < pictures[0][int(lit[1]), int(lit[0])] - 60
    assert np.ptp(pictures[1][100:130, 130:190]) < 40  # no shadow of a surface on itself


def test_a_ground_that_is_not_level_gets_no_shadow():
    from lissom.view.render.ground import ground_of

    tilted = np.eye(4)
    tilted[:3, :3] = [[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]]
    part = plane()
    assert ground_of(still(part), np.zeros(3), 1.0) is not None
    assert ground_of(still(Part(0, part.form, "ground", RED, pose=tilted)), np.zeros(3), 1.0) is None
    assert ground_of(still(Part(0, cube(), "visual", RED)), np.zeros(3), 1.0) is None
