"""Run: a task of a robot as a function of arrays, by machine code or by NumPy.

Arrays have shape (..., size); the leading axes are the batch and follow NumPy's broadcasting rules. Arguments are checked only
here.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import CompilerError, ModelError, StateError
from ..memory import FEWER, check_result
from . import caller
from .backend import Backend, find_backend
from .buffers import new_array
from .cuda.arrays import on_card
from .threads import get_threads

if TYPE_CHECKING:
    from ..model.model import Model
    from .task import Task

Shapes = tuple[int, ...] | tuple[tuple[int, ...], ...]
LARGE = 2.0**20  # inputs beyond which an angle may be too large for the fast sine
Describe = Callable[[str, int], str]  # (argument, entry) -> what the entry is, for messages


class Function:
    """A task, ready to be called.

    Attributes:
        shape: of the result of one sample; for a task with several outputs a tuple of shapes, or () for flat ones. Such a
            function returns a tuple of arrays, and takes one as `out`.
    """

    def __init__(self, model: Model, task: Task, shape: Shapes, backend: Backend | str, describe: Describe) -> None:
        self.model, self.task, self.shape, self.describe = model, task, shape, describe
        self.shapes = _shapes(task, shape)
        self.prepared = find_backend(backend).prepare(model, task)
        self.numbers = sum(port.size for port in (*task.inputs, *task.outputs))

    def __call__(self, arguments: Sequence[Any], out: Any = None, missing: str = "raise") -> Any:
        """Evaluate for arrays of any leading shape.

        Args:
            arguments: one for each input.
            out: arrays for the results.
            missing: for samples without a result, or with an input that is not finite: "raise" raises StateError, "nan" sets
                all their results to NaN.
        """
        takes = getattr(self.prepared, "takes", None)
        if takes is not None and takes(arguments, out):
            return self._elsewhere(arguments, out)
        ports = self.task.inputs
        arrays = [as_array(a, port.name, port.size, self.model.name) for a, port in zip(arguments, ports, strict=True)]
        try:
            lead = np.broadcast_shapes(*(a.shape[:-1] for a in arrays))
        except ValueError:
            shapes = ", ".join(f"{port.name} {a.shape}" for a, port in zip(arrays, ports, strict=True))
            raise StateError(f"the leading axes of {shapes} do not fit together (NumPy's broadcasting rules)") from None
        n = int(np.prod(lead, dtype=int))
        if n > 1:
            # broadcast and non-contiguous ones are copied
            made = sum(a.shape[-1] for a in arrays if a.shape[:-1] != lead or not a.flags.c_contiguous)
            made += sum(port.size for port in self.task.outputs) if out is None else 0
            check_result(n, made, f"{self.task.named} of {self.model.name!r}", FEWER)
        rows = [np.ascontiguousarray(np.broadcast_to(a, (*lead, a.shape[-1]))).reshape(n, a.shape[-1]) for a in arrays]
        given = self._given(out)
        results = [self._result(wanted, one, lead, rows) for wanted, one in zip(given, self.shapes, strict=True)]
        tables = [result.reshape(n, port.size) for result, port in zip(results, self.task.outputs, strict=True)]
        if self.prepared.run(rows, tables, n, single=not lead):
            if missing == "nan":
                self._mark(rows, tables)
            else:
                self._mend(rows, tables, lead)
        for k, (wanted, result) in enumerate(zip(given, results, strict=True)):
            if wanted is None:
                results[k] = result if result.shape else result[()]  # a number instead of an array without axes
            elif result is not wanted:
                wanted[...] = result
                results[k] = wanted
        return results[0] if len(results) == 1 else tuple(results)

    def _elsewhere(self, arguments: Sequence[Any], out: Any) -> Any:
        """Evaluate for arrays in another memory, which the backend takes as they are; results stay there, NaN too."""
        ports, own = self.task.inputs, self.prepared
        arrays = [as_input(a, port.name, port.size, self.model.name) for a, port in zip(arguments, ports, strict=True)]
        results = own.call(arrays, self.shapes, self._given(out))  # type: ignore[attr-defined]
        return results[0] if len(results) == 1 else tuple(results)

    def call(self, *arguments: Any, out: Any = None) -> Any:
        """Evaluate for arguments one by one."""
        return self(arguments, out)

    def call_or_nan(self, *arguments: Any, out: Any = None) -> Any:
        """Evaluate for arguments one by one; samples without a result are NaN."""
        return self(arguments, out, missing="nan")

    def built_in(self, name: str, doc: str, slow: Callable[..., Any]) -> Callable[..., np.ndarray] | None:
        """Return a built-in function for plain calls, which passes all others to `slow`; None if not possible."""
        kernel = self.prepared.kernel
        if kernel is None or len(self.shapes) != 1:  # a built-in function has one result
            return None
        get_threads()  # batches from a certain size are split; the built-in function has to know
        sizes = [port.size for port in self.task.inputs]
        return caller.make(name, doc, kernel.addresses, sizes, self.shapes[0], slow, kernel)

    def _given(self, out: Any) -> list[Any]:
        """Return the arrays for the results that the caller gave, one for each output, or None for each."""
        if len(self.shapes) == 1:
            return [out]
        if out is None:
            return [None] * len(self.shapes)
        if not isinstance(out, list | tuple) or len(out) != len(self.shapes):
            names = ", ".join(port.name for port in self.task.outputs)
            raise StateError(f"out must be a tuple of {len(self.shapes)} arrays ({names}), got {type(out).__name__}")
        for a, b in itertools.combinations(out, 2):
            if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.may_share_memory(a, b):
                raise StateError("two arrays of out share memory; give each result its own array")
        return list(out)

    def _result(self, out: Any, one: tuple[int, ...], lead: tuple[int, ...], rows: Sequence[np.ndarray]) -> np.ndarray:
        """Return the array to compute into: `out` itself where that is possible."""
        shape = (*lead, *one)
        if out is None:
            return new_array(shape)
        check_out(out)
        if out.shape != shape:
            raise StateError(f"out has shape {out.shape}, expected {shape}")
        overlaps = any(np.may_share_memory(out, a) for a in rows)
        direct = out.flags.c_contiguous and out.flags.aligned and out.dtype.isnative and not overlaps
        return out if direct else np.empty(shape)

    def _mend(self, rows: Sequence[np.ndarray], tables: Sequence[np.ndarray], lead: tuple[int, ...]) -> None:
        """Report the input that is not finite, or recompute samples with angles too large for the fast sine."""
        for port, a in zip(self.task.inputs, rows, strict=True):
            bad = np.argwhere(~np.isfinite(a))
            if len(bad):
                row, entry = (int(x) for x in bad[0])
                at = (*(int(x) for x in np.unravel_index(row, lead)), entry) if lead else (entry,)
                where = ", ".join(map(str, at))
                what = self.describe(port.name, entry)
                raise StateError(f"{port.name}[{where}] ({what}) is {a[row, entry]}; every input must be finite")
        again = ~_finite(tables)
        for table, values in zip(tables, self.task.evaluate([a[again] for a in rows]), strict=True):
            table[again] = values
        lost = np.flatnonzero(~_finite(tables))
        if len(lost):
            row = int(lost[0])
            which = f" of sample {tuple(int(x) for x in np.unravel_index(row, lead))}" if lead else ""
            sizes = [(float(np.abs(a[row]).max()), port.name) for a, port in zip(rows, self.task.inputs, strict=True) if a.size]
            largest, name = max(sizes)
            cause = self._zero_quaternion(rows, row) or self._singular(rows, row)
            cause = cause or f"the numbers are too large (the largest is {largest:.3g} in {name})"
            raise StateError(f"the result{which} is not finite: {cause}")

    def _mark(self, rows: Sequence[np.ndarray], tables: Sequence[np.ndarray]) -> None:
        """Make all results of a sample NaN where one is not finite, or an input is not.

        Where an input is so large that the fast sine may be the cause, the sample is computed again. Others are not: a text
        that solves equations may take a second on NumPy.
        """
        again = ~_finite(tables) & np.any([(np.abs(a) > LARGE).any(axis=1) for a in rows], axis=0) & _finite(rows)
        if again.any():
            for table, values in zip(tables, self.task.evaluate([a[again] for a in rows]), strict=True):
                table[again] = values
        lost = ~(_finite(tables) & _finite(rows))
        for table in tables:
            table[lost] = np.nan

    def _singular(self, rows: Sequence[np.ndarray], row: int) -> str | None:
        """Run the algorithm on plain floats, which stops at the joint whose equation has no solution."""
        try:
            self.task.texts[0](*([float(x) for x in a[row]] for a in rows))
        except (ModelError, ArithmeticError, ValueError) as error:  # texts of users divide, and take roots
            return str(error)
        return None

    def _zero_quaternion(self, rows: Sequence[np.ndarray], row: int) -> str | None:
        for joint, where in self.model.layout.quaternions:
            quaternion = rows[0][row, where]
            if not (quaternion @ quaternion) > 0:
                return f"the quaternion of joint {joint.name!r} is zero (no rotation is x y z w = 0 0 0 1)"
        return None


def _shapes(task: Task, shape: Shapes) -> tuple[tuple[int, ...], ...]:
    """Return the shape of each output; raise CompilerError if it does not hold as many numbers as the output."""
    if len(task.outputs) == 1:
        shapes: tuple[Any, ...] = (shape,)
    else:
        shapes = shape or tuple((port.size,) for port in task.outputs)
    if len(shapes) != len(task.outputs) or not all(isinstance(one, tuple) for one in shapes):
        raise CompilerError(f"{task.named} has {len(task.outputs)} outputs and needs a tuple of as many shapes, got {shape!r}")
    for one, port in zip(shapes, task.outputs, strict=True):
        if math.prod(one) != port.size:
            raise CompilerError(
                f"output {port.name!r} of {task.named} has {port.size} numbers, which do not fill the shape {one}"
            )
    return shapes


def check_out(out: Any) -> None:
    """Raise StateError if results cannot be written to `out`, whatever their shape."""
    if not isinstance(out, np.ndarray):
        raise StateError(f"out must be a NumPy array, got {type(out).__name__}")
    if out.dtype != np.float64:
        raise StateError(f"out has dtype {out.dtype}, expected float64")
    if not out.flags.writeable:
        raise StateError("out is read-only")


def _finite(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return which rows of arrays (n, size) are finite in all of them."""
    return np.logical_and.reduce([np.isfinite(a).all(axis=1) for a in arrays])  # type: ignore[no-any-return]


