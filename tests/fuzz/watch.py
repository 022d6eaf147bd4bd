"""Watch: a worker started, limited in time, started again where it ends, and its inputs counted."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .outcome import GOOD, Outcome
from .reader import Reader

SECONDS = 10.0  # of computing that an input may take
WALL = 60.0  # of waiting: other programs run on the machine too
START = 300.0  # of waiting for a worker to begin
INPUTS = 4000  # of one worker: then a fresh one goes on
ROOT = Path(__file__).parents[2]


@dataclass
class Count:
    """What became of inputs: outcomes, the slowest [s], time taken [s], and failures (number, outcome, detail)."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    slowest: float = 0.0
    seconds: float = 0.0
    failures: list[tuple[int, Outcome, str]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Number of inputs."""
        return sum(self.outcomes.values())


def fuzz(reader: Reader, seed: int, first: int, count: int, until: float, keep: Path, seconds: float = SECONDS) -> Count:
    """Run inputs `first`, first + 1, .. of a reader; failing ones are copied into the folder `keep`.

    Args:
        reader: of which inputs.
        seed, first, count: which, and how many at most.
        until: time.monotonic() at which to stop.
        keep: folder for inputs that fail.
        seconds: of computing that an input may take.
    """
    total, number, began = Count(), first, time.monotonic()
    while number < first + count and time.monotonic() < until:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            stop = min(first + count, number + INPUTS)
            for told in _inputs(reader, seed, number, stop, until, Path(folder), seconds):
                outcome = Outcome(told["outcome"])
                total.outcomes[outcome] += 1
                total.slowest = max(total.slowest, told["seconds"])
                number = told["number"] + 1
                if outcome not in GOOD:
                    total.failures.append((told["number"], outcome, told["detail"]))
                    keep.mkdir(parents=True, exist_ok=True)
                    last = Path(folder) / f"input{reader.ending}"  # of a worker that ended
                    own = last.with_stem(f"failed-{told['number']}")
                    shutil.copyfile(own if own.exists() else last, keep / f"{reader.name}-{seed}-{told['number']}{reader.ending}")
    total.seconds = time.monotonic() - began
    return total


def _inputs(reader: Reader, seed: int, first: int, stop: int, until: float, folder: Path, seconds: float) -> Iterator[dict]:
    """Give what one worker tells, and what became of the input at which it ended."""
    command = [sys.executable, "-m", "tests.fuzz.worker", reader.name, str(seed), str(first), str(folder)]
    with open(folder / "errors.txt", "wb") as errors:
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT, env=_environment())
        lines = _Lines(worker)
        try:
            if lines.next(START, START) is None:
                raise RuntimeError(f"the worker does not start:\n{(folder / 'errors.txt').read_text()[-3000:]}")
            for number in range(first, stop):
                told = lines.next(WALL, seconds)
                if told is None:
                    yield {"number": number, "seconds": seconds, **_ended(worker, folder)}
                    return
                yield told
                if time.monotonic() > until:
                    return
        finally:
            worker.kill()
            worker.wait()
            assert worker.stdout is not None
            worker.stdout.close()


class _Lines:
    """The lines that a worker prints."""

    def __init__(self, worker: subprocess.Popen) -> None:
        assert worker.stdout is not None
        self.pid, self.pipe = worker.pid, worker.stdout.fileno()
        self.rest = b""

    def next(self, wall: float, seconds: float) -> dict | None:
        """Return the next one; None where the worker ends, or takes longer than `wall`, or computes longer than `seconds`."""
        began, used = time.monotonic(), _seconds(self.pid)
        while b"\n" not in self.rest:
            if not select.select([self.pipe], [], [], 0.2)[0]:
                if time.monotonic() - began > wall or _seconds(self.pid) - used > seconds:
                    return None
                continue
            more = os.read(self.pipe, 1 << 16)
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)


def _ended(worker: subprocess.Popen, folder: Path) -> dict:
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(0.2)
    if worker.returncode is None:
        return {"outcome": Outcome.HANG, "detail": f"computes too long, or more than {WALL:g} s of waiting"}
    said = (folder / "errors.txt").read_text(errors="replace")[-300:]
    memory = any(word in said for word in ("bad_alloc", "MemoryError", "out of memory", "Cannot allocate"))
    return {"outcome": Outcome.MEMORY if memory else Outcome.CRASH, "detail": f"ended with {worker.returncode}: {said}"}


def _seconds(pid: int) -> float:
    """Return the processor time that a process has used [s]."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _environment() -> dict[str, str]:
    paths = [os.environ.get("PYTHONPATH", ""), str(ROOT / "src")]
    # one thread: processor time is then that of the input
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LISSOM_THREADS"), "1")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **single, "PYTHONFAULTHANDLER": "1"}
