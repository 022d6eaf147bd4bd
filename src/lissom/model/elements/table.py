"""The kinds of force elements by their names in files."""

from __future__ import annotations

from .element import ForceElement
from .point_spring import PointSpring

KINDS: dict[str, type[ForceElement]] = {kind.kind: kind for kind in (PointSpring,)}
