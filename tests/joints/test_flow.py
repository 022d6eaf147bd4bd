import numpy as np
import pytest

from lissom.joints.flow import coordinate_rates, step_along, unit_coordinates
from lissom.manifold import integrate_configuration
from lissom.model import Inertia, Joint, JointKind, Link, Model

MOVING = [kind for kind in JointKind if kind.traits.directions]  # the others are chains of these


def model_of(kind):
    return Model("one", (Link("a"), Link("b", Inertia(1.0, tensor=np.eye(3)))), (Joint("j", kind, "a", "b"),))


def state_of(kind, seed, size=1.0):
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=kind.nq), size * rng.normal(size=kind.nv)
    if kind.nq > kind.nv:
        q[-4:] /= np.linalg.norm(q[-4:])
    return q, v


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("size", [0.0, 1e-9, 0.01, 0.3])
def test_a_step_is_the_exponential_map(kind, size):
    q, v = state_of(kind, 1, size)
    assert np.allclose(step_along(kind, q.tolist(), v.tolist()), integrate_configuration(model_of(kind), q, v), atol=1e-15)


@pytest.mark.parametrize("kind", MOVING)
def test_rates_are_the_beginning_of_a_step(kind):
    q, v = state_of(kind, 2)
    h = 1e-5
    ahead, back = (np.array(step_along(kind, q.tolist(), (v * x).tolist())) for x in (h, -h))
    assert np.allclose((ahead - back) / (2 * h), coordinate_rates(kind, q.tolist(), v.tolist()), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("kind", [JointKind.SPHERICAL, JointKind.FLOATING])
def test_a_length_near_one_comes_back_to_one_and_any_other_comes_nearer(kind):
    q, _ = state_of(kind, 3)
    for length, left in ((1 + 1e-5, 1e-10), (1 - 1e-5, 1e-10), (1.0, 1e-15), (3.0, 0.5), (0.2, 0.7)):
        scaled = q.copy()
        scaled[-4:] *= length
        assert abs(np.linalg.norm(unit_coordinates(kind, scaled)[-4:]) - 1) < left


def test_fixed_joints_have_none():
    assert coordinate_rates(JointKind.FIXED, [], []) == step_along(JointKind.FIXED, [], []) == []
