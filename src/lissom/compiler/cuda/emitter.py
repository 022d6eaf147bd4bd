"""Emitter: lines of PTX and their registers, for numbers of one precision.

Every value is a new register: the driver's compiler finds out which of them share one. Sums and products without `.rn` may be
joined into one fused operation by it; exact sequences say `.rn`, which forbids that.
"""

from __future__ import annotations

import struct
from collections import Counter

_TYPES = {"v": "", "h": "f64", "i": "u32", "a": "u64", "p": "pred"}  # registers by their first letter; v has the precision's type


class Emitter:
    """Lines of PTX.

    Attributes:
        real: type of numbers, "f64" or "f32".
        size: bytes of a number.
        lines: the text so far.
    """

    def __init__(self, single: bool) -> None:
        self.single = single
        self.real, self.size = ("f32", 4) if single else ("f64", 8)
        self.lines: list[str] = []
        self._count: Counter[str] = Counter()

    def register(self, kind: str = "v") -> str:
        """Return a new register: v of a number, h of a double, i and a of 32 and 64 bits, p of a predicate."""
        self._count[kind] += 1
        return f"%{kind}{self._count[kind]}"

    def line(self, text: str) -> None:
        """Append an instruction."""
        self.lines.append(f"\t{text};")

    def value(self, op: str, *operands: str, kind: str = "v") -> str:
        """Append an instruction with one result; return its register."""
        name = self.register(kind)
        self.line(f"{op} {name}, {', '.join(operands)}")
        return name

    def number(self, op: str, *operands: str) -> str:
        """Append an operation on numbers of the precision; return its register."""
        return self.value(f"{op}.{self.real}", *operands)

    def fma(self, a: str, b: str, c: str) -> str:
        """Append a b + c, rounded once."""
        return self.number("fma.rn", a, b, c)

    def constant(self, x: float) -> str:
        """Return a constant, written by its bits."""
        return single(x) if self.single else double(x)

    def compare(self, how: str, a: str, b: str) -> str:
        """Append a comparison of numbers; return its predicate."""
        return self.value(f"setp.{how}.{self.real}", a, b, kind="p")

    def choose(self, predicate: str, a: str, b: str) -> str:
        """Append a where the predicate holds, otherwise b."""
        return self.number("selp", a, b, predicate)

    def words(self, x: str) -> tuple[str, str]:
        """Return the low and the high word of a double."""
        low, high = self.register("i"), self.register("i")
        self.line(f"mov.b64 {{{low}, {high}}}, {x}")
        return low, high

    def from_words(self, low: str, high: str) -> str:
        """Return the double with these words."""
        name = self.register("v")
        self.line(f"mov.b64 {name}, {{{low}, {high}}}")
        return name

    def declarations(self) -> list[str]:
        """Return the declarations of all registers."""
        return [f"\t.reg .{_TYPES[kind] or self.real} %{kind}<{count + 1}>;" for kind, count in sorted(self._count.items())]


def double(x: float) -> str:
    """Return a double as PTX writes it."""
    return "0d" + struct.pack(">d", x).hex().upper()


def single(x: float) -> str:
    """Return a number in single precision as PTX writes it."""
    return "0f" + struct.pack(">f", x).hex().upper()
