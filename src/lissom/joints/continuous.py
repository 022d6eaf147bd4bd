"""Continuous: a revolute joint without end."""

from __future__ import annotations

from .revolute import Revolute


class Continuous(Revolute):
    """A turn about the axis, by any angle; it is kept as it is, never wrapped."""
