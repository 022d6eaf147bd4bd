"""Surface: a plane that contacts are on, in the world or moving with a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algorithms.contacts.loads import Point, Rows
from ...errors import StateError, suggest

FIELDS = ("normal", "point", "link", "along", "height")


@dataclass(frozen=True)
class Surface:
    """A plane with the axes t1, t2 in it and n across it.

    Attributes:
        normal: n, the way that the surface pushes, in the world's axes or in those of `link`; of any length but zero.
        point: of the plane, the origin of its coordinates, in the world or in the frame of `link` [m].
        link: that the plane moves with; None for the world.
        along: t1 is this direction, projected on the plane; None for x, or for y where the normal is x.

    Example:
        >>> from lissom.predict import Surface
        >>> Surface(normal=(0, 0, 1), point=(0, 0, 0.17)).axes
        ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """

    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    link: str | None = None
    along: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        for name in ("normal", "point", "along"):
            value = getattr(self, name)
            if name == "along" and value is None:
                continue
            try:
                found = np.asarray(value, dtype=float)
            except (TypeError, ValueError):
                found = np.full(1, np.nan)
            if found.shape != (3,) or not np.isfinite(found).all():
                raise StateError(f"{name} of a surface is {value!r}, expected three numbers")
            object.__setattr__(self, name, tuple(float(x) for x in found))
        if not any(self.normal):
            raise StateError("normal of a surface is zero, expected three numbers, a direction")
        if self.link is not None and not isinstance(self.link, str):
            raise StateError(f"link of a surface is {self.link!r}, expected a name, or None for the world")
        if self.along is not None and np.linalg.norm(np.cross(self.along, self.normal)) < 1e-9 * np.linalg.norm(self.along):
            raise StateError(
                f"along {self.along} of a surface is not a direction in the plane: it is that of the normal, or zero"
            )

    @property
    def axes(self) -> Rows:
        """Rotation matrix, row by row, whose columns are t1, t2 and n."""
        n = np.array(self.normal) / np.linalg.norm(self.normal)
        along = np.array(self.along if self.along is not None else (0.0, 1.0, 0.0) if abs(n[0]) > 0.9 else (1.0, 0.0, 0.0))
        t = along - n * (n @ along)
        t /= np.linalg.norm(t)
        R = np.column_stack([t, np.cross(n, t), n])
        rows = [tuple(float(x) for x in row) for row in R]
        return rows[0], rows[1], rows[2]  # type: ignore[return-value]

    @property
    def origin(self) -> Point:
        """Origin of its coordinates."""
        return self.point


def as_surface(given: Any) -> Surface:
    """Return a surface from one, from its fields by name (or "height" of a level one), or None for the level ground z = 0."""
    if given is None:
        return Surface()
    if isinstance(given, Surface):
        return given
    if isinstance(given, Mapping):
        for name in given:
            if name not in FIELDS:
                raise StateError(f"a surface has no {name!r}; {suggest(str(name), FIELDS)}")
        fields = dict(given)
        if "height" in fields:
            if "point" in fields or "normal" in fields:
                raise StateError("height of a surface is that of a level one; give point and normal without it")
            fields["point"] = (0.0, 0.0, fields.pop("height"))
        return Surface(**fields)
    raise StateError(f"surface is {given!r}, expected a lissom.predict.Surface, its fields by name, or None for the ground z = 0")
