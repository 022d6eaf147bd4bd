"""Cases on this machine: in this process, or in processes of their own, without any service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ...compiler.threads import get_threads
from ...errors import Interrupted, StateError
from ...predict.search.many import MOST_WORKERS
from ...predict.search.workers import Workers, start_method
from ...spline.check import integer
from ..design import Case
from ..job import Job
from .runner import Found, Losses, Put, Runner, Stop

TOGETHER = 0.05  # [s] in which rows are collected, so that the disk is not waited for after each


@dataclass(frozen=True)
class Numbered:
    """Cases by number, as processes are asked for them."""

    job: Job
    cases: Sequence[Case]

    def __call__(self, number: int) -> Any:
        """Return what became of a case."""
        return self.job(self.cases[number])


class Local(Runner):
    """Processes of this machine.

    Args:
        workers: their number; None for as many as there are cores, or LISSOM_THREADS. 1 runs cases in this process, unless there
            is a limit.
        limit: time that a case may take [s]; its process is ended, and the case begun again, three times at most.
        method: how processes start: "fork", "spawn" or "forkserver"; None forks on Linux, and spawns elsewhere.
    """

    def __init__(self, workers: int | None = None, limit: float | None = None, method: str | None = None) -> None:
        self.workers = get_threads() if workers is None else integer(workers, "workers", 1, most=MOST_WORKERS)
        if limit is not None and not (isinstance(limit, (int, float)) and 0 < limit < float("inf")):
            raise StateError(f"limit is {limit!r}, expected a positive time [s], or None")
        self.limit, self.method = limit, start_method(method)
        self.words = "in this process" if self.workers == 1 and limit is None else f"in {self.workers} processes"

    def run(self, job: Job, cases: Sequence[Case], put: Put, stop: Stop) -> None:
        """Run all cases."""
        if (self.workers == 1 or len(cases) == 1) and self.limit is None:
            self._here(job, cases, put, stop)
            return
        if cases:
            job.base.warm(cases[0].values)
        left, losses = list(cases), Losses(job)
        while left:
            left = self._round(job, left, put, stop, losses)

    def _here(self, job: Job, cases: Sequence[Case], put: Put, stop: Stop) -> None:
        """Run cases in this process."""
        ready: Found = []
        flushed, ended = monotonic(), False
        try:
            for case in cases:
                if ended or stop():
                    return
                ready.append(job(case))
                if monotonic() - flushed > TOGETHER:
                    ended = put(ready)
                    ready, flushed = [], monotonic()
        except Interrupted:  # its Ctrl-C is known to `stop`, too
            return
        finally:
            if ready:
                put(ready)

    def _round(self, job: Job, cases: list[Case], put: Put, stop: Stop, losses: Losses) -> list[Case]:
        """Run cases, and return those that are to be begun again."""
        again: list[Case] = []
        ready: Found = []
        ended = False
        flushed = monotonic()

        def flush() -> bool:
            nonlocal flushed, ended
            if ready:
                ended = put(list(ready)) or ended
                ready.clear()
                flushed = monotonic()
            return ended

        def done(number: int, found: Any) -> bool:
            ready.append(found)
            return False

        def lost(number: int, why: str) -> bool:
            row = losses.again(cases[number], "late" if "longer" in why else "lost", why)
            if row is None:
                again.append(cases[number])
            else:
                ready.append(row)
            return False

        def look() -> bool:
            nonlocal ended
            if monotonic() - flushed > TOGETHER:
                flush()
            ended = ended or stop()
            return ended

        workers = Workers(Numbered(job, cases), min(self.workers, len(cases)), self.method, self.limit)
        try:
            workers.run(range(len(cases)), done, lost, look)
        finally:
            flush()
        return [] if ended else again
