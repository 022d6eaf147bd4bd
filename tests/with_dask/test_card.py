"""Chunks on NVIDIA cards, pretended ones: where a worker has one, it computes; where it has none, its processor does."""

import pickle
import sys
from types import ModuleType

import numpy as np
import pytest

import lissom
from lissom import DeviceError, Robot, StateError
from lissom.robots import planar_two_link_model
from support.fake_cuda import pretend

da = pytest.importorskip("dask.array")
import dask  # noqa: E402

import lissom.dask  # noqa: E402
from lissom.dask import chunk  # noqa: E402

ARM = Robot(planar_two_link_model(), backend="numpy")
Q, QD, QDD = np.random.default_rng(0).uniform(-1, 1, (3, 40, 2))


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(chunk, "_robots", {})
    with dask.config.set(scheduler="threads", num_workers=2):
        yield


@pytest.fixture
def fake(monkeypatch, tmp_path):
    return pretend(monkeypatch, tmp_path)


def pieces(*arrays):
    return [da.from_array(x, chunks=(15, 2)) for x in arrays]


@pytest.mark.parametrize("make", [lambda: lissom.dask.Robot(ARM, card=True), lambda: lissom.dask.Robot(ARM.to("cuda"))])
def test_chunks_of_numpy_are_computed_on_the_card(fake, make):
    found = pickle.loads(pickle.dumps(make())).inverse_dynamics(*pieces(Q, QD, QDD)).compute()
    assert fake.calls.count("cuLaunchKernel") >= 3 and isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, ARM.inverse_dynamics(Q, QD, QDD), rtol=1e-12, atol=1e-12)


def test_without_a_card_the_processor_computes(monkeypatch):
    def none(self, backend):
        raise DeviceError("no driver")

    monkeypatch.setattr(Robot, "to", none)
    found = lissom.dask.Robot(ARM, card=True).mass_matrix(pieces(Q)[0])
    np.testing.assert_array_equal(found.compute(), ARM.mass_matrix(Q))


def test_a_card_that_fails_is_no_missing_card(monkeypatch):
    def broken(self, backend):
        raise DeviceError("the card ran out of memory", code=2)

    monkeypatch.setattr(Robot, "to", broken)
    with pytest.raises(DeviceError, match="ran out of memory"):
        lissom.dask.Robot(ARM, card=True).mass_matrix(pieces(Q)[0]).compute()


class OnCard:
    """An array on a card, of a library that calls itself cupy."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


def test_chunks_on_the_card_stay_there(fake, monkeypatch):
    cupy = ModuleType("cupy")
    cupy.asarray = OnCard
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    card = ARM.to("cuda")
    q, qd = (OnCard(card.backend.array(x)) for x in (Q, QD))
    one = chunk.Chunk.of(ARM, "kinetic_energy", {}, card=True)
    with pytest.raises(StateError, match="expected NumPy's, or CuPy's for arrays on a card"):
        one(q, qd)
    monkeypatch.setattr(OnCard, "__module__", "cupy.core")
    found = one(q, qd)
    assert isinstance(found, OnCard)
    np.testing.assert_allclose(found.array.copy_to_host(), ARM.kinetic_energy(Q, QD), rtol=1e-12)
    with pytest.raises(StateError, match="chunks are on a card, and this robot is not"):
        chunk.Chunk.of(ARM, "kinetic_energy", {})(q, qd)
