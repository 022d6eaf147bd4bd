"""Shapes of links: those of the model, and stand-ins for links without any."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

from ...errors import ModelWarning
from ...geometry import Surface, stand_ins, surface
from ...model.shape import Geometry, Mesh, Shape
from ...model.show import counted
from .poses import matrix
from .scene import Color, Triangles
from .stage import Stage

PLAIN: Color = (0.77, 0.79, 0.82, 1.0)
HINGE: Color = (0.25, 0.45, 0.68, 1.0)
HULL: Color = (0.9, 0.6, 0.2, 0.45)
LISTED = 3  # missing meshes named in a warning
TRIANGLES = 5_000_000  # of all forms of a robot, about 1 GB: a short file may name one mesh in thousands of sizes


def draw_shapes(stage: Stage) -> None:
    """Draw visual and collision shapes. A robot without visual shapes is drawn with its collision shapes, or stand-ins.

    Links whose meshes cannot be drawn get stand-ins. A ModelWarning names meshes without a file, and says so where there are too
    many triangles; `surface` warns of others.
    """
    shapes = stage.model.shapes
    seen = any(shape.role != "collision" for shape in shapes)
    made = _forms(stage.model.name, shapes)
    missing: list[str] = []  # links
    for shape in shapes:
        form = made[shape.geometry]
        if form is None:
            missing.append(shape.link)
            continue
        if shape.role != "collision" or not seen:
            _draw(stage, shape, form, "visual", PLAIN if shape.color is None else shape.color)
        if shape.role != "visual":
            _draw(stage, shape, form, "collision", HULL)
    drawn = {stage.model.links[part.body - 1].name for part in stage.parts if part.layer == "visual"}
    for each in stand_ins(stage.model, [link for link in missing if link not in drawn] if shapes else None):
        form = _form(each.surface)
        if form is not None:
            color = PLAIN if each.kind == "link" else HINGE
            stage.add(stage.body[each.link], form, "visual", color, each.name)
    lost = [shape.geometry.source for shape in shapes if isinstance(shape.geometry, Mesh) and shape.geometry.file is None]
    if lost:
        _warn(stage.model.name, list(dict.fromkeys(lost)))


def _forms(robot: str, shapes: Sequence[Shape]) -> dict[Geometry, Triangles | None]:
    """Return the triangles of all geometries; None where there are none, or where TRIANGLES are reached."""
    made: dict[Geometry, Triangles | None] = {}
    unread: set[str] = set()  # files
    total = left_out = 0
    for geometry in dict.fromkeys(shape.geometry for shape in shapes):
        file = geometry.file if isinstance(geometry, Mesh) else None
        made[geometry] = None
        if file is not None and file in unread:
            continue
        if total > TRIANGLES:
            left_out += 1
            continue
        form = made[geometry] = _form(surface(geometry))
        if form is not None:
            total += len(form.faces)
        elif file is not None:
            unread.add(file)
    if left_out:
        warnings.warn(
            f"{robot!r} has more than {TRIANGLES} triangles: {counted(left_out, 'shape')} of different size or form "
            f"{'is' if left_out == 1 else 'are'} not drawn; meshes of fewer triangles help, and so does the extra view, which "
            "simplifies them",
            ModelWarning,
            stacklevel=_outside(),
        )
    return made


def _draw(stage: Stage, shape: Shape, form: Triangles, layer: str, color: Color) -> None:
    name = f"{shape.link}: {shape.name}" if shape.name and shape.name != shape.link else shape.link
    stage.add(stage.body[shape.link], form, layer, color, name, matrix(shape.origin))


def _form(found: Surface | None) -> Triangles | None:
    if found is None or not len(found.faces):
        return None
    return Triangles(found.vertices, found.faces, found.normals, found.colors)


def _warn(robot: str, sources: list[str]) -> None:
    more = f" and {len(sources) - LISTED} more" if len(sources) > LISTED else ""
    names = ", ".join(f"{source!r}" for source in sources[:LISTED])
    warnings.warn(
        f"{robot!r} is drawn without {len(sources)} of its meshes, which were not found: {names}{more}; give their "
        "folders when the robot is loaded (mesh_path=)",
        ModelWarning,
        stacklevel=_outside(),
    )


def _outside() -> int:
    """Return how far up the first caller outside of lissom is, as `stacklevel` of a warning from the function above this one."""
    package, level = __name__.partition(".")[0], 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    return level
