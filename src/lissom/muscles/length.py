"""Lengths of paths, over any scalar: straight between points, around surfaces where these are in the way.

Each wrap of a path is tried on every piece between two points: the first piece that runs through the surface wraps, otherwise
the one that may wrap and changes its length least, as in OpenSim's GeometryPath. Wraps after the first see the touching points
of those before as points of the path, and a path of several wraps goes over all of them twice, as OpenSim does before it finds
that nothing changes any more. Which pieces exist depends on values only by conditions, so that one program serves all
configurations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..spatial.scalar import Scalar, add, less, mul, select, sub
from ..spatial.vector import Matrix, Vector
from .ellipsoid_wrap import crosses, ellipsoid
from .path import Path, Wrap
from .round_wrap import cylinder, sphere
from .spot import Bodies, Spot, pick
from .torus_wrap import torus
from .wrapped import Wrapped, constant, either, of_constants, size

AROUND = {"sphere": sphere, "cylinder": cylinder, "torus": torus}
SWEEPS = 2  # over all wraps of a path that has several


class Entry(NamedTuple):
    """A wrap where a path may have it: whether it does, and where it begins and ends."""

    wrap: int
    on: Scalar
    start: Spot
    end: Spot


@dataclass(frozen=True)
class Piece:
    """What lies between two points of a path: whether it exists, by first points whether it may begin there, and its wraps."""

    start: Spot
    end: Spot
    on: Scalar
    earlier: tuple[Scalar, ...]
    last: int
    entries: tuple[Entry, ...] = ()


Part = tuple[Scalar, Spot, Spot]  # whether a straight part of a path exists, and its ends


def route(path: Path, bodies: Bodies) -> tuple[list[Part], list[tuple[Scalar, Scalar]]]:
    """Return the straight parts of a path, and for each wrap whether it is there and the length of its arc [m]."""
    pieces = _pieces(path, bodies)
    arcs: dict[int, tuple[Scalar, Scalar]] = {}
    for _ in range(1 if len(path.wraps) < 2 else SWEEPS):
        for k, wrap in enumerate(path.wraps):
            pieces, arcs[k] = _insert(k, wrap, pieces, bodies)
    return [part for piece in pieces for part in _gaps(piece)], list(arcs.values())


def path_length(path: Path, bodies: Bodies) -> Scalar:
    """Return the length of a path [m]."""
    parts, arcs = route(path, bodies)
    total: Scalar = 0.0
    for on, arc in arcs:
        total = add(total, select(on, arc, 0.0))
    for on, a, b in parts:
        total = add(total, _if(on, lambda a=a, b=b: _straight(a, b)))
    return total


def _pieces(path: Path, bodies: Bodies) -> list[Piece]:
    spots = [bodies.point(point) for point in path.points]
    active = [bodies.active(point) for point in path.points]
    found: list[Piece] = []
    before, begun = spots[0], active[0]
    for k in range(1, len(spots)):
        # by index of a first point, whether any point from there to k - 1 is active
        earlier = tuple(_any(active[first:k]) for first in range(k))
        found.append(Piece(before, spots[k], mul(begun, active[k]), earlier, k))
        before = pick(active[k], spots[k], before)
        begun = _any([begun, active[k]])
    return found


def _insert(k: int, wrap: Wrap, pieces: list[Piece], bodies: Bodies) -> tuple[list[Piece], tuple[Scalar, Scalar]]:
    """Return the pieces with wrap k where it belongs, and whether it wraps, with the length of its arc."""
    surface = wrap.surface
    body, R, p = bodies.places[surface.link]
    turn = Matrix.of(surface.pose.R.T)
    origin = Vector.of(surface.pose.translation)

    def within(spot: Spot) -> Vector:
        return turn @ (R.T @ (bodies.within(body, spot) - p) - origin)

    def back(v: Vector) -> Spot:
        return bodies.at(body, p + R @ (origin + turn.T @ v))

    pieces = [replace(piece, entries=_without(k, piece.entries)) for piece in pieces]
    first, last = wrap.first or 0, len(pieces) if wrap.last is None else wrap.last
    gaps: list[tuple[Scalar, Vector, Vector, Scalar]] = []
    for piece in pieces:
        inside = piece.last <= last and first < piece.last
        for on, a, b in _gaps(piece):
            allowed = mul(on, piece.earlier[first]) if inside else 0.0
            ends = (ORIGIN, ORIGIN, 0.0) if _never(allowed) else (within(a), within(b), _straight(a, b))
            gaps.append((allowed, *ends))
    chosen, best = (_first_crossing if surface.kind == "ellipsoid" else _best)(wrap, gaps)
    on = _any(chosen)
    entry = Entry(k, 0.0, back(best.start), back(best.end))
    flags = iter(chosen)
    grown = [replace(piece, entries=_with(entry, piece.entries, [next(flags) for _ in _gaps(piece)])) for piece in pieces]
    return grown, (on, best.arc)


ORIGIN = Vector(0.0, 0.0, 0.0)
NOTHING = Wrapped(0.0, 0.0, 0.0, ORIGIN, ORIGIN)
Gaps = Sequence[tuple[Scalar, Vector, Vector, Scalar]]  # whether each is a piece of the path, its ends and its length


def _first_crossing(wrap: Wrap, gaps: Gaps) -> tuple[list[Scalar], Wrapped]:
    """Return whether each gap wraps around an ellipsoid, and the wrap: the first that crosses it, the only one computed."""
    surface, chosen, free = wrap.surface, [], 1.0
    start, end = ORIGIN, ORIGIN
    for allowed, a, b, _ in gaps:
        hit = 0.0
        if not _never(allowed):
            found = of_constants(lambda s, e: Wrapped(crosses(surface, s, e), 0.0, 0.0, s, e), a, b)
            hit = mul(mul(allowed, found.must), free)
        chosen.append(hit)
        free = mul(free, sub(1.0, hit))
        if not _never(hit):
            start, end = either(hit, a, start), either(hit, b, end)
    if all(map(_never, chosen)):
        return chosen, NOTHING
    return chosen, of_constants(lambda s, e: ellipsoid(surface, s, e, wrap.exact, wrap.method), start, end)


def _best(wrap: Wrap, gaps: Gaps) -> tuple[list[Scalar], Wrapped]:
    """Return whether each gap wraps around a surface, and the wrap."""
    tried: list[tuple[Scalar, Wrapped, Scalar]] = []
    for allowed, start, end, straight in gaps:
        if _never(allowed):
            tried.append((0.0, NOTHING, 0.0))
            continue
        found = of_constants(lambda s, e: AROUND[wrap.surface.kind](wrap.surface, s, e, wrap.exact), start, end)
        tried.append((allowed, found, size(found.start - start) + found.arc + size(end - found.end) - straight))
    chosen, best = _choice(tried), tried[0][1]
    for flag, (_, found, _) in zip(chosen[1:], tried[1:], strict=True):
        if not _never(flag):
            ends = either(flag, found.start, best.start), either(flag, found.end, best.end)
            best = Wrapped(0.0, 0.0, select(flag, found.arc, best.arc), *ends)
    return chosen, best


def _choice(tried: Sequence[tuple[Scalar, Wrapped, Scalar]]) -> list[Scalar]:
    """Return for each piece whether it wraps: the first that must, otherwise the one that may with the least change."""
    must = [mul(allowed, found.must) for allowed, found, _ in tried]
    may = [mul(allowed, found.may) for allowed, found, _ in tried]
    chosen, free = [], 1.0
    for x in must:
        chosen.append(mul(x, free))
        free = mul(free, sub(1.0, x))
    if all(map(_never, may)):
        return chosen
    least: Scalar = 1e9
    flags: list[Scalar] = []
    for (_, _, change), x in zip(tried, may, strict=True):
        better = 0.0 if _never(x) else mul(x, less(change, least))
        flags = [*(mul(flag, sub(1.0, better)) for flag in flags), better]
        least = least if _never(better) else select(better, change, least)
    return [add(a, mul(free, b)) for a, b in zip(chosen, flags, strict=True)]


def _gaps(piece: Piece) -> list[Part]:
    """Return the straight parts of a piece: whether each exists, and its ends."""
    n = len(piece.entries)
    found = []
    start, exists = piece.start, piece.on
    for k in range(n + 1):
        end = piece.end
        for entry in reversed(piece.entries[k:]):
            end = pick(entry.on, entry.start, end)
        found.append((exists, start, end))
        if k < n:
            entry = piece.entries[k]
            start, exists = pick(entry.on, entry.end, start), mul(piece.on, entry.on)
    return found


def _with(entry: Entry, entries: Sequence[Entry], flags: Sequence[Scalar]) -> tuple[Entry, ...]:
    """Return entries with another one in the gaps between them."""
    found: list[Entry] = []
    for k, flag in enumerate(flags):
        if not _never(flag):
            found.append(entry._replace(on=flag))
        found += entries[k : k + 1]
    return tuple(found)


def _without(k: int, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return entries without those of wrap k; what is left twice side by side is one."""
    found: list[Entry] = []
    for entry in entries:
        if entry.wrap == k:
            continue
        if found and found[-1].wrap == entry.wrap:
            found[-1] = found[-1]._replace(on=add(found[-1].on, entry.on))
        else:
            found.append(entry)
    return tuple(found)


def _straight(a: Spot, b: Spot) -> Scalar:
    """Return the distance of two places; a constant where both are fixed to one body."""
    if a.body is not None and a.body == b.body and constant(a.local, b.local):
        return size(b.local - a.local)
    return size(b.world - a.world)


def _any(conditions: Sequence[Scalar]) -> Scalar:
    none: Scalar = 1.0
    for x in conditions:
        none = mul(none, sub(1.0, x))
    return sub(1.0, none)


def _never(condition: Scalar) -> bool:
    return type(condition) is float and condition == 0.0


def _if(condition: Scalar, value: object) -> Scalar:
    """Return a value where a condition holds, otherwise zero."""
    if _never(condition):
        return 0.0
    return value() if type(condition) is float else select(condition, value(), 0.0)  # type: ignore[operator]
