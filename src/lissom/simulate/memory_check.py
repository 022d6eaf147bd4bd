"""Memory check: whether the samples of a run fit into memory, before they are allocated."""

from __future__ import annotations

from ..memory import check_size

ADVICE = "store fewer: a longer sample= (fixed steps store every one without it), or a shorter duration"


def check_room(samples: float, numbers: int, what: str = "") -> None:
    """Raise if memory does not suffice for so many samples, of so many numbers each.

    Args:
        samples: how many; a float, which may be infinite.
        numbers: per sample.
        what: the samples, in the message.
    """
    check_size(samples * numbers, f"{samples:.3g} samples{what}", ADVICE)
