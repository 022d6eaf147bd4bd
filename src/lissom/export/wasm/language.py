"""JavaScript: the files of a library as a WebAssembly module with JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..language import Files
from ..library import Library
from .javascript import TITLE, javascript, test_program, typescript
from .module import wasm_module


class JavaScript:
    """A module for browsers and Node; its functions take one state or many."""

    title: ClassVar[str] = TITLE
    precisions: ClassVar[Sequence[str]] = ("double",)
    batch: ClassVar[bool] = True  # always there
    options: ClassVar[Mapping[str, Sequence[str]]] = {"simd": ("on", "off")}

    def files(self, library: Library) -> Files:
        """Return the module, its JavaScript and types, and a test for Node."""
        programs = {function.name: function.program for function in library.functions}
        return {
            f"{library.name}.wasm": wasm_module(programs, simd=library.choices["simd"] == "on"),
            f"{library.name}.mjs": javascript(library),
            f"{library.name}.d.mts": typescript(library),
            f"test_{library.name}.mjs": test_program(library),
        }
