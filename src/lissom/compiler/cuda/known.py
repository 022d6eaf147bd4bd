"""Known calls: what a call on a card passes to the driver, kept for the next one with arrays of the same shapes.

Looking at shapes, strides and layouts takes longer than a launch. Arrays of lissom and tensors of PyTorch tell all that in a key.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ...errors import StateError
from ...locks import Lock
from .arrays import DeviceArray
from .device import Device, Memory
from .module import Launch
from .views import View

MOST = 512  # calls kept of one task
SHARED = "out shares memory with an argument or another result; give it an array of its own"


def call_key(arrays: Sequence[Any], number: int) -> tuple[Any, ...] | None:
    """Return what a call depends on but for addresses, or None where one of the arrays is of another kind or card.

    `arrays` are the arguments and `out`, which may be None.
    """
    first = type(arrays[0])
    if first is DeviceArray:
        found: list[Any] = []
        for x in arrays:
            if type(x) is DeviceArray:
                found += (x.shape, x.strides, x.dtype, x._stream, x._memory.on.number)
            elif x is None:
                found.append(None)
            else:
                return None
        return tuple(found)
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(arrays[0], getattr(torch, "Tensor", ())):
        return None
    found = [torch.cuda.current_stream(number).cuda_stream]
    for x in arrays:
        if x is None:
            found.append(None)
        elif type(x) is not first or not x.is_cuda or x.device.index != number or x.requires_grad:
            return None
        else:
            found += (x.shape, x.stride(), x.dtype)
    return tuple(found)


class Known:
    """A call whose arrays have been looked at, with one result.

    Args:
        launch: set for these arrays.
        views: the arguments and the result.
        made: whether the result is made by the call.
        card, stream: where it is launched.
    """

    def __init__(self, launch: Launch, views: Sequence[View], made: bool, card: Device, stream: int) -> None:
        self.launch, self.card, self.stream = launch, card, stream
        self.sizes = [x.size for x in views]
        out = views[-1].owner
        self.out = (out.shape, out.dtype, out.strides) if made else None
        self.lock = Lock()

    def __call__(self, arguments: Sequence[Any], out: Any) -> Any:
        """Launch for arrays of the same key; return the result."""
        if out is None:
            assert self.out is not None
            shape, dtype, strides = self.out
            out = DeviceArray(Memory(self.card, self.sizes[-1], self.stream), shape, dtype, strides, self.stream)
        values = self.launch.values
        own = type(arguments[0]) is DeviceArray
        to = out._pointer if type(out) is DeviceArray else out.data_ptr()
        end = to + self.sizes[-1]
        with self.lock:
            for k, x in enumerate(arguments):
                at = x._pointer if own else x.data_ptr()
                if at < end and to < at + self.sizes[k]:
                    raise StateError(SHARED)
                values[2 * k] = at
            values[2 * len(arguments)] = to
            with self.card:
                self.launch()
        return out
