"""C: the files of a library in C99."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..heading import commented, file_lines, function_lines, names_lines
from ..library import Argument, Function, Library
from .body import function_body
from .helpers import helpers
from .program import cmake, test_program


class C:
    """C99, for microcontrollers too: no memory of its own, no globals, every function reentrant."""

    title: ClassVar[str] = "C99"
    precisions: ClassVar[Sequence[str]] = ("double", "single")
    batch: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Sequence[str]]] = {"sine": ("own", "libm")}

    def files(self, library: Library) -> dict[str, str]:
        """Return header, source, test program and CMakeLists."""
        return {
            f"{library.name}.h": header(library),
            f"{library.name}.c": source(library),
            f"test_{library.name}.c": test_program(library),
            "CMakeLists.txt": cmake(library),
        }


def real(library: Library) -> str:
    """Return the type of numbers."""
    return "double" if library.precision == "double" else "float"


def header(library: Library) -> str:
    """Return the declarations."""
    guard = f"{library.name.upper()}_H"
    text = commented(file_lines(library, C.title), "/* ", "   ", " */") + "\n"
    text += f"#ifndef {guard}\n#define {guard}\n\n"
    if library.batch:
        text += "#include <stddef.h>\n\n"
    text += '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    for function in library.functions:
        text += "\n" + commented(function_lines(function), "/* ", "   ", " */")
        text += f"{signature(library, function)};\n"
        if library.batch:
            text += "/* The same for n states: arrays (n, size), one state after the other. */\n"
            text += f"{batch_signature(library, function)};\n"
    return text + f"\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n"


def signature(library: Library, function: Function) -> str:
    """Return a declaration without its semicolon; arrays must not overlap."""
    sized = [f"{_qualified(library, function, argument)} {argument.name}[{argument.size}]" for argument in _all(function)]
    return f"void {library.name}_{function.name}({', '.join(sized)})"


def batch_signature(library: Library, function: Function) -> str:
    """Return the declaration of a function of many states."""
    pointers = [f"{_qualified(library, function, argument)} *{argument.name}" for argument in _all(function)]
    return f"void {library.name}_{function.name}_batch({', '.join(['size_t n', *pointers])})"


def _all(function: Function) -> tuple[Argument, ...]:
    return (*function.inputs, *function.outputs)


def _qualified(library: Library, function: Function, argument: Argument) -> str:
    return f"const {real(library)}" if argument in function.inputs else real(library)


def source(library: Library) -> str:
    """Return the definitions."""
    bodies = [function_body(library, function) for function in library.functions]
    text = commented(file_lines(library, C.title), "/* ", "   ", " */") + "\n"
    text += f'#include "{library.name}.h"\n\n{helpers(library, bodies)}'
    for function, body in zip(library.functions, bodies, strict=True):
        names = names_lines(library, function)
        text += "\n" + (commented(names, "/* ", "   ", " */") if names else "") + body.parts
        text += f"{signature(library, function)}\n{{\n{body.main}}}\n"
        if library.batch:
            text += f"\n{batch_signature(library, function)}\n{{\n    size_t i;\n    for (i = 0; i < n; i++) {{\n"
            steps = ", ".join(f"{argument.name} + {argument.size}*i" for argument in _all(function))
            text += f"        {library.name}_{function.name}({steps});\n    }}\n}}\n"
    return text
