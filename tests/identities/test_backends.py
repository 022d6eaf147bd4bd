"""Machine code against the NumPy definition: any tree, any batch, any array that holds the numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import BaseMotion, Robot, Wrench
from lissom.compiler.threads import SPLIT
from lissom.robots import tree_model
from support.springs import spring_forces
from support.states import error, random_states
from support.trees import trees

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")


@pytest.fixture(scope="module")
def robot():
    return Robot(tree_model(5, seed=11, floating=True), backend="llvm")


@pytest.fixture(scope="module")
def definition(robot):
    return Robot(robot.model, backend="numpy")


@pytest.fixture
def restore_threads():
    before = lissom.get_threads()
    yield
    lissom.set_threads(before)


@settings(max_examples=12)
@given(trees(), st.integers(0, 1000), st.sampled_from([(), (1,), (5,), (8,), (2, 9)]))
def test_every_backend_agrees_with_numpy_and_pinocchio(model, seed, lead):
    compiled, definition, peer = Robot(model, backend="llvm"), Robot(model, backend="numpy"), Peer(model)
    q, qd, qdd = state = random_states(model, lead, seed=seed)
    tau = definition.inverse_dynamics(*state)
    assert error(compiled.inverse_dynamics(*state), tau) < 1e-12
    assert error(compiled.bias_torques(q, qd), definition.bias_torques(q, qd)) < 1e-12
    assert error(compiled.gravity_torques(q), definition.gravity_torques(q)) < 1e-12
    first = (0,) * len(lead)
    passive = peer.friction(qd[first]) + spring_forces(model, q[first], qd[first])
    assert error(tau[first], peer.tau(q[first], qd[first], qdd[first]) + passive) < 1e-12


@settings(max_examples=8)
@given(trees(), st.sampled_from(["joint", "link", "parent", "world"]), st.integers(0, 1000))
def test_every_backend_has_the_same_wrenches(model, axes, seed):
    compiled, definition = Robot(model, backend="llvm"), Robot(model, backend="numpy")
    state = random_states(model, 5, seed=seed)
    rng = np.random.default_rng(seed)
    more = {
        "external": {"link_1": Wrench(rng.normal(size=3), rng.normal(size=3), axes="world", point=rng.normal(size=3))},
        "base_motion": BaseMotion(rng.normal(size=4), *rng.normal(size=(3, 3))),
    }
    assert error(compiled.joint_wrenches(*state, axes=axes), definition.joint_wrenches(*state, axes=axes)) < 1e-12
    ours, theirs = (r.joint_wrenches(*state, axes=axes, **more) for r in (compiled, definition))
    assert error(ours, theirs) < 1e-12
    ours, theirs = (r.inverse_dynamics(*state, **more) for r in (compiled, definition))
    assert error(ours, theirs) < 1e-12


@pytest.mark.parametrize("n", [*range(21), 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257])
def test_batch_of_any_length_is_its_samples(robot, definition, n):
    state = random_states(robot.model, n, seed=n)
    tau = robot.inverse_dynamics(*state)
    assert tau.shape == (n, robot.nv)
    assert error(tau, definition.inverse_dynamics(*state)) < 1e-12
    if n:
        single = np.array([robot.inverse_dynamics(*(x[k] for x in state)) for k in range(n)])
        assert error(single, tau) < 1e-12


@pytest.mark.parametrize("n", range(1, 20))
def test_nothing_is_written_outside_the_result(robot, n):
    state = random_states(robot.model, n, seed=n)
    guarded = np.full((n + 40, robot.nv), 7.0)
    robot.inverse_dynamics(*state, out=guarded[20 : n + 20])
    assert (guarded[:20] == 7.0).all()
    assert (guarded[n + 20 :] == 7.0).all()
    assert np.array_equal(guarded[20 : n + 20], robot.inverse_dynamics(*state))


@pytest.mark.parametrize("beyond", [-1, 0, 1, 12345])
def test_threads_do_not_change_a_bit(robot, restore_threads, beyond):
    n = SPLIT // (robot.nq + 3 * robot.nv) + beyond  # about where a batch is first split
    state = random_states(robot.model, n, seed=1)
    lissom.set_threads(1)
    alone = robot.inverse_dynamics(*state)
    for threads in (2, 3):
        lissom.set_threads(threads)
        assert np.array_equal(robot.inverse_dynamics(*state), alone)
        out = np.empty_like(alone)
        assert robot.inverse_dynamics(*state, out=out) is out
        assert np.array_equal(out, alone)
    pick = [0, 63, 64, n // 2, n - 1]
    assert error(alone[pick], Robot(robot.model, backend="numpy").inverse_dynamics(*(x[pick] for x in state))) < 1e-12


def test_leading_axes_are_the_batch(robot, definition):
    state = random_states(robot.model, (2, 3, 4), seed=1)
    tau = robot.inverse_dynamics(*state)
    assert tau.shape == (2, 3, 4, robot.nv)
    assert error(tau[1, 2, 3], definition.inverse_dynamics(*(x[1, 2, 3] for x in state))) < 1e-12
    assert robot.joint_wrenches(*state).shape == (2, 3, 4, len(robot.moving_joint_names), 6)


def test_leading_axes_broadcast(robot, backend):
    robot = Robot(robot.model, backend=backend)
    q, qd, qdd = random_states(robot.model, (3,), seed=2)
    column = q[:, None]
    tau = robot.inverse_dynamics(column, qd[0], qdd)
    assert tau.shape == (3, 3, robot.nv)
    for i, j in np.ndindex(3, 3):
        assert error(tau[i, j], robot.inverse_dynamics(q[i], qd[0], qdd[j])) < 1e-12
    assert error(robot.inverse_dynamics(q, qd[0], qdd[0])[2], robot.inverse_dynamics(q[2], qd[0], qdd[0])) < 1e-12


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0, 3)])
def test_empty_batch_gives_an_empty_result(robot, backend, shape):
    robot = Robot(robot.model, backend=backend)
    state = random_states(robot.model, shape)
    assert robot.inverse_dynamics(*state).shape == (*shape, robot.nv)
    assert robot.joint_wrenches(*state).shape == (*shape, len(robot.moving_joint_names), 6)
    out = np.empty((*shape, robot.nv))
    assert robot.inverse_dynamics(*state, out=out) is out


def spread(a):
    wide = np.full((*a.shape[:-1], 3 * a.shape[-1]), np.nan)
    wide[..., ::3] = a
    return wide[..., ::3]


def unaligned(a):
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(np.float64).reshape(a.shape)
    view[...] = a
    return view


LAYOUTS = {
    "fortran": np.asfortranarray,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "reversed": lambda a: a[::-1].copy()[::-1],
    "reversed entries": lambda a: a[..., ::-1].copy()[..., ::-1],
    "spread": spread,
    "every second row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "swapped bytes": lambda a: a.astype(">f8"),
    "unaligned": unaligned,
    "list": lambda a: a.tolist(),
    "tuple of arrays": tuple,
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
    "long double": lambda a: a.astype(np.longdouble),
    "subclass": lambda a: a.view(type("Own", (np.ndarray,), {})),
    "matrix": np.asmatrix,
}


@pytest.mark.sweep(14)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [1, 9])
def test_any_layout_of_the_numbers_gives_the_same_forces(robot, backend, layout, n):
    robot = Robot(robot.model, backend=backend)
    state = random_states(robot.model, n, seed=3)
    expected = robot.inverse_dynamics(*state)
    for k in range(3):
        mixed = [LAYOUTS[layout](x) if i == k else x for i, x in enumerate(state)]
        ours = robot.inverse_dynamics(*mixed)
        assert np.array_equal(ours, expected)
        assert type(ours) is np.ndarray
    assert np.array_equal(robot.inverse_dynamics(*map(LAYOUTS[layout], state)), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.int8, np.uint16])
def test_other_real_numbers_are_converted(robot, backend, dtype):
    robot = Robot(robot.model, backend=backend)
    state = [np.abs(np.round(2 * x)).astype(dtype) + dtype(1) for x in random_states(robot.model, 5, seed=4)]
    expected = robot.inverse_dynamics(*(x.astype(float) for x in state))
    assert np.array_equal(robot.inverse_dynamics(*state), expected)
    assert expected.dtype == np.float64


def test_out_is_filled_and_returned(robot, backend):
    robot = Robot(robot.model, backend=backend)
    for lead in ((), (1,), (9,), (2, 3)):
        state = random_states(robot.model, lead, seed=5)
        out = np.empty((*lead, robot.nv))
        assert robot.inverse_dynamics(*state, out=out) is out
        assert np.array_equal(out, robot.inverse_dynamics(*state))
        wrenches = np.empty((*lead, len(robot.moving_joint_names), 6))
        assert robot.joint_wrenches(*state, out=wrenches) is wrenches
        assert np.array_equal(wrenches, robot.joint_wrenches(*state))


def test_out_may_have_gaps_or_be_in_any_order(robot, backend):
    robot = Robot(robot.model, backend=backend)
    state = random_states(robot.model, 9, seed=5)
    expected = robot.inverse_dynamics(*state)
    for out in (
        np.zeros((9, 2 * robot.nv))[:, ::2],
        np.zeros((robot.nv, 9)).T,
        np.zeros((18, robot.nv))[::-2],
        unaligned(np.zeros((9, robot.nv))),
    ):
        assert robot.inverse_dynamics(*state, out=out) is out
        assert np.array_equal(out, expected)


@pytest.mark.sweep(12)
@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize("shift", [0, 1, 5])
@pytest.mark.parametrize("n", [1, 8, 9, 30])
def test_out_may_overlap_an_input(robot, backend, which, shift, n):
    robot = Robot(robot.model, backend=backend)
    state = random_states(robot.model, n, seed=6)
    expected = robot.inverse_dynamics(*state)
    memory = np.zeros((n + 5) * robot.nv)
    shared = memory[: n * robot.nv].reshape(n, robot.nv)
    shared[:] = state[which]
    out = memory[shift : shift + n * robot.nv].reshape(n, robot.nv)
    arguments = [shared if i == which else x for i, x in enumerate(state)]
    assert robot.inverse_dynamics(*arguments, out=out) is out
    assert np.array_equal(out, expected)


def test_out_may_be_the_velocity_itself(robot, backend):
    robot = Robot(robot.model, backend=backend)
    for lead in ((), (4,)):
        q, qd, qdd = random_states(robot.model, lead, seed=7)
        expected = robot.inverse_dynamics(q, qd, qdd)
        assert robot.inverse_dynamics(q, qd, qdd, out=qdd) is qdd
        assert np.array_equal(qdd, expected)


def test_inputs_are_left_as_they_were(robot, backend):
    robot = Robot(robot.model, backend=backend)
    for lead in ((), (9,)):
        state = random_states(robot.model, lead, seed=8)
        before = [x.copy() for x in state]
        robot.inverse_dynamics(*state)
        assert all(np.array_equal(a, b) for a, b in zip(state, before, strict=True))


def test_two_results_do_not_share_memory(robot):
    for lead in ((), (9,)):
        state = random_states(robot.model, lead, seed=8)
        assert not np.may_share_memory(robot.inverse_dynamics(*state), robot.inverse_dynamics(*state))


def test_same_call_gives_the_same_bits_whatever_the_batch(robot):
    state = random_states(robot.model, 40, seed=9)
    whole = robot.inverse_dynamics(*state)
    for start in (1, 3, 8, 31):
        assert np.array_equal(robot.inverse_dynamics(*(x[start:] for x in state)), whole[start:])


@pytest.mark.parametrize("size", [1.1e9, 1e12, 1e300])
def test_angles_too_large_for_the_fast_sine_are_still_right(size):
    model = tree_model(4, kinds=["revolute"], seed=1)
    compiled, definition = Robot(model, backend="llvm"), Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, 20, seed=1)
    q[7, 2] = size
    ours = compiled.inverse_dynamics(q, qd, qdd)
    assert error(ours, definition.inverse_dynamics(q, qd, qdd)) < 1e-12
    assert error(compiled.inverse_dynamics(q[7], qd[7], qdd[7]), ours[7]) < 1e-12
    out = np.empty_like(ours)
    assert compiled.inverse_dynamics(q, qd, qdd, out=out) is out
    assert np.array_equal(out, ours)
