"""The backend: tasks of a robot on a card."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...errors import StateError, suggest
from ...locks import Lock, lazy_property
from ...model.model import Model
from ..kernel import Kernel as Identified
from ..program import Program
from ..task import Task
from .arrays import DeviceArray, on_card, packed, to_card
from .device import Device, Flag, Memory, device
from .host import lanes
from .kernel import make_kernel
from .known import MOST, SHARED, Known, call_key
from .layout import COLUMNS, ONE, ROWS
from .module import Launch, Module, load, transposer
from .views import View, view

PRECISIONS = ("double", "single")
LONG = {False: 128, True: 64}  # numbers of a result from which rows are computed in columns, and turned; of single precision
ROOM = 1 << 29  # bytes of such columns at once
SEVERAL = 1024  # samples from which that is worth two kernels


@dataclass(frozen=True)
class CUDA:
    """NVIDIA's cards, by the driver alone.

    Attributes:
        precision: "double" or "single": of the computation, and the type that arrays on the card must have.
        device: number of the card.
    """

    precision: str = "double"
    device: int = 0

    name: ClassVar[str] = "cuda"
    machine_code: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.precision not in PRECISIONS:
            raise StateError(f"no precision {self.precision!r}; {suggest(str(self.precision), PRECISIONS)}")
        if type(self.device) is not int:
            raise StateError(f"device must be the number of a card, got {self.device!r}")

    def __str__(self) -> str:
        return self.name

    def check(self) -> None:
        """Raise DeviceError if there is no driver or no such card."""
        self.card()

    def card(self) -> Device:
        """Return the card."""
        return device(self.device)

    def prepare(self, model: Model, task: Task) -> Prepared:
        """Return a task; its kernels are compiled when they are first needed."""
        return Prepared(self, model, task)

    @property
    def forms(self) -> Mapping[str, Callable[[Program], str]]:
        """The program in PTX, for rows."""

        def ptx(program: Program) -> str:
            layouts = [ROWS] * (len(program.inputs) + len(program.outputs))
            return make_kernel(program, layouts, self.precision == "single").text

        return {"ptx": ptx}

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of numbers that the card computes with."""
        return np.dtype(np.float32 if self.precision == "single" else np.float64)

    def array(self, values: Any) -> DeviceArray:
        """Return a copy of an array in the memory of the card, in the precision of the backend."""
        return to_card(np.asarray(values, self.dtype), self.card())

    def synchronize(self) -> None:
        """Wait for the card; raise StateError if a result of arrays on the card was not finite since the last time."""
        card = self.card()
        card.synchronize()
        bad = [prepared.title for prepared in _started(card) if prepared.was_bad()]
        if bad:
            raise StateError(
                f"a result on the card is not finite: of {', '.join(bad)}. An input is not, an angle is beyond 2**44 rad "
                "(2**17 in single precision), or the numbers are too large; the same call with NumPy arrays names the entry"
            )


_tasks: weakref.WeakSet[Prepared] = weakref.WeakSet()


def _started(card: Device) -> list[Prepared]:
    return sorted((x for x in _tasks if x.card is card), key=lambda x: x.title)


