"""Backends, which compute the tasks of a robot. One object each; `BACKENDS` lists them by name.

    llvm    machine code of this processor, compiled once and kept on disk
    numpy   the program of the algorithm as NumPy source: slow, and the reference for the others
    cuda    kernels for NVIDIA's cards
Another backend is an object with the attributes of `Backend`. `Robot(model, backend=...)` takes it as it is, or by its name once
it is in `BACKENDS`.
"""

from __future__ import annotations

import ctypes
import functools
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from ..errors import CompilerError, StateError, is_choice, suggest
from ..locks import lazy_property
from . import jit
from .cuda.backend import CUDA
from .kernel import Kernel
from .lower.kernel import kernel_ir
from .numpy_source import NumpySource
from .threads import split
from .trace import trace

if TYPE_CHECKING:
    from ..model.model import Model
    from .program import Program
    from .task import Task

Arrays = Sequence[np.ndarray]


class Prepared(Protocol):
    """A task of one robot, ready to run.

    Attributes:
        kernel: its machine code in this process, for calls that skip `run`, or None.
    """

    @property
    def kernel(self) -> Kernel | None: ...  # noqa: D102

    def run(self, rows: Arrays, tables: Arrays, n: int, single: bool) -> bool:
        """Compute n samples from inputs into outputs, contiguous arrays (n, size); return whether any number is not finite.

        Numbers that are not finite stay in the tables: the caller finds the reason. `single`: the caller gave one sample.
        """


@runtime_checkable
class Backend(Protocol):
    """Computes tasks.

    Attributes:
        name: for reports, files and messages.
        machine_code: whether functions in LLVM IR can be compiled and called in this process.
        forms: further forms of a program that it can show, by name: functions of the program that return a text.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def machine_code(self) -> bool: ...  # noqa: D102
    @property
    def forms(self) -> Mapping[str, Callable[[Program], str]]: ...  # noqa: D102

    def check(self) -> None:
        """Raise CompilerError if it does not work on this machine."""

    def prepare(self, model: Model, task: Task) -> Prepared:
        """Return a task ready to be computed; work that takes long may wait for the first run."""


@dataclass(frozen=True)
class LLVM:
    """Machine code by LLVM."""

    name: ClassVar[str] = "llvm"
    machine_code: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.name

    def check(self) -> None:
        """Raise CompilerError if llvmlite does not work here."""
        jit.check()

    def prepare(self, model: Model, task: Task) -> MachineCode:
        """Return the task's kernel, which compiles nothing before it is called."""
        return MachineCode(model, task)

    @property
    def forms(self) -> Mapping[str, Callable[[Program], str]]:
        """The program in LLVM's language, and the assembly that it becomes."""

        def ir(program: Program) -> str:
            return kernel_ir(program, jit.vector_width())

        return {"llvm": ir, "assembly": lambda program: jit.assembly(ir(program))}


class MachineCode:
    """A task as a kernel; large batches are split over threads."""

    def __init__(self, model: Model, task: Task) -> None:
        self.kernel = Kernel(model, task)
        self.numbers = sum(port.size for port in (*task.inputs, *task.outputs))

    def run(self, rows: Arrays, tables: Arrays, n: int, single: bool) -> bool:
        """Call the kernel; see `Prepared`."""
        arrays = [*rows, *tables]
        if single:
            return bool(_flag(self.kernel.one(_addresses(arrays, 0))))
        return bool(n and split(n, self.numbers, functools.partial(self._part, arrays)))

    def _part(self, arrays: Arrays, start: int, stop: int) -> int:
        return _flag(self.kernel.batch(_addresses(arrays, start), stop - start))


@dataclass(frozen=True)
class NumPy:
    """The algorithm's program on NumPy arrays."""

    name: ClassVar[str] = "numpy"
    machine_code: ClassVar[bool] = False
    forms: ClassVar[Mapping[str, Callable[[Program], str]]] = {"numpy": lambda program: NumpySource(program).text}

    def __str__(self) -> str:
        return self.name

    def check(self) -> None:
        """Return: it always works."""

    def prepare(self, model: Model, task: Task) -> Evaluation:
        """Return the task, whose source is made at its first run."""
        return Evaluation(task)


class Evaluation:
    """A task evaluated as NumPy source; the text itself (`Task.evaluate`) is what tests compare it with."""

    kernel = None

    def __init__(self, task: Task) -> None:
        self.task = task

    @lazy_property
    def source(self) -> NumpySource:
        """The source of the first text: that of the reference, number for number."""
        return NumpySource(trace(self.task.key, self.task.inputs, self.task.outputs, self.task.texts[0]))

    def run(self, rows: Arrays, tables: Arrays, n: int, single: bool) -> bool:
        """Evaluate the source; see `Prepared`."""
        self.source.run(rows, tables, n)
        return not all(np.isfinite(a).all() for a in (*tables, *rows))


_KNOWN: tuple[Backend, ...] = (LLVM(), NumPy(), CUDA())
BACKENDS = {backend.name: backend for backend in _KNOWN}


def check_backend(backend: Any) -> None:
    """Raise StateError if this is neither None, nor a backend or the name of one."""
    known = isinstance(backend, Backend) and not isinstance(backend, type)  # an object, not its class
    if backend is not None and not known and not is_choice(backend, BACKENDS):
        hint = suggest(str(backend), tuple(BACKENDS))
        if str(backend).lower() in ("gpu", "nvidia"):
            hint = "NVIDIA's cards are 'cuda': robot.to('cuda')"
        if numbered := re.fullmatch(r"cuda:(\d+)", str(backend)):
            hint = f"of several cards take one by its number: robot.to('cuda', device={numbered[1]})"
        raise StateError(f"no backend {backend!r}; {hint}")


def with_precision(backend: Any, precision: str) -> Any:
    """Return a backend, given by name or as an object, that computes in "double" or "single" precision."""
    if precision == "double":
        return backend
    chosen = BACKENDS.get(backend) if isinstance(backend, str) else backend
    if not isinstance(chosen, CUDA):
        raise StateError(f"precision={precision!r} needs backend='cuda', got backend={backend!r}; the others compute in double")
    return CUDA(precision, chosen.device)


def find_backend(backend: Backend | str | None) -> Backend:
    """Return a backend, given by name or as an object; None is machine code if it works, otherwise NumPy, with a warning."""
    if backend is not None:
        return BACKENDS[backend] if isinstance(backend, str) else backend
    try:
        BACKENDS["llvm"].check()
    except CompilerError as error:
        warnings.warn(f"{error}; computing with NumPy instead: the same results, but slower", RuntimeWarning, stacklevel=4)
        return BACKENDS["numpy"]
    return BACKENDS["llvm"]


def show(program: Program, form: str, own: Backend) -> str:
    """Return a program as text: "program", or a form that the backend `own` or any of `BACKENDS` can show."""
    if form == "program":
        return program.text()
    forms = {name: text for backend in (*BACKENDS.values(), own) for name, text in backend.forms.items()}
    if not is_choice(form, forms):
        raise StateError(f"no form {form!r}; {suggest(str(form), ('program', *forms))}")
    return forms[form](program)


def _flag(returned: int) -> int:
    if returned == 2:
        raise MemoryError("no memory for the intermediate values of a batch")
    return returned


def _addresses(arrays: Arrays, row: int) -> Any:
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data + a.shape[1] * 8 * row for a in arrays))
