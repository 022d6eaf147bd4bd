"""A split ground as a line of text in a file of a prediction: what stands on it in which phase, its surface and friction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LissomError
from ..data.ground import SplitGround, new_ground
from ..data.phases import Phases

if TYPE_CHECKING:
    from ...protocol import DrivenRobot


def ground_text(ground: SplitGround | None) -> str:
    """Return a ground as JSON; nothing for None."""
    if ground is None:
        return ""
    timing = ground.timing
    found = {
        "supports": [[support._asdict() for support in own] for own in ground.stands],
        "names": timing.names,
        "ends": timing.ends,
        "free": timing.free,
        "surface": asdict(ground.surface),
        "friction": ground.friction,
        "weight": ground.ground.unit,
        "channels": ground.channels,
    }
    return json.dumps(found)


def read_ground(text: str, robot: DrivenRobot, channels: Sequence[str]) -> SplitGround | None:
    """Return the ground of a robot from JSON; ValueError where it is not valid."""
    if not text:
        return None
    try:
        found = json.loads(text)
        names, ends = tuple(map(str, found["names"])), tuple(map(float, found["ends"]))
        most = (float(bool(found["free"])),) * len(names)
        timing = Phases(names, (0.0,) * len(names), most, ends)
        internal, weight = [str(name) for name in found["channels"]], float(found["weight"])
        supports = dict(zip(names, found["supports"], strict=True)) if timing.named else found["supports"][0]
        sound = len(set(names)) == len(names) and len(ends) == len(names) + 1 and ends[0] == 0.0 and ends[-1] == 1.0
        sound = sound and bool((np.diff(ends) > 0).all()) and 0 < weight < np.inf and set(internal) <= set(channels)
        ground = new_ground(robot, timing, supports, found["surface"], found["friction"], bool(internal), weight)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, LissomError) as error:
        raise ValueError(f"the ground is not valid: {text[:100]!r}") from error
    if not sound or ground.ground.internal != len(internal):
        raise ValueError(f"the ground is not valid: {text[:100]!r}")
    return replace(ground, channels=tuple(internal))
