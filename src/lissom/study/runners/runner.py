"""What runners have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..design import Case
from ..job import Job, Row, failed

ATTEMPTS = 3  # of a case whose process ends, or that takes too long

Found = list[tuple[Row, bytes]]
Put = Callable[[Found], bool]  # stores rows; a true value stops
Stop = Callable[[], bool]


class Runner:
    """Runs cases, and hands over what became of them as soon as it is known, in any order."""

    words: str  # where cases run, for people

    def run(self, job: Job, cases: Sequence[Case], put: Put, stop: Stop) -> None:
        """Run all cases; leave when `stop` says so or `put` returns true."""
        raise NotImplementedError


class Losses:
    """Counts how often cases were lost with their process, or took too long.

    Args:
        job: whose rows are made of those that are given up.
    """

    def __init__(self, job: Job) -> None:
        self.job, self.count = job, Counter[str]()

    def again(self, case: Case, status: str, why: str) -> tuple[Row, bytes] | None:
        """Return None where a case is to be begun again, and its row where it was begun often enough."""
        self.count[case.id] += 1
        many = self.count[case.id]
        if many < ATTEMPTS:
            return None
        return failed(case, self.job.responses, status, f"{why}, {many} times", many), b""
