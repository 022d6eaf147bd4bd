"""Cases on Dask: any scheduler by its address, with workers that come, go, hang and are killed.

Cases go in batches that take a fifth of a second, so that scheduling one (some milliseconds) is a small share of it. A batch that
does not come back is cut into its cases; one case that does not come back three times is given up, and its row says so. When the
scheduler goes away, this process connects to the next one at the same address, and hands over again what has no row.
"""

from __future__ import annotations

import contextlib
import gc
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread
from time import monotonic, sleep
from typing import Any

from ...errors import MissingExtraError, StateError
from ..design import Case
from ..job import Job
from .batches import AHEAD, batch_size
from .on_worker import run_batch, warm
from .runner import Found, Losses, Put, Runner, Stop

LOOK = 0.1  # [s] between looks at what came back
NEWS = 1.0  # [s] between questions to the scheduler
GATHERING = 30.0  # [s] to fetch what a batch found
GRACE = 5.0  # [s] for sending, in addition to what cases may take
BREAKS = 100  # lost connections, without anything that came back in between
PATIENCE = 300.0  # [s] without a scheduler or a worker
FIRST = 20.0  # [s] without a scheduler that never answered
WARMING = 600.0  # [s] at most for compiling, on each machine


@dataclass(eq=False)
class Batch:
    """Cases at a worker, since when."""

    cases: list[Case]
    future: Any
    since: float = field(default_factory=monotonic)


class OnDask(Runner):
    """Workers of a Dask scheduler.

    Args:
        scheduler: its address, a Client, or a cluster.
        limit: time that a case may take [s]; beyond it its worker is restarted, and the case begun again, three times at most.
            Workers without a nanny, which cannot be restarted, get no more cases.
        patience: time [s] that a scheduler or all workers may be away.
    """

    def __init__(self, scheduler: Any, limit: float | None = None, patience: float = PATIENCE) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingExtraError("distributed", "cluster", "a study on Dask") from None
        if limit is not None and not (isinstance(limit, (int, float)) and 0 < limit < float("inf")):
            raise StateError(f"limit is {limit!r}, expected a positive time [s], or None")
        self.client_of, self.limit, self.patience, self.met = distributed.Client, limit, patience, False
        self.security: Any = None
        if isinstance(scheduler, str):
            self.address = scheduler
        else:
            inner = getattr(scheduler, "scheduler", None)
            self.address = str(getattr(scheduler, "scheduler_address", None) or getattr(inner, "address", ""))
            self.security = getattr(scheduler, "security", None)
        if "://" not in self.address:
            raise StateError(f"scheduler is {scheduler!r}, expected an address such as tcp://host:8786, a Client or a cluster")
        self.words = f"on Dask at {self.address}"

    def run(self, job: Job, cases: Sequence[Case], put: Put, stop: Stop) -> None:
        """Run all cases."""
        import cloudpickle

        if not cases:
            return
        work = _Work(cloudpickle.dumps(job), job, deque(cases), put, stop, self.limit, self.patience)
        while work.left and not work.ended and not stop():
            try:
                with self._client() as client:
                    self.met = True
                    work.drive(client)
            except (OSError, TimeoutError, RuntimeError) as error:
                if isinstance(error, StateError):
                    raise
                work.breaks += 1
                patience = self.patience if self.met else min(self.patience, FIRST)
                if monotonic() - work.answered > patience or work.breaks > BREAKS:
                    raise StateError(f"no Dask scheduler answers at {self.address}: {error}") from None
            work.give_back()
            if work.left and not work.ended:
                sleep(LOOK)

    @contextlib.contextmanager
    def _client(self) -> Iterator[Any]:
        client = self._connected()
        try:
            yield client
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=5)

    def _connected(self) -> Any:
        """Return a client of the scheduler, with no garbage collected meanwhile.

        A client that failed to connect is closed when it is collected. It then waits for a lock that a starting client holds: in
        one thread, for good.
        """
        gc.collect()
        gc.disable()
        try:
            return self.client_of(self.address, timeout=10, security=self.security, set_as_default=False, name="lissom-study")
        finally:
            gc.enable()


