"""Robots on a card, by a driver that is not one: arrays of the host and of the card, layouts, streams, errors, the cache."""

import gc
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import lissom
from lissom import CUDA, DeviceError, Robot, StateError
from lissom.compiler.backend import BACKENDS, Backend
from lissom.compiler.cuda import backend, host, kernel
from lissom.compiler.cuda.arrays import DeviceArray
from lissom.robots import five_bar_model, panda, planar_two_link_model, tree_model
from support import elastic_arms
from support.ptx import Ptx
from support.states import error, random_states

MODEL = planar_two_link_model()


@pytest.fixture
def pair(fake):
    """The same robot on the card and by NumPy."""
    return Robot(MODEL, backend="cuda"), Robot(MODEL, backend="numpy")


def there(robot, arrays, columns=False):
    """Return copies on the card, in rows or in columns."""
    if columns:
        return [robot.backend.array(np.ascontiguousarray(a.T)).T for a in arrays]
    return [robot.backend.array(a) for a in arrays]


class Foreign:
    """An array of another library, which shows only its memory."""

    def __init__(self, array, **changes):
        self.array, self.changes = array, changes

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__ | self.changes


def test_a_batch_of_the_host(pair):
    card, definition = pair
    for n in (1, 2, 37, 300):
        state = random_states(MODEL, n, seed=n)
        assert error(card.inverse_dynamics(*state), definition.inverse_dynamics(*state)) < 1e-13
    state = random_states(MODEL, (3, 5))
    assert card.mass_matrix(state[0]).shape == (3, 5, 2, 2)
    assert card.inverse_dynamics(*(x[0, 0] for x in state)).shape == (2,)
    assert card.inverse_dynamics(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2))).shape == (0, 2)
    out = np.empty((3, 5, 2))
    assert card.inverse_dynamics(*state, out=out) is out
    assert error(out, definition.inverse_dynamics(*state)) < 1e-13


@pytest.mark.parametrize("pieces", [200, 2000, 20000])
def test_a_batch_in_pieces(pair, pieces, monkeypatch):
    card, definition = pair
    monkeypatch.setattr(host, "PIECE", pieces)
    state = random_states(MODEL, 101)
    for _ in range(2):
        assert error(card.inverse_dynamics(*state), definition.inverse_dynamics(*state)) < 1e-13


def test_single_precision(fake):
    card = Robot(MODEL, backend="cuda", precision="single")
    state = random_states(MODEL, 40)
    found = card.forward_dynamics(*state)
    assert found.dtype == np.float64
    expected = Robot(MODEL, backend="numpy").forward_dynamics(*state)
    assert 1e-9 < error(found, expected) < 1e-4
    on_card = card.forward_dynamics(*there(card, state))
    assert on_card.dtype == np.float32
    assert error(on_card.copy_to_host(), expected) < 1e-4


@pytest.mark.parametrize("columns", [False, True])
def test_arrays_on_the_card(pair, columns):
    card, definition = pair
    state = random_states(MODEL, 45)
    moved = there(card, state, columns)
    tau = card.inverse_dynamics(*moved)
    assert isinstance(tau, DeviceArray)
    assert (tau.strides == (8, 45 * 8)) == columns
    assert error(tau.copy_to_host(), definition.inverse_dynamics(*state)) < 1e-13
    mass = card.mass_matrix(moved[0])
    assert (mass.shape, mass.ndim, mass.size, mass.nbytes, len(mass)) == ((45, 2, 2), 3, 180, 1440, 45)
    assert error(np.asarray(mass), definition.mass_matrix(state[0])) < 1e-13
    assert card.kinetic_energy(*moved[:2]).shape == (45,)
    assert error(card.kinetic_energy(*moved[:2]).copy_to_host(), definition.kinetic_energy(*state[:2])) < 1e-13
    tables, expected = card.inverse_dynamics_derivatives(*moved), definition.inverse_dynamics_derivatives(*state)
    for ours, theirs in zip(tables, expected, strict=True):
        assert error(ours.copy_to_host(), theirs) < 1e-13
    card.backend.synchronize()


