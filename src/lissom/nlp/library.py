"""IPOPT's C interface, from the library in CasADi's wheel; CasADi itself is not imported.

Widths as in the header IpStdCInterface.h of IPOPT 3.14: indices int32, numbers double, truth values C bool (an int before 3.14,
so that older libraries are refused). Pointers are passed as plain addresses: ctypes' typed pointers cost ten times as much.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from ctypes import CFUNCTYPE, c_bool, c_char_p, c_double, c_int, c_void_p
from pathlib import Path
from typing import Any

from ..errors import MissingExtraError
from ..locks import once
from ..one_thread import Threads, openblas

EVALUATE = CFUNCTYPE(c_bool, c_int, c_void_p, c_bool, c_void_p, c_void_p)
EVALUATE_CONSTRAINTS = CFUNCTYPE(c_bool, c_int, c_void_p, c_bool, c_int, c_void_p, c_void_p)
EVALUATE_JACOBIAN = CFUNCTYPE(c_bool, c_int, c_void_p, c_bool, c_int, c_int, c_void_p, c_void_p, c_void_p, c_void_p)
EVALUATE_HESSIAN = CFUNCTYPE(
    c_bool, c_int, c_void_p, c_bool, c_double, c_int, c_void_p, c_bool, c_int, c_void_p, c_void_p, c_void_p, c_void_p
)
INTERMEDIATE = CFUNCTYPE(c_bool, c_int, c_int, *[c_double] * 8, c_int, c_void_p)

_CALLBACKS = [EVALUATE, EVALUATE_CONSTRAINTS, EVALUATE, EVALUATE_JACOBIAN, EVALUATE_HESSIAN]
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "CreateIpoptProblem": (
        c_void_p,
        [c_int, c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_int, c_int, c_int, *_CALLBACKS],
    ),
    "FreeIpoptProblem": (None, [c_void_p]),
    "AddIpoptStrOption": (c_bool, [c_void_p, c_char_p, c_char_p]),
    "AddIpoptNumOption": (c_bool, [c_void_p, c_char_p, c_double]),
    "AddIpoptIntOption": (c_bool, [c_void_p, c_char_p, c_int]),
    "SetIntermediateCallback": (c_bool, [c_void_p, INTERMEDIATE]),
    "IpoptSolve": (c_int, [c_void_p] * 8),
    "GetIpoptCurrentIterate": (c_bool, [c_void_p, c_bool, c_int, *[c_void_p] * 3, c_int, *[c_void_p] * 2]),
    "GetIpoptVersion": (None, [c_void_p] * 3),
}
_PURPOSE = "solving nonlinear programs with IPOPT"


@once
def load() -> Any:
    """Return IPOPT's library with the signatures of its functions set.

    Raises:
        MissingExtraError: casadi is not installed, or its IPOPT cannot be loaded or is older than 3.14.
    """
    path = find()
    try:
        if sys.platform == "win32":
            os.add_dll_directory(str(path.parent))
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise MissingExtraError("casadi", "predict", f"{_PURPOSE} ({path.name} cannot be loaded: {error})") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise MissingExtraError("casadi", "predict", f"{_PURPOSE} ({path} has no function {name}: not IPOPT 3.14 or later)")
        function.restype, function.argtypes = result, arguments
    return library


@once
def threads() -> Threads | None:
    """Return the threads of the linear algebra that IPOPT's solver uses, a library of its own; None where it has none."""
    load()
    return openblas(find().parent)


def find() -> Path:
    """Return the path of IPOPT's library in the folder of casadi."""
    spec = importlib.util.find_spec("casadi")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders:
        raise MissingExtraError("casadi", "predict", _PURPOSE)
    # libipopt.so.3 before libipopt.so: the name that CasADi's own plug-in asks for, so that both share one copy in memory
    patterns = {"darwin": ("libipopt.*dylib",), "win32": ("ipopt*.dll", "libipopt*.dll")}
    for pattern in patterns.get(sys.platform, ("libipopt.so.[0-9]", "libipopt.so.*", "libipopt.so")):
        for folder in folders:
            found = sorted(Path(folder).glob(pattern), key=lambda path: (len(path.name), path.name))
            if found:
                return found[0]
    raise MissingExtraError("casadi", "predict", f"{_PURPOSE} ({folders[0]} holds no library of IPOPT)")


def version() -> str:
    """Return the version of IPOPT, such as "3.14.19"."""
    numbers = (c_int * 3)()
    start = ctypes.addressof(numbers)
    load().GetIpoptVersion(start, start + 4, start + 8)
    return ".".join(map(str, numbers))
