"""Compile a small program and call it."""

import ctypes

import numpy as np

from lissom.compiler import jit
from lissom.compiler.lower.kernel import kernel_ir
from lissom.compiler.program import Port
from lissom.compiler.trace import trace


def program_of(algorithm, inputs, outputs):
    """Return the program of an algorithm whose arguments and results have these sizes."""
    ports = [[Port(f"{name}{i}", n) for i, n in enumerate(sizes)] for name, sizes in (("x", inputs), ("y", outputs))]
    return trace("test", *ports, algorithm)


class Native:
    """A program as machine code of some width; width 1 is the function of one sample."""

    def __init__(self, program, width) -> None:
        self.program, self.width = program, width
        name = "one" if width == 1 else "batch"
        self.loaded = jit.Loaded(jit.compile_object(kernel_ir(program, width)), name)
        types = [ctypes.c_void_p] if width == 1 else [ctypes.c_void_p, ctypes.c_int64]
        self.function = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self.loaded.address(name))

    def __call__(self, *arrays):
        """Return the flag and the results (N, size); memory around the results must stay as it was."""
        arrays = [np.ascontiguousarray(a, dtype=float) for a in arrays]
        n, guard = len(arrays[0]), 16
        tables = [np.full(n * port.size + 2 * guard, 7.5) for port in self.program.outputs]
        results = [t[guard : len(t) - guard].reshape(n, port.size) for t, port in zip(tables, self.program.outputs, strict=True)]
        flag = 0
        for row in range(n) if self.width == 1 else [0]:
            pointers = (ctypes.c_void_p * (len(arrays) + len(results)))(
                *(a.ctypes.data + row * a.shape[1] * 8 for a in [*arrays, *results])
            )
            flag |= self.function(pointers) if self.width == 1 else self.function(pointers, n)
        for t in tables:
            assert (t[:guard] == 7.5).all()
            assert (t[len(t) - guard :] == 7.5).all()
        return flag, results
