"""How freely forces may change within the faces of friction."""

import numpy as np
import pytest

from lissom.predict.data.friction import Friction


@pytest.mark.parametrize("components", [(2,), (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("cone", ["pyramid", "cone"])
def test_a_change_that_is_small_in_its_norm_keeps_a_force_within_friction(components, cone):
    mu, rng = 0.6, np.random.default_rng(0)
    friction = Friction(mu, cone, 5)
    f = rng.uniform(-1.0, 1.0, (200, 3)) * [0.2 * mu, 0.2 * mu, 0.5] + [0, 0, 1.0]
    f = f[:, components]
    freedom = friction.freedom(components, f, 1e-12)
    way = rng.normal(size=f.shape)
    size = np.sqrt(np.einsum("ki,kij,kj->k", way, np.linalg.inv(freedom), way))
    other = f + 0.999 * way / size[:, None]
    whole = np.zeros((len(f), 3))
    whole[:, components] = other
    assert (other[:, -1] > 0).all()
    if cone == "cone" and len(components) == 3:
        across = np.linalg.norm(whole[:, :2], axis=1)
        assert (across < mu * whole[:, 2] * np.sqrt(2)).all()  # within the four faces around it
    else:
        assert (other @ friction.rows(components).T > 0).all()


@pytest.mark.parametrize("cone", ["pyramid", "cone"])
def test_a_force_at_its_limit_changes_along_it(cone):
    friction = Friction(0.5, cone, 4)
    face = friction.rows((0, 1, 2))[0]
    f = np.array([face[0], face[1], 0.0])
    f = np.array([[*(-f[:2] / np.linalg.norm(f[:2]) * face[2] / np.linalg.norm(f[:2])), 1.0]])  # amid that face
    if cone == "cone":
        f[0, :2] *= 0.5 / np.linalg.norm(f[0, :2])
        face = np.array([*(-f[0, :2] / 0.5), 0.5])
    assert f[0] @ face == pytest.approx(0, abs=1e-12)
    freedom = friction.freedom((0, 1, 2), f, 1e-3)[0]
    assert np.sqrt(face @ freedom @ face) == pytest.approx(1e-3, rel=1e-2)
    assert np.linalg.eigvalsh(freedom).max() > 0.1


@pytest.mark.parametrize("cone", ["pyramid", "cone"])
def test_forces_beyond_measure_leave_the_freedom_finite(cone):
    forces = np.array([[1e15, -1e15, 1e-9], [0.0, 0.0, 1e300], [0.0, 0.0, -1e9], [0.0, 0.0, 0.0]])
    freedom = Friction(0.01, cone, 4).freedom((0, 1, 2), forces, 1e-3)
    assert np.isfinite(np.linalg.cholesky(freedom)).all()
