"""JIT: LLVM IR to an object file, and an object file to addresses of functions; one thread at a time is inside LLVM."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import CompilerError, suggest
from ..locks import StillAtFork, once

# held by whoever is inside LLVM, and only there: it takes no other lock, so that what dies at any place may take it
_inside = StillAtFork()


_TUNING = ("prefer-128-bit", "prefer-256-bit")  # choices that LLVM does not list among the features of a processor
_NEEDED = ("64bit", "sse", "sse2", "neon", "fp-armv8")  # every x86-64 or ARM64 has them, and LLVM makes no code without


@once
def _llvm() -> Any:
    """Import llvmlite late (it takes a tenth of a second) and start it once."""
    try:
        with _inside:  # the import as well: a process forked within it could never import llvmlite
            import llvmlite.binding as llvm

            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
    except Exception as error:
        raise CompilerError(f"llvmlite does not work here ({error})") from error
    return llvm


@once
def host() -> tuple[str, str, str]:
    """Return triple, CPU name and features of this machine; LISSOM_CPU_FEATURES adds to the features ("-avx512f,...")."""
    llvm = _llvm()
    with _inside:
        there, triple, name = llvm.get_host_cpu_features(), llvm.get_process_triple(), llvm.get_host_cpu_name()
        features = there.flatten()
    if "+avx512f" in features.split(","):
        features += ",-prefer-256-bit"  # a tile of eight in one register, also where LLVM would rather have two
    extra = os.environ.get("LISSOM_CPU_FEATURES", "")
    for feature in filter(None, extra.split(",")):
        if problem := _problem(feature, there):
            raise CompilerError(f"LISSOM_CPU_FEATURES={extra!r}: {problem}")
    return triple, name, features + ("," + extra if extra else "")


def _problem(feature: str, there: Mapping[str, bool]) -> str | None:
    """Return why a feature cannot be chosen on a machine with these, or None; LLVM or the processor would end the process."""
    sign, name = feature[:1], feature[1:]
    if sign not in ("+", "-"):
        return f"features need a sign, like '-avx512f,+fma', got {feature!r}"
    if name in _TUNING:
        return None
    if name not in there:
        return f"unknown feature {name!r} of this processor; {suggest(name, (*there, *_TUNING))}"
    if sign == "+" and not there[name]:
        return f"this processor has no {name!r}; its instructions would end the process"
    if sign == "-" and name in _NEEDED:
        return f"no code can be made without {name!r}"
    return None


def check() -> None:
    """Raise CompilerError if there is no compiler here."""
    _llvm()


def vector_width() -> int:
    """Return the number of doubles in a vector register of this machine: 8 (AVX-512), 4 (AVX2), otherwise 2 (NEON, SSE2)."""
    last: dict[str, bool] = {}
    for feature in host()[2].split(","):
        last[feature[1:]] = feature[:1] == "+"
    return 8 if last.get("avx512f") and last.get("avx512vl") else 4 if last.get("avx2") else 2


def compile_object(ir: str) -> bytes:
    """Return the object file of a module in LLVM IR.

    No IR passes: the program is already folded and shared, and code generation alone is faster in both senses.
    """
    machine = _target_machine()
    try:
        with _inside:
            return _emitted(ir, machine)
    except RuntimeError as error:
        raise CompilerError(f"LLVM rejects the generated program: {error}") from error


def _emitted(ir: str, machine: Any) -> bytes:
    # a separate function, so that the module is deleted before the lock is released
    module = _llvm().parse_assembly(ir)
    module.triple = host()[0]
    module.verify()
    return bytes(machine.emit_object(module))


def assembly(ir: str) -> str:
    """Return the machine code of a module in LLVM IR as readable assembly."""
    machine = _target_machine()
    with _inside:
        module = _llvm().parse_assembly(ir)
        module.triple = host()[0]
        text = str(machine.emit_assembly(module))
        del module  # while the lock is held
        return text


def cross_compile(modules: Sequence[str], triple: str, features: str) -> bytes:
    """Return one object file for another kind of machine from modules in LLVM IR; internal functions may have the same names.

    Raises:
        CompilerError: llvmlite cannot make code for the machine, or rejects a module.
    """
    llvm = _llvm()
    try:
        with _inside:
            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
            target = llvm.Target.from_triple(triple)
            machine = target.create_target_machine(cpu="generic", features=features, opt=2, reloc="static")
            head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{triple}"\n'
            return _linked(llvm, [head + text for text in modules], machine)
    except RuntimeError as error:
        raise CompilerError(f"LLVM cannot make code for {triple}: {error}") from error


def _linked(llvm: Any, texts: Sequence[str], machine: Any) -> bytes:
    # a separate function, so that the modules are deleted before the lock is released
    whole = llvm.parse_assembly(texts[0])
    for text in texts[1:]:
        whole.link_in(llvm.parse_assembly(text))
    whole.verify()
    return bytes(machine.emit_object(whole))


def version() -> str:
    """Return everything about the compiler and this machine that the code depends on."""
    llvm = _llvm()
    import llvmlite

    return "\0".join((llvmlite.__version__, str(llvm.llvm_version_info), *host()))


@once
def _target_machine() -> Any:
    llvm = _llvm()
    triple, cpu, features = host()
    with _inside:
        return llvm.Target.from_triple(triple).create_target_machine(
            cpu=cpu, features=features, opt=1, reloc="pic", codemodel="small", jit=True
        )


_ELF = b"\x7fELF"
_FORMATS = (_ELF, b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")  # ELF, Mach-O, COFF of x86-64 and of ARM64


class Loaded:
    """Functions of an object file as machine code in memory; it lives as long as this object."""

    def __init__(self, code: bytes, *names: str, symbols: Mapping[str, int] | None = None) -> None:
        """Load the functions called `names`, which may call those at the addresses in `symbols`."""
        if not code.startswith(_FORMATS):  # llvmlite would crash
            raise CompilerError("LLVM cannot load an object file: it is in no known format")
        load = _load_apart
        host()  # asked before the lock is taken, as are others that take a lock or may raise
        if code.startswith(_ELF):
            _linker()
            load = _load_whole
        try:
            with _inside:
                loaded, self._addresses = load(code, names, symbols or {})
        except RuntimeError as error:
            raise CompilerError(f"LLVM cannot load an object file with {', '.join(names)}: {error}") from error
        self._close = weakref.finalize(self, _dispose, loaded)
        self._close.atexit = False  # the code of functions that run at the end of the program stays

    def address(self, name: str) -> int:
        """Return the address of a function."""
        if name not in self._addresses:
            raise CompilerError(f"no function {name!r} was loaded; {suggest(name, self._addresses)}")
        return self._addresses[name]


_numbers = itertools.count()


def _load_whole(code: bytes, names: Sequence[str], symbols: Mapping[str, int]) -> tuple[Any, dict[str, int]]:
    """Return what keeps the code alive, and addresses by name, by LLVM's newer linker.

    It puts code and constants into one piece of memory. The older one finds room for each apart, in programs with much memory in
    use more than 2 GB apart, where code does not reach its constants and LLVM ends the process.
    """
    library = _llvm().JITLibraryBuilder().add_object_img(code).add_current_process()
    for name, address in symbols.items():
        library.import_symbol(name, address)
    for name in names:
        library.export_symbol(name)
    loaded = library.link(_linker(), f"lissom {next(_numbers)}")
    return loaded, {name: int(loaded[name]) for name in names}


def _load_apart(code: bytes, names: Sequence[str], symbols: Mapping[str, int]) -> tuple[Any, dict[str, int]]:
    """Return what keeps the code alive, and addresses by name, by LLVM's older linker, for formats other than ELF."""
    llvm = _llvm()
    for name, address in symbols.items():
        llvm.add_symbol(name, address)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    found = {name: int(engine.get_function_address(name)) for name in names}
    if missing := [name for name, address in found.items() if not address]:
        raise RuntimeError(f"Symbols not found: {', '.join(missing)}")
    return engine, found


@once
def _linker() -> Any:
    llvm = _llvm()
    host()
    with _inside:
        return llvm.create_lljit_compiler(_machine(), use_jit_link=True, suppress_errors=True)


def _machine() -> Any:
    triple, cpu, features = host()
    return _llvm().Target.from_triple(triple).create_target_machine(cpu=cpu, features=features, opt=2, jit=True)


def _dispose(loaded: Any) -> None:
    with _inside:
        loaded.close()
