"""A C or C++ compiler of this machine, and the running of what it makes."""

from __future__ import annotations

import functools
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic")
SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@functools.cache
def compiler(cpp: bool = False) -> tuple[str, ...]:
    """Return the command of a compiler; skip the test where there is none."""
    for name in ("g++", "clang++") if cpp else ("gcc", "clang", "cc"):
        if shutil.which(name):
            return (name,)
    if importlib.util.find_spec("ziglang"):
        return (sys.executable, "-m", "ziglang", "c++" if cpp else "cc")
    pytest.skip("no C++ compiler" if cpp else "no C compiler")


def build(folder: Path, files: Sequence[str], options: Sequence[str], cpp: bool = False) -> Path:
    """Compile files of a folder into a program; fail with the compiler's messages."""
    target = folder / "program"
    command = [*compiler(cpp), *options, *files, "-lm", "-o", str(target)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return target


def run(program: Path) -> str:
    """Run a program and return what it prints; fail where it does not end with 0."""
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def worst(printed: str) -> float:
    """Return the largest relative error that a test program has printed."""
    return max(float(line.split("largest error ")[1].split()[0]) for line in printed.splitlines() if "largest error" in line)
