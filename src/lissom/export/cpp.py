"""C++17: one header, a template over the scalar: double, float, std::complex, dual numbers; with Eigen's vectors, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from ..compiler import program as ops
from ..compiler.statements import SINCOS
from .c.body import Body, CBody, CWriter
from .c.helpers import sines
from .c.program import checks
from .heading import commented, file_lines, function_lines, names_lines
from .library import Argument, Function, Library

_INCLUDES = ("array", "cfloat", "cmath", "complex", "cstddef", "cstdint", "cstring", "limits", "tuple")
_SCALAR = """//
// Num is any scalar with + - * / and comparisons, made from a double, with sin and cos beside its type: double, float,
// std::complex, dual numbers.
"""
_VALUE = """// What is compared: the number itself, of a complex one its real part: a complex step does not leave its side.
template <class T> const T &value(const T &x) { return x; }
template <class T> T value(const std::complex<T> &x) { return x.real(); }

template <class T> T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

"""
_HELPERS = {
    ops.SIGN: """template <class T> T sign_of(const T &x)
{
    return value(x) > value(T(0.0)) ? T(1.0) : value(x) < value(T(0.0)) ? T(-1.0) : T(0.0)*x;
}
""",
    ops.GUARD: """// x where it is above a limit; a divisor below it would ruin the result unseen
template <class T> T guarded(const T &x, const T &least)
{
    return value(x) > value(least) ? x : not_a_number<T>();
}
""",
    ops.LESS: """template <class T> T is_less(const T &a, const T &b)
{
    return value(a) < value(b) ? T(1.0) : value(a) >= value(b) ? T(0.0) : not_a_number<T>();
}
""",
    ops.SELECT: """template <class T> T selected(const T &condition, const T &a, const T &b)
{
    return value(condition) > value(T(0.0)) ? a : value(condition) <= value(T(0.0)) ? b : not_a_number<T>();
}
""",
}
_SINES = """// Sine and cosine by the scalar's own functions, found beside its type.
template <class T> void sine_cosine(const T &x, T &sine, T &cosine)
{
    using std::cos;
    using std::sin;
    sine = sin(x);
    cosine = cos(x);
}

"""
_PLUS = """// Of x + shift, by the sum formulas, so that large angles keep their digits.
template <class T> void sine_cosine_plus(const T &x, const T &shift, T &sine, T &cosine)
{
    T s, c, s0, c0;
    sine_cosine(x, s, c);
    sine_cosine(shift, s0, c0);
    sine = s*c0 + c*s0;
    cosine = c*c0 - s*s0;
}

