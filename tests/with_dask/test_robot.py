"""lissom.dask: chunks have the results of the whole, and states that no memory holds go through in pieces."""

import pickle

import numpy as np
import pytest

import lissom
from lissom import NameLookupError, StateError

da = pytest.importorskip("dask.array")
import dask  # noqa: E402

import lissom.dask  # noqa: E402

ARM = lissom.robots.rr()
RNG = np.random.default_rng(0)
Q, QD, QDD = (RNG.uniform(-1, 1, (1000, 2)) for _ in range(3))


@pytest.fixture(scope="module", autouse=True)
def threads():
    with dask.config.set(scheduler="threads", num_workers=2):
        yield


def chunked(*arrays, size=300):
    return [da.from_array(x, chunks=(size, x.shape[-1])) for x in arrays]


@pytest.mark.parametrize("name, count", [("inverse_dynamics", 3), ("mass_matrix", 1), ("kinetic_energy", 2)])
def test_results_are_those_of_the_robot_chunk_by_chunk(name, count):
    arms = lissom.dask.Robot(ARM)
    state = (Q, QD, QDD)[:count]
    found = getattr(arms, name)(*chunked(*state))
    assert isinstance(found, da.Array) and found.numblocks[0] == 4
    np.testing.assert_array_equal(found.compute(), ARM.evaluate(name, state))


def test_options_single_states_and_more_axes_are_taken():
    arms = pickle.loads(pickle.dumps(lissom.dask.Robot(ARM)))
    q = da.from_array(Q.reshape(10, 100, 2), chunks=(3, 50, 1))
    found = arms.link_pose(q, link="link_2")
    assert found.shape == (10, 100, 4, 4)
    np.testing.assert_array_equal(found.compute(), ARM.link_pose(Q.reshape(10, 100, 2), "link_2"))
    rest = arms.inverse_dynamics(q, np.zeros(2), np.zeros(2))
    np.testing.assert_allclose(rest.compute().reshape(-1, 2), ARM.gravity_torques(Q), atol=1e-12)
    by_name = arms.evaluate("kinetic_energy", {"qd": chunked(QD)[0], "q": chunked(Q)[0]})
    np.testing.assert_array_equal(by_name.compute(), ARM.kinetic_energy(Q, QD))


def test_closed_robots_have_their_functions_too():
    robot = lissom.robots.five_bar()
    q = robot.home() + 0.05 * RNG.uniform(-1, 1, (20, 2))
    zero = np.zeros((20, 2))
    found = lissom.dask.Robot(robot).inverse_dynamics(*chunked(q, zero, zero, size=7))
    np.testing.assert_allclose(found.compute(), robot.inverse_dynamics(q, zero, zero), atol=1e-9)


def test_stores_are_read_and_written_in_chunks(tmp_path):
    pytest.importorskip("zarr")
    for name, x in (("q", Q), ("qd", QD), ("qdd", QDD)):
        chunked(x, size=128)[0].to_zarr(str(tmp_path / "states.zarr"), component=name)
    q, qd, qdd = (da.from_zarr(str(tmp_path / "states.zarr"), component=name) for name in ("q", "qd", "qdd"))
    lissom.dask.Robot(ARM).inverse_dynamics(q, qd, qdd).to_zarr(str(tmp_path / "torques.zarr"))
    np.testing.assert_array_equal(da.from_zarr(str(tmp_path / "torques.zarr")).compute(), ARM.inverse_dynamics(Q, QD, QDD))


def test_processes_make_the_robot_once_each():
    arms = lissom.dask.Robot(ARM)
    with dask.config.set(scheduler="processes", num_workers=2):
        found = arms.inverse_dynamics(*chunked(Q, QD, QDD)).compute()
    np.testing.assert_array_equal(found, ARM.inverse_dynamics(Q, QD, QDD))


def test_what_does_not_fit_is_refused_before_anything_is_computed():
    arms = lissom.dask.Robot(ARM)
    q, qd = chunked(Q, QD)
    with pytest.raises(StateError, match="needs a Robot or a ClosedRobot, got int"):
        lissom.dask.Robot(3)
    with pytest.raises(AttributeError, match="no function 'inverse_dynamic' of lissom.dask.Robot; did you mean"):
        arms.inverse_dynamic(q, qd, qd)
    with pytest.raises(NameLookupError, match="no function 'mas'"):
        arms.evaluate("mas", (q,))
    with pytest.raises(StateError, match="inverse_dynamics takes 3 arguments: q, qd, qdd; got 2"):
        arms.inverse_dynamics(q, qd)
    with pytest.raises(StateError, match="the state of kinetic_energy is q, expected q, qd"):
        arms.evaluate("kinetic_energy", {"q": q})
    with pytest.raises(StateError, match="a state is a number"):
        arms.mass_matrix(3.0)
    with pytest.raises(StateError, match="leading axes of q \\(1000, 2\\), qd \\(10, 2\\) are not the same"):
        arms.kinetic_energy(q, qd[:10])
    with pytest.raises(StateError, match="qd has 1 leading axes, expected 2, or none"):
        arms.kinetic_energy(q[None], qd)
    with pytest.raises(StateError, match="mass_matrix of q \\(1000, 3\\)"):
        arms.mass_matrix(da.zeros((1000, 3)))
    with pytest.raises(StateError, match="link_pose of q"):
        arms.link_pose(q, link="hand")
