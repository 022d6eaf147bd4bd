"""Everyday helpers: limits, random configurations, payloads, a summary."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Self, Unpack

import numpy as np

import lissom

from ..arrays import InertiaTensor, Positions, Random
from ..errors import StateError
from ..locks import lazy_property
from ..model.limits import CoordinateLimits, coordinate_limits
from ..model.payload import with_payload
from ..model.random import random_configurations
from .base import RobotBase


class Everyday(RobotBase):
    """Helpers that need no equations of motion."""

    @lazy_property
    def limits(self) -> CoordinateLimits:
        """Limits of the model as arrays: `lower`, `upper` (nq,), `velocity`, `effort` (nv,); infinite where there is none.

        Raises:
            ModelError: the limits of a joint and of one coupled to it exclude each other.
        """
        return coordinate_limits(self.model)

    def random_configuration(self, rng: Random = None, *, size: int | Sequence[int] | None = None) -> np.ndarray:
        """Return a random configuration within the limits of the joints.

        Revolute joints without limits are uniform from -pi to pi, prismatic ones from -1 to 1 m; with one limit, over a range of
        the same length that begins there. Rotations in space are uniform; positions of planar and floating joints are within 1 m
        of zero along each axis. Motors behind springs are where the springs are at rest, or at their own limits.

        Args:
            rng: a NumPy Generator, or a seed; None draws differently in every call.
            size: shape of the batch; None for a single configuration.

        Returns:
            (nq,), or (*size, nq).
        """
        generator, lead = as_generator(rng), as_lead(size)
        q = random_configurations(self.model, generator, self.limits, lead)
        if self.model.elastic_motors:
            q = np.clip(self._unstretched(q), self.limits.lower, self.limits.upper)  # type: ignore[attr-defined]
        return q

    def with_payload(
        self, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0), inertia: InertiaTensor | None = None, link: str | None = None
    ) -> Self:
        """Return a new robot with a body fixed to one of the links.

        Args:
            mass: of the body [kg].
            com: its center of mass in the link's frame [m].
            inertia: about its own center of mass, along the axes of the link's frame [kg m^2]: (3, 3), or six numbers
                ixx, iyy, izz, ixy, ixz, iyz as in files; None for a point mass.
            link: name of the link that carries it; None is the last link of a robot with one end.

        Raises:
            ModelError: the robot has several ends and `link` is not given, or the body is impossible.
        """
        return type(self)(with_payload(self.model, mass, com, inertia, link), **self._choices)

    def show(
        self,
        q: Positions | None = None,
        *,
        save: str | os.PathLike[str] | None = None,
        **options: Unpack[lissom.view.ShowOptions],
    ) -> Any:
        """Show the robot in three dimensions: in a browser, in a notebook, or in a file.

        Without a file, joints are moved by sliders and links by hand.

        Args:
            q: coordinates (nq,), or several (K, nq), from each of which the robot moves to the next; None is `neutral()`, of a
                closed robot `home()`.
            save: file to write: .html, a page that needs no server; .png, a picture; .gif or .mp4, a film of several poses.
                None: below the cell of a notebook, otherwise in a browser, from a server for this machine alone.
            options: title=, layers=, paths=, ghosts=, beside= or over= another robot or motion, fps= poses per second; of
                pictures and films size=, view=, time=, speed=. See `lissom.view.show.ShowOptions`.

        Returns:
            The path; or, without one, the live view.
        """
        from ..view.show import show_robot

        return show_robot(self, q, save=save, **options)  # type: ignore[arg-type]

    def summary(self) -> str:
        """Return a text for the terminal: sizes and mass, then a line per moving joint with its kind, link, limits."""
        from ..view.summary import robot_text

        return robot_text(self.model)

    def _repr_html_(self) -> str:
        from ..view.summary import robot_html

        return robot_html(self.model)


def as_generator(rng: Random) -> np.random.Generator:
    """Return a NumPy Generator from a generator, a seed or None."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise StateError(f"rng must be a numpy.random.Generator, a seed or None, got {rng!r}") from None


def as_lead(size: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return the leading axes of a batch from a number, several, or None."""
    try:
        lead = () if size is None else tuple(int(n) for n in np.atleast_1d(np.asarray(size, dtype=int)))
    except (TypeError, ValueError):
        lead = (-1,)
    if any(n < 0 for n in lead) or isinstance(size, float):
        raise StateError(f"size must be a number of configurations, or the shape of a batch, got {size!r}")
    return lead
