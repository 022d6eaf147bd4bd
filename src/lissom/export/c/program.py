"""The test program of a C library, and its CMakeLists: stored states, computed by lissom's NumPy text, are computed again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..heading import commented
from ..library import Function, Library
from .body import single

TOLERANCE = {"double": 1e-13, "single": 1e-5}  # relative to the largest number of a result

_CHECK = """
/* Returns how many numbers differ from those stored by more than the tolerance. */
static int compare(const char *what, const {real} *found, const {real} *stored, int n, {real} scale)
{{
    int k, bad = 0;
    double worst = 0.0;
    for (k = 0; k < n; k++) {{
        const double error = fabs((double)found[k] - (double)stored[k])/(double)scale;
        if (!(error <= worst)) worst = error;
        bad += !(error <= TOLERANCE);
    }}
    printf("%s: %d numbers, largest error %.1e of the largest number%s\\n", what, n, worst, bad ? ": WRONG" : "");
    return bad;
}}
"""


def test_program(library: Library) -> str:
    """Return a program that checks stored states and ends with 0 if all agree."""
    text = commented([f"Checks {library.name}.c at stored states; ends with 0 if all agree."], "/* ", "   ", " */")
    return text + f'#include "{library.name}.h"\n\n{checks(library, f"{library.name}_")}'


def checks(library: Library, prefix: str, at_once: bool = False) -> str:
    """Return the program after its own include, in what C, C++ and CUDA have in common.

    Args:
        library: with the states.
        prefix: stands before names of functions.
        at_once: whether there are only functions of many states.
    """
    real = "double" if library.precision == "double" else "float"
    text = f"#include <math.h>\n#include <stdio.h>\n\n#define TOLERANCE {TOLERANCE[library.precision]!r}\n"
    text += _CHECK.format(real=real)
    for function in library.functions:
        text += _states(library, function, real, prefix, at_once)
    text += "\nint main(void)\n{\n    int bad = 0;\n"
    text += "".join(f"    bad += check_{function.name}();\n" for function in library.functions)
    return text + '    printf(bad ? "FAILED\\n" : "passed\\n");\n    return bad ? 1 : 0;\n}\n'


def _states(library: Library, function: Function, real: str, prefix: str, at_once: bool) -> str:
    """Return the arrays of one function and the test that goes through them."""
    samples = function.samples
    n = len(samples.outputs[0])
    text = ""
    inputs = [(f"{function.name}_{a.name}", t) for a, t in zip(function.inputs, samples.inputs, strict=True)]
    outputs = [(f"{function.name}_{a.name}", t) for a, t in zip(function.outputs, samples.outputs, strict=True)]
    for name, table in (*inputs, *outputs):
        text += f"\nstatic const {real} {name}[{n}][{table.shape[1]}] = {{\n{_rows(table, library.precision)}}};\n"
    text += f"\nstatic int check_{function.name}(void)\n{{\n    int {'' if at_once else 'k, '}bad = 0;\n"
    text += "".join(f"    {real} {a.name}[{n}][{a.size}];\n" for a in function.outputs)
    if not at_once:
        arguments = ", ".join([f"{name}[k]" for name, _ in inputs] + [f"{a.name}[k]" for a in function.outputs])
        text += f"    for (k = 0; k < {n}; k++) {{\n        {prefix}{function.name}({arguments});\n    }}\n"
        text += _comparisons(library, function, outputs, function.name)
    if library.batch or at_once:
        arguments = ", ".join([f"{name}[0]" for name, _ in inputs] + [f"{a.name}[0]" for a in function.outputs])
        text += f"    {prefix}{function.name}_batch({n}, {arguments});\n"
        text += _comparisons(library, function, outputs, f"{function.name}_batch")
    return text + "    return bad;\n}\n"


def _comparisons(library: Library, function: Function, outputs: Sequence[tuple[str, np.ndarray]], what: str) -> str:
    text = ""
    for argument, (name, table), scale in zip(function.outputs, outputs, function.samples.scales, strict=True):
        last = f"{table.size}, {_number(scale, library.precision)}"
        text += f'    bad += compare("{what}: {argument.name}", {argument.name}[0], {name}[0], {last});\n'
    return text


def _rows(table: np.ndarray, precision: str) -> str:
    return "".join("    {" + ", ".join(_number(x, precision) for x in row) + "},\n" for row in table.tolist())


def _number(x: float, precision: str) -> str:
    return repr(float(x)) if precision == "double" else single(x)


def cmake(library: Library) -> str:
    """Return the CMakeLists: a static library and its test."""
    name = library.name
    return f"""cmake_minimum_required(VERSION 3.10)
project({name} C)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library({name} {name}.c)
target_include_directories({name} PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})
find_library(MATH_LIBRARY m)
if(MATH_LIBRARY)
  target_link_libraries({name} PUBLIC ${{MATH_LIBRARY}})
endif()

enable_testing()
add_executable(test_{name} test_{name}.c)
target_link_libraries(test_{name} {name})
add_test(NAME {name} COMMAND test_{name})
"""
