"""Layout: where the numbers of a sample lie in the memory of the card.

    rows      (N, n): the numbers of a sample side by side, as NumPy, PyTorch and JAX have them
    columns   (n, N): each number of all samples side by side, which 32 threads read in one piece
    one       (n,): one sample for all threads
A long row is brought in pieces through shared memory (`stage.py`), as threads that read side by side in one row leave most of
what the memory delivers unused.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..program import Port
from .emitter import Emitter

ROWS, COLUMNS, ONE = "rows", "columns", "one"


class Direct:
    """Loads and stores of single numbers; ports are numbered inputs first."""

    def __init__(self, e: Emitter, ports: Sequence[Port], layouts: Sequence[str]) -> None:
        self.e, self.ports, self.layouts = e, ports, layouts

    def prologue(self, index: str) -> None:
        """Append what finds the sample `index` in every port."""
        e = self.e
        for k, (port, layout) in enumerate(zip(self.ports, self.layouts, strict=True)):
            e.line(f".reg .u64 %base{k}")
            e.line(f"ld.param.u64 %base{k}, [p{k}]")
            if layout == COLUMNS:
                e.line(f".reg .u32 %step{k}")
                e.line(f"ld.param.u32 %step{k}, [s{k}]")
            if layout != ONE:
                e.line(f"mad.lo.u64 %base{k}, {index}, {e.size * (port.size if layout == ROWS else 1)}, %base{k}")

    def _address(self, port: int, entry: int) -> str:
        if self.layouts[port] != COLUMNS:
            return f"[%base{port}+{entry * self.e.size}]"
        at = self.e.value("mad.wide.u32", f"%step{port}", str(entry), f"%base{port}", kind="a")
        return f"[{at}]"

    def load(self, port: int, entry: int) -> str:
        """Append a load; return its register."""
        return self.e.value(f"ld.global.nc.{self.e.real}", self._address(port, entry))

    def store(self, port: int, entry: int, value: str, guard: str) -> None:
        """Append a store; `guard` is "" or the predicate of an instruction."""
        hint = ".cs" if self.layouts[port] == COLUMNS else ""
        self.e.line(f"{guard}st.global{hint}.{self.e.real} {self._address(port, entry)}, {value}")
