"""Pieces: everything that a scene shows at one time, as triangles in the picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..camera import Camera
from ..scene.data import FORCES, MARKS
from ..scene.scene import Color, Lines, Part, Scene, Triangles
from .solids import arrow, span

GAMMA = 2.2  # light is added in proportion to energy; colors of parts and of pictures are to the power of 1/2.2
WIDTH, WIDTHS = 1.8, {"ground": 1.0, "paths": 2.4, "sticks": 4.0, "axes": 2.6, "frames": 2.4}  # of lines [pixels], by layer
FORWARD = 1 - 4e-4  # lines lie in front of the surface that they are on
GRID = 0.55  # opacity of the ground's lines
CLEAR = 0.995  # opacity from which nothing is seen through
# layers that shine through solids, most of which lie inside of links, as in the player, and how strongly
THROUGH = frozenset((*MARKS, *FORCES))
FAINT = 0.6


class Fade(NamedTuple):
    """The ground's lines end softly around a point.

    Attributes:
        back: (3, 3), shift: (3,): from (column w, row w, w) to the distance vector from the point, in radii.
    """

    back: np.ndarray
    shift: np.ndarray

    def share(self, places: np.ndarray) -> np.ndarray:
        """Return the remaining share (n,) at places (3, n), from 0 to 1."""
        x = np.clip((1 - np.linalg.norm(self.back @ places + self.shift[:, None], axis=0)) / 0.65, 0.0, 1.0)
        return x * x * (3 - 2 * x)


class Piece(NamedTuple):
    """Triangles in a picture.

    Attributes:
        points: (V, 3) column w, row w, w, with w the distance in front of the eye [m].
        paint: (V, 6) float32: normal in the camera's frame, of any length, zero for lines, which no light falls on; linear color.
        faces: (F, 3) int32 indices of points.
        alpha: opacity from 0 to 1.
        fade: where it ends softly, or None.
    """

    points: np.ndarray
    paint: np.ndarray
    faces: np.ndarray
    alpha: float = 1.0
    fade: Fade | None = None


class Shown(NamedTuple):
    """Everything at one time.

    Attributes:
        opaque: one piece of all that nothing is seen through.
        casting: number of its first faces that cast shadows.
        clear: the rest, in the order of painting: lines, then surfaces, farthest first.
        marks: (F,) which faces of `opaque` are of layers that shine through solids.
        through: those layers, as faint as they are behind solids.
    """

    opaque: Piece
    casting: int
    clear: list[Piece]
    marks: np.ndarray
    through: list[Piece]


class _Surface(NamedTuple):
    part: Part
    vertices: np.ndarray
    normals: np.ndarray
    color: np.ndarray  # (V, 3), or (3,) for all
    faces: np.ndarray


class Pieces:
    """What a scene shows, made ready once for the pictures of a film.

    Args:
        scene: at any time.
        layers: keys of the layers that are shown.
        radius: of the scene [m], by which arrows are as thick.
    """

    def __init__(self, scene: Scene, layers: Collection[str], radius: float) -> None:
        self.layers, self.radius = frozenset(layers), radius
        forms: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]] = {}
        self.surfaces, self.lines = [], []
        for part in scene.parts:
            if part.layer not in self.layers or part.color[3] <= 0.0:
                continue
            if isinstance(part.form, Lines):
                self.lines.append(part)
                continue
            if id(part.form) not in forms:
                forms[id(part.form)] = _ready(part.form)
            vertices, normals, colors, faces = forms[id(part.form)]
            self.surfaces.append(_Surface(part, vertices, normals, _linear(part.color) if colors is None else colors, faces))

    def at(self, scene: Scene, camera: Camera, size: tuple[int, int], width: float, fade: Fade | None = None) -> Shown:
        """Return everything at one time.

        Args:
            scene: at one time, K = 1.
            camera: that sees it.
            size: width and height in samples.
            width: of a line of one pixel, in samples.
            fade: how the ground's lines end.
        """
        see, turn, poses = camera.matrix(size), camera.pose[:3, :3].T, scene.poses[0]
        casting: list[Piece] = []
        found: list[Piece] = []
        marks: list[Piece] = []
        for surface in self.surfaces:
            piece = _surface(surface, poses, see, turn)
            (found if surface.part.layer == "ground" else casting).append(piece)
            if surface.part.layer in THROUGH:
                marks.append(piece)
        lines = []
        for part in self.lines:
            pose = poses[part.body] @ part.pose
            points = part.form.points * np.asarray(part.scale) @ pose[:3, :3].T + pose[:3, 3]  # type: ignore[union-attr]
            line = _lines(points, part.form.colors, part.color, see, width * WIDTHS.get(part.layer, WIDTH), camera.near)
            lines.append(line._replace(alpha=GRID * line.alpha, fade=fade) if part.layer == "ground" and fade else line)
            if part.layer in THROUGH:
                marks.append(line)
        for thing in scene.arrows:
            if thing.layer in self.layers and np.isfinite(thing.vector[0]).all():
                solids = arrow(thing.at[0], thing.scale * thing.vector[0], 2 if "m" in thing.unit else 1, self.radius)
                arrows = [_solid(*solid, thing.color, see, turn) for solid in solids]
                found += arrows
                marks += arrows if thing.layer in THROUGH else []
        for rod in scene.spans:
            if rod.layer in self.layers:
                ends = [
                    poses[body, :3, :3] @ np.asarray(point) + poses[body, :3, 3]
                    for body, point in ((rod.first, rod.first_point), (rod.second, rod.second_point))
                ]
                casting += [_solid(*solid, rod.color, see, turn) for solid in span(ends[0], ends[1], rod.radius, rod.coils)]
        solid = [piece for piece in casting if piece.alpha >= CLEAR]
        clear = [piece for piece in (*casting, *found) if piece.alpha < CLEAR and len(piece.faces)]
        clear.sort(key=lambda piece: -float(np.mean(piece.points[:, 2])))
        faint = [line for line in lines if line.alpha < CLEAR and len(line.faces)]
        together = [*solid, *(piece for piece in (*found, *lines) if piece.alpha >= CLEAR)]
        ours = {id(piece) for piece in marks}
        is_mark = np.repeat([id(piece) in ours for piece in together], [len(piece.faces) for piece in together]).astype(bool)
        whole = joined([piece for piece in marks if piece.alpha >= CLEAR])
        through = [whole, *(piece for piece in marks if piece.alpha < CLEAR)]
        through = [piece._replace(alpha=FAINT * piece.alpha) for piece in through if len(piece.faces)]
        casts = sum(len(piece.faces) for piece in solid)
        return Shown(joined(together), casts, [*faint, *clear], is_mark, through)


def joined(pieces: Sequence[Piece]) -> Piece:
    """Return many pieces as an opaque one."""
    if not pieces:
        return Piece(np.empty((0, 3)), np.empty((0, 6), np.float32), np.empty((0, 3), np.int32))
    starts = np.cumsum([0, *(len(piece.points) for piece in pieces[:-1])])
    faces = [piece.faces + np.int32(start) for piece, start in zip(pieces, starts, strict=True)]
    return Piece(_stacked(piece.points for piece in pieces), _stacked(piece.paint for piece in pieces), _stacked(faces))


def _stacked(arrays: Iterable[np.ndarray]) -> np.ndarray:
    return np.concatenate(list(arrays))


def _linear(color: Color | np.ndarray) -> np.ndarray:
    return np.clip(np.asarray(color, dtype=np.float32)[..., :3], 0.0, 1.0) ** np.float32(GAMMA)


def _ready(form: Triangles) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]:
    """Return vertices, normals, linear colors and faces; where there are no normals, every triangle gets vertices of its own."""
    vertices, faces = np.asarray(form.vertices, dtype=float), np.asarray(form.faces, dtype=np.int32)
    colors = None if form.colors is None else _linear(np.asarray(form.colors))
    if form.normals is not None:
        return vertices, np.asarray(form.normals, dtype=float), colors, faces
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    normals = np.repeat(normals / np.where(length > 0.0, length, 1.0), 3, axis=0)
    colors = None if colors is None else colors[faces.reshape(-1)]
    return corners.reshape(-1, 3), normals, colors, np.arange(3 * len(faces), dtype=np.int32).reshape(-1, 3)


def _surface(surface: _Surface, poses: np.ndarray, see: np.ndarray, turn: np.ndarray) -> Piece:
    part, scale = surface.part, np.asarray(surface.part.scale, dtype=float)
    pose = poses[part.body] @ part.pose
    place = see @ pose
    normals = surface.normals @ (turn @ pose[:3, :3] / np.where(scale == 0.0, 1.0, scale)).T
    paint = np.empty((len(normals), 6), np.float32)
    paint[:, :3], paint[:, 3:] = normals, surface.color
    return Piece(surface.vertices @ (place[:, :3] * scale).T + place[:, 3], paint, surface.faces, part.color[3])


def _solid(
    vertices: np.ndarray, normals: np.ndarray, faces: np.ndarray, color: Color, see: np.ndarray, turn: np.ndarray
) -> Piece:
    paint = np.empty((len(vertices), 6), np.float32)
    paint[:, :3], paint[:, 3:] = normals @ turn.T, _linear(color)
    return Piece(vertices @ see[:, :3].T + see[:, 3], paint, faces, color[3])


def _lines(points: np.ndarray, colors: np.ndarray | None, color: Color, see: np.ndarray, width: float, near: float) -> Piece:
    """Return segments (S, 2, 3) of the world as rectangles of constant width in the picture, cut where they come too near."""
    ends = points @ see[:, :3].T + see[:, 3]
    kept = (ends[:, :, 2] > near).any(axis=1)
    ends, tint = ends[kept], _linear(color) if colors is None else _linear(np.asarray(colors)[kept])
    w = ends[:, :, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        # from end k toward the other as far as w = near
        share = np.clip((near * (1 + 1e-9) - w) / (w[:, ::-1] - w), 0.0, 1.0)
    share = np.where(w > near, 0.0, share)[..., None]
    ends = (1 - share) * ends + share * ends[:, ::-1]
    flat = ends[..., :2] / ends[..., 2:]
    way = flat[:, 1] - flat[:, 0]
    length = np.linalg.norm(way, axis=-1, keepdims=True)
    way = np.where(length > 1e-9, way / np.where(length > 1e-9, length, 1.0), [1.0, 0.0]) * (width / 2)
    side = np.stack([-way[:, 1], way[:, 0]], axis=-1)
    corners = np.stack(
        [flat[:, 0] - way - side, flat[:, 0] - way + side, flat[:, 1] + way - side, flat[:, 1] + way + side], axis=1
    )
    depth = ends[:, [0, 0, 1, 1], 2:] * FORWARD
    paint = np.zeros((len(ends), 4, 6), np.float32)
    paint[..., 3:] = tint if colors is None else tint[:, None]
    first = 4 * np.arange(len(ends))[:, None]
    faces = np.concatenate([first + [0, 1, 2], first + [1, 3, 2]]).astype(np.int32)
    return Piece(np.concatenate([corners * depth, depth], axis=-1).reshape(-1, 3), paint.reshape(-1, 6), faces, color[3])
