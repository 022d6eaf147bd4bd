"""Squared distances of links' segments, the axes of capsules, from obstacles and each other; their ends in frames of boxes."""

from __future__ import annotations

from typing import NamedTuple

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...model.pose import Vector3
from ...spatial.distances import Segment, between_segments
from ...spatial.scalar import Scalar
from ...spatial.vector import Vector
from ..loads import Situation, chain, laid_out_task
from .kinematics import Frame, frames_in_world, link_frame


class Line(NamedTuple):
    """A segment between two points [m] in the frame of a link or of the world; a point where both are the same."""

    start: Vector3
    end: Vector3


class Pair(NamedTuple):
    """A segment of a link, and the segment that its distance is measured from.

    Attributes:
        link: name.
        line: in the frame of the link.
        other: name of the other link; None for the world.
        form: segment in the frame of the other link.
    """

    link: str
    line: Line
    other: str | None
    form: Line


def squared_distances(model: Model, pairs: tuple[Pair, ...]) -> Task:
    """Squared distances (one per pair) [m^2]."""

    def text(s: Situation) -> list[Scalar]:
        names = {name for pair in pairs for name in (pair.link, pair.other) if name is not None}
        bodies = sorted({j for name in names for j in chain(s.tree, s.tree.places[name][0])})
        frames = frames_in_world(s.tree, s["q"], bodies)
        links = {name: link_frame(s.tree, frames, name) for name in names}
        others = [None if pair.other is None else links[pair.other] for pair in pairs]
        lines = [(_placed(links[p.link], p.line), _placed(other, p.form)) for p, other in zip(pairs, others, strict=True)]
        return [between_segments(one, two) for one, two in lines]

    return laid_out_task(f"squared_distances[{pairs!r}]", model, {"q": model.nq}, Port("distances", len(pairs)), text)


class Placed(NamedTuple):
    """A segment of a link, and the frame that its ends are given in.

    Attributes:
        link: name.
        line: in the frame of the link.
        other: name of the link that carries the frame; None for the world.
        position, rotation: of the frame, in that of the other link [m]; rows of the matrix.
    """

    link: str
    line: Line
    other: str | None
    position: Vector3
    rotation: tuple[Vector3, Vector3, Vector3]


def segment_ends(model: Model, segments: tuple[Placed, ...]) -> Task:
    """Both ends of every segment (6 each), in its frame [m]."""

    def text(s: Situation) -> list[Scalar]:
        names = {name for each in segments for name in (each.link, each.other) if name is not None}
        bodies = sorted({j for name in names for j in chain(s.tree, s.tree.places[name][0])})
        frames = frames_in_world(s.tree, s["q"], bodies)
        links = {name: link_frame(s.tree, frames, name) for name in names}
        found: list[Scalar] = []
        for each in segments:
            own, other = links[each.link], None if each.other is None else links[each.other]
            columns = [Vector.of(column) for column in zip(*each.rotation, strict=True)]
            for point in each.line:
                x = own.p + own.R @ Vector.of(point)
                if other is not None:
                    x = other.R.T @ (x - other.p)
                x = x - Vector.of(each.position)
                found += [column.dot(x) for column in columns]
        return found

    return laid_out_task(f"segment_ends[{segments!r}]", model, {"q": model.nq}, Port("ends", 6 * len(segments)), text)


def _placed(frame: Frame | None, line: Line) -> Segment:
    """Return a segment in the world; its length does not depend on where it is."""
    start, end = Vector.of(line.start), Vector.of(line.end)
    way = end - start
    square = float(way.dot(way))
    return Segment(start, way, square) if frame is None else Segment(frame.p + frame.R @ start, frame.R @ way, square)
