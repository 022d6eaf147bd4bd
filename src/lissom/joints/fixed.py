"""Fixed: no motion; two links are one body."""

from __future__ import annotations

from .kind import Kind


class Fixed(Kind):
    """No motion."""

    coordinates = velocities = units = rate_units = ()
    has_axis = False
