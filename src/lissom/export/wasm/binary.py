"""Binary: an object file of LLVM for WebAssembly made a module that stands alone, without a linker.

Such an object file is already a valid module: its code refers to functions and globals by their final numbers, and its data lie
from address 0. It only imports what a linker would provide, its memory and its stack pointer, and exports nothing. So these two
imports become a memory and a global of its own under the same numbers, and the functions get their exports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...errors import CompilerError

HEAD = b"\0asm\1\0\0\0"
PAGE = 65536  # bytes
CUSTOM, IMPORT, MEMORY, GLOBAL, EXPORT, CODE, DATA = 0, 2, 5, 6, 7, 10, 11
_ORDER = (1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11)  # of sections, by number
_FUNCTION_KIND, _TABLE_KIND, _MEMORY_KIND, _GLOBAL_KIND = 0, 1, 2, 3
_SYMBOLS = 8  # the part of section "linking" that names functions
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40


@dataclass
class Bytes:
    """Bytes that are read from the front."""

    data: bytes
    at: int = 0

    def number(self) -> int:
        """Read an unsigned number (LEB128)."""
        found = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def take(self, count: int) -> bytes:
        """Read so many bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        """Read a name."""
        return self.take(self.number()).decode()

    @property
    def more(self) -> bool:
        """Whether bytes are left."""
        return self.at < len(self.data)


def number(value: int) -> bytes:
    """Return an unsigned number (LEB128)."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    """Return a signed number (LEB128)."""
    out = bytearray()
    while not -64 <= value < 64:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value & 127])


def _name(text: str) -> bytes:
    encoded = text.encode()
    return number(len(encoded)) + encoded


def standalone(obj: bytes, exported: Iterable[str], pages: int, stack: int) -> bytes:
    """Return the module.

    Args:
        obj: the object file.
        exported: names of the functions that it exports, beside its `memory`.
        pages: of memory at the beginning, 64 KiB each.
        stack: address below which the stack grows down.

    Raises:
        CompilerError: the object file lacks a function, or needs more than a memory and a stack pointer.
    """
    sections = dict(_sections(obj))
    functions = _functions(obj)
    missing = [name for name in exported if name not in functions]
    if missing:
        raise CompilerError(f"the WebAssembly code has no function {missing[0]!r}")
    sections.pop(IMPORT, None)
    _check_imports(obj)
    sections[MEMORY] = number(1) + b"\0" + number(pages)
    own = Bytes(sections.get(GLOBAL, b"\0"))
    # i32, variable, i32.const stack, end
    sections[GLOBAL] = number(own.number() + 1) + b"\x7f\1" + b"\x41" + signed(stack) + b"\x0b" + own.data[own.at :]
    exports = {name: (_FUNCTION_KIND, functions[name]) for name in exported} | {"memory": (_MEMORY_KIND, 0)}
    sections[EXPORT] = _exports(exports)
    return HEAD + b"".join(bytes([k]) + number(len(sections[k])) + sections[k] for k in _ORDER if k in sections)


def _exports(names: Mapping[str, tuple[int, int]]) -> bytes:
    return number(len(names)) + b"".join(_name(name) + bytes([kind]) + number(index) for name, (kind, index) in names.items())


def _sections(obj: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of all sections but the custom ones."""
    return ((kind, content) for kind, content in _all_sections(obj) if kind != CUSTOM)


def _all_sections(obj: bytes) -> Iterator[tuple[int, bytes]]:
    if not obj.startswith(HEAD):
        raise CompilerError("LLVM made no WebAssembly code: the object file is in another format")
    rest = Bytes(obj, len(HEAD))
    while rest.more:
        kind = rest.take(1)[0]
        yield kind, rest.take(rest.number())


def _check_imports(obj: bytes) -> None:
    """Raise CompilerError if anything is imported but one memory and the stack pointer; both are the first of their kind."""
    for kind, content in _all_sections(obj):
        if kind != IMPORT:
            continue
        rest = Bytes(content)
        for _ in range(rest.number()):
            _, name, what = rest.name(), rest.name(), rest.take(1)[0]
            if what == _MEMORY_KIND:
                flags = rest.number()
                rest.number()
                if flags & 1:
                    rest.number()
            elif what == _GLOBAL_KIND and name == "__stack_pointer":
                rest.take(2)
            else:
                raise CompilerError(f"the WebAssembly code calls {name!r}, which does not exist in a browser")


def _functions(obj: bytes) -> dict[str, int]:
    """Return the numbers of the functions that the object file defines, by name."""
    found: dict[str, int] = {}
    for kind, content in _all_sections(obj):
        rest = Bytes(content)
        if kind != CUSTOM or rest.name() != "linking":
            continue
        rest.number()  # version
        while rest.more:
            part = rest.take(1)[0]
            body = Bytes(rest.take(rest.number()))
            if part == _SYMBOLS:
                for _ in range(body.number()):
                    _symbol(body, found)
    return found


def _symbol(body: Bytes, functions: dict[str, int]) -> None:
    kind, flags = body.take(1)[0], body.number()
    undefined = bool(flags & _UNDEFINED)
    if kind == 3:  # a section
        body.number()
    elif kind == 1:  # data
        body.name()
        if not undefined:
            for _ in range(3):
                body.number()
    else:
        index = body.number()
        name = body.name() if not undefined or flags & _EXPLICIT_NAME else ""
        if kind == 0 and not undefined:
            functions[name] = index
