"""The one error of this package: a path that cannot be passed within its limits."""

from __future__ import annotations

from ..errors import LissomError


class TimingError(LissomError, ValueError):
    """No motion along the path keeps to the limits.

    Attributes:
        s: where on the path, 0 ... 1.
        joint: name of the joint whose limit stands in the way, or None where no single one does.
        limit: "velocity", "acceleration", "torque" or "torque_rate", or None.
    """

    def __init__(self, message: str, s: float, joint: str | None = None, limit: str | None = None) -> None:
        self.s, self.joint, self.limit = s, joint, limit
        super().__init__(message)
