"""External wrenches of a trajectory as arrays of its file: links with their axes, and force, moment and point side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, LissomError
from ..files import npz_texts
from ..wrench import Wrench

if TYPE_CHECKING:
    from .trajectory import Trajectory

NAMES = ("external_links", "external_axes", "external")
SIZE = 9  # numbers of a wrench


def external_arrays(trajectory: Trajectory, path: Path) -> dict[str, Any]:
    """Return the wrenches by the names of NAMES; none where there are no wrenches, as in files of older versions."""
    given = trajectory.external
    if not given:
        return {}
    numbers = [wrench.packed() for wrench in given.values()]
    lead = np.broadcast_shapes(*(each.shape[:-1] for each in numbers))
    return {
        "external_links": npz_texts(list(given), path),
        "external_axes": npz_texts([wrench.axes for wrench in given.values()], path),
        "external": np.stack([np.broadcast_to(each, (*lead, SIZE)) for each in numbers]),
    }


def read_external(found: Mapping[str, np.ndarray], robot: Any, states: tuple[int, ...], path: Path) -> dict[str, Wrench] | None:
    """Return the wrenches of a file, whose states have leading axes `states`; None where it has none.

    Raises:
        FileError: they do not fit the robot or the states.
    """
    if not any(name in found for name in NAMES):
        return None
    links, axes, numbers = (found.get(name, np.empty(0)) for name in NAMES)
    try:
        if not (links.shape == axes.shape == numbers.shape[:1] and links.ndim == 1 and numbers.shape[-1] == SIZE):
            raise ValueError(f"wrenches of shapes {links.shape}, {axes.shape} and {numbers.shape}")
        if np.broadcast_shapes(numbers.shape[1:-1], states) != states:
            raise ValueError(f"wrenches with leading axes {numbers.shape[1:-1]} for states {states}")
        made = {}
        for link, own, row in zip(links, axes, numbers, strict=True):
            robot.model.link(str(link))  # a wrong name raises
            made[str(link)] = Wrench(row[..., :3], row[..., 3:6], axes=str(own), point=row[..., 6:])
    except (ValueError, LissomError) as error:
        raise FileError(f"its external wrenches do not fit: {error}; it is damaged", path) from None
    return made or None
