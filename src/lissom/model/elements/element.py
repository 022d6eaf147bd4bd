"""Force element: the interface of forces between points of links. Each kind is one file of this folder, named in `table.py`.

An element is a frozen dataclass of the model, and the tree of the recursions contains it unchanged: links and points are the
user's. `algorithms/force_elements.py` computes its forces from the positions and velocities of its points, for every recursion.
`forces` and `energy` run on floats, arrays, symbols and series, so derivatives are exact.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ...errors import ModelError, NameLookupError
from ...spatial.scalar import Scalar
from ...spatial.vector import Vector
from ..pose import Vector3, as_number, as_vector3, expect

MOST = 1000  # elements of a robot: compiling more takes minutes

Ends = tuple[tuple[str, Vector3], ...]


class ForceElement:
    """A force element: a frozen dataclass with fields of type str, Vector3 [m] and float, the first of which is its name.

    Attributes:
        kind: its name in files.
        name: unique among force elements.
    """

    kind: ClassVar[str]
    name: str

    @property
    def ends(self) -> Ends:
        """Link and point in the link's frame [m] of each of its ends."""
        raise AssertionError(f"{type(self).__name__} does not define ends")

    @property
    def damped(self) -> bool:
        """Whether its forces depend on velocities; `timing` requires that they are linear in them."""
        raise AssertionError(f"{type(self).__name__} does not say whether it is damped")

    def forces(self, p: Sequence[Vector], v: Sequence[Vector]) -> list[Vector]:
        """Return the force on each end [N], given positions [m] and velocities [m/s] of the ends, over any scalar.

        All are in the frame of one body, which may itself move: the forces may depend only on distances, relative velocities
        and other quantities independent of that frame. They balance: their sum is zero, and so is the sum of their moments.
        Where the force is undefined, a constant raises ModelError, and any other scalar becomes NaN (`guard`); the caller then
        reports the reason.
        """
        raise AssertionError(f"{type(self).__name__} does not define forces")

    def energy(self, p: Sequence[Vector]) -> Scalar:
        """Return the potential energy of the forces [J], given positions of the ends."""
        raise AssertionError(f"{type(self).__name__} does not define energy")

    def _plain(self) -> str:
        """Make all fields plain numbers and texts; return how messages begin."""
        expect(self.name, str, "the name of a force element", "text")
        if not self.name.strip():
            raise ModelError("a force element has no name")
        where = f"force element {self.name!r}: "
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.type == "str":
                expect(value, str, where + field.name, "text")
            else:
                plain = as_vector3 if field.type == "Vector3" else as_number
                object.__setattr__(self, field.name, plain(value, where + field.name))
        return where


def checked_elements(given: object, links: Iterable[str]) -> tuple[ForceElement, ...]:
    """Return force elements as a tuple; raise ModelError or NameLookupError if they do not fit the links of a model."""
    expect(given, Iterable, "the force elements of a model", "a sequence of ForceElement")
    elements: tuple[ForceElement, ...] = tuple(given)  # type: ignore[arg-type]
    for element in elements:
        expect(element, ForceElement, "the force elements of a model", "a sequence of ForceElement, such as PointSpring")
    if len(elements) > MOST:
        raise ModelError(f"{len(elements)} force elements, expected at most {MOST}")
    known, seen = set(links), set()
    for element in elements:
        if element.name in seen:
            raise ModelError(f"two force elements are called {element.name!r}; names must be unique")
        seen.add(element.name)
        for link, _ in element.ends:
            if link not in known:
                raise NameLookupError("link", link, known, f" (an end of force element {element.name!r})")
    return elements
