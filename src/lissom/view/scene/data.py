"""A scene as data that the player reads: JSON with arrays in base64.

    {"format": 1, "name": str, "up": [3], "low": [3], "high": [3],    corners of all that moves, for the camera
     "bodies": [str], "times": A f64 (K,), "poses": A f32 (K, B, 7),  x y z, then the quaternion x y z w
     "layers": [{"key", "title", "shown"}],
     "forms": [{"kind": "triangles", "low": [3], "step": [3], "vertices": A u16 (V, 3), "faces": A u16|u32 (F, 3),
                "normals": A i8 (V, 3) | null, "colors": A u8 (V, 3) | null}
               | {"kind": "lines", "points": A f32 (S, 2, 3), "colors": A u8 (S, 3) | null}],
     "parts": [{"form", "body", "layer", "color": [4], "name", "pose": [7], "scale": [3]}],
     "arrows": [{"name", "layer", "color", "unit", "scale", "at": A f32 (K, 3), "vector": A f32 (K, 3)}],
     "spans": [{"name", "layer", "color", "first", "first_point", "second", "second_point", "radius", "coils"}],
     "events": [[time, text]], "labels": [[text, [3]]]}               texts above points of the world

A vertex is low + step * its three whole numbers: a form is rounded to 1/65535 of its size, half of it at most. An array A is
{"type": "f32" | "f64" | "u8" | "i8" | "u16" | "u32", "shape": [...], "data": base64, little-endian}.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from ...errors import TooFarError
from .poses import quaternions
from .scene import Arrow, Lines, Part, Scene, Span, Triangles

FARTHEST = 1e30  # [m] from the origin: poses and lines are numbers of 32 bits
STEPS = 65535  # of a form's size along each axis
TYPES = {"f32": "<f4", "f64": "<f8", "u8": "u1", "i8": "i1", "u16": "<u2", "u32": "<u4"}
MARKS = ("axes", "frames", "com", "motors")  # on links, which they hardly exceed
FORCES = ("torques", "wrenches", "reactions", "ground_forces")
UNFRAMED = frozenset({"ground", "obstacles", *MARKS, *FORCES})  # the camera ignores them


def scene_json(scene: Scene) -> str:
    """Return a scene as JSON that may stand in a page: without <, >, & and line separators, whatever its names are."""
    text = json.dumps(scene_data(scene), separators=(",", ":"), allow_nan=False)  # only ASCII
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def scene_data(scene: Scene) -> dict[str, Any]:
    """Return a scene as dictionaries, lists, numbers and texts, as above."""
    forms = {id(part.form): part.form for part in scene.parts}
    place = {key: k for k, key in enumerate(forms)}
    low, high = bounds(scene)
    places = seven(np.stack([part.pose for part in scene.parts])) if scene.parts else ()
    return {
        "format": 1,
        "name": scene.name,
        "up": _numbers(scene.up),
        "low": _numbers(low),
        "high": _numbers(high),
        "bodies": list(scene.bodies),
        "times": _array("f64", scene.times),
        "poses": _array("f32", seven(scene.poses)),
        "layers": [layer._asdict() for layer in scene.layers],
        "forms": [_triangles(form) if isinstance(form, Triangles) else _lines(form) for form in forms.values()],
        "parts": [_part(part, place[id(part.form)], pose) for part, pose in zip(scene.parts, places, strict=True)],
        "arrows": [_arrow(arrow) for arrow in scene.arrows],
        "spans": [_span(span) for span in scene.spans],
        "events": [[float(t), text] for t, text in scene.events],
        "labels": [[text, _numbers(point)] for text, point in scene.labels],
    }


def seven(poses: np.ndarray) -> np.ndarray:
    """Return poses (..., 4, 4) as x y z and the quaternion x y z w (..., 7), which does not jump along the first axis."""
    return np.concatenate([poses[..., :3, 3], quaternions(poses[..., :3, :3])], axis=-1)


def bounds(scene: Scene, ignored: frozenset[str] = UNFRAMED) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners (3,) of the box around everything that the camera should show, at all times [m].

    A part is taken as the box around its form, at about a hundred of the times.

    Args:
        scene: with its motion.
        ignored: layers that may lie outside of the box.
    """
    rows = np.unique(np.linspace(0, len(scene.times) - 1, 100).round().astype(int))
    poses, points = scene.poses[rows], []
    boxes: dict[int, np.ndarray] = {}
    for part in scene.parts:
        if part.layer not in ignored:
            if id(part.form) not in boxes:
                boxes[id(part.form)] = _corners(part.form)
            with np.errstate(all="ignore"):  # checked below
                corners = boxes[id(part.form)] * np.array(part.scale)
                corners = corners @ part.pose[:3, :3].T + part.pose[:3, 3]
                moved = poses[:, part.body] if part.body else poses[:1, 0]
                points.append(corners @ moved[:, :3, :3].transpose(0, 2, 1) + moved[:, None, :3, 3])
    if not points:
        points.append(poses[..., :3, 3])
    found = np.concatenate([each.reshape(-1, 3) for each in points])
    low, high = found.min(axis=0), found.max(axis=0)
    reach = float(np.max(np.abs([low, high])))
    if not reach < FARTHEST:  # also where it is not a number
        far = f"{reach:.3g} m" if np.isfinite(reach) else "beyond all numbers"
        raise TooFarError(
            f"{scene.name!r} reaches {far} from the origin, and {FARTHEST:g} m can be drawn: check shapes and motion"
        )
    return low, high


