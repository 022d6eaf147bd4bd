"""One case: run, its responses, and its motion as the bytes of a file. It happens in whichever process is free."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from contextlib import suppress
from copy import copy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from ..errors import Interrupted, LissomError
from ..one_thread import one_thread
from .bases.base import Base, Ran
from .design import Case
from .parameters import Value
from .responses import Response, responses_of

LONGEST = 2000  # characters of a reason


@dataclass(frozen=True)
class Row:
    """What became of a case.

    Attributes:
        id: of the case.
        values: of its parameters.
        seed: of the case.
        responses: by name; not a number where it failed.
        success: whether it is what was looked for.
        status: of the solver or the run in a word; "failed" after an error, "lost" where its process ended, "late" where it took
            longer than it may.
        reason: why it failed; "" where it did not.
        seconds: that it took [s].
        attempts: how often it was begun.
        motion: name of its motion, "" where there is none.
        worker: host and process.
    """

    id: str
    values: dict[str, Value]
    seed: int
    responses: dict[str, float]
    success: bool
    status: str
    reason: str = ""
    seconds: float = 0.0
    attempts: int = 1
    motion: str = ""
    worker: str = ""

    def plain(self) -> dict[str, Any]:
        """Return its fields."""
        return asdict(self)


@dataclass(frozen=True)
class Job:
    """Runs cases of a study.

    Attributes:
        base: what is run.
        responses: what is kept of it.
        motions: whether motions are kept, too.
    """

    base: Base
    responses: tuple[Response, ...]
    motions: bool = True

    def __call__(self, case: Case) -> tuple[Row, bytes]:
        """Return what became of a case, whatever happens, and its motion."""
        began = perf_counter()
        data, worker = b"", f"{socket.gethostname()}:{os.getpid()}"
        try:
            with one_thread(sys.maxsize):
                ran = self._run(case)
                found = responses_of(self.responses, ran)
                data = (case.motion or motion_bytes(ran)) if self.motions else b""
            row = Row(case.id, dict(case.values), case.seed, found, ran.success, ran.status, ran.reason[:LONGEST])
        except Interrupted:
            raise
        except Exception as error:
            row = failed(case, self.responses, "failed", _said(error))
        return replace(row, seconds=perf_counter() - began, worker=worker), data

    def _run(self, case: Case) -> Ran:
        """Return the result of a case from its motion where that is known, else from its start, else from nothing."""
        if case.motion:
            with suppress(LissomError):
                known = self.base.known(case.values, case.motion)
                if known is not None:
                    return known
        if case.start is not None:
            with suppress(LissomError):
                ran = self.base.run_from(case.values, case.start)
                if ran.success:
                    return ran
        return self.base.run(case.values, case.seed)


def failed(case: Case, responses: tuple[Response, ...], status: str, reason: str, attempts: int = 1) -> Row:
    """Return the row of a case without a result."""
    nothing = {each.name: float("nan") for each in responses}
    return Row(case.id, dict(case.values), case.seed, nothing, False, status, reason[:LONGEST], attempts=attempts)


def motion_bytes(ran: Ran) -> bytes:
    """Return the motion of a result as the content of a file (.npz), without the time that it took; b"" where it has none."""
    result = getattr(ran.result, "prediction", ran.result)
    if not hasattr(result, "save") or (hasattr(result, "t") and not len(result.t)):
        return b""
    if hasattr(result, "setup_seconds"):  # the same motion has the same bytes
        result = copy(result)
        result.seconds = result.setup_seconds = 0.0
        result.rounds = [replace(each, seconds=0.0) for each in result.rounds]
        solution = result.solution
        result.solution = replace(solution, history=(), seconds=0.0, evaluations=solution.evaluations._replace(seconds=0.0))
    with tempfile.TemporaryDirectory() as folder:
        return Path(result.save(Path(folder) / "motion.npz")).read_bytes()


def _said(error: Exception) -> str:
    lines = str(error).strip() or "no words"
    return lines if isinstance(error, LissomError) else f"{type(error).__name__}: {lines}"
