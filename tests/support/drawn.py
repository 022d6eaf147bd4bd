"""Small scenes that are drawn in tests, and what is seen in their pictures."""

import numpy as np

from lissom.view.scene.scene import Part, Scene, Triangles

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
SIDES = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
]
RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def cube() -> Triangles:
    return Triangles(CUBE, np.array(SIDES))


def moved(x=0.0, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def still(*parts, name="", arrows=(), spans=()) -> Scene:
    """A scene of parts of the world."""
    return Scene(name, ("world",), np.eye(4)[None, None], np.zeros(1), parts, arrows, spans)


def sliding(duration=1.0, frames=3, name="") -> Scene:
    """A red cube that slides 2 m along x."""
    times = np.linspace(0.0, duration, frames)
    poses = np.broadcast_to(np.eye(4), (frames, 2, 4, 4)).copy()
    poses[:, 1, 0, 3] = 2 * times / duration
    return Scene(name, ("world", "cube"), poses, times, (Part(1, cube(), "visual", RED),))


def reddish(picture):
    """Where a picture (H, W, 3) is rather red."""
    values = np.asarray(picture).astype(int)
    return values[..., 0] > values[..., 1:].max(axis=-1) + 40
