"""Options of `make soak`, a line a minute, and the judgment at its end."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
GROWTH = 150.0  # MB that a process may gain after it has warmed up
HANDLES = 8  # files that a process may have open more than then: those of the work that it is at


class Worker:
    """A process and what it last reported."""

    def __init__(self, threads: int, seed: int, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "tests.soak.worker", str(threads), str(seed)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment)
        self.last: dict = {}
        self.warm: dict = {}
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.last = json.loads(line)

    def stop(self) -> None:
        """Let the process end, and wait for it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(120)
        self.reader.join(10)

    def faults(self) -> list[str]:
        """Return all that was wrong."""
        if self.process.returncode:
            return [f"the process ended with {self.process.returncode}"]
        if not self.warm or not self.last.get("rounds"):
            return ["nothing was done"]
        found = [f"differs: {text}" for text in self.last["differ"]] + [f"failed: {text}" for text in self.last["failed"]]
        grown = self.last["memory"] - self.warm["memory"]
        if grown > GROWTH:
            found.append(f"memory grew by {grown:.0f} MB after the warm-up, more than {GROWTH:g} MB")
        for what, room in (("handles", HANDLES), ("threads", 4)):
            if self.last[what] > self.warm[what] + room:
                found.append(f"{what} grew from {self.warm[what]} to {self.last[what]}")
        return found


def main(words: list[str] | None = None) -> int:
    """Run, and return the exit code: 1 where anything was wrong."""
    parser = argparse.ArgumentParser("python -m tests.soak", description="Mixed work from threads and processes.")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--threads", type=int, default=8)
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="soak-") as cache:
        os.chmod(cache, 0o700)
        paths = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH", ""), str(ROOT / "src")]))
        own = {"PYTHONPATH": paths, "LISSOM_CACHE_DIR": cache, "PYTHONFAULTHANDLER": "1", "OMP_NUM_THREADS": "1"}
        environment = {**os.environ, **own}
        workers = [Worker(given.threads, seed, environment) for seed in range(given.processes)]
        watch(workers, 60.0 * given.minutes)
        for worker in workers:
            worker.stop()
    print("\n" + table(workers))
    faults = [f"process {k}: {text}" for k, worker in enumerate(workers) for text in worker.faults()]
    print("\n".join(faults) or "results the same throughout, no growth of memory, handles or threads")
    return int(bool(faults))


def watch(workers: list[Worker], seconds: float) -> None:
    """Print a line a minute; the time begins when all have computed what they compare with, and a tenth of it is warm-up."""
    while not all(worker.last or worker.process.poll() is not None for worker in workers):
        time.sleep(0.5)
    began, printed = time.monotonic(), 0
    warm_up = min(0.1 * seconds, 600.0)
    while (passed := time.monotonic() - began) < seconds and all(worker.process.poll() is None for worker in workers):
        if passed >= warm_up:
            for worker in workers:
                worker.warm = worker.warm or worker.last
        if passed >= 60 * printed:
            printed += 1
            told = "; ".join(
                f"{w['rounds']} rounds, {w['memory']:.0f} MB, {w['handles']} handles, {w['threads']} threads, "
                f"{len(w['differ'])} differ, {len(w['failed'])} failed"
                for w in (worker.last for worker in workers)
                if w
            )
            print(f"{passed / 60:5.1f} min: {told}", flush=True)
        time.sleep(0.5)


def table(workers: list[Worker]) -> str:
    """Return what the processes had after the warm-up and at the end, in Markdown."""
    lines = ["| process | rounds | memory warm [MB] | memory end [MB] | handles | threads | differ | failed |", "|---" * 8 + "|"]
    for k, worker in enumerate(workers):
        end, warm = worker.last, worker.warm or worker.last
        if not end:
            lines.append(f"| {k} | 0 | | | | | | |")
            continue
        pairs = [f"{warm[what]} -> {end[what]}" for what in ("handles", "threads")]
        numbers = [end["rounds"], f"{warm['memory']:.0f}", f"{end['memory']:.0f}", *pairs, len(end["differ"]), len(end["failed"])]
        lines.append(f"| {k} | " + " | ".join(map(str, numbers)) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