def as_input(value: Any, name: str, size: int, robot: str) -> Any:
    """Return `value` as `as_array` does, or as it is where it is on a card; the backend checks it then."""
    return value if on_card(value) else as_array(value, name, size, robot)


def as_array(value: Any, name: str, size: int, robot: str) -> np.ndarray:
    """Return `value` as float64 with `size` entries on the last axis; raise StateError if it is not real numbers of that size."""
    try:
        array = np.asarray(value)
    except ValueError as error:  # ragged lists
        raise StateError(f"{name} is not an array of numbers: {error}") from None
    # np.ma itself would import the module, in which a process must not be forked; whoever has such an array has imported it
    if isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())):
        raise StateError(f"{name} is a masked array; fill the masked entries first: {name}.filled(value)")
    if callable(value) and array.dtype == object:
        called = f"{getattr(value, '__name__', 'it')}()"
        raise StateError(f"{name} is a function or method, expected an array of numbers: call it, {called}")
    if array.dtype.kind not in "fiu":
        raise StateError(f"{name} has dtype {array.dtype}, expected real numbers (float64)")
    expected = {"q": "nq", "qd": "nv", "qdd": "nv", "qddd": "nv"}.get(name)
    if array.ndim == 0 or array.shape[-1] != size:
        got = "is a single number" if array.ndim == 0 else f"has size {array.shape[-1]}"
        hint = " (one row per sample: pass shape (N, n), not (n, N))" if array.ndim == 2 and array.shape[0] == size else ""
        raise StateError(f"{name} {got}, expected {expected + ' = ' if expected else ''}{size} (robot {robot!r}){hint}")
    return array.astype(np.float64, copy=False)
