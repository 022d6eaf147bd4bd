import numpy as np
import pytest

from lissom.view.render.fill import ASIDE, Window, nearest


def by_inverses(vertices, faces, window, near):
    """Every pixel against every triangle: weights by the inverse of the matrix of its corners."""
    row, column = np.mgrid[: window.height, : window.width] + 0.5
    pixels = np.stack([column + window.x + ASIDE[0], row + window.y + ASIDE[1], np.ones_like(row)], axis=-1)
    depth, found = np.zeros(row.shape), np.full(row.shape, -1)
    for k, face in enumerate(faces):
        shares = pixels @ np.linalg.inv(vertices[face])
        total = shares.sum(axis=-1)
        with np.errstate(divide="ignore"):
            better = (shares >= 0).all(axis=-1) & (total > 0) & (1 / total > near) & (total > depth)
        depth[better], found[better] = total[better], k
    return depth, found


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_triangle_of_every_pixel_is_that_of_a_search_through_all(seed):
    random = np.random.default_rng(seed)
    # many have corners behind the eye
    vertices = random.normal(size=(240, 3)) * [60, 60, 1] + [32, 24, 0.6]
    faces = random.integers(0, 240, size=(120, 3))
    faces = faces[[len(set(face)) == 3 for face in faces]]
    for window in (Window(0, 0, 64, 48), Window(17, 5, 20, 30)):
        depth, found = by_inverses(vertices, faces, window, 0.1)
        seen = nearest(vertices, faces, window, 0.1)
        assert (seen.face >> 1 == found).all()
        assert np.allclose(seen.depth, depth, rtol=1e-6)


def test_weights_lead_back_to_the_pixel():
    vertices = np.random.default_rng(3).normal(size=(60, 3)) * [50, 40, 0.1] + [32, 24, 1.0]
    faces = np.arange(60).reshape(-1, 3)
    seen = nearest(vertices, faces, Window(0, 0, 64, 48), 0.01)
    rows, columns = np.nonzero(seen.face >= 0)
    weights = seen.weights[rows, columns].astype(float)
    corners = vertices[faces[seen.face[rows, columns] >> 1]]
    points = np.einsum("nk,nkx->nx", np.column_stack([1 - weights.sum(axis=1), weights]), corners)
    assert np.allclose(points[:, :2] / points[:, 2:], np.column_stack([columns, rows]) + 0.5, atol=2e-3)
    assert np.allclose(1 / points[:, 2], seen.depth[rows, columns], rtol=1e-4)


def test_backs_are_known_from_fronts():
    vertices = np.array([[0, 0, 1.0], [0, 9, 1], [9, 0, 1]])
    assert set(nearest(vertices, np.array([[0, 1, 2]]), Window(0, 0, 4, 4), 0.1).face.ravel()) != set(
        nearest(vertices, np.array([[0, 2, 1]]), Window(0, 0, 4, 4), 0.1).face.ravel()
    )


def test_no_gap_opens_between_triangles_that_meet_in_the_middles_of_pixels():
    x, y = np.meshgrid(np.arange(0.5, 40), np.arange(0.5, 30), indexing="ij")
    vertices = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=-1) * 0.7
    first = (np.arange(39)[:, None] * 30 + np.arange(29)).ravel()
    faces = np.concatenate([np.stack([first, first + 30, first + 31], -1), np.stack([first, first + 31, first + 1], -1)])
    assert (nearest(vertices, faces, Window(0, 0, 39, 29), 0.1).face >= 0).all()


def test_what_is_behind_something_drawn_already_is_left_out():
    vertices = np.array([[-20, -20, 2.0], [200, 0, 2], [0, 200, 2]])
    before = np.full((8, 8), 0.6)
    before[:, 4:] = 0.4
    seen = nearest(vertices, np.array([[0, 1, 2]]), Window(0, 0, 8, 8), 0.1, before)
    assert (seen.face[:, :4] == -1).all() and (seen.face[:, 4:] >= 0).all()
    assert (before[:, :4] == 0.6).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300, 0.0])
def test_impossible_corners_draw_nothing_wrong_and_do_not_crash(bad):
    vertices = np.array([[bad, bad, bad], [9.0, 0, 1], [0, 9, 1], [1e-320, 0, 1e-320]])
    faces = np.array([[0, 1, 2], [0, 0, 0], [1, 1, 2], [0, 3, 1]])
    seen = nearest(vertices, faces, Window(0, 0, 8, 8), 1e-3)
    assert np.isfinite(seen.depth).all()
