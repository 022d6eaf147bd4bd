"""Fill: the nearest triangle of every pixel, by machine code.

How the pixels of a triangle are found is written in `fill_code.py`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...compiler.jit import Loaded, compile_object
from ...locks import once
from .fill_code import fill_text

# samples lie this far, in pixels, beside the middle: rounding would leave gaps where two triangles meet exactly in middles
ASIDE = (1.3e-5, 2.9e-5)


class Window(NamedTuple):
    """A part of the picture: column and row of its first pixel, width and height."""

    x: int
    y: int
    width: int
    height: int


class Nearest(NamedTuple):
    """What is nearest in each pixel of a window.

    Attributes:
        depth: (height, width) 1/distance, 0 where there is nothing.
        face: (height, width) twice the index of the triangle, one more where its back is seen; -1 where there is none.
        weights: (height, width, 2) of the triangle's second and third vertex.
    """

    depth: np.ndarray
    face: np.ndarray
    weights: np.ndarray


def nearest(vertices: np.ndarray, faces: np.ndarray, window: Window, near: float, depth: np.ndarray | None = None) -> Nearest:
    """Return the nearest triangle of every pixel of a window.

    Args:
        vertices: (V, 3) column w, row w, w in the whole picture; the middle of the first pixel is (0.5, 0.5).
        faces: (F, 3) indices of vertices.
        window: the pixels.
        near: distance up to which nothing is drawn, in the unit of w; larger than 0.
        depth: (height, width) 1/distance of what is there already; None for nothing.
    """
    shape = (window.height, window.width)
    found = Nearest(
        np.zeros(shape, np.float32) if depth is None else np.array(depth, np.float32, order="C"),
        np.full(shape, -1, np.int32),
        np.empty((*shape, 2), np.float32),
    )
    if len(faces):
        # samples are whole numbers for the machine code
        points = np.array(vertices, dtype=np.float64, order="C")
        with np.errstate(invalid="ignore"):
            points[:, 0] -= (window.x + 0.5 + ASIDE[0]) * points[:, 2]
            points[:, 1] -= (window.y + 0.5 + ASIDE[1]) * points[:, 2]
        corners = np.ascontiguousarray(faces, dtype=np.int32)
        _code().call(
            points.ctypes.data,
            corners.ctypes.data,
            len(corners),
            window.width,
            window.height,
            float(near),
            *(array.ctypes.data for array in found),
        )
    return found


class _Code(NamedTuple):
    call: Callable[..., Any]
    loaded: Loaded  # the machine code lives as long


@once
def _code() -> _Code:
    loaded = Loaded(compile_object(fill_text()), "fill")
    whole, pointer, real = ctypes.c_int64, ctypes.c_void_p, ctypes.c_double
    kind = ctypes.CFUNCTYPE(None, pointer, pointer, whole, whole, whole, real, pointer, pointer, pointer)
    return _Code(kind(loaded.address("fill")), loaded)  # ctypes lets other threads run meanwhile
