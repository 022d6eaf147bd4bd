"""Driver: NVIDIA's driver library through ctypes, and its errors in words."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from ...errors import DeviceError
from ...locks import once

NOT_READY = 600
_LOST = "the card's state in this process is lost: start the process again, and report how it came to this"
_OLD = "the driver is too old for this code: install one of 2021 (version 470) or later"
_HELP = {
    2: "pass fewer samples at once, delete arrays on the card, or close other programs that use it (nvidia-smi lists them)",
    3: "CUDA cannot be used after a fork: start processes with multiprocessing's 'spawn'",
    35: _OLD,
    100: "no card is visible: look at nvidia-smi and at CUDA_VISIBLE_DEVICES",
    101: "there is no card of this number: lissom.CUDA(device=0) is the first one",
    200: "the compiled code was made for another card; delete what is kept with `lissom cache clear`",
    209: "the card is too old: it must have compute capability 7.5 or more",
    218: "the driver's compiler rejects the program: please report it, with the text of robot.program(..., form='ptx')",
    222: _OLD,
    701: "a kernel needs more registers or shared memory than the card has: please report it with the card's name",
    803: "driver and card do not fit together: install the driver again, and restart",
    **dict.fromkeys((700, 702, 714, 715, 716, 717, 718, 719), _LOST),
}


class Driver:
    """The functions of the driver.

    Args:
        library: as ctypes loads it; tests have one of their own.
    """

    def __init__(self, library: Any) -> None:
        self.library = library
        self._called: dict[str, Any] = {}

    def __call__(self, name: str, *arguments: Any) -> None:
        """Call a function; raise DeviceError if it fails."""
        code = self.ask(name, *arguments)
        if code:
            raise self.failed(name, code)

    def failed(self, name: str, code: int) -> DeviceError:
        """Return the error that says in words what a function returned."""
        return DeviceError(f"CUDA: {name} failed: {self.words(code)}", code)

    def function(self, name: str) -> Any:
        """Return a function, which returns its code."""
        function = self._called.get(name)
        if function is None:
            try:
                function = self._called[name] = getattr(self.library, name)
            except AttributeError:
                raise DeviceError(f"CUDA: the driver has no function {name}; {_OLD}") from None
        return function

    def ask(self, name: str, *arguments: Any) -> int:
        """Call a function; return its code, 0 for success."""
        return int(self.function(name)(*arguments))

    def words(self, code: int) -> str:
        """Return an error in the driver's words, and what to do about it."""
        texts = []
        for function in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            failed = self.ask(function, ctypes.c_int(code), ctypes.byref(text))
            texts.append("" if failed or text.value is None else text.value.decode("utf-8", "replace"))
        name, meaning = texts
        told = f"{name or 'error'} ({code})" + (f", {meaning}" if meaning else "")
        return told + (f"; {_HELP[code]}" if code in _HELP else "")

    def integer(self, name: str, *arguments: Any) -> int:
        """Call a function that writes an int to its first argument; return that."""
        value = ctypes.c_int()
        self(name, ctypes.byref(value), *arguments)
        return value.value


def _opened(name: str) -> Any:
    return ctypes.CDLL(name)


@once
def open_driver() -> Driver:
    """Return the driver, ready for use; raise DeviceError if there is none or no card."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        library = _opened(name)
    except OSError as error:
        raise DeviceError(
            f"CUDA: NVIDIA's driver is not here ({error}); it comes with the driver of the card, no toolkit is needed. "
            "Without a card, use backend='llvm'"
        ) from None
    return started(Driver(library))


def started(driver: Driver) -> Driver:
    """Start a driver and return it."""
    driver("cuInit", ctypes.c_uint(0))
    if not driver.integer("cuDeviceGetCount"):
        raise DeviceError(f"CUDA: the driver works, but there is no card; {_HELP[100]}")
    return driver
