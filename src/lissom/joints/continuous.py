"""Continuous: a revolute joint without limits."""

from __future__ import annotations

from .revolute import Revolute


class Continuous(Revolute):
    """A rotation about the axis by any angle, never wrapped."""

    winds = True
