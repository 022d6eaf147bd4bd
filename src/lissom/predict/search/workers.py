"""Workers: processes that do numbered jobs, one after the other each.

Every worker has a pipe of its own. It ignores Ctrl-C, which a terminal sends to all processes: the first process decides. A
worker that ends by itself, because memory ran out or a library crashed, loses the one job it was at; another takes its place.
So does one that takes longer for a job than it may.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from ...compiler.threads import set_threads
from ...errors import StateError, suggest
from ...one_thread import one_thread

AHEAD = 2  # jobs that a worker has at a time, so that it need not wait for the next
LOOK = 0.1  # [s] after which a stop is noticed, if no job ends before

Work = Callable[[int], Any]
Done = Callable[[int, Any], Any]  # with the number of a job and its result; a true value stops
Lost = Callable[[int, str], Any]  # with the number of a job whose process ended, and why; a true value stops


def start_method(method: str | None) -> str:
    """Return how processes are started: "fork", where it works and none is given, copies this one with all its code."""
    known = multiprocessing.get_all_start_methods()
    if method is None:
        return "fork" if "fork" in known and sys.platform != "darwin" else "spawn"
    if method not in known:
        raise StateError(f"no way to start processes is called {method!r} here; {suggest(str(method), known)}")
    return method


class Workers:
    """Processes that call work(number).

    Args:
        work: the function; processes that are not forked get it pickled, once each.
        count: of processes.
        method: "fork", "spawn" or "forkserver".
        limit: time that a job may take [s]; None for any.
    """

    def __init__(self, work: Work, count: int, method: str, limit: float | None = None) -> None:
        self.work, self.count, self.limit = work, count, limit
        self.context: Any = multiprocessing.get_context(method)
        self.staff: dict[Connection, tuple[Any, deque[int]]] = {}  # by pipe: the process, and its jobs
        self.ready: set[Connection] = set()
        self.began: dict[Connection, float] = {}  # by pipe: when its first job did

    def run(self, numbers: Iterable[int], done: Done, lost: Lost, stop: Callable[[], bool]) -> None:
        """Do all jobs; leave when `stop` says so, or `done` or `lost` return true."""
        left = deque(numbers)
        try:
            for _ in range(min(self.count, len(left))):
                self._hire()
            while left or any(jobs for _, jobs in self.staff.values()):
                for pipe, (_, jobs) in list(self.staff.items()):
                    while left and len(jobs) < AHEAD:
                        if not jobs:
                            self.began[pipe] = monotonic()
                        jobs.append(left.popleft())
                        _send(pipe, jobs[-1])
                if stop():
                    return
                for ready in wait(list(self.staff), LOOK):
                    assert isinstance(ready, Connection)
                    if self._hear(ready, left, done, lost):
                        return
                if self.limit is not None and self._end_overdue(left, lost):
                    return
        finally:
            for pipe in list(self.staff):
                self._dismiss(pipe)

    def _hear(self, pipe: Connection, left: deque[int], done: Done, lost: Lost) -> bool:
        """Take one message of a worker; return whether to stop."""
        process, jobs = self.staff[pipe]
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            process.join()
            if not self.ready:
                raise StateError(
                    f"a worker process ended with exit code {process.exitcode} before it began; a script that starts processes "
                    "needs `if __name__ == '__main__':` around what it does, or take workers=1"
                ) from None
            return self._replace(pipe, left, lost, f"its process ended with exit code {process.exitcode}")
        if message is None:
            self.ready.add(pipe)
            self.began[pipe] = monotonic()
            return False
        number, result = message
        jobs.remove(number)
        self.began[pipe] = monotonic()
        return bool(done(number, result))

    def _end_overdue(self, left: deque[int], lost: Lost) -> bool:
        """Replace workers whose job takes longer than it may; return whether to stop."""
        assert self.limit is not None
        now = monotonic()
        for pipe, (process, jobs) in list(self.staff.items()):
            if jobs and pipe in self.ready and now - self.began[pipe] > self.limit and not pipe.poll():
                process.kill()
                if self._replace(pipe, left, lost, f"it took longer than {self.limit:g} s"):
                    return True
        return False

    def _replace(self, pipe: Connection, left: deque[int], lost: Lost, why: str) -> bool:
        """Hire another worker for one that lost its job, and return whether to stop; its other jobs are done later."""
        _, jobs = self.staff[pipe]
        at, *after = jobs or (None,)
        left.extendleft(reversed(after))
        self._dismiss(pipe)
        self._hire()
        return at is not None and bool(lost(at, why))

    def _hire(self) -> None:
        ours, theirs = self.context.Pipe()
        others = (*self.staff, ours) if self.context.get_start_method() == "fork" else ()
        process = self.context.Process(target=_worker, args=(self.work, theirs, others), daemon=True)
        with warnings.catch_warnings():  # of forks while there are threads; lissom's locks and libraries are made for them
            warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
            process.start()
        theirs.close()
        self.staff[ours] = (process, deque())

    def _dismiss(self, pipe: Connection) -> None:
        process, jobs = self.staff.pop(pipe)
        pipe.close()
        if jobs:  # otherwise it ends by itself: its pipe is closed
            process.terminate()
        process.join()


def _send(pipe: Connection, message: Any) -> None:
    with suppress(OSError):  # to one that has ended, as its side of the pipe says next
        pipe.send(message)


def _worker(work: Work, pipe: Connection, others: Iterable[Connection]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # copies of the first process' ends: if it dies, all pipes must end
        other.close()
    set_threads(1)
    with one_thread(sys.maxsize):
        _send(pipe, None)
        while True:
            try:
                number = pipe.recv()
            except (EOFError, OSError):
                return
            _send(pipe, (number, work(number)))
