"""The process of a soak run: `python -m tests.soak.worker THREADS SEED`; a line of JSON on stdout every few seconds.

    {"rounds": 1200, "differ": [], "failed": [], "memory": 214.5, "handles": 9, "threads": 9}

It ends when its standard input does.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

from .jobs import Job, make_jobs

EVERY = 5.0  # [s] between reports
SAME = 1e-12  # by how much results may differ, of the largest number of an array
SHOWN = 20


class Work:
    """Jobs done by many threads; results are compared with those of the first time."""

    def __init__(self, jobs: dict[str, Job]) -> None:
        self.jobs = jobs
        self.expected = {name: [np.array(x) for x in job()] for name, job in jobs.items()}
        self.rounds = 0
        self.differ: list[str] = []
        self.failed: list[str] = []
        self.lock = threading.Lock()
        self.over = threading.Event()

    def go_on(self, seed: int) -> None:
        """Do one job after the other until it is over."""
        rng, names = random.Random(seed), list(self.jobs)
        while not self.over.is_set():
            name = rng.choice(names)
            try:
                wrong = compare(self.expected[name], self.jobs[name]())
                told = [] if wrong is None else [f"{name}: {wrong}"]
                failed = []
            except Exception:
                told, failed = [], [f"{name}: {traceback.format_exc()[-600:]}"]
            with self.lock:
                self.rounds += 1
                self.differ += told
                self.failed += failed

    def report(self) -> dict:
        """Return what is to be told."""
        with self.lock:
            told = {"rounds": self.rounds, "differ": self.differ[:SHOWN], "failed": self.failed[:SHOWN]}
        status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
        memory = int(status["VmRSS"].split()[0]) / 1024
        return {**told, "memory": memory, "handles": len(os.listdir("/proc/self/fd")), "threads": int(status["Threads"])}


def compare(expected: list[np.ndarray], found: object) -> str | None:
    """Return by how much results differ, None where they are the same."""
    arrays = [np.asarray(x) for x in found]  # type: ignore[attr-defined]
    if [x.shape for x in arrays] != [x.shape for x in expected]:
        return f"shapes {[x.shape for x in arrays]}, expected {[x.shape for x in expected]}"
    for k, (x, y) in enumerate(zip(arrays, expected, strict=True)):
        apart = np.abs(x - y).max(initial=0.0)
        if not apart <= SAME * max(1.0, np.abs(y).max(initial=0.0)):
            return f"array {k} differs by {apart:.3g}"
    return None


def main() -> None:
    """Work until standard input ends."""
    threads, seed = int(sys.argv[1]), int(sys.argv[2])
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    work = Work(make_jobs())
    for k in range(threads):
        threading.Thread(target=work.go_on, args=(1000 * seed + k,), daemon=True).start()
    threading.Thread(target=lambda: (sys.stdin.read(), work.over.set()), daemon=True).start()
    while not work.over.is_set():
        print(json.dumps(work.report()), file=out, flush=True)
        time.sleep(EVERY)
    print(json.dumps(work.report()), file=out, flush=True)
    os._exit(0)  # threads may be inside a long piece of work


if __name__ == "__main__":
    main()
