"""Run all benchmarks, or the named ones: python -m benchmarks batch one_call."""

import importlib
import platform
import sys

import numpy

import lissom
from lissom.compiler import jit
from lissom.errors import CompilerError, suggest

NAMES = (
    "batch",
    "one_call",
    "threads",
    "forward",
    "mass",
    "derivatives",
    "prediction",
    "solvers",
    "reaches",
    "steps",
    "limits",
    "gait",
    "loops",
    "simulation",
    "elastic",
    "torch_jax",
    "compile_time",
    "long_chain",
    "operations",
    "forward_operations",
    "guarino",
    "time_scaling",
    "export",
    "osim",
    "accuracy",
    "muscles",
    "gpu",
    "study",
)


def main() -> None:
    chosen = sys.argv[1:] or NAMES
    for name in chosen:
        if name not in NAMES:
            sys.exit(f"no benchmark {name!r}; {suggest(name, NAMES)}")
    try:
        compiler = f"llvmlite {jit.version().split(chr(0))[0]}, {jit.host()[1]}, {jit.vector_width()} doubles a vector"
    except (CompilerError, ImportError):
        compiler = "no llvmlite"
    print(f"lissom {lissom.__version__}, Python {platform.python_version()}, NumPy {numpy.__version__}, {compiler}")
    for name in chosen:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n{module.__doc__.strip()}", flush=True)
        module.main()


if __name__ == "__main__":
    main()
