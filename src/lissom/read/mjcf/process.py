"""Child processes that run MuJoCo's compiler: started when needed, kept for the next file, ended with this process."""

from __future__ import annotations

import atexit
import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FileError, MissingExtraError

START = 60.0  # seconds that MuJoCo may take to be imported
LONGEST_HEADER = 1 << 27  # bytes
MOST = 4  # children at once; more threads wait
_CHILD = Path(__file__).with_name("child.py")
# one thread of BLAS and few arenas, because the child's address space is limited; nothing is drawn
_QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_QUIET |= {"MALLOC_ARENA_MAX": "2", "MUJOCO_GL": "disable"}
_OWN = "MJCF files are compiled in a separate process, "

Answer = tuple[dict[str, Any], dict[str, np.ndarray]]


class Ended(Exception):
    """The child closed its pipe, or wrote an invalid answer."""


class Child:
    """A running child.

    Attributes:
        files: number of files compiled or rejected.
        late: whether it was ended after the time limit.
    """

    def __init__(self, memory: int) -> None:
        self.memory, self.files, self.late, self.owner = memory, 0, False, os.getpid()
        if getattr(sys, "frozen", False) or not sys.executable:
            raise FileError(_OWN + "and this program has no Python interpreter to start")
        start = json.dumps({"path": [entry for entry in sys.path if os.path.isabs(entry)], "memory": memory})
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(_CHILD), start],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=os.path.abspath(os.sep),
                env={**os.environ, **_QUIET},
                start_new_session=True,  # Ctrl-C is for this process, which then ends the child
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise FileError(f"{_OWN}and {sys.executable} does not start: {error}") from None
        try:
            header, _ = self._answer(START)
        except BaseException as error:
            said = self._last_words() if isinstance(error, Ended) else ""
            self.end()
            if not isinstance(error, Ended):
                raise
            raise FileError(f"{_OWN}which does not start: {said}") from None
        if "missing" in header:
            self.end()
            raise MissingExtraError("mujoco", "mjcf", f"reading MJCF files ({header['missing']})")

    def ask(self, request: dict[str, Any], seconds: float) -> Answer:
        """Return the header and the arrays of the answer to `request`; raise Ended if there is none after `seconds`."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Ended from None
        found = self._answer(seconds)
        self.files += 1
        return found

    def _answer(self, seconds: float) -> Answer:
        guard, answered = threading.Lock(), False

        def too_late() -> None:
            with guard:
                if not answered:
                    self.late = True
                    self.process.kill()

        timer = threading.Timer(seconds, too_late)
        timer.daemon = True
        timer.start()
        try:
            size = int.from_bytes(self._read(8), "big")
            if size > LONGEST_HEADER:
                raise Ended
            header = json.loads(self._read(size))
            kinds = [(name, np.dtype(kind), tuple(shape)) for name, kind, shape in header["arrays"]]
            data = self._read(sum(math.prod(shape) * kind.itemsize for _, kind, shape in kinds))
        finally:
            with guard:
                answered = True
            timer.cancel()
        arrays, start = {}, 0
        for name, kind, shape in kinds:
            count = math.prod(shape)
            # a copy: arrays have to be aligned
            arrays[name] = np.frombuffer(data, kind, count, start).reshape(shape).copy() if count else np.empty(shape, kind)
            start += count * kind.itemsize
        return header, arrays

    def _read(self, size: int) -> bytes:
        assert self.process.stdout is not None
        data = self.process.stdout.read(size)
        if len(data) < size:
            raise Ended
        return data

    def _last_words(self) -> str:
        """Return the last line that a child wrote before it ended, or its exit status."""
        self.process.kill()
        code = self.process.wait()
        assert self.process.stderr is not None
        lines = self.process.stderr.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"no answer in {START:g} s" if self.late else f"exit status {code}"

    def end(self) -> None:
        """End the process, if this process started it, wait for it, and close its pipes."""
        if self.owner == os.getpid():
            with suppress(OSError):
                self.process.kill()
            self.process.wait()
        else:
            self.process.returncode = 0  # child of another process: not waited for here
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


class Pool:
    """Idle children. Thread-safe; a forked process starts its own."""

    def __init__(self) -> None:
        self.waiting: list[Child] = []
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.end)

    def _renew(self) -> None:
        self._guard, self._turns = threading.Lock(), threading.BoundedSemaphore(MOST)

    def _forget(self) -> None:
        self._renew()
        self.end()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until fewer than MOST children are working."""
        turns = self._turns
        with turns:
            yield

    def take(self, memory: int) -> Child:
        """Return a child with this limit of memory [bytes], an idle one if possible."""
        with self._guard:
            while self.waiting:
                child = self.waiting.pop()
                if child.memory == memory and child.process.poll() is None:
                    return child
                child.end()
        return Child(memory)

    def put_back(self, child: Child) -> None:
        """Keep `child` for the next file."""
        with self._guard:
            self.waiting.append(child)

    def end(self) -> None:
        """End all idle children."""
        with self._guard:
            while self.waiting:
                self.waiting.pop().end()
