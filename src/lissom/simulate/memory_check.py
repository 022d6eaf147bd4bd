"""Room: whether what a run would store fits into the memory of the machine, asked before anything is made."""

from __future__ import annotations

from ..memory import check_size

ADVICE = "store fewer: a longer sample= (fixed steps store every one without it), or a shorter duration"


def check_room(samples: float, numbers: int, what: str = "") -> None:
    """Refuse to store so many samples, of so many numbers each, that memory does not suffice.

    Args:
        samples: how many; a float, which may be infinite.
        numbers: in each.
        what: says what the samples are of.
    """
    check_size(samples * numbers, f"{samples:.3g} samples{what}", ADVICE)
