"""CUDA C: a device function of one state, a kernel with one thread a state, and a test program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..compiler.statements import SINCOS
from .c.body import Body, CBody, CWriter
from .c.helpers import small
from .c.program import checks
from .heading import commented, file_lines, function_lines, names_lines
from .library import Argument, Function, Library

_SINES = """/* Sine and cosine of x. */
__device__ static inline void sine_cosine({real} x, {real} *sine, {real} *cosine)
{{
    sincos{f}(x, sine, cosine);
}}

"""
_PLUS = """/* Sine and cosine of x + shift, by the sum formulas, so that large angles keep their digits. */
__device__ static inline void sine_cosine_plus({real} x, {real} shift, {real} *sine, {real} *cosine)
{{
    {real} s, c, s0, c0;
    sincos{f}(x, &s, &c);
    sincos{f}(shift, &s0, &c0);
    *sine = s*c0 + c*s0;
    *cosine = c*c0 - s*s0;
}}

"""


class Cuda:
    """CUDA C for nvcc."""

    title: ClassVar[str] = "CUDA C"
    precisions: ClassVar[Sequence[str]] = ("double", "single")
    batch: ClassVar[bool] = False  # a kernel is of many states
    options: ClassVar[Mapping[str, Sequence[str]]] = {"layout": ("columns", "rows")}

    def files(self, library: Library) -> dict[str, str]:
        """Return the source, and a test program."""
        return {f"{library.name}.cu": _source(library), f"test_{library.name}.cu": _test(library)}


def _real(library: Library) -> str:
    return "double" if library.precision == "double" else "float"


def _body(library: Library, function: Function) -> Body:
    writer = CWriter(function.program.inputs, library.precision == "single")
    return CBody(library, function, writer, _real(library), static="__device__ static void").made()


def _source(library: Library) -> str:
    bodies = [_body(library, function) for function in library.functions]
    calls = frozenset[str]().union(*(body.calls for body in bodies))
    real, f = _real(library), "f" if library.precision == "single" else ""
    text = commented(file_lines(library, Cuda.title), "/* ", "   ", " */") + "\n"
    text += commented(_layout(library), "/* ", "   ", " */") + "\n#include <math.h>\n\n"
    text += small(calls, library.precision).replace("static inline", "__device__ static inline")
    text += _SINES.format(real=real, f=f) if SINCOS in calls else ""
    text += _PLUS.format(real=real, f=f) if "sincos_plus" in calls else ""
    for function, body in zip(library.functions, bodies, strict=True):
        sized = [f"const {real} {a.name}[{a.size}]" for a in function.inputs]
        sized += [f"{real} {a.name}[{a.size}]" for a in function.outputs]
        text += body.parts + commented([*function_lines(function), *names_lines(library, function)], "/* ", "   ", " */")
        text += f"__device__ static void {function.name}({', '.join(sized)})\n{{\n{body.main}}}\n\n{_kernel(library, function)}\n"
    return text


def _layout(library: Library) -> list[str]:
    if library.choices["layout"] == "columns":
        return ["Kernels take arrays (size, n): entry k of state i stands at k*n + i, so that threads read side by side."]
    return ["Kernels take arrays (n, size): entry k of state i stands at i*size + k. Columns are faster: layout='columns'."]


def _kernel(library: Library, function: Function) -> str:
    """Return the kernel, with one thread a state."""
    real = _real(library)
    every: tuple[Argument, ...] = (*function.inputs, *function.outputs)
    columns = library.choices["layout"] == "columns"

    def at(argument: Argument) -> str:
        return f"{argument.name}_of[{'(size_t)k*n + i' if columns else f'(size_t)i*{argument.size} + k'}]"

    arguments = [f"const {real} *{a.name}_of" for a in function.inputs] + [f"{real} *{a.name}_of" for a in function.outputs]
    text = "/* One thread for each of n states. */\n"
    text += f'extern "C" __global__ void {library.name}_{function.name}({", ".join(["int n", *arguments])})\n{{\n'
    text += "    const int i = blockIdx.x*blockDim.x + threadIdx.x;\n    int k;\n"
    text += "".join(f"    {real} {a.name}[{a.size}];\n" for a in every)
    text += "    if (i >= n) return;\n"
    for a in function.inputs:
        text += f"    for (k = 0; k < {a.size}; k++) {a.name}[k] = {at(a)};\n"
    text += f"    {function.name}({', '.join(a.name for a in every)});\n"
    for a in function.outputs:
        text += f"    for (k = 0; k < {a.size}; k++) {at(a)} = {a.name}[k];\n"
    return text + "}\n"


def _test(library: Library) -> str:
    """Return a program that runs every kernel at the stored states; the copies to and from the device are wrapped here."""
    real = _real(library)
    columns = library.choices["layout"] == "columns"
    text = commented([f"Checks {library.name}.cu at stored states on a GPU; ends with 0 if all agree."], "/* ", "   ", " */")
    text += f'#include "{library.name}.cu"\n\n#include <cuda_runtime.h>\n#include <stdlib.h>\n\n'
    given = "states ? states[i*size + k] : 0"
    order = f"table[k*n + i] = {given}" if columns else f"table[i*size + k] = {given}"
    back = "states[i*size + k] = table[k*n + i]" if columns else "states[i*size + k] = table[i*size + k]"
    text += f"""/* States on the device, in the order that kernels take; zeros for NULL. */
static {real} *to_device(const {real} *states, int n, int size)
{{
    {real} *table = ({real} *)malloc(sizeof({real})*n*size), *there = NULL;
    int i, k;
    if (table == NULL) exit(2);
    for (i = 0; i < n; i++) for (k = 0; k < size; k++) {order};
    if (cudaMalloc((void **)&there, sizeof({real})*n*size) != cudaSuccess) exit(2);
    cudaMemcpy(there, table, sizeof({real})*n*size, cudaMemcpyHostToDevice);
    free(table);
    return there;
}}

static void from_device({real} *there, {real} *states, int n, int size)
{{
    {real} *table = ({real} *)malloc(sizeof({real})*n*size);
    int i, k;
    if (cudaMemcpy(table, there, sizeof({real})*n*size, cudaMemcpyDeviceToHost) != cudaSuccess) exit(2);
    for (i = 0; i < n; i++) for (k = 0; k < size; k++) {back};
    free(table);
    cudaFree(there);
}}

"""
    for function in library.functions:
        text += _run(library, function, real)
    return text + checks(library, "run_", at_once=True)


def _run(library: Library, function: Function, real: str) -> str:
    arguments = [f"const {real} *{a.name}" for a in function.inputs] + [f"{real} *{a.name}" for a in function.outputs]
    text = f"static void run_{function.name}_batch({', '.join(['int n', *arguments])})\n{{\n"
    for a in (*function.inputs, *function.outputs):
        states = a.name if a in function.inputs else "NULL"
        text += f"    {real} *{a.name}_there = to_device({states}, n, {a.size});\n"
    names = ", ".join(["n", *(f"{a.name}_there" for a in (*function.inputs, *function.outputs))])
    text += f"    {library.name}_{function.name}<<<(n + 127)/128, 128>>>({names});\n"
    text += "".join(f"    from_device({a.name}_there, {a.name}, n, {a.size});\n" for a in function.outputs)
    return text + "".join(f"    cudaFree({a.name}_there);\n" for a in function.inputs) + "}\n\n"
