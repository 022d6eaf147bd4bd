"""Where forces of a contact act, and its friction, as a line of text in a file of a prediction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.contacts.loads import Touch
from ...errors import is_choice
from ..data.friction import CONES, FACES, Friction

if TYPE_CHECKING:
    from ...protocol import DrivenRobot


def touch_text(touch: Touch | None, friction: Friction | None) -> str:
    """Return a contact as JSON; nothing for None."""
    return "" if touch is None or friction is None else json.dumps({**touch._asdict(), "friction": friction})


def read_touch(text: str, robot: DrivenRobot) -> tuple[Touch, Friction] | tuple[None, None]:
    """Return a contact of a robot from JSON; ValueError or NameLookupError where it is not valid."""
    if not text:
        return None, None
    try:
        found = json.loads(text)
        fields = [found.pop(name) for name in Touch._fields]
        friction = Friction(*found.pop("friction"))
    except (ValueError, TypeError, AttributeError, KeyError):
        raise ValueError(f"a contact is {text[:100]!r}") from None
    link, points, components, axes, surface = fields
    where, turn = _numbers(points), _numbers(axes)
    slope, faces = _numbers(friction.coefficient), range(FACES[0], FACES[1] + 1)
    grips = slope.shape == () and slope > 0 and is_choice(friction.cone, CONES) and friction.faces in faces
    fits = not found and where.ndim == 2 and where.shape[1:] == (3,) and 1 <= len(where) <= 1000
    upright = turn.shape == (3, 3) and np.allclose(turn @ turn.T, np.eye(3), atol=1e-9)
    if not (fits and grips and upright) or components not in ([2], [0, 2], [1, 2], [0, 1, 2]):
        raise ValueError(f"a contact is {text[:100]!r}")
    for name in (link, surface):
        if name is not None or name is link:
            robot.model.link(str(name))
    rows: Any = tuple(tuple(row) for row in turn.tolist())
    touch = Touch(str(link), tuple(tuple(p) for p in where.tolist()), tuple(components), rows, surface)  # type: ignore[misc]
    return touch, friction


def _numbers(value: Any) -> np.ndarray:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)
    return found if np.isfinite(found).all() else np.zeros(0)
