"""Run all benchmarks, or the named ones: python -m benchmarks batch one_call.

Numbers behind a name are sizes that its main takes, `study:2e8:10000`.
"""

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
    "muscle_gait",
    "moco",
    "gpu",
    "study",
)


def main() -> None:
    chosen = sys.argv[1:] or NAMES
    for one in chosen:
        name = one.partition(":")[0]
        if name not in NAMES:
            sys.exit(f"no benchmark {name!r}; {suggest(name, NAMES)}")
    try:
        compiler = f"llvmlite {jit.version().split(chr(0))[0]}, {jit.host()[1]}, {jit.vector_width()} doubles a vector"
    except (CompilerError, ImportError):
        compiler = "no llvmlite"
    print(f"lissom {lissom.__version__}, Python {platform.python_version()}, NumPy {numpy.__version__}, {compiler}")
    for one in chosen:
        name, *sizes = one.split(":")
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n{module.__doc__.strip()}", flush=True)
        module.main(*(int(float(size)) for size in sizes))


if __name__ == "__main__":
    main()
