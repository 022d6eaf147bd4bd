"""Charts along a path: exponentials and logarithms, and rates beside the manifold's own."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from lissom.joints.chart import TURN, nearest_turn, quaternion_of
from lissom.model import JointKind
from support.kinematics import cross

KINDS = [JointKind.FLOATING, JointKind.SPHERICAL, JointKind.PLANAR]


def turns(*lengths):
    directions = np.random.default_rng(0).normal(size=(len(lengths), 3))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True) * np.array(lengths)[:, None]


@pytest.mark.parametrize("r", turns(1e-160, 1e-9, 0.3, 1.0, 3.0, np.pi, 5.0, 6.28, 9.0), ids=lambda r: f"{np.linalg.norm(r):.3g}")
def test_the_quaternion_is_that_of_the_exponential(r):
    u = np.array(quaternion_of([float(x) for x in r]))
    assert np.abs(Rotation.from_quat(u).as_matrix() - expm(cross(r))).max() < 2e-14
    assert abs(np.linalg.norm(u) - 1.0) < 2e-14


@pytest.mark.parametrize("kind", KINDS)
def test_columns_and_coordinates_are_inverse_of_each_other(kind):
    traits, rng = kind.traits, np.random.default_rng(1)
    q = traits.random(rng, *(np.full(kind.nq, x) for x in (-np.inf, np.inf)), traits.units, (20,))
    back = np.array([traits.of_path([list(p)])[0] for p in traits.to_path(q)])
    assert np.abs(traits.difference(q, back)).max() < 1e-13
    columns = np.random.default_rng(2).uniform(-1.0, 1.0, (20, kind.nv))
    assert np.abs(traits.to_path(np.array([traits.of_path([list(p)])[0] for p in columns])) - columns).max() < 1e-13


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [0.0, 0.5, 1.8], ids="turned by {}".format)
def test_rates_along_a_path_are_derivatives_of_the_coordinates(kind, size):
    """The path is a polynomial in time; velocities are limits of differences on the manifold, higher rates of those before."""
    traits, rng, h = kind.traits, np.random.default_rng(3), 1e-4
    terms = rng.normal(size=(5, kind.nv))
    terms[0] = terms[0] / np.linalg.norm(terms[0][-3:]) * size * np.pi

    def at(t, orders=4):
        path = [
            sum(c * t ** (k - r) * np.prod(np.arange(k, k - r, -1)) for k, c in enumerate(terms) if k >= r) for r in range(orders)
        ]
        return [np.array(x, dtype=float) for x in traits.of_path([[float(x) for x in p] for p in path])]

    before, now, after = at(-h), at(0.0), at(h)
    velocity = (traits.difference(now[0], after[0]) - traits.difference(now[0], before[0])) / (2 * h)
    assert np.abs(velocity - now[1]).max() < 1e-6
    for order in (1, 2):
        assert np.abs((after[order] - before[order]) / (2 * h) - now[order + 1]).max() < 1e-4 * max(
            1.0, np.abs(now[order + 1]).max()
        )


def test_coordinates_alone_are_the_first_of_the_rates():
    for kind in KINDS:
        path = np.random.default_rng(4).normal(size=(3, kind.nv)).tolist()
        assert kind.traits.of_path(path[:1])[0] == pytest.approx(kind.traits.of_path(path)[0], abs=1e-15)


def test_of_two_rotations_the_nearer_one_is_chosen():
    near, r = np.array([0.0, 0.0, 0.9 * np.pi]), np.array([0.0, 0.0, -0.9 * np.pi])
    assert nearest_turn(r, near) == pytest.approx([0, 0, 1.1 * np.pi])
    assert np.array_equal(nearest_turn(-r, near), -r) and np.array_equal(nearest_turn(np.zeros(3), near), np.zeros(3))
    for one in turns(1.0, 3.0):
        other = nearest_turn(one, -one)
        assert np.abs(expm(cross(other)) - expm(cross(one))).max() < 1e-13 and np.linalg.norm(other) < TURN