class _Work:
    """What is left to do, and what workers have."""

    def __init__(
        self, data: bytes, job: Job, left: deque[Case], put: Put, stop: Stop, limit: float | None, patience: float
    ) -> None:
        self.data, self.job, self.left, self.put, self.stop, self.limit = data, job, left, put, stop, limit
        self.patience, self.losses, self.ended, self.warmed = patience, Losses(job), False, False
        self.active: dict[str, Batch] = {}
        self.alone: set[str] = set()  # cases that are sent by themselves
        self.shunned: set[str] = set()  # workers that hang
        self.mean, self.seen = 0.0, 0  # [s] of a case
        self.answered, self.breaks = monotonic(), 0  # when the scheduler last did; lost connections since something came back

    def drive(self, client: Any) -> None:
        """Send batches and take what comes back, until nothing is left or the scheduler is gone."""
        back: Queue[str] = Queue()
        threads: dict[str, int] = {}
        asked, idle = -NEWS, monotonic()
        while self.left or self.active:
            if self.stop() or self.ended:
                self._cancel(client)
                return
            if client.status != "running":
                raise OSError("the connection to the scheduler was lost")
            if monotonic() - asked > NEWS:
                threads, asked = self._threads(client), monotonic()
                self.answered = asked
                if self.limit is not None:
                    self._restart_overdue(client, threads)
            if threads:
                idle = monotonic()
                if not self.warmed:
                    self._warm(client, threads)
            elif monotonic() - idle > self.patience:
                raise StateError(f"the Dask scheduler has had no worker for {self.patience:g} s; start one: dask worker ADDRESS")
            self._send(client, threads, back)
            self._take(client, back)

    def give_back(self) -> None:
        """Put what workers had in front of what is left: its scheduler is gone."""
        for batch in self.active.values():
            self.left.extendleft(reversed(batch.cases))
        self.active.clear()

    def _threads(self, client: Any) -> dict[str, int]:
        known = client.nthreads()
        return {address: count for address, count in known.items() if address not in self.shunned}

    def _send(self, client: Any, threads: dict[str, int], back: Queue[str]) -> None:
        slots = sum(threads.values())
        while self.left and len(self.active) < AHEAD * slots:
            cases = self._next(slots)
            key = f"lissom-study-{uuid.uuid4().hex}"
            given: dict[str, Any] = {"workers": list(threads), "allow_other_workers": True} if self.shunned else {}
            future = client.submit(run_batch, self.data, cases, key=key, pure=False, **given)
            self.active[key] = Batch(cases, future)
            future.add_done_callback(lambda done: back.put(done.key))

    def _next(self, slots: int) -> list[Case]:
        """Take the cases of a batch: alone until it is known how long they take, and few at the end, for all to have some."""
        size = batch_size(self.mean if self.seen else None, len(self.left), slots)
        cases: list[Case] = []
        while self.left and len(cases) < size:
            if self.left[0].id in self.alone and cases:
                break
            cases.append(self.left.popleft())
            if cases[-1].id in self.alone:
                break
        return cases

    def _take(self, client: Any, back: Queue[str]) -> None:
        """Wait for what comes back, and store it."""
        try:
            keys = [back.get(timeout=LOOK)]
        except Empty:
            return
        with contextlib.suppress(Empty):
            while True:
                keys.append(back.get_nowait())
        found: Found = []
        for key in keys:
            batch = self.active.pop(key, None)
            if batch is not None:
                found += self._result(client, batch)
        if found and self.put(found):
            self.ended = True

    def _result(self, client: Any, batch: Batch) -> Found:
        """Return the rows of a batch; of one that failed, those that are given up, and the others are left again."""
        status = batch.future.status
        if status == "finished":
            try:
                rows: Found = batch.future.result(timeout=GATHERING)
            except Exception:  # its worker went away meanwhile
                self.left.extendleft(reversed(batch.cases))
                return []
            self.answered, self.breaks = monotonic(), 0
            seconds = sum(row.seconds for row, _ in rows)
            self.seen += len(rows)
            self.mean += (seconds / len(rows) - self.mean) * min(1.0, max(len(rows) / self.seen, 0.1))
            return rows
        if status == "error":
            try:
                why = f"{type(error).__name__}: {error}" if (error := batch.future.exception(timeout=GATHERING)) else "no reason"
            except Exception as problem:
                why = str(problem)
            return self._lost(batch.cases, "lost", f"its worker ended or could not run it: {why.splitlines()[0][:300]}")
        self.left.extendleft(reversed(batch.cases))  # cancelled: the scheduler forgot it
        return []

    def _lost(self, cases: Sequence[Case], status: str, why: str) -> Found:
        if len(cases) > 1:
            self.alone |= {case.id for case in cases}
            self.left.extendleft(reversed(cases))
            return []
        row = self.losses.again(cases[0], status, why)
        if row is None:
            self.left.append(cases[0])
            return []
        return [row]

    def _restart_overdue(self, client: Any, threads: dict[str, int]) -> None:
        """Restart workers that take longer for a batch than its cases may, or send them no more."""
        assert self.limit is not None
        now, found = monotonic(), []
        for key, batch in list(self.active.items()):
            one = self.limit + 5.0 * self.mean * len(batch.cases)
            if now - batch.since <= AHEAD * one + GRACE or batch.future.done():
                continue
            hosts = [address for address, keys in client.processing().items() if key in {str(each) for each in keys}]
            del self.active[key]
            batch.future.cancel(force=True)
            if not hosts:  # it waited for a worker
                self.left.extendleft(reversed(batch.cases))
                continue
            found += self._lost(batch.cases, "late", f"it took longer than {self.limit:g} s")
            for address in hosts:
                self.shunned.add(address)
                threads.pop(address, None)
                Thread(target=self._restart, args=(client, address), daemon=True).start()
            for other in self.active.values():  # what stood behind it begins now
                other.since = monotonic()
        if found and self.put(found):
            self.ended = True

    def _restart(self, client: Any, address: str) -> None:
        """Restart a worker, which may take as long as it hangs; without a nanny it stays as it is, and gets no more cases."""
        with contextlib.suppress(Exception):
            client.restart_workers([address], timeout=30)
            self.shunned.discard(address)

    def _warm(self, client: Any, threads: dict[str, int]) -> None:
        """Compile on one worker of each machine; the others find the code on its disk."""
        self.warmed = True
        hosts: dict[str, str] = {}
        for address in threads:
            hosts.setdefault(address.rpartition(":")[0], address)
        key = f"lissom-warm-{uuid.uuid4().hex}"
        first = self.left[0] if self.left else next(iter(self.active.values())).cases[0]
        futures = [
            client.submit(warm, self.data, first, key=f"{key}-{k}", pure=False, workers=[address], allow_other_workers=True)
            for k, address in enumerate(hosts.values())
        ]
        until = monotonic() + (WARMING if self.limit is None else min(WARMING, 10.0 * self.limit + GRACE))
        while not all(future.done() for future in futures) and monotonic() < until and not self.stop():
            if client.status != "running":
                break
            sleep(0.5 * LOOK)
        for future in futures:
            with contextlib.suppress(Exception):
                future.release()

    def _cancel(self, client: Any) -> None:
        with contextlib.suppress(Exception):
            client.cancel([batch.future for batch in self.active.values()], force=True)
        self.give_back()
