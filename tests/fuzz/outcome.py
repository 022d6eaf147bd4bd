"""What may become of an input."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """Accepted and refused are as they should be; all others are bugs."""

    ACCEPTED = "accepted"  # followed to finite results
    REFUSED = "refused"  # by a LissomError
    RAW = "raw exception"  # by any other
    NAN = "not finite"  # a result, and nothing said
    HANG = "hang"
    MEMORY = "memory"
    CRASH = "crash"


GOOD = (Outcome.ACCEPTED, Outcome.REFUSED)
