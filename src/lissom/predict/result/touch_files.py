"""Where forces of a contact act, as a line of text in a file of a prediction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.contacts.loads import Touch

if TYPE_CHECKING:
    from ...protocol import DrivenRobot


def touch_text(touch: Touch | None) -> str:
    """Return a contact as JSON; nothing for None."""
    return "" if touch is None else json.dumps(touch._asdict())


def read_touch(text: str, robot: DrivenRobot) -> Touch | None:
    """Return a contact of a robot from JSON; ValueError or NameLookupError where it makes no sense."""
    if not text:
        return None
    try:
        found = json.loads(text)
        told = [found.pop(name) for name in Touch._fields]
    except (ValueError, TypeError, AttributeError, KeyError):
        raise ValueError(f"a contact is {text[:100]!r}") from None
    link, points, components, axes, surface = told
    where, turn = _numbers(points), _numbers(axes)
    fits = not found and where.ndim == 2 and where.shape[1:] == (3,) and 1 <= len(where) <= 1000 and turn.shape == (3, 3)
    if not fits or not np.allclose(turn @ turn.T, np.eye(3), atol=1e-9) or components not in ([2], [0, 2], [1, 2], [0, 1, 2]):
        raise ValueError(f"a contact is {text[:100]!r}")
    for name in (link, surface):
        if name is not None or name is link:
            robot.model.link(str(name))
    rows: Any = tuple(tuple(row) for row in turn.tolist())
    return Touch(str(link), tuple(tuple(p) for p in where.tolist()), tuple(components), rows, surface)  # type: ignore[misc]


def _numbers(value: Any) -> np.ndarray:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)
    return found if np.isfinite(found).all() else np.zeros(0)
