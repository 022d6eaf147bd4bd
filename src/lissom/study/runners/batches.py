"""How many cases go to a worker of Dask at a time, so that the scheduler and the study keep all workers busy."""

from __future__ import annotations

TARGET = 0.2  # [s] of work in a batch
EACH = 0.005  # [s] that the scheduler and the study need for a batch
ROW = 0.00013  # [s] that the study needs for a case in it, beside
LONGER = 4.0  # times as long are batches at most where rows take the study's time
MOST = 500  # cases in a batch
AHEAD = 2  # batches at a time for each thread of a worker


def batch_size(mean: float | None, left: int, slots: int) -> int:
    """Return how many cases the next batch has.

    Args:
        mean: time of a case [s]; None where none is known yet: then a case goes alone.
        left: how many cases there are: the last ones are divided, for all workers to have some.
        slots: threads of all workers.
    """
    if mean is None:
        return 1
    mean = max(mean, 1e-9)
    free = max(1.0 - ROW * slots / mean, 1.0 / LONGER)
    target = max(TARGET, EACH * slots / free)  # all threads are served while a batch lasts
    return max(1, int(min(target / mean, MOST, 1 + left / (2 * AHEAD * slots))))
