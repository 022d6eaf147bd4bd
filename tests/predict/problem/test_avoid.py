"""Obstacles and self-collision of motion problems."""

import numpy as np
import pytest

import lissom
from lissom.errors import LissomError, StateError
from lissom.geometry import link_capsules
from lissom.predict import Box, Capsule, Sphere
from lissom.predict.problem.surroundings import obstacles, surroundings_from_arrays, surroundings_to_arrays

PANDA = lissom.robots.panda()
READY = [0, -0.8, 0, -2.4, 0, 1.6, 0.8]
POST = Capsule([0.6, 0.0, 0.0], [0.6, 0.0, 0.8], 0.06)


def test_a_capsule_between_start_and_end_is_gone_around_at_all_times():
    robot, link = lissom.robots.rr(), "link_2"
    body, pin = Capsule([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 0.02), Capsule([0.62, 0.2, -0.5], [0.62, 0.2, 0.5], 0.03)

    def problem():
        made = lissom.MotionProblem(robot, control_points=12, duration=(0.05, 3.0))
        return made.start([-0.6, 0.9]).end([0.9, -0.3]).limit("torque", -10, 10).minimize("time")

    def clearance(prediction):
        poses = robot.link_pose(prediction.states(prediction.times(2001))[0], link)
        share = np.linspace(0, 1, 301)[:, None]
        points = np.einsum("kij,sj->ksi", poses[:, :3, :3], share * body.end) + poses[:, None, :3, 3]
        return np.linalg.norm(points[..., :2] - pin.start[:2], axis=-1).min() - body.radius - pin.radius

    free, kept = problem().solve(), problem().avoid(link, pin, margin=0.01, capsules=body).solve(refine=1)
    assert clearance(free) < 0.0
    assert clearance(kept) > 0.0099
    assert kept.duration > free.duration


@pytest.mark.sweep(1)
@pytest.mark.parametrize("turn", [None, (0.0, 0.0, np.sin(0.3), np.cos(0.3))])
def test_a_box_between_start_and_end_is_gone_around_at_all_times(turn):
    robot, link = lissom.robots.rr(), "link_2"
    body, block = Capsule([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 0.02), Box([0.62, 0.2, 0.0], [0.08, 0.06, 0.2], turn)

    def problem():
        made = lissom.MotionProblem(robot, control_points=12, duration=(0.05, 3.0))
        return made.start([-0.6, 0.9]).end([0.9, -0.3]).limit("torque", -10, 10).minimize("time")

    def clearance(prediction):
        poses = robot.link_pose(prediction.states(prediction.times(2001))[0], link)
        points = poses[:, None, :3, 3] + np.linspace(0, 0.3, 301)[:, None] * poses[:, None, :3, 0]
        beyond = np.maximum(np.abs((points - block.center) @ np.array(block.rotation)) - 0.5 * np.array(block.size), 0.0)
        return np.linalg.norm(beyond, axis=-1).min() - body.radius

    free, kept = problem().solve(), problem().avoid(link, block, margin=0.01, capsules=body).solve(refine=1)
    assert clearance(free) < 0.0  # the straight start passes through the box
    assert kept.success and clearance(kept) > 0.0099
    assert kept.duration > free.duration
    report = next(limit for limit in kept.limits if limit.label == "distance of link_2 to the box")
    assert report.lower == 0.01 and report.unit == "m"


@pytest.mark.slow
def test_a_panda_that_would_hit_a_post_passes_it_at_the_margin_between_instants_too():
    links, post = ["link_4", "link_6", "link_7"], Capsule([0.53, 0.0, 0.0], [0.53, 0.0, 0.5], 0.06)

    def problem():
        start, end = (np.deg2rad([side, 40, 0, -60, 0, 100, 45]) for side in (-50, 50))
        made = lissom.MotionProblem(PANDA, control_points=14, duration=1.5).start(start).end(end)
        return made.limit_by_model().minimize("integral", 1.0, "torque")

    capsules = [each for each in link_capsules(PANDA.model) if each.link in links]
    across = np.linspace(0, 1, 101)[:, None]

    def clearance(prediction):
        q, nearest = prediction.states(prediction.times(1001))[0], []
        for each in capsules:
            poses = PANDA.link_pose(q, each.link)
            points = np.array(each.start) + across * (np.array(each.end) - each.start)
            points = np.einsum("kij,sj->ksi", poses[:, :3, :3], points) + poses[:, None, :3, 3]
            axis = np.zeros_like(points) + [0.53, 0.0, 0.0]
            axis[..., 2] = np.clip(points[..., 2], 0.0, 0.5)
            nearest.append(np.linalg.norm(points - axis, axis=-1).min() - each.radius - post.radius)
        return min(nearest)

    free, kept = problem().solve(), problem().avoid(links, post, margin=0.02).solve(refine=1)
    assert clearance(free) < -0.005
    assert 0.0199 < clearance(kept) < 0.0202


def test_neighbors_and_links_that_touch_at_home_are_not_kept_apart():
    labels = lissom.MotionProblem(PANDA).start(READY).avoid_self().parts.limits[0].quantity.labels
    assert "base to link_4" in labels and "link_2 to link_7" in labels
    for k in range(1, 7):
        assert f"link_{k} to link_{k + 1}" not in labels
    assert "base to link_1" not in labels


def test_links_and_pairs_can_be_chosen_and_left_out():
    chosen = lissom.MotionProblem(PANDA).avoid_self(pairs=[("link_7", "link_1")]).parts.limits[0].quantity.labels
    assert chosen == ("link_7 to link_1",)
    every = lissom.MotionProblem(PANDA).avoid_self().parts.limits[0].quantity.labels
    fewer = lissom.MotionProblem(PANDA).avoid_self(exclude=["base", ("link_7", "link_1")]).parts.limits[0].quantity.labels
    assert set(every) - set(fewer) == {x for x in every if "base" in x} | {"link_1 to link_7"}


def test_all_links_that_move_avoid_an_obstacle():
    labels = lissom.MotionProblem(PANDA).start(READY).avoid(None, POST).parts.limits[0].quantity.labels
    assert labels == tuple(f"link_{k} to the capsule" for k in range(1, 8))


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda p: p.avoid("hand", POST), "no link 'hand'"),
        (lambda p: p.avoid("link_7", Sphere([0, 0, 0], -0.1)), "radius of a sphere is -0.1 m, expected a positive number"),
        (lambda p: p.avoid("link_7", Capsule([0, 0], [0, 0, 1], 0.1)), "start of a capsule is"),
        (lambda p: p.avoid("link_7", Box([0, 0, 1], [1, 0, 1])), "size of a box is .* m, expected three positive numbers"),
        (lambda p: p.avoid("link_7", Box([0, 0, 1], [1, 1])), "size of a box is .*expected three numbers"),
        (
            lambda p: p.avoid("link_7", Box([0, 0, 1], [1, 1, 1], [[1, 2, 3]])),
            "rotation of a box is .*a rotation matrix",
        ),
        (lambda p: p.avoid("link_7", POST, capsules=Box([0, 0, 0], [1, 1, 1])), "expected Capsule or Sphere"),
        (lambda p: p.avoid("link_7", POST, margin=-1), "margin is -1 m"),
        (lambda p: p.avoid("link_7", POST, 0.3), "distance= is for points"),
        (lambda p: p.avoid("link_7", [0, 0, 0]), "distance is None"),
        (lambda p: p.avoid("link_7", [0, 0, 0], 0.1, margin=0.1), "margin=: a point"),
        (lambda p: p.avoid("base", POST), "does not move relative to the world"),
        (lambda p: p.avoid("flange", POST), "give capsules="),
        (lambda p: p.avoid("link_7", POST, capsules=0.1), "expected Capsule or Sphere"),
        (lambda p: p.avoid(None, POST, capsules=Sphere([0, 0, 0], 0.1)), "capsules= are those of one link"),
        (lambda p: p.avoid_self(pairs=[("link_7", "flange")]), "give capsules="),
        (lambda p: p.avoid_self(pairs=["link_7"]), "expected the names of two links"),
        (lambda p: p.avoid_self(exclude=["link_8"]), "no link 'link_8'"),
    ],
)
def test_mistakes_are_named(add, message):
    with pytest.raises(LissomError, match=message):
        add(lissom.MotionProblem(PANDA).start(READY))