@pytest.mark.parametrize("n", [9, 33, 70])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_long_rows_are_computed_in_columns(fake, monkeypatch, n, precision):
    """In slabs: 8 samples at a time, and the rest."""
    monkeypatch.setattr(backend, "SEVERAL", 8)
    monkeypatch.setattr(backend, "ROOM", 1)
    monkeypatch.setattr(backend, "LONG", {False: 64, True: 64})
    model = tree_model(5, seed=1)
    card, definition = Robot(model, backend="cuda", precision=precision), Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, n)
    found = card.inverse_dynamics_derivatives(*there(card, (q, qd, qdd)))
    least = 1e-12 if precision == "double" else 1e-4
    for ours, theirs in zip(found, definition.inverse_dynamics_derivatives(q, qd, qdd), strict=True):
        assert error(ours.copy_to_host(), theirs) < least
    assert fake.calls.count("cuLaunchKernel") == 2 * -(-n // 8)
    moved = [card.backend.array(np.ascontiguousarray(q.T)).T, *there(card, (qd[0],)), *there(card, (qdd,))]
    found = card.inverse_dynamics_derivatives(
        moved[0], moved[1], moved[2], out=card.backend.array(np.zeros((n, 3, card.nv, card.nv)))
    )
    for ours, theirs in zip(found, definition.inverse_dynamics_derivatives(q, qd[0], qdd), strict=True):
        assert error(ours.copy_to_host(), theirs) < least


def test_arrays_on_the_card_and_of_the_host_mix(pair):
    card, definition = pair
    q, qd, qdd = random_states(MODEL, 33)
    moved = there(card, [q])[0]
    assert error(card.inverse_dynamics(moved, qd, qdd).copy_to_host(), definition.inverse_dynamics(q, qd, qdd)) < 1e-13
    found = card.inverse_dynamics(moved, qd[0], [0.1, 0.2]).copy_to_host()
    assert error(found, definition.inverse_dynamics(q, qd[0], [0.1, 0.2])) < 1e-13
    one = card.inverse_dynamics(moved[0], qd[0], qdd[0])
    assert one.shape == (2,)
    assert error(one.copy_to_host(), definition.inverse_dynamics(q[0], qd[0], qdd[0])) < 1e-13
    out = card.backend.array(np.zeros((33, 2)))
    assert card.inverse_dynamics(moved, qd, qdd, out=out) is out
    assert error(out.copy_to_host(), definition.inverse_dynamics(q, qd, qdd)) < 1e-13
    assert card.inverse_dynamics(q, qd, qdd, out=out) is out
    axes = card.inverse_dynamics(*there(card, [x.reshape(3, 11, 2) for x in (q, qd, qdd)]))
    assert axes.shape == (3, 11, 2)
    loads = {MODEL.links[-1].name: lissom.Wrench([1.0, 2.0, 0.0], axes="link")}
    found = card.inverse_dynamics(moved, qd, qdd, external=loads).copy_to_host()
    assert error(found, definition.inverse_dynamics(q, qd, qdd, external=loads)) < 1e-13


def test_arrays_of_other_libraries(pair):
    card, definition = pair
    state = random_states(MODEL, 20)
    moved = there(card, state)
    expected = definition.inverse_dynamics(*state)
    shown = [Foreign(moved[0], stream=None), Foreign(moved[1], stream=1), Foreign(moved[2], strides=None)]
    assert error(card.inverse_dynamics(*shown).copy_to_host(), expected) < 1e-13
    # streams of their own: the call waits for the second
    shown = [Foreign(moved[0], stream=11), Foreign(moved[1], stream=12), moved[2]]
    assert error(card.inverse_dynamics(*shown).copy_to_host(), expected) < 1e-13


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"typestr": "<f4"}, r"q has dtype float32.*precision='single'"),
        ({"typestr": "<i8"}, r"q has dtype int64, and the robot computes on the card with float64: convert it$"),
        ({"shape": (20, 3)}, r"q has shape \(20, 3\), expected \(\.\.\., 2\)"),
        ({"strides": (48, 24)}, r"q has strides \(48, 24\).*make a contiguous copy"),
        ({"strides": (8, 8)}, r"q has strides \(8, 8\)"),
        ({"data": (1 << 20 | 4, False)}, "begins at an address that is no multiple of 8"),
    ],
)
def test_arrays_that_cannot_be_used(pair, changes, message):
    card, _ = pair
    state = random_states(MODEL, 20)
    moved = there(card, state)
    with pytest.raises(StateError, match=message):
        card.inverse_dynamics(Foreign(moved[0], **changes), *moved[1:])