def _corners(form: Triangles | Lines) -> np.ndarray:
    """Return the eight corners of the box around a form."""
    points = form.vertices if isinstance(form, Triangles) else form.points.reshape(-1, 3)
    ends = np.stack([points.min(axis=0), points.max(axis=0)])
    return np.stack(np.meshgrid(*ends.T, indexing="ij"), axis=-1).reshape(-1, 3)


def _triangles(form: Triangles) -> dict[str, Any]:
    vertices = np.asarray(form.vertices, dtype=float)
    low = vertices.min(axis=0)
    step = (vertices.max(axis=0) - low) / STEPS
    whole = np.rint((vertices - low) / np.where(step > 0.0, step, 1.0))
    return {
        "kind": "triangles",
        "low": _numbers(low),
        "step": _numbers(step),
        "vertices": _array("u16", whole),
        "faces": _array("u16" if len(vertices) <= STEPS + 1 else "u32", form.faces),
        "normals": None if form.normals is None else _array("i8", np.rint(127 * np.clip(form.normals, -1, 1))),
        "colors": _bytes(form.colors),
    }


def _lines(form: Lines) -> dict[str, Any]:
    return {"kind": "lines", "points": _array("f32", form.points), "colors": _bytes(form.colors)}


def _part(part: Part, form: int, pose: np.ndarray) -> dict[str, Any]:
    return {
        "form": form,
        "body": int(part.body),
        "layer": part.layer,
        "color": _numbers(part.color, 4),
        "name": part.name,
        "pose": _numbers(pose),
        "scale": _numbers(part.scale),
    }


def _arrow(arrow: Arrow) -> dict[str, Any]:
    return {
        "name": arrow.name,
        "layer": arrow.layer,
        "color": _numbers(arrow.color, 4),
        "unit": arrow.unit,
        "scale": float(arrow.scale),
        "at": _array("f32", arrow.at),
        "vector": _array("f32", arrow.vector),
    }


def _span(span: Span) -> dict[str, Any]:
    return {
        "name": span.name,
        "layer": span.layer,
        "color": _numbers(span.color, 4),
        "first": int(span.first),
        "first_point": _numbers(span.first_point),
        "second": int(span.second),
        "second_point": _numbers(span.second_point),
        "radius": float(span.radius),
        "coils": int(span.coils),
    }


def _bytes(colors: np.ndarray | None) -> dict[str, Any] | None:
    return None if colors is None else _array("u8", np.rint(255 * np.clip(colors, 0, 1)))


def _array(kind: str, values: Any) -> dict[str, Any]:
    array = np.ascontiguousarray(values, dtype=TYPES[kind])
    return {"type": kind, "shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode("ascii")}


def _numbers(values: Any, digits: int | None = None) -> list[float]:
    found = [float(x) + 0.0 for x in values]
    return found if digits is None else [round(x, digits) for x in found]