def test_an_end_that_touches_says_by_how_much():
    tip = PANDA.link_pose(np.array(READY), "link_7")[:3, 3]
    body, ball = Sphere([0, 0, 0], 0.05), Sphere(tip + [0.0, 0.0, 0.08], 0.04)
    problem = lissom.MotionProblem(PANDA).start(READY)
    with pytest.raises(StateError, match=r"the start .* link_7 to the sphere: they overlap by 0\.01 m, expected no contact"):
        problem.avoid("link_7", ball, capsules=body)
    apart = Sphere(tip + [0.0, 0.0, 0.1], 0.04)
    with pytest.raises(StateError, match=r"they are 0\.01 m apart, expected a margin of 0\.02 m"):
        problem.avoid("link_7", apart, margin=0.02, capsules=body)
    later = lissom.MotionProblem(PANDA).avoid("link_7", ball, capsules=body)
    with pytest.raises(StateError, match=r"the end .* overlap by 0\.01 m"):
        later.end(READY)


def test_an_end_in_a_box_says_how_deep():
    tip = PANDA.link_pose(np.array(READY), "link_7")[:3, 3]
    problem, body = lissom.MotionProblem(PANDA).start(READY), Sphere([0, 0, 0], 0.05)
    with pytest.raises(StateError, match=r"link_7 to the box: they overlap by 0\.07 m, expected no contact"):
        problem.avoid("link_7", Box(tip + [0.0, 0.0, 0.08], [0.5, 0.5, 0.2]), capsules=body)
    with pytest.raises(StateError, match=r"they are 0\.02 m apart, expected a margin of 0\.03 m"):
        problem.avoid("link_7", Box(tip + [0.0, 0.0, 0.17], [0.5, 0.5, 0.2]), margin=0.03, capsules=body)


