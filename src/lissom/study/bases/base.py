"""Base: what a study runs for every case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..design import Start
from ..parameters import Value


@dataclass(frozen=True)
class Ran:
    """What became of one run.

    Attributes:
        result: a Prediction, a Gait, a Trajectory, numbers by name, or None.
        success: whether it is what was looked for; responses of others are not numbers.
        status: in a word.
        reason: why it did not succeed, "" where it did.
        scenario: the scenario of a simulation, which knows its reference.
    """

    result: Any
    success: bool = True
    status: str = "done"
    reason: str = ""
    scenario: Any = None


class Base:
    """What is run. Bases are sent to other processes: they hold texts, not robots."""

    kind: str
    moves = True  # whether its results are motions, which are kept
    starts = False  # whether a case may begin with the motion of another

    def digest(self) -> Any:
        """Return all that its results depend on beside the values of parameters, as texts, numbers, lists and mappings."""
        raise NotImplementedError

    def check(self, names: Any) -> None:
        """Raise a LissomError where it cannot be run at all; `names` are those of the study's parameters."""

    def check_responses(self, responses: Any) -> None:
        """Raise a LissomError for a response that no result can have, where this is known before there is one."""

    def warm(self, values: Mapping[str, Value]) -> None:
        """Compile what most cases need, before there are several processes."""

    def run(self, values: Mapping[str, Value], seed: int) -> Ran:
        """Run one case."""
        raise NotImplementedError

    def run_from(self, values: Mapping[str, Value], start: Start) -> Ran:
        """Run one case, which begins with the motion of another; for bases with `starts`."""
        raise NotImplementedError

    def known(self, values: Mapping[str, Value], motion: bytes) -> Ran | None:
        """Return the result of a case from its motion, the content of a file; None where it cannot be known without a run."""
        return None

    def robot(self, values: Mapping[str, Value]) -> Any:
        """Return the robot of a case."""
        raise NotImplementedError
