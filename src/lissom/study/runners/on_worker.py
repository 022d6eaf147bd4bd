"""What a worker of Dask does with a batch of cases."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from collections.abc import Sequence

from ...compiler.threads import set_threads
from ..design import Case
from ..job import Job, Row

KEPT = 8  # studies that a worker remembers

_jobs: dict[str, Job] = {}


def run_batch(data: bytes, cases: Sequence[Case]) -> list[tuple[Row, bytes]]:
    """Return what became of cases, in their order.

    Args:
        data: the pickled job of their study: Dask's workers run what they are sent; see its settings of security.
        cases: the cases.
    """
    job = _job(data)
    return [job(case) for case in cases]


def warm(data: bytes, case: Case) -> None:
    """Compile what a case needs; what is wrong with it, its row will say."""
    with contextlib.suppress(Exception):
        _job(data).base.warm(case.values)


def _job(data: bytes) -> Job:
    name = hashlib.sha256(data).hexdigest()
    if name not in _jobs:
        if len(_jobs) >= KEPT:
            _jobs.pop(next(iter(_jobs)))
        set_threads(1)  # as many cases at a time as the worker has threads
        _jobs[name] = pickle.loads(data)
    return _jobs[name]
