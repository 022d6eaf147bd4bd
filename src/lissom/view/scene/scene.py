"""Scene: bodies that move, and what is drawn on them.

A scene holds numbers only: a page, a live view and a picture draw the same one. Body 0 is the world and never moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

Color = tuple[float, float, float, float]


class Layer(NamedTuple):
    """A group of drawn things that is shown or hidden together.

    Attributes:
        key: name in the data.
        title: for people.
        shown: whether it is visible at first.
    """

    key: str
    title: str
    shown: bool


LAYERS = (
    Layer("visual", "shapes", True),
    Layer("collision", "collision shapes", False),
    Layer("sticks", "joints and links as sticks", False),
    Layer("axes", "joint axes", False),
    Layer("frames", "link frames", False),
    Layer("com", "center of mass", False),
    Layer("ground", "ground", True),
    Layer("obstacles", "obstacles", True),
    Layer("targets", "targets", True),
    Layer("paths", "paths of points", True),
    Layer("ghosts", "earlier poses", True),
    Layer("motors", "motors", False),
    Layer("springs", "springs", True),
    Layer("torques", "joint torques", False),
    Layer("wrenches", "external forces", True),
    Layer("reactions", "joint reactions", False),
    Layer("ground_forces", "ground forces", True),
)


@dataclass(frozen=True, eq=False)
class Triangles:
    """A surface.

    Attributes:
        vertices: (V, 3) [m].
        faces: (F, 3) indices of vertices, counter-clockwise seen from outside.
        normals: (V, 3) unit vectors, or None for flat faces.
        colors: (V, 3) red, green, blue of the vertices from 0 to 1, or None for the color of the part.
    """

    vertices: np.ndarray
    faces: np.ndarray
    normals: np.ndarray | None = None
    colors: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Lines:
    """Line segments.

    Attributes:
        points: (S, 2, 3): both ends of each segment [m].
        colors: (S, 3), or None for the color of the part.
    """

    points: np.ndarray
    colors: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """A surface or lines fixed to a body. Parts may share their `form`, which is then stored once.

    Attributes:
        body: index of the body in the scene; 0 is the world.
        form: Triangles or Lines.
        layer: key of the layer.
        color: red, green, blue, opacity.
        name: shown on hover; as given by the user, so any text.
        pose: (4, 4) of the form in the body's frame.
        scale: factors along the form's axes, before `pose`; normals are divided by them. Negative ones mirror.
    """

    body: int
    form: Triangles | Lines
    layer: str
    color: Color
    name: str = ""
    pose: np.ndarray = field(default_factory=lambda: np.eye(4))
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Arrow:
    """A force or moment that changes along the motion.

    Attributes:
        name: shown on hover and in the legend's list.
        layer: key of the layer; the arrows of a layer that have one unit share their scale, which the legend shows.
        color: red, green, blue, opacity.
        unit: "N" or "N m"; a moment is drawn with a double head.
        scale: length drawn per unit [m/N or m/(N m)].
        at: (K, 3) where it starts, in the world [m].
        vector: (K, 3) in the world [unit].
    """

    name: str
    layer: str
    color: Color
    unit: str
    scale: float
    at: np.ndarray
    vector: np.ndarray


@dataclass(frozen=True, eq=False)
class Span:
    """A spring or rod stretched between points of two bodies.

    Attributes:
        name: shown on hover.
        layer: key of the layer.
        color: red, green, blue, opacity.
        first, second: indices of the bodies.
        first_point, second_point: (3,) in the bodies' frames [m].
        radius: of the coils or the rod [m].
        coils: number of turns; 0 for a rod.
    """

    name: str
    layer: str
    color: Color
    first: int
    first_point: np.ndarray
    second: int
    second_point: np.ndarray
    radius: float
    coils: int = 0


@dataclass(frozen=True, eq=False)
class Scene:
    """What is drawn, in K poses.

    Attributes:
        name: title.
        bodies: B names; the first is the world, links follow in the order of the model.
        poses: (K, B, 4, 4) of the bodies in the world.
        times: (K,) [s], increasing; (0,) where K is 1 and nothing moves.
        parts, arrows, spans: what is drawn.
        up: (3,) unit vector upward.
        events: (time [s], text) marked on the time slider.
        shown: keys of the layers that are visible at first; None for those of LAYERS.
        labels: texts, each above a point (3,) of the world [m]: which of two motions is which.
    """

    name: str
    bodies: tuple[str, ...]
    poses: np.ndarray
    times: np.ndarray
    parts: tuple[Part, ...]
    arrows: tuple[Arrow, ...] = ()
    spans: tuple[Span, ...] = ()
    up: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    events: tuple[tuple[float, str], ...] = ()
    shown: frozenset[str] | None = None
    labels: tuple[tuple[str, np.ndarray], ...] = ()

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Layers that something is drawn in, and whether they are visible at first."""
        things: tuple[Part | Arrow | Span, ...] = (*self.parts, *self.arrows, *self.spans)
        used = {thing.layer for thing in things}
        found = (layer for layer in LAYERS if layer.key in used)
        return tuple(layer if self.shown is None else layer._replace(shown=layer.key in self.shown) for layer in found)