"""


class _Writer(CWriter):
    """Expressions over a scalar Num."""

    def constant(self, x: float) -> str:
        """Return a number as one of type Num."""
        return f"Num({x!r})"

    def call(self, op: str, *arguments: str) -> str:
        """Return a call; functions of std are found without their namespace."""
        self.calls.add(op)
        name = self.functions.get(op)
        if name is None:
            return f"{op}({', '.join(arguments)})"
        return f"{name}<Num>({', '.join(arguments)})"  # an expression template would not be a Num


class Cpp:
    """C++17, header only."""

    title: ClassVar[str] = "C++17"
    precisions: ClassVar[Sequence[str]] = ("double",)
    batch: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Sequence[str]]] = {"sine": ("own", "libm")}

    def files(self, library: Library) -> dict[str, str]:
        """Return the header, its test, and a CMakeLists."""
        return {
            f"{library.name}.hpp": _header(library),
            f"test_{library.name}.cpp": _test(library),
            "CMakeLists.txt": _cmake(library),
        }


def _body(library: Library, function: Function) -> Body:
    writer = _Writer(function.program.inputs, single=False)
    return CBody(library, function, writer, "Num", "template <class Num>\nvoid", by="").made()


def _header(library: Library) -> str:
    bodies = [_body(library, function) for function in library.functions]
    calls = frozenset[str]().union(*(body.calls for body in bodies))
    guard = f"{library.name.upper()}_HPP"
    text = commented(file_lines(library, Cpp.title), "// ", "// ")
    text += _SCALAR + f"#ifndef {guard}\n#define {guard}\n\n"
    text += "".join(f"#include <{name}>\n" for name in _INCLUDES)
    text += "\n#if defined(__has_include)\n#if __has_include(<Eigen/Core>)\n#include <Eigen/Core>\n"
    text += f"#define {library.name.upper()}_EIGEN\n#endif\n#endif\n\n"
    text += f"namespace {library.name} {{\n\nnamespace parts {{\n\n{_helpers(calls, library)}"
    text += "".join(body.parts for body in bodies) + "} // namespace parts\n"
    for function, body in zip(library.functions, bodies, strict=True):
        text += "\n" + commented([*function_lines(function), *names_lines(library, function)], "// ", "// ")
        text += f"template <class Num>\nvoid {function.name}({_pointers(function)})\n{{\n    using namespace parts;\n"
        text += _using(body.calls) + f"{body.main}}}\n" + _arrays(function) + _eigen(library, function)
        if library.batch:
            text += _batch(function)
    return text + f"\n}} // namespace {library.name}\n\n#endif // {guard}\n"


def _using(calls: frozenset[str]) -> str:
    return "".join(f"    using std::{op};\n" for op in (ops.SQRT, ops.EXP, ops.LOG, ops.TANH) if op in calls)


def _helpers(calls: frozenset[str], library: Library) -> str:
    text = _VALUE if calls & _HELPERS.keys() else ""
    text += "".join(f"{helper}\n" for op, helper in _HELPERS.items() if op in calls)
    if calls & {SINCOS, "sincos_plus"}:
        text += _SINES
        if library.choices["sine"] == "own":
            for precision in ("double", "single"):
                text += sines(frozenset({SINCOS}), precision, own=True, cpp=True)
    if "sincos_plus" in calls:
        text += _PLUS
    return text


def _pointers(function: Function) -> str:
    return ", ".join([f"const Num *{a.name}" for a in function.inputs] + [f"Num *{a.name}" for a in function.outputs])


def _returned(function: Function, of: Callable[[Argument], str]) -> tuple[str, str]:
    """Return the type of all results, and the expression that returns them; `of` is the type of an array."""
    types = [of(a) for a in function.outputs]
    names = [a.name for a in function.outputs]
    if len(types) == 1:
        return types[0], names[0]
    return f"std::tuple<{', '.join(types)}>", f"{{{', '.join(names)}}}"


def _wrapper(function: Function, of: Callable[[Argument], str]) -> str:
    kind, value = _returned(function, of)
    arguments = ", ".join(f"const {of(a)} &{a.name}" for a in function.inputs)
    calls = ", ".join(f"{a.name}.data()" for a in (*function.inputs, *function.outputs))
    text = f"template <class Num>\n{kind} {function.name}({arguments})\n{{\n"
    text += "".join(f"    {of(a)} {a.name};\n" for a in function.outputs)
    return text + f"    {function.name}<Num>({calls});\n    return {value};\n}}\n"


def _arrays(function: Function) -> str:
    return "\n" + _wrapper(function, lambda a: f"std::array<Num, {a.size}>")


def _eigen(library: Library, function: Function) -> str:
    return f"\n#ifdef {library.name.upper()}_EIGEN\n{_wrapper(function, _matrix)}#endif\n"


def _matrix(argument: Argument) -> str:
    """Return Eigen's type: a matrix where the shape has rows and columns, otherwise a vector of all numbers."""
    if len(argument.shape) == 2 and argument.shape[1] > 1:
        rows, columns = argument.shape
        return f"Eigen::Matrix<Num, {rows}, {columns}, Eigen::RowMajor>"
    return f"Eigen::Matrix<Num, {argument.size}, 1>"


def _batch(function: Function) -> str:
    every: tuple[Argument, ...] = (*function.inputs, *function.outputs)
    steps = ", ".join(f"{a.name} + {a.size}*i" for a in every)
    text = "\n// The same for n states: arrays (n, size), one state after the other.\n"
    text += f"template <class Num>\nvoid {function.name}_batch(std::size_t n, {_pointers(function)})\n{{\n"
    return text + f"    for (std::size_t i = 0; i < n; i++) {{\n        {function.name}({steps});\n    }}\n}}\n"


def _test(library: Library) -> str:
    text = commented([f"Checks {library.name}.hpp at stored states; ends with 0 if all agree."], "// ", "// ")
    return text + f'#include "{library.name}.hpp"\n\n{checks(library, f"{library.name}::")}'


def _cmake(library: Library) -> str:
    name = library.name
    return f"""cmake_minimum_required(VERSION 3.10)
project({name} CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library({name} INTERFACE)
target_include_directories({name} INTERFACE ${{CMAKE_CURRENT_SOURCE_DIR}})

enable_testing()
add_executable(test_{name} test_{name}.cpp)
target_link_libraries(test_{name} {name})
add_test(NAME {name} COMMAND test_{name})
"""
