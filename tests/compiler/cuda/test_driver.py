"""The driver's errors in words; cards and drivers that are not there, old, or full."""

import ctypes

import numpy as np
import pytest

import lissom
from lissom import CUDA, CompilerError, DeviceError, Robot
from lissom.compiler.cuda import driver, module
from lissom.compiler.cuda.device import Device, Memory, Pinned, Stream, Timer
from lissom.compiler.cuda.driver import Driver, started
from lissom.compiler.cuda.kernel import Kernel
from lissom.robots import planar_two_link_model
from support.fake_cuda import FakeCuda
from support.states import random_states

MODEL = planar_two_link_model()


def test_without_a_driver(monkeypatch):
    monkeypatch.setattr(driver.open_driver, "_known", {})

    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(driver, "_opened", missing)
    with pytest.raises(DeviceError, match="NVIDIA's driver is not here .*cannot open.*Without a card, use backend='llvm'"):
        CUDA().check()
    robot = Robot(MODEL, backend="cuda")  # a robot is made without a card, and shows its kernels
    assert ".entry" in robot.program("inverse_dynamics", form="ptx")
    with pytest.raises(CompilerError, match="NVIDIA's driver is not here"):
        robot.inverse_dynamics([0, 0], [0, 0], [0, 0])


def test_without_a_card():
    with pytest.raises(DeviceError, match="the driver works, but there is no card; .*CUDA_VISIBLE_DEVICES"):
        started(Driver(FakeCuda(cards=0)))
    library = FakeCuda()
    library.fail["cuInit"] = 100
    with pytest.raises(DeviceError, match=r"cuInit failed: CUDA_ERROR_NO_DEVICE \(100\), no CUDA-capable.*nvidia-smi") as caught:
        started(Driver(library))
    assert caught.value.code == 100


def test_old_cards_and_drivers():
    with pytest.raises(DeviceError, match=r"Pretended card has compute capability 6\.1; 7\.5 is needed"):
        Device(Driver(FakeCuda(a75=6, a76=1)), 0)
    with pytest.raises(DeviceError, match="there is no card 2; there are 2, from 0"):
        Device(Driver(FakeCuda(cards=2)), 2)
    with pytest.raises(DeviceError, match="the driver has no function cuSomethingNew; the driver is too old"):
        Driver(FakeCuda())("cuSomethingNew")
    turing = Device(Driver(FakeCuda(a75=7, a76=5)), 0)
    assert module.shape_for(turing).rows_from > 2**60


def test_errors_without_words():
    library = FakeCuda()
    library.fail["cuCtxSynchronize"] = 719
    device = Device(Driver(library), 0)
    with pytest.raises(DeviceError, match=r"cuCtxSynchronize failed: error \(719\); the card's state in this process is lost"):
        device.synchronize()
    assert library.depth == 0


def test_a_full_card(fake):
    robot = Robot(MODEL, backend="cuda")
    state = random_states(MODEL, 4)
    robot.inverse_dynamics(*state)
    fake.fail["cuMemAllocAsync"] = 2
    with pytest.raises(DeviceError, match=r"CUDA_ERROR_OUT_OF_MEMORY \(2\), out of memory; pass fewer samples at once"):
        robot.backend.array(np.zeros(5))
    assert fake.depth == 0


def test_a_program_that_the_driver_rejects(fake):
    fake.fail["cuLinkAddData_v2"] = 218
    with pytest.raises(DeviceError, match=r"CUDA_ERROR_INVALID_PTX \(218\).*please report it"):
        Robot(MODEL, backend="cuda").inverse_dynamics(*random_states(MODEL, 4))
    assert "cuLinkDestroy" in fake.calls


@pytest.mark.parametrize(
    ("taken", "bounds"),
    [
        ({None: (72, 0)}, [None]),  # enough beside each other
        ({None: (255, 16)}, [None]),  # as many as there are
        ({None: (136, 0), 5: (96, 0)}, [None, 5]),
        ({None: (228, 0), 3: (168, 16), 4: (128, 0)}, [None, 3, 4]),
        ({None: (164, 0), 5: (96, 128), 6: (80, 200), 3: (160, 0)}, [None, 5, 6, 3]),
        ({None: (164, 0), 5: (96, 128), 6: (80, 200), 3: (160, 8)}, [None, 5, 6, 3]),
    ],
)
def test_as_many_registers_as_serve_best(fake, taken, bounds):
    fake.taken = taken
    robot = Robot(MODEL, backend="cuda")
    state = random_states(MODEL, 4)
    expected = Robot(MODEL, backend="numpy").inverse_dynamics(*state)
    np.testing.assert_allclose(robot.inverse_dynamics(*state), expected, rtol=1e-12)
    assert list(fake.bounds.values()) == bounds
    prepared = next(iter(robot._functions.values())).prepared
    best = next(x for x in reversed(bounds) if not taken[x][1]) if len(bounds) > 1 and not taken[bounds[-1]][1] else None
    assert next(iter(prepared._modules.values())).attribute(4) == taken[best][0]


def test_shared_memory_bounds_the_blocks(fake):
    fake.taken = {None: (164, 0), 3: (160, 0)}
    text = ".version 7.0\n.maxntid 128, 1, 1\n{\n}"
    _, made = module.compiled(CUDA().card(), Kernel(text, 128, 60 << 10))
    assert made.attribute(4) == 160
    assert list(fake.bounds.values()) == [None, 3]


def test_too_many_samples(fake):
    made = module.Module(CUDA().card(), Kernel("", 128, 0), b".version\n\n{\n}")
    with CUDA().card():
        made.launch([(0, 0)], 0, 0)
        for n, step in ((2**40, 0), (5, 2**32)):
            with pytest.raises(DeviceError, match="more than one launch can have"):
                made.launch([(1 << 20, step)], n, 0)


def test_memory_without_pools():
    library = FakeCuda(a115=0)
    device = Device(Driver(library), 0)
    memory = Memory(device, 100)
    assert library.alive == {memory.pointer}
    del memory
    assert not library.alive
    assert "cuMemFree_v2" in library.calls
    pinned = Pinned(device, 16)
    ctypes.c_uint32.from_address(pinned.address).value = 7
    assert library.memory[pinned.pointer : pinned.pointer + 4].view(np.uint32)[0] == 7
    del pinned
    stream = Stream(device)
    stream.wait()
    del stream
    assert library.calls.count("cuMemFreeHost") == library.calls.count("cuStreamDestroy_v2") == 1
    assert device.free_memory() == len(library.memory)
    assert Timer(device).measure(lambda: None) == 1e-3
    assert Device(Driver(FakeCuda()), 0).target == "sm_90"


def test_an_error_is_one_of_lissom():
    assert issubclass(DeviceError, lissom.CompilerError)
