"""Module: a kernel on a card, from PTX or from the cache, and its launches."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...errors import DeviceError
from ...locks import Lock, once
from .. import cache
from .device import STAGED_FROM, Device
from .kernel import RESERVED, Kernel, Shape
from .transpose import SIDE, make_transpose
from .warps import best_kernel

if TYPE_CHECKING:
    from ...model.model import Model
    from ..program import Program

_PTX = 1  # kind of input of the driver's linker
_LOG = 8192  # bytes
_MOST_STEP = 2**32  # bytes between two entries of a column
_REGISTERS = 1 << 16  # of a processor; a thread takes a multiple of eight
_LOCAL, _USED = 3, 4  # attributes of a function: its local memory in bytes, its registers
_ENOUGH = 5  # blocks beside each other from which more do not help
_LONG = 1 << 19  # bytes of PTX from which the compiler takes seconds

# one launch has at most this many blocks
_BLOCKS = 2**31 - 1


class Module:
    """A kernel, ready to be launched."""

    def __init__(self, on: Device, kernel: Kernel, code: bytes) -> None:
        self.on, self.kernel = on, kernel
        self._lock = Lock()
        self._again: Launch | None = None
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        with on:
            on.driver("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code))
            on.driver("cuModuleGetFunction", ctypes.byref(self.function), module, ctypes.c_char_p(b"kernel"))
            if kernel.shared > 48 << 10:
                on.driver("cuFuncSetAttribute", self.function, ctypes.c_int(8), ctypes.c_int(kernel.shared))

    def launch(self, ports: Sequence[tuple[int, int]], n: int, flag: int, stream: int = 0, blocks: int = 0) -> None:
        """Compute n samples: address and step of every port, and the address of the flag; the card must be current.

        There is one thread a sample, unless the number of blocks is given.
        """
        if n:
            with self._lock:  # the driver has copied the values when it returns
                if self._again is None:
                    self._again = Launch(self, len(ports))
                self._again.set(ports, n, flag, stream, blocks)
                self._again()

    def transpose(self, columns: int, step: int, rows: int, size: int, n: int, stream: int) -> None:
        """Turn columns (size, n), `step` bytes from one to the next, into rows (n, size); for a module of `transposer`."""
        tiles = -(-size // SIDE)
        self.launch([(columns, step), (rows, size)], n, tiles, stream, tiles * -(-n // SIDE))

    def attribute(self, which: int) -> int:
        """Return an attribute of the function: 3 is its local memory in bytes, 4 its registers."""
        with self.on:
            return self.on.driver.integer("cuFuncGetAttribute", ctypes.c_int(which), self.function)


class Launch:
    """What a launch passes to the driver, made once; for one that is repeated, with other addresses.

    Attributes:
        values: address and step of every port in turn, the number of samples, and the flag.
    """

    def __init__(self, module: Module, ports: int) -> None:
        self.kernel, self._launch = module.kernel, module.on.driver.function("cuLaunchKernel")
        self._failed = module.on.driver.failed
        count = 2 * ports + 2
        self.values = (ctypes.c_uint64 * count)()
        # words of 32 bits are the first half of those of 64
        start = ctypes.addressof(self.values)
        table = (ctypes.c_void_p * count)(*(start + 8 * k for k in range(count)))
        one, block, shared = ctypes.c_uint(1), ctypes.c_uint(self.kernel.block), ctypes.c_uint(self.kernel.shared)
        self._grid, self._stream = ctypes.c_uint(), ctypes.c_void_p()
        self._arguments = (module.function, self._grid, one, one, block, one, one, shared, self._stream, table, None)

    def set(self, ports: Sequence[tuple[int, int]], n: int, flag: int, stream: int, blocks: int = 0) -> None:
        """Set everything, as of `Module.launch`."""
        blocks = blocks or -(-n // (self.kernel.samples or self.kernel.block))
        if blocks > _BLOCKS or any(step >= _MOST_STEP for _, step in ports):
            raise DeviceError(f"{n} samples are more than one launch can have: pass fewer at once")
        values, k = self.values, 0
        for values[k], values[k + 1] in ports:
            k += 2
        values[k], values[k + 1] = n, flag
        self._grid.value, self._stream.value = blocks, stream

    def __call__(self) -> None:
        """Launch; the card must be current."""
        code = self._launch(*self._arguments)
        if code:
            raise self._failed("cuLaunchKernel", code)


def shape_for(on: Device) -> Shape:
    """Return the choices for a card."""
    staged = on.capability >= STAGED_FROM
    return Shape(shared=on.shared, **({} if staged else {"rows_from": 2**62}))


@once
def transposer(on: Device, single: bool) -> Module:
    """Return what turns columns into rows on a card."""
    kernel = make_transpose(single)
    return Module(on, kernel, assembled(on, kernel.text))


def entry_name(parts: Sequence[str], layouts: Sequence[str], single: bool, shape: Shape, target: str) -> str:
    """Return the name of a kernel in the cache."""
    return cache.entry_name(*parts, "cuda", " ".join(layouts), "single" if single else "double", repr(shape), target)


def packed(kernel: Kernel, code: bytes) -> bytes:
    """Return what the cache keeps of a kernel."""
    return json.dumps([kernel.block, kernel.shared, kernel.samples]).encode() + b"\n" + code


def load(
    on: Device,
    make: Callable[[], Program],
    parts: Sequence[str],
    layouts: Sequence[str],
    single: bool,
    model: Model | None = None,
) -> Module:
    """Return a kernel on a card, from the cache or made from the program that `make()` returns, which may be of a robot."""
    shape = shape_for(on)
    name = entry_name(parts, layouts, single, shape, on.target)
    kept = cache.read(name)
    if kept is not None:
        head, _, code = kept.partition(b"\n")
        try:
            return Module(on, Kernel("", *json.loads(head)), code)
        except DeviceError:
            pass  # of another kind of card, or cut off: make it again
    kernel = best_kernel(make(), layouts, single, shape, model)
    code, module = compiled(on, kernel)
    cache.write(name, packed(kernel, code))
    return module


def compiled(on: Device, kernel: Kernel) -> tuple[bytes, Module]:
    """Return the machine code of a kernel and the module of it, with as many registers as serve best.

    The driver's linker spends registers freely, as for code that is linked to other code: 136 where 94 are enough. With half as
    many blocks more beside each other a processor waits less for memory, if no value has to leave the registers for that. Where
    one does, the bound that holds anyway is set: the compiler then orders loads better.
    """
    code = assembled(on, kernel.text)
    module = Module(on, kernel, code)
    own = _REGISTERS // (-(-module.attribute(_USED) // 8) * 8 * kernel.block)
    if ".minnctapersm" in kernel.text or len(kernel.text) > _LONG or module.attribute(_LOCAL) or not 2 <= own < _ENOUGH:
        return code, module
    more = -(-3 * own // 2)
    room = on.shared_of_card // (kernel.shared + RESERVED)
    for blocks in (*(x for x in (more, more + 1) if x <= room), own):
        bounded = kernel.bounded(blocks)
        tried = assembled(on, bounded.text)
        other = Module(on, bounded, tried)
        if not other.attribute(_LOCAL):
            return tried, other
    return code, module


def assembled(on: Device, text: str) -> bytes:
    """Return machine code of a card for PTX, made by the driver."""
    driver = on.driver
    log = ctypes.create_string_buffer(_LOG)
    # the buffer for errors and its size
    options = (ctypes.c_int * 2)(5, 6)
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), _LOG)
    state, code, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    source = text.encode() + b"\0"
    with on:
        driver("cuLinkCreate_v2", ctypes.c_uint(2), options, values, ctypes.byref(state))
        try:
            given = ctypes.c_char_p(source), ctypes.c_size_t(len(source)), ctypes.c_char_p(b"lissom"), ctypes.c_uint(0)
            failed = driver.ask("cuLinkAddData_v2", state, ctypes.c_int(_PTX), *given, None, None)
            failed = failed or driver.ask("cuLinkComplete", state, ctypes.byref(code), ctypes.byref(size))
            if failed:
                said = log.value.decode("utf-8", "replace").strip()
                raise DeviceError(f"CUDA: {driver.words(failed)}" + (f"\n{said}" if said else ""), failed)
            return ctypes.string_at(int(code.value or 0), size.value)
        finally:
            driver("cuLinkDestroy", state)