class Tensor:
    """A tensor of PyTorch, as far as it is asked."""

    __module__ = "torch"
    is_cuda, device = True, "cuda:0"

    def __init__(self, array, dtype="torch.float64", requires_grad=False):
        self.array, self.dtype, self.requires_grad, self.shape = array, dtype, requires_grad, array.shape

    def element_size(self):
        return 8

    def stride(self):
        return tuple(s // 8 for s in self.array.strides)

    def data_ptr(self):
        return self.array._pointer

    __cuda_array_interface__ = None


def test_tensors_of_pytorch(pair, monkeypatch):
    """By what tensors say themselves, on the stream that is current."""
    card, definition = pair
    stream = SimpleNamespace(cuda_stream=55)
    torch = SimpleNamespace(is_grad_enabled=lambda: True, cuda=SimpleNamespace(current_stream=lambda device: stream))
    monkeypatch.setitem(sys.modules, "torch", torch)
    state = random_states(MODEL, 20)
    tensors = [Tensor(x) for x in there(card, state)]
    found = card.inverse_dynamics(*tensors)
    assert error(found.copy_to_host(), definition.inverse_dynamics(*state)) < 1e-13
    assert found.__cuda_array_interface__["stream"] == 55
    out = Tensor(card.backend.array(np.zeros((20, 2))))
    assert card.inverse_dynamics(*tensors, out=out) is out
    with pytest.raises(StateError, match=r"q is a tensor that needs gradients: pass q.detach\(\)"):
        card.inverse_dynamics(Tensor(tensors[0].array, requires_grad=True), *tensors[1:])
    with pytest.raises(StateError, match="qd has dtype bfloat16, and"):
        card.inverse_dynamics(tensors[0], Tensor(tensors[1].array, dtype="torch.bfloat16"), tensors[2])
    with pytest.raises(StateError, match="qd has dtype int64, and the robot computes on the card with float64"):
        card.inverse_dynamics(tensors[0], Tensor(tensors[1].array, dtype="torch.int64"), tensors[2])


def test_shapes_and_results_that_do_not_fit(pair):
    card, _ = pair
    state = random_states(MODEL, 20)
    q, qd, qdd = there(card, state)
    with pytest.raises(StateError, match=r"same leading axes or none, got q \(20, 2\), qd \(19, 2\)"):
        card.inverse_dynamics(q, qd[:19], qdd)
    with pytest.raises(StateError, match=r"out has shape \(19, 2\), expected \(20, 2\)"):
        card.inverse_dynamics(q, qd, qdd, out=there(card, [state[0][:19]])[0])
    with pytest.raises(StateError, match="out shares memory with an argument"):
        card.inverse_dynamics(q, qd, qdd, out=qd)
    with pytest.raises(StateError, match="out must be on the card, as the arguments are, got ndarray"):
        card.inverse_dynamics(q, qd, qdd, out=np.empty((20, 2)))
    with pytest.raises(StateError, match="out is read-only"):
        card.inverse_dynamics(q, qd, qdd, out=Foreign(qdd, data=(1 << 22, True)))
    with pytest.raises(StateError, match="qd has size 3"):
        card.inverse_dynamics(q, np.zeros(3), qdd)


def test_what_is_not_finite(pair):
    card, definition = pair
    q, qd, qdd = random_states(MODEL, 20)
    q[7, 1] = 1e14  # computed again by NumPy
    assert error(card.inverse_dynamics(q, qd, qdd), definition.inverse_dynamics(q, qd, qdd)) < 1e-13
    card.backend.synchronize()
    found = card.inverse_dynamics(*there(card, (q, qd, qdd))).copy_to_host()
    assert np.isnan(found).any(axis=1).tolist() == [k == 7 for k in range(20)]
    with pytest.raises(StateError, match="not finite: of inverse_dynamics of 'planar_two_link'"):
        card.backend.synchronize()
    card.backend.synchronize()
    q[7, 1] = np.inf
    with pytest.raises(StateError, match=r"q\[7, 1\] \(joint .*\) is inf; every input must be finite"):
        card.inverse_dynamics(q, qd, qdd)


def test_parts_of_arrays_on_the_card(fake):
    values = np.arange(2 * 3 * 4.0).reshape(2, 3, 4)
    array = CUDA().array(values)
    for index in (
        0,
        -1,
        (..., 1),
        (slice(None), 2),
        (1, slice(0, 2), slice(1, None, 2)),
        slice(1, 1),
        (0, 1, 2),
        ...,
        slice(None, None, -1),
    ):
        assert np.array_equal(array[index].copy_to_host(), values[index]), index
        assert np.array_equal(array[index].T.copy_to_host(), np.asarray(values[index]).T)
    assert repr(array[0]) == "<DeviceArray (3, 4) float64 on cuda:0>"
    assert np.asarray(array, np.float32).dtype == np.float32
    with pytest.raises(StateError, match="cut by numbers, slices and one ellipsis"):
        array[[0, 1]]
    with pytest.raises(IndexError, match="the array has 3 axes, got 4"):
        array[0, 0, 0, 0]
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(array, copy=False)


def test_dlpack(fake):
    array = CUDA().array(np.zeros((3, 2)))
    assert array.__dlpack_device__() == (2, 0)
    from lissom.compiler.cuda import dlpack

    capsule = array.__dlpack__()
    assert "dltensor" in repr(capsule)
    (owner, managed, axes, steps), *_ = dlpack._alive.values()
    assert owner is array
    assert (list(axes), list(steps)) == ([3, 2], [2, 1])
    assert (managed.tensor.device_type, managed.tensor.bits, managed.tensor.ndim) == (2, 64, 2)
    del capsule, owner
    gc.collect()
    assert not dlpack._alive


def test_memory_is_given_back(pair, fake):
    card, _ = pair
    state = random_states(MODEL, 20)
    moved = there(card, state)
    card.inverse_dynamics(*moved)
    gc.collect()
    before = set(fake.alive)
    for _ in range(50):
        card.inverse_dynamics(*moved)
    gc.collect()
    assert fake.alive == before
    assert fake.depth == 0


def test_kernels_are_kept_on_disk(fake, tmp_path):
    state = random_states(MODEL, 5)
    robots = [Robot(MODEL, backend="cuda") for _ in range(2)]
    found = [robot.inverse_dynamics(*state) for robot in robots]
    assert np.array_equal(*found)
    assert fake.calls.count("cuLinkComplete") == 1
    (path,) = (tmp_path / "cache").glob("*.code")
    # code of another kind of card is made again
    from lissom.compiler import cache

    cache.write(path.name, b"[128, 0]\nsomething else")
    assert np.array_equal(Robot(MODEL, backend="cuda").inverse_dynamics(*state), found[0])
    assert fake.calls.count("cuLinkComplete") == 2


def test_other_robots_and_functions(fake):
    """A floating tree, elastic drives, a closed robot, simulation, and derivatives along a direction."""
    for model in (tree_model(5, seed=2, floating=True), elastic_arms.chain(backend="numpy").model):
        state = random_states(model, 9)
        ours, theirs = (Robot(model, backend=name).forward_dynamics(*state) for name in ("cuda", "numpy"))
        assert error(ours, theirs) < 1e-11
    loops = [lissom.ClosedRobot(five_bar_model(), backend=name) for name in ("cuda", "numpy")]
    q = loops[1].home() + 0.05
    one, other = (robot.inverse_dynamics(q, [0.1, 0.2], [0.3, -0.1]) for robot in loops)
    assert np.allclose(one, other, rtol=1e-10)
    card, definition = panda().to("cuda"), panda().to("numpy")
    runs = [r.simulate([0.3] * 7, [0.1] * 7, duration=0.02, dt=0.01, method="rk4") for r in (card, definition)]
    assert np.allclose(runs[0].q, runs[1].q, rtol=1e-12)
    q, qd, qdd = random_states(definition.model, 3)
    assert error(card.jvp("gravity_torques", (q,), (qd,)), definition.jvp("gravity_torques", (q,), (qd,))) < 1e-12
    ours = card.jvp("inverse_dynamics", there(card, (q, qd, qdd)), there(card, (qd, qdd, qd)))
    assert error(ours.copy_to_host(), definition.jvp("inverse_dynamics", (q, qd, qdd), (qd, qdd, qd))) < 1e-12


def test_derivatives_on_the_card(pair):
    card, definition = pair
    state = random_states(MODEL, 6)
    weights = np.random.default_rng(0).normal(size=(6, 2, 2))
    moved = there(card, state)
    ours = card.vjp("inverse_dynamics", moved, there(card, [weights[..., 0]])[0])
    for a, b in zip(ours, definition.vjp("inverse_dynamics", state, weights[..., 0]), strict=True):
        assert error(a.copy_to_host(), b) < 1e-12
    (ours,), (theirs,) = (
        card.vjp("mass_matrix", moved[:1], there(card, [weights])[0]),
        definition.vjp("mass_matrix", state[:1], weights),
    )
    assert error(ours.copy_to_host(), theirs) < 1e-12
    for a, b in zip(card.derivatives("forward_dynamics", moved), definition.derivatives("forward_dynamics", state), strict=True):
        assert error(a.copy_to_host(), b) < 1e-12
    for a, b in zip(*(r.derivatives("inverse_dynamics_regressor", state) for r in (card, definition)), strict=True):
        assert error(a, b) < 1e-12
    with pytest.raises(StateError, match=r"weights have shape \(6, 3\)"):
        card.vjp("inverse_dynamics", moved, card.backend.array(np.zeros((6, 3))))
    with pytest.raises(StateError, match=r"an array of shape \(6, 2\) on a card cannot have the shape \(5, 2\)"):
        moved[0].reshape(5, 2)
    assert moved[0].reshape(3, 2, 1, 2)[..., 0, 1].shape == (3, 2)
    assert np.array_equal(moved[0].T.reshape(2, 3, 2).copy_to_host(), state[0].T.reshape(2, 3, 2))
    assert np.array_equal(moved[0][:, :1].reshape(2, 3).copy_to_host(), state[0][:, 0].reshape(2, 3))
    with pytest.raises(StateError, match="has gaps, or another order of axes"):
        moved[0].T.reshape(12)


def test_backends_and_precisions_are_chosen(fake):
    assert isinstance(BACKENDS["cuda"], Backend)
    robot = Robot(MODEL, backend="numpy").to("cuda", precision="single")
    assert robot.backend == CUDA("single", 0)
    assert pickle.loads(pickle.dumps(robot)).backend == robot.backend
    assert robot.to("llvm").backend.name == "llvm"
    assert Robot(MODEL, backend=CUDA()).to(CUDA(), precision="single").backend == CUDA("single")
    with pytest.raises(StateError, match="precision='single' needs backend='cuda', got backend='llvm'"):
        Robot(MODEL, backend="llvm", precision="single")
    with pytest.raises(StateError, match="no precision 'half'; expected one of 'double', 'single'"):
        CUDA("half")
    with pytest.raises(StateError, match="device must be the number of a card, got 'cuda:0'"):
        CUDA(device="cuda:0")
    with pytest.raises(StateError, match="device=1 is of backend 'cuda', got 'llvm'"):
        robot.to("llvm", device=1)
    with pytest.raises(DeviceError, match="there is no card 3; there is one, 0"):
        robot.to("cuda", device=3)
    with pytest.raises(StateError, match="no backend 'cuba'; did you mean 'cuda'"):
        robot.to("cuba")
    with pytest.raises(StateError, match=r"no backend 'gpu'; NVIDIA's cards are 'cuda': robot.to\('cuda'\)"):
        robot.to("gpu")


def test_calls_with_arrays_of_known_shapes(pair, monkeypatch):
    """They are launched again with other addresses; nothing else of the call may stay."""
    from lissom.compiler.cuda import known

    card, definition = pair
    monkeypatch.setattr(backend, "MOST", 3)
    results = []
    for n in (20, 21, 20, 22, 23, 20):
        state = random_states(MODEL, n, seed=len(results))
        for columns in (False, True):
            moved = there(card, state, columns)
            results.append((card.inverse_dynamics(*moved), definition.inverse_dynamics(*state)))
            assert (results[-1][0].strides[0] == 8) == columns
            out = card.backend.array(np.zeros((n, 2)))
            assert card.inverse_dynamics(*moved, out=out) is out
            results.append((out, results[-1][1]))
    for found, expected in results:
        assert error(found.copy_to_host(), expected) < 1e-13
    moved = there(card, state)
    for _ in range(2):
        card.inverse_dynamics(*moved, out=card.backend.array(np.zeros((20, 2))))
    with pytest.raises(StateError, match="out shares memory with an argument"):
        card.inverse_dynamics(*moved, out=moved[1])
    shown = [Foreign(moved[0]), *moved[1:]]
    assert known.call_key(shown, 0) is None and known.call_key([moved[0], shown[0]], 0) is None
    moved[0] = card.backend.array(np.full((20, 2), np.nan))
    card.inverse_dynamics(*moved)
    with pytest.raises(StateError, match="not finite: of inverse_dynamics"):
        card.backend.synchronize()


def test_known_calls_of_tensors(pair, monkeypatch):
    card, definition = pair

    class Given(Tensor):
        __module__ = "torch"

        @property
        def device(self):
            return SimpleNamespace(index=0)

    stream = SimpleNamespace(cuda_stream=55)
    torch = SimpleNamespace(
        Tensor=Given, is_grad_enabled=lambda: True, cuda=SimpleNamespace(current_stream=lambda device: stream)
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    for seed in range(3):
        state = random_states(MODEL, 20, seed=seed)
        tensors = [Given(x) for x in there(card, state)]
        found = card.inverse_dynamics(*tensors)
        assert error(found.copy_to_host(), definition.inverse_dynamics(*state)) < 1e-13
        stream.cuda_stream += seed  # another one for the last
    assert found.__cuda_array_interface__["stream"] == 56
    with pytest.raises(StateError, match=r"q is a tensor that needs gradients"):
        card.inverse_dynamics(Given(tensors[0].array, requires_grad=True), *tensors[1:])


LEGS = tree_model(13, branching=4.0, seed=3, floating=True)  # a body with four limbs of three joints


def test_rows_of_robots_with_limbs_are_turned(fake, monkeypatch):
    """Where warps work on limbs, arguments and results in rows are turned, in several pieces here."""
    monkeypatch.setattr(backend, "SEVERAL", 8)
    monkeypatch.setattr(backend, "LONG", {False: 20, True: 20})
    monkeypatch.setattr(backend, "ROOM", 16 * 8 * 100)
    monkeypatch.setattr(kernel.Kernel, "local", True)
    card, definition = Robot(LEGS, backend="cuda"), Robot(LEGS, backend="numpy")
    state = random_states(LEGS, 45)
    expected = definition.forward_dynamics(*state)
    for columns in (False, True):
        found = card.forward_dynamics(*there(card, state, columns))
        assert error(found.copy_to_host(), expected) < 1e-12
    assert any(isinstance(x, Ptx) and "$role1" in x.text for x in fake.kept)
    one = card.forward_dynamics(there(card, state[:1])[0], state[1][0], state[2][0])
    assert error(one.copy_to_host(), definition.forward_dynamics(state[0], state[1][0], state[2][0])) < 1e-12
