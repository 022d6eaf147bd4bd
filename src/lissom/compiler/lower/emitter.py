"""Emitter: writes LLVM IR, one line per instruction, over doubles or vectors of doubles."""

from __future__ import annotations

import struct


class Emitter:
    """Collects the lines of a function body whose values are `width` doubles each.

    Attributes:
        width: doubles in a value; 1 is a plain double.
        fused: whether the machine is known to have a fused multiply-add.
        name: that names of values begin with.
        vector, mask, integer: LLVM's names of the types.
        suffix: ending of the names of intrinsics of this type.
    """

    def __init__(self, width: int, fused: bool = True, name: str = "v") -> None:
        self.width, self.fused, self.name = width, fused, name
        self.lines: list[str] = []
        self._count = 0

        def of(element: str) -> str:
            return f"<{width} x {element}>" if width > 1 else element

        self.vector, self.integer, self.mask = of("double"), of("i64"), of("i1")
        self.suffix = f"v{width}f64" if width > 1 else "f64"

    def line(self, text: str) -> None:
        """Append an instruction without a result."""
        self.lines.append("  " + text)

    def value(self, text: str) -> str:
        """Append an instruction and return the name of its result."""
        self._count += 1
        name = f"%{self.name}{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def constant(self, x: float) -> str:
        """Return a constant, exact to the last bit."""
        bits = "0x" + struct.pack(">d", x).hex().upper()
        return f"splat (double {bits})" if self.width > 1 else bits

    def whole(self, k: int) -> str:
        """Return an integer constant."""
        return f"splat (i64 {k})" if self.width > 1 else str(k)

    def fma(self, a: str, b: str, c: str) -> str:
        """Return a * b + c, rounded once; where the machine is not known to have that, once or twice."""
        v, name = self.vector, "fma" if self.fused else "fmuladd"
        return self.value(f"call {v} @llvm.{name}.{self.suffix}({v} {a}, {v} {b}, {v} {c})")


def declarations(width: int) -> str:
    """Return the declarations of every intrinsic that an emitter of this width may use."""
    e = Emitter(width)
    v = e.vector
    arguments = {"fma": 3, "fmuladd": 3, "fabs": 1, "sqrt": 1, "copysign": 2}
    lines = [f"declare {v} @llvm.{name}.{e.suffix}({', '.join([v] * n)})" for name, n in arguments.items()]
    if width > 1:
        lines += [
            f"declare {v} @llvm.masked.load.{e.suffix}.p0(ptr, i32, {e.mask}, {v})",
            f"declare void @llvm.masked.store.{e.suffix}.p0({v}, ptr, i32, {e.mask})",
        ]
    return "\n".join(lines) + "\n"
