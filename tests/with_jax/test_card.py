"""The handler for NVIDIA cards, called with a frame as XLA makes it, on a pretended card; on a real one where JAX sees it."""

import ctypes

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="jax is not installed (extra `jax`)")

import lissom.jax  # noqa: E402
from lissom import Robot, StateError  # noqa: E402
from lissom.compiler import jit  # noqa: E402
from lissom.compiler.cuda.backend import CUDA  # noqa: E402
from lissom.jax import card_handler, frame  # noqa: E402
from lissom.operations import Functions  # noqa: E402
from lissom.robots import rp_model, tree_model  # noqa: E402
from support.fake_cuda import pretend  # noqa: E402
from support.states import error, random_states  # noqa: E402

jax.config.update("jax_enable_x64", True)
POINTER, CODE = ctypes.c_void_p, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def words(*numbers):
    """Return whole numbers of 64 bits in a row; what they point to is kept by the test."""
    return (ctypes.c_int64 * len(numbers))(*numbers)


def at(x):
    return ctypes.addressof(x) if x is not None else 0


class Frame:
    """A call of XLA: arguments and one result by address and shape, whole numbers by name, on a stream and a card."""

    def __init__(self, arguments, result, attributes, stream=4321, card=0, stage=3):
        self.errors, self.kept = [], []
        self.create = CODE(self._created)
        self.get_stream = CODE(lambda asked: self._answer(asked, 32, ctypes.c_int64, stream))
        self.get_ordinal = CODE(lambda asked: self._answer(asked, 28, ctypes.c_int32, card))
        api = [8 * 24, 0, 24, 0, 0, 0, *[0] * 18]
        for place, function in ((48, self.create), (80, self.get_stream), (184, self.get_ordinal)):
            api[place // 8] = ctypes.cast(function, POINTER).value
        self.api = words(*api)
        lists = [self.table([self.buffer(*x) for x in arguments]), self.table([self.buffer(*result)])]
        scalars = [self.keep(words(16, at(self.keep(words(x))))) for x in attributes]
        frame = [0] * 25
        frame[2], frame[3], frame[4] = at(self.api), 777, stage
        frame[56 // 8], frame[72 // 8] = len(arguments), lists[0]
        frame[96 // 8], frame[112 // 8] = 1, lists[1]
        frame[160 // 8] = self.table([at(x) for x in scalars])
        self.words = words(*frame)

    def keep(self, x):
        self.kept.append(x)
        return x

    def table(self, addresses):
        return at(self.keep(words(*addresses)))

    def buffer(self, address, shape):
        dims = self.keep(words(*shape))
        return at(self.keep(words(48, 0, 12, address, len(shape), at(dims))))

    def _answer(self, asked, size, kind, value):
        assert ctypes.c_int64.from_address(asked).value == size
        assert ctypes.c_int64.from_address(asked + 16).value == 777
        kind.from_address(asked + 24).value = value
        return 0

    def _created(self, problem):
        text = ctypes.c_char_p.from_address(problem + 16).value.decode()
        self.errors.append((text, ctypes.c_int32.from_address(problem + 24).value))
        return 99

    def call(self, handler):
        return handler(at(self.words))


@pytest.fixture
def handler():
    loaded = jit.Loaded(jit.compile_object(card_handler.ir()), "handler")
    function = CODE(loaded.address("handler"))
    function.kept = loaded
    return function


@pytest.fixture
def fake(monkeypatch, tmp_path):
    library = pretend(monkeypatch, tmp_path)
    for function in (card_handler.attributes, card_handler._flag):
        monkeypatch.setattr(function, "_known", {})
    return library


@pytest.mark.parametrize("shape", [(5,), (2, 70), (1,), ()], ids=str)
def test_the_handler_launches_the_kernel_of_a_frame(fake, handler, shape):
    robot = Robot(tree_model(2, seed=3), backend="numpy")
    operation = Functions(robot, "a test").choose("inverse_dynamics", {}).operation
    launched = []

    def launch(function, gx, gy, gz, bx, by, bz, shared, stream, places, extra):
        launched.append((gx, bx, stream))
        kinds = [ctypes.c_uint(x) for x in (gx, gy, gz, bx, by, bz, shared)]
        table = (ctypes.c_void_p * 10).from_address(places)
        with CUDA().card():
            fake._cuLaunchKernel(ctypes.c_void_p(function), *kinds, stream, table, None)
        return 0

    kinds = [POINTER, *[ctypes.c_uint32] * 7, POINTER, POINTER, POINTER]
    fake.cuLaunchKernel = ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(launch)
    arrays = [np.atleast_2d(x.reshape(-1, x.shape[-1])) for x in random_states(robot.model, shape)]
    there = [CUDA().array(x) for x in arrays]
    out = CUDA().array(np.zeros_like(arrays[1]))
    attributes = card_handler.attributes(operation)
    values = [attributes[name] for name in card_handler.ATTRIBUTES]
    assert sorted(attributes) == list(card_handler.ATTRIBUTES)
    buffers = [(x._pointer, (*shape, x.shape[-1])) for x in there]
    call = Frame(buffers, (out._pointer, (*shape, robot.nv)), values)
    assert not call.call(handler)
    n = len(arrays[0])
    assert launched == [(-(-n // 128), 128, 4321)]
    assert error(out.copy_to_host(), robot.inverse_dynamics(*arrays)) < 1e-12


def test_the_handler_reports(fake, handler):
    table = words(17)
    refuse = ctypes.CFUNCTYPE(ctypes.c_int32, *[POINTER] * 11)(lambda *_: 1)
    good = [128, 0, at(table), ctypes.cast(refuse, POINTER).value, frame.PROCESS, 0]
    call = Frame([(4096, (3, 2))], (8192, (3, 2)), good)
    assert call.call(handler) == 99
    assert call.errors == [("the driver of the card refused to launch a kernel of lissom", 13)]
    call = Frame([(4096, (0, 2))], (8192, (0, 2)), good)  # no sample, no launch
    assert not call.call(handler) and not call.errors
    call = Frame([(4096, (3, 2))], (8192, (3, 2)), [*good[:4], frame.PROCESS - 1, 0])
    assert call.call(handler) == 99
    assert call.errors[0][1] == 9 and "stored by another process" in call.errors[0][0]
    assert not Frame([(4096, (3, 2))], (8192, (3, 2)), good, stage=1).call(handler)


def test_robots_of_a_card(fake):
    card = lissom.jax.Robot(Robot(rp_model(), backend="cuda"))
    x = [jax.device_put(y, jax.devices("cpu")[0]) for y in random_states(rp_model())]
    with pytest.raises(StateError, match=r"computes on the card, and this part runs on the CPU; take .*to\('llvm'\)"):
        card.inverse_dynamics(*x)
    with pytest.raises(StateError, match="lissom.jax computes in double precision"):
        lissom.jax.Robot(Robot(rp_model(), backend=CUDA("single")))


def there_is_a_card():
    try:
        return bool(jax.devices("cuda"))
    except RuntimeError:
        return False


@pytest.mark.skipif(not there_is_a_card(), reason="JAX sees no NVIDIA card")
def test_programs_on_a_card_are_those_of_the_processor():
    from jax.test_util import check_grads

    for model in (rp_model(), tree_model(3, seed=5, floating=True)):
        ours, definition = lissom.jax.Robot(Robot(model)), Robot(model, backend="numpy")
        for lead in ((), (1,), (1000,), (3, 50), (0,)):
            x = random_states(model, lead)
            given = [jax.device_put(y, jax.devices("cuda")[0]) for y in x]
            found = jax.jit(ours.inverse_dynamics)(*given)
            assert list(found.devices())[0].platform == "gpu"
            assert error(np.asarray(found), definition.inverse_dynamics(*x)) < 1e-12
            if len(lead) == 1:
                assert np.array_equal(np.asarray(jax.vmap(ours.inverse_dynamics)(*given)), np.asarray(found))
        x = [jax.device_put(y, jax.devices("cuda")[0]) for y in random_states(model)]
        check_grads(ours.forward_dynamics, x, order=1, rtol=1e-4, atol=1e-4)
        by_qd = jax.jit(jax.jacrev(ours.inverse_dynamics, argnums=1))(*x)
        expected = definition.inverse_dynamics_derivatives(*(np.asarray(y) for y in x)).dqd
        assert error(np.asarray(by_qd), expected) < 1e-11