class Prepared:
    """A task on a card."""

    kernel = None

    def __init__(self, backend: CUDA, model: Model, task: Task) -> None:
        self.backend, self.model, self.task = backend, model, task
        self.title = f"{task.named} of {model.name!r}"
        self.single = backend.precision == "single"
        self._modules: dict[tuple[str, ...], Module] = {}
        self._known: dict[Any, Known] = {}
        self._lock = Lock()

    @lazy_property
    def card(self) -> Device:
        """The card."""
        return self.backend.card()

    @lazy_property
    def parts(self) -> tuple[str, ...]:
        """What the program depends on, for the cache."""
        return Identified(self.model, self.task).parts()

    @lazy_property
    def _flag(self) -> Flag:
        flag = Flag(self.card)
        _tasks.add(self)
        return flag

    def was_bad(self) -> bool:
        """Return whether a result of arrays on the card was not finite since the last time."""
        return self._flag.take()

    def module(self, layouts: Sequence[str]) -> Module:
        """Return the kernel for these layouts of inputs and outputs."""
        key = tuple(layouts)
        found = self._modules.get(key)
        if found is not None:
            return found
        with self._lock:
            if key not in self._modules:
                make = lambda: self.task.program(self.model.name)  # noqa: E731
                self._modules[key] = load(self.card, make, self.parts, key, self.single, self.model)
            return self._modules[key]

    def run(self, rows: Sequence[np.ndarray], tables: Sequence[np.ndarray], n: int, single: bool) -> bool:
        """Compute samples in the memory of the host; see `compiler.backend.Prepared`."""
        if not n:
            return False
        module = self.module([ROWS] * (len(rows) + len(tables)))
        return lanes(self.card).run(module, rows, tables, n, self.single)

    def takes(self, arguments: Sequence[Any], out: Any) -> bool:
        """Return whether a call has arrays on a card."""
        return any(map(on_card, arguments)) or (any(map(on_card, out)) if isinstance(out, list | tuple) else on_card(out))

    def call(self, arguments: Sequence[Any], shapes: Sequence[tuple[int, ...]], out: Sequence[Any]) -> list[Any]:
        """Compute where arguments are on a card; return the results there.

        Args:
            arguments: arrays on the card, or in the memory of the host as tables (..., size) of float64.
            shapes: of one sample of each result.
            out: arrays for the results, or None for each.
        """
        key = call_key((*arguments, out[0]), self.card.number) if len(out) == 1 else None
        known = None if key is None else self._known.get(key)
        if known is not None:
            return [known(arguments, out[0])]
        inputs = [
            view(a, port.name, (port.size,), self.single) if on_card(a) else None
            for a, port in zip(arguments, self.task.inputs, strict=True)
        ]
        given = [None if x is None else self._out(x, one) for x, one in zip(out, shapes, strict=True)]
        stream = self.stream([x for x in (*inputs, *given) if x is not None])
        views = [
            view(to_card(a.astype(self.backend.dtype), self.card, stream), port.name, (port.size,), self.single)
            if found is None
            else found
            for a, port, found in zip(arguments, self.task.inputs, inputs, strict=True)
        ]
        lead = self._lead(views)
        results = [self._result(lead, one, views, stream) if x is None else x for x, one in zip(given, shapes, strict=True)]
        self._check(views, results, lead)
        launch = self._launch([*views, *results], math.prod(lead), stream)
        if key is not None and launch is not None:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = Known(launch, [*views, *results], given[0] is None, self.card, stream)
        return [x.owner for x in results]

    def _launch(self, every: list[View], n: int, stream: int) -> Launch | None:
        """Compute n samples; long results in rows are computed in columns, as many samples at once as there is room for.

        So are all rows where warps work on limbs. Return the launch, where one was enough.
        """
        item = 4 if self.single else 8
        first = len(self.task.inputs)
        sizes = [port.size for port in (*self.task.inputs, *self.task.outputs)]
        long = [k for k in range(first, len(every)) if every[k].layout == ROWS and n >= SEVERAL and sizes[k] >= LONG[self.single]]
        if n >= SEVERAL and sum(sizes) >= LONG[False] and self._by_limbs(every):
            long = [k for k, x in enumerate(every) if x.layout == ROWS]
        if not long:
            module = self.module([x.layout for x in every])
            if not n:
                return None
            launch = Launch(module, len(every))
            launch.set([(x.pointer, x.step) for x in every], n, self._flag.pointer, stream)
            with self.card:
                launch()
            return launch
        module = self.module([COLUMNS if k in long else x.layout for k, x in enumerate(every)])
        turn = transposer(self.card, self.single)
        whole = item * sum(sizes[k] for k in long)
        slab = min(n, max(SEVERAL, ROOM // whole // SEVERAL * SEVERAL))
        room = Memory(self.card, slab * whole, stream)
        for start in range(0, n, slab):
            count = min(slab, n - start)
            ports, at = [], room.pointer
            for k, x in enumerate(every):
                if k in long:
                    ports.append((at, count * item))
                    at += count * item * sizes[k]
                else:
                    ports.append((x.pointer + start * {ROWS: item * sizes[k], COLUMNS: item, ONE: 0}[x.layout], x.step))
            with self.card:
                for k in long:
                    if k < first:
                        line = item * sizes[k]
                        turn.transpose(every[k].pointer + start * line, line, ports[k][0], count, sizes[k], stream)
                module.launch(ports, count, self._flag.pointer, stream)
                for k in long:
                    if k >= first:
                        turn.transpose(*ports[k], every[k].pointer + start * item * sizes[k], sizes[k], count, stream)
        return None

    def _by_limbs(self, every: Sequence[View]) -> bool:
        """Return whether warps work on limbs, which is in columns alone, if rows are turned."""
        turned = [COLUMNS if x.layout == ROWS else x.layout for x in every]
        rows = not self.single and all(x.layout != COLUMNS for x in every)
        return rows and self.module(turned).kernel.samples > 0

    def _out(self, x: Any, one: tuple[int, ...]) -> View:
        if not on_card(x):
            raise StateError(f"out must be on the card, as the arguments are, got {type(x).__name__}")
        return view(x, "out", one, self.single, writing=True)

    def stream(self, views: Sequence[View]) -> int:
        """Return the stream of the call: that of the first array that names one; it waits for the others."""
        return stream_of(self.card, views)

    def _lead(self, views: Sequence[View]) -> tuple[int, ...]:
        """Return the leading axes that all arguments have but those of one sample."""
        many = list(dict.fromkeys(x.lead for x in views if x.lead))
        if len(many) > 1:
            shapes = ", ".join(f"{port.name} {(*x.lead, *x.own)}" for x, port in zip(views, self.task.inputs, strict=True))
            raise StateError(f"on the card, all arguments have the same leading axes or none, got {shapes}")
        return many[0] if many else ()

    def _result(self, lead: tuple[int, ...], one: tuple[int, ...], views: Sequence[View], stream: int) -> View:
        """Return a new result, in columns where the arguments are."""
        kind = self.backend.dtype
        n, m = math.prod(lead), math.prod(one)
        memory = Memory(self.card, n * m * kind.itemsize, stream)
        columns = n > 1 and any(x.layout == COLUMNS for x in views)
        strides = None
        if columns:
            inner, k = packed((*one, *lead), kind.itemsize), len(one)
            strides = (*inner[k:], *inner[:k])
        return view(DeviceArray(memory, (*lead, *one), kind, strides, stream), "out", one, self.single)

    def _check(self, views: Sequence[View], results: Sequence[View], lead: tuple[int, ...]) -> None:
        for x in results:
            if x.lead != lead:
                raise StateError(f"out has shape {(*x.lead, *x.own)}, expected {(*lead, *x.own)}")
        for k, x in enumerate(results):
            end = x.pointer + x.size
            for other in (*views, *results[:k]):
                if other.pointer < end and x.pointer < other.pointer + other.size:
                    raise StateError(SHARED)


def stream_of(card: Device, views: Sequence[View]) -> int:
    """Return the stream of a call: that of the first array that names one; it waits for the others."""
    found = list(dict.fromkeys(x.stream for x in views if x.stream is not None))
    for other in found[1:]:
        with card:
            card.driver("cuStreamSynchronize", ctypes.c_void_p(other))
    return found[0] if found else 0
