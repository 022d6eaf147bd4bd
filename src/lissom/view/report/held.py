"""The limits that hold a motion back, in sentences: of joints one by one, of a contact its friction and its unloaded points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .shown import label_shown

if TYPE_CHECKING:
    from ...predict.result.prediction import LimitReport, Prediction

LEAST = 0.005  # share of the time from which a limit counts as reached: less is shown as 0 %
LIMITS = {  # names of limits of joints, by their quantities
    "position": "position limit",
    "velocity": "speed limit",
    "acceleration": "acceleration limit",
    "jerk": "jerk limit",
    "snap": "snap limit",
    "torque": "torque limit",
    "torque_rate": "torque rate limit",
    "power": "power limit",
    "drawn_power": "limit of drawn power",
    "deflection": "limit of spring deflection",
    "motor_position": "position limit",
    "motor_velocity": "speed limit",
}


class Held(NamedTuple):
    """A limit that is reached.

    Attributes:
        words: what is at which limit.
        share: of the time of its phases.
        whole: of the duration.
        during: its phases; empty for all.
    """

    words: str
    share: float
    whole: float
    during: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """As in "elbow at its torque limit 40 % of the time"."""
        time = f"of {' and '.join(self.during)}" if self.during else "of the time"
        return f"{self.words} {self.share:.0%}".replace("%", " %") + f" {time}"


def held_back(prediction: Prediction, limits: Sequence[LimitReport]) -> list[Held]:
    """Return the limits that a motion reaches, the longest first: one statement for the friction of a contact.

    Args:
        prediction: the motion.
        limits: its limits, as they are shown.
    """
    lengths = {phase.name: (phase.end - phase.start) / prediction.duration for phase in prediction.phases}
    longest: dict[str, Held] = {}
    for limit in limits:
        if holds_back(limit):
            part = sum(lengths[name] for name in limit.during) if limit.during else 1.0
            found = Held(_words(limit), limit.active, limit.active * part, limit.during)
            key = f"{found.words} {found.during}"
            longest[key] = max(longest.get(key, found), found, key=lambda x: x.whole)
    return sorted((x for x in longest.values() if x.whole >= LEAST), key=lambda x: -x.whole)


def holds_back(limit: LimitReport) -> bool:
    """Return whether a limit counts: of a range, all the time, and reached."""
    return not limit.shares and limit.lower < limit.upper and limit.active >= LEAST


def in_words(label: str, unit: str) -> str:
    """Return "elbow at its speed limit" of "velocity of elbow"; other labels as they are."""
    quantity, _, name = label.partition(" of ")
    if not name or quantity not in LIMITS:
        return f"{label_shown(label)} at its limit"
    words = LIMITS[quantity].replace("torque", "force") if unit in ("N", "N/s") else LIMITS[quantity]
    return f"{name} at its {words}"


def _words(limit: LimitReport) -> str:
    if not limit.contact:
        return in_words(limit.label, limit.unit)
    if limit.label.startswith("friction"):
        return f"friction of {limit.contact} at its limit"
    return f"a point of {limit.contact} carries nothing"
