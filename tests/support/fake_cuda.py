"""A driver without a card: memory of its own, launches run by the interpreter of PTX; what is wrong fails as a driver would."""

import ctypes
import re

import numpy as np

from lissom.compiler.cuda import device, driver, host, module, products
from support.ptx import Ptx

WORDS = {  # of the driver
    1: (b"CUDA_ERROR_INVALID_VALUE", b"invalid argument"),
    2: (b"CUDA_ERROR_OUT_OF_MEMORY", b"out of memory"),
    100: (b"CUDA_ERROR_NO_DEVICE", b"no CUDA-capable device is detected"),
    218: (b"CUDA_ERROR_INVALID_PTX", b"a PTX JIT compilation failed"),
}
ATTRIBUTES = {75: 9, 76: 0, 97: 232448, 81: 233472, 115: 1, 16: 132}
BASE = 1 << 20  # addresses of the card begin here


def _of(x):
    return getattr(x, "_obj", x)  # what byref points to


class FakeCuda:
    """Stands for the driver's library.

    Attributes:
        calls: names of the functions that were called.
        fail: codes that functions return, by name.
        taken: registers and bytes of local memory of kernels by the blocks a processor shall hold, or None.
    """

    def __init__(self, size=1 << 24, cards=1, **attributes):
        self.memory = np.full(size, 0xFF, np.uint8)
        self.cards = cards
        self.attributes = {**ATTRIBUTES, **{int(k[1:]): v for k, v in attributes.items()}}
        self.calls, self.fail = [], {}
        self.taken, self.bounds = {}, {}
        self.at, self.mapped = BASE, {}
        self.alive, self.kept = set(), []
        self.depth = 0

    def __getattr__(self, name):
        if not name.startswith("cu"):
            raise AttributeError(name)
        body = getattr(type(self), f"_{name.removesuffix('_v2')}", None)

        def function(*arguments):
            self.calls.append(name)
            if name in self.fail:
                return self.fail[name]
            return (body(self, *arguments) if body else 0) or 0

        if body is None and name not in _NOTHING:
            raise AttributeError(name)
        return function

    # -- the card
    def _cuDeviceGetCount(self, out):
        _of(out).value = self.cards

    def _cuDeviceGet(self, out, number):
        _of(out).value = number.value

    def _cuDeviceGetName(self, text, size, card):
        text.value = b"Pretended card"

    def _cuDeviceGetAttribute(self, out, which, card):
        _of(out).value = self.attributes[which.value]

    def _cuDevicePrimaryCtxRetain(self, out, card):
        _of(out).value = 77

    def _cuCtxPushCurrent(self, context):
        assert context.value == 77
        self.depth += 1

    def _cuCtxPopCurrent(self, out):
        self.depth -= 1

    def _cuMemGetInfo(self, free, total):
        _of(free).value, _of(total).value = len(self.memory), len(self.memory)

    def _cuGetErrorName(self, code, out):
        return self._told(code, out, 0)

    def _cuGetErrorString(self, code, out):
        return self._told(code, out, 1)

    def _told(self, code, out, which):
        if code.value in WORDS:
            _of(out).value = WORDS[code.value][which]
        return 0 if code.value in WORDS else 1

    # -- memory
    def _take(self, size):
        assert self.depth, "no context is current"
        at = self.at
        if at + size > len(self.memory):
            return None
        self.at += -(-size // 256) * 256 + 256
        return at

    def _cuMemAllocAsync(self, out, size, stream=None):
        at = self._take(size.value)
        if at is None:
            return 2
        self.alive.add(at)
        _of(out).value = at
        return 0

    _cuMemAlloc = _cuMemAllocAsync

    def _cuMemFreeAsync(self, pointer, stream=None):
        self.alive.remove(pointer.value)

    _cuMemFree = _cuMemFreeAsync

    def _cuMemHostAlloc(self, out, size, flags):
        at = self._take(size.value)
        if at is None:
            return 2
        _of(out).value = self.memory.ctypes.data + at  # pinned memory is that of the card
        self.mapped[_of(out).value] = at
        return 0

    def _cuMemHostGetDevicePointer(self, out, pointer, flags):
        _of(out).value = self.mapped[pointer.value]

    def _cuMemcpyHtoDAsync(self, to, source, size, stream=None):
        assert self.depth
        assert BASE <= to.value <= self.at - size.value
        ctypes.memmove(self.memory.ctypes.data + to.value, source.value, size.value)

    def _cuMemcpyDtoHAsync(self, to, source, size, stream=None):
        assert self.depth
        assert BASE <= source.value <= self.at - size.value
        ctypes.memmove(to.value, self.memory.ctypes.data + source.value, size.value)

    _cuMemcpyDtoH = _cuMemcpyDtoHAsync

    def _cuMemcpyDtoDAsync(self, to, source, size, stream=None):
        self.memory[to.value : to.value + size.value] = self.memory[source.value : source.value + size.value]

    def _cuEventElapsedTime(self, out, first, last):
        _of(out).value = 1.0

    def _cuDriverGetVersion(self, out):
        _of(out).value = 13000

    def _cuStreamCreate(self, out, flags):
        _of(out).value = 1000 + len(self.calls)

    # -- code
    def _cuLinkCreate(self, count, options, values, out):
        self.log = values[0]
        _of(out).value = 5

    def _cuLinkAddData(self, state, kind, source, size, name, count, options, values):
        self.kept.append(source.value)
        assert size.value == len(source.value) + 1

    def _cuLinkComplete(self, state, out, size):
        self.code = ctypes.create_string_buffer(self.kept[-1])
        _of(out).value, _of(size).value = ctypes.addressof(self.code), len(self.kept[-1])

    def _cuModuleLoadData(self, out, code):
        if not code.value.startswith(b".version"):
            return 200
        text = code.value.decode()
        self.kept.append(Ptx(text))
        bound = re.search(r"\.minnctapersm (\d+)", text)
        self.bounds[len(self.kept)] = int(bound[1]) if bound else None
        _of(out).value = len(self.kept)
        return 0

    def _cuModuleGetFunction(self, out, module, name):
        _of(out).value = module.value

    def _cuLaunchKernel(self, function, gx, gy, gz, bx, by, bz, shared, stream, table, extra):
        assert self.depth
        ptx = self.kept[function.value - 1]
        values = {}
        for k, (kind, name) in enumerate(ptx.parameters):
            word = {"u32": ctypes.c_uint32, "u64": ctypes.c_uint64}[kind]
            values[name] = word.from_address(table[k]).value
        ptx.run(values, gx.value, bx.value, shared.value, self.memory)

    def _cuFuncGetAttribute(self, out, which, function):
        registers, local = self.taken.get(self.bounds[function.value], (32, 0))
        _of(out).value = {3: local, 4: registers}[which.value]


_NOTHING = {
    *("cuInit", "cuCtxSynchronize", "cuMemFreeHost", "cuStreamSynchronize", "cuStreamDestroy_v2", "cuFuncSetAttribute"),
    *(
        "cuEventCreate",
        "cuEventRecord",
        "cuEventSynchronize",
        "cuLinkDestroy",
        "cuDeviceGetDefaultMemPool",
        "cuMemPoolSetAttribute",
    ),
}


def pretend(monkeypatch, folder):
    """Let everything run on a pretended card, with an empty cache in a folder; return the driver's stand-in."""
    library = FakeCuda()
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(folder / "cache"))
    for function in (driver.open_driver, device.device, host.lanes, module.transposer, products.summer):
        monkeypatch.setattr(function, "_known", {})
    monkeypatch.setattr(driver, "_opened", lambda name: library)
    return library