def test_boxes_are_drawn_and_stored():
    block = Box([0.9, 0.1, 0.3], [0.2, 0.4, 0.6], (0.0, 0.0, np.sin(np.pi / 4), np.cos(np.pi / 4)))
    problem = lissom.MotionProblem(PANDA).start(READY).avoid(["link_6", "link_7"], block).avoid("link_7", block, other="base")
    found = obstacles(problem)
    assert [(x.layer, x.link, x.size) for x in found[:2]] == [("obstacles", None, block.size), ("obstacles", "base", block.size)]
    assert surroundings_from_arrays(surroundings_to_arrays(found, ()), PANDA)[0] == found
    damaged = surroundings_to_arrays(found, ())
    damaged["obstacle_sizes"][0, 0] = -1.0
    with pytest.raises(ValueError, match="an obstacle is"):
        surroundings_from_arrays(damaged, PANDA)
    from lissom.view.scene.build import SceneMotion, scene_of

    scene = scene_of(SceneMotion(PANDA, np.zeros(1), np.array([READY]), obstacles=found[:1]))
    (drawn,) = [part for part in scene.parts if part.layer == "obstacles"]
    corners = (drawn.form.vertices * drawn.scale) @ drawn.pose[:3, :3].T + drawn.pose[:3, 3]
    assert np.allclose(corners.min(axis=0), [0.7, 0.0, 0.0]) and np.allclose(corners.max(axis=0), [1.1, 0.2, 0.6])


def test_a_distance_from_another_moving_link_is_a_part_of_the_robot():
    problem = lissom.MotionProblem(PANDA).start(READY)
    for other in ("link_2", "base", None):
        problem.limit("distance_squared", lower=0.04, link="link_7", center=(0.0, 0.1, 0.2), other=other)
    found = {x.link: x for x in obstacles(problem)}
    assert {link: x.layer for link, x in found.items()} == {None: "obstacles", "base": "obstacles", "link_2": "collision"}
    assert (found["link_2"].name, found["link_2"].radius) == ("ball of link_2", pytest.approx(0.2))
    assert found["base"].name == "to be avoided by link_7" and found["base"].center == (0.0, 0.1, 0.2)


def test_obstacles_and_capsules_of_links_are_drawn_and_stored():
    problem = lissom.MotionProblem(PANDA).start(READY).avoid(["link_6", "link_7"], POST).avoid_self(pairs=[("base", "link_7")])
    found = obstacles(problem)
    assert [(x.layer, x.link) for x in found] == [
        ("obstacles", None), ("collision", "link_6"), ("collision", "link_7"), ("collision", "base"),
    ]  # fmt: skip
    assert found[0].center == POST.start and found[0].end == POST.end and found[0].name == "to be avoided by link_6, link_7"
    arrays = surroundings_to_arrays(found, ())
    assert surroundings_from_arrays(arrays, PANDA)[0] == found
    from lissom.view.scene.build import SceneMotion, scene_of

    scene = scene_of(SceneMotion(PANDA, np.zeros(1), np.array([READY]), obstacles=found))
    (drawn,) = [part for part in scene.parts if part.layer == "obstacles"]
    corners = drawn.form.vertices @ drawn.pose[:3, :3].T + drawn.pose[:3, 3]
    assert np.allclose([corners.min(axis=0)[2], corners.max(axis=0)[2]], [-0.06, 0.86])
    assert sum(part.layer == "collision" for part in scene.parts) == 3
