"""Two scenes in one: beside each other, or one over the other, with names that say which is which."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import StateError
from ..stick import space
from .data import bounds
from .ground import ground
from .poses import placed
from .scene import Arrow, Lines, Scene, Triangles

SAME = 1e-6  # [m or 1] between poses that look the same
ALONE = frozenset({"ground"})  # the layer that both share: nothing else overlaps
GAP = 0.25  # between two robots, in widths of the wider
TINT = np.array([0.93, 0.5, 0.15])  # of a robot that is drawn over another
SHARE, CLEAR = 0.65, 0.6  # of the tint in its color, and its opacity
INSIDE = 2e-3  # how far its surfaces are drawn inside, in sizes of the scene: two in one place, or nearly so, would flicker


def beside(first: Scene, second: Scene, fixed: bool = True) -> Scene:
    """Return two scenes of the same times, the second to the right of the first.

    Args:
        first, second: the scenes.
        fixed: whether the bases of both robots are fixed; see `ground`.
    """
    right, up = space(first.up).axes[0], np.asarray(first.up, dtype=float)
    boxes = [bounds(scene, ALONE) for scene in (first, second)]
    corners = [np.stack(np.meshgrid(*np.stack(pair).T, indexing="ij"), axis=-1) @ right for pair in boxes]
    wide = max(float(np.ptp(each)) for each in corners)
    shift = float(corners[0].max() - corners[1].min()) + GAP * wide
    labels = []
    for name, box, moved in zip(_names(first.name, second.name), boxes, (0.0, shift), strict=True):
        middle, half = (box[0] + box[1]) / 2, (box[1] - box[0]) / 2
        labels.append((name, middle + moved * right + up * float(half @ np.abs(up)) / float(up @ up)))
    return replace(_joined(first, second, shift * right, False, fixed), labels=tuple(labels))


def over(first: Scene, second: Scene, fixed: bool = True) -> Scene:
    """Return two scenes of the same times in one place, the second in another color."""
    return _joined(first, second, np.zeros(3), True, fixed)


def _joined(first: Scene, second: Scene, shift: np.ndarray, tint: bool, fixed: bool) -> Scene:
    if first.times.shape != second.times.shape or not np.allclose(first.times, second.times):
        raise StateError("two scenes need the same times to be shown together")
    names = _names(first.name, second.name)
    more = len(first.bodies) - 1
    poses = second.poses[:, 1:].copy()
    poses[..., :3, 3] += shift
    parts = [replace(part, name=_named(names[0], part.name)) for part in first.parts if part.layer != "ground"]
    same = _same_bodies(first, second) if tint else frozenset()
    forms: dict[tuple[int, float], Triangles | Lines] = {}  # tinted once each: parts may share them
    thin = INSIDE * float(np.ptp(bounds(first, ALONE), axis=0).max()) if tint else 0.0
    for part in second.parts:
        if part.layer != "ground" and part.body not in same:
            body = part.body + more if part.body else 0
            pose = part.pose if part.body else placed(shift) @ part.pose
            color = (*_tinted(part.color[:3]), CLEAR * part.color[3]) if tint else part.color
            key = id(part.form), max(map(abs, part.scale))
            if tint and key not in forms:
                forms[key] = _tinted_form(part.form, thin / key[1])
            form, name = forms.get(key, part.form), _named(names[1], part.name)
            parts.append(replace(part, body=body, form=form, pose=pose, color=color, name=name))
    arrows = [replace(arrow, name=_named(names[0], arrow.name)) for arrow in first.arrows]
    arrows += [replace(arrow, name=_named(names[1], arrow.name), at=arrow.at + shift) for arrow in second.arrows]
    spans = [replace(span, name=_named(names[0], span.name)) for span in first.spans]
    for span in second.spans:
        ends: dict[str, Any] = {
            "first": span.first + more if span.first else 0,
            "second": span.second + more if span.second else 0,
            "first_point": span.first_point + (0.0 if span.first else shift),
            "second_point": span.second_point + (0.0 if span.second else shift),
        }
        spans.append(replace(span, name=_named(names[1], span.name), **ends))
    events = [(t, _named(name, text)) for name, scene in zip(names, (first, second), strict=True) for t, text in scene.events]
    bodies = (first.bodies[0], *(_named(names[0], body) for body in first.bodies[1:]))
    bodies += tuple(_named(names[1], body) for body in second.bodies[1:])
    shown = None if first.shown is None or second.shown is None else first.shown | second.shown
    both = f"{names[0]}, and {names[1]} in orange" if tint else f"{names[0]} and {names[1]}"
    scene = Scene(
        both if first.name != second.name else first.name,
        bodies,
        np.concatenate([first.poses, poses], axis=1),
        first.times,
        tuple(parts),
        _common_scale(arrows),
        tuple(spans),
        first.up,
        tuple(sorted(events)),
        shown,
    )
    return replace(scene, parts=(*scene.parts, ground(scene, fixed)))


def _same_bodies(first: Scene, second: Scene) -> frozenset[int]:
    """Return the bodies, but not the world, of two scenes of one robot that are in the same place all the time.

    They are drawn once: two surfaces in one place would flicker.
    """
    if first.bodies != second.bodies:
        return frozenset()
    off = np.abs(first.poses - second.poses).max(axis=(0, 2, 3))
    return frozenset(int(k) for k in np.flatnonzero(off < SAME) if k)


def _names(first: str, second: str) -> tuple[str, str]:
    """Return names that differ."""
    return (first, second) if first != second else (f"{first} 1", f"{second} 2")


def _named(owner: str, name: str) -> str:
    return f"{owner}: {name}" if name else name


def _tinted(color: tuple[float, ...]) -> tuple[float, float, float]:
    r, g, b = (1.0 - SHARE) * np.array(color) + SHARE * TINT
    return float(r), float(g), float(b)


def _tinted_form(form: Triangles | Lines, by: float) -> Triangles | Lines:
    """Return a surface moved inward by a length, and its own colors, those of meshes, tinted; others have that of their part."""
    if isinstance(form, Lines):
        return form
    vertices = form.vertices if form.normals is None else form.vertices - by * form.normals
    colors = None if form.colors is None else (1.0 - SHARE) * form.colors + SHARE * TINT
    return replace(form, vertices=vertices, colors=colors)


def _common_scale(arrows: list[Arrow]) -> tuple[Arrow, ...]:
    """Return arrows with the smallest scale of their layer and unit, so that lengths can be compared."""
    least: dict[tuple[str, str], float] = {}
    for arrow in arrows:
        key = arrow.layer, arrow.unit
        least[key] = min(arrow.scale, least.get(key, np.inf))
    return tuple(replace(arrow, scale=least[arrow.layer, arrow.unit]) for arrow in arrows)
