"""The data of a scene read back, by its own reading of the format, as the player does it."""

import base64
import json

import numpy as np

from lissom.view.scene.data import scene_json

TYPES = {"f32": "<f4", "f64": "<f8", "u8": "u1", "i8": "i1", "u16": "<u2", "u32": "<u4"}


def read_back(scene):
    """Return the data of a scene, with arrays as arrays."""
    return _arrays(json.loads(scene_json(scene)))


def _arrays(value):
    if isinstance(value, dict):
        if set(value) == {"type", "shape", "data"}:
            raw = base64.b64decode(value["data"], validate=True)
            return np.frombuffer(raw, TYPES[value["type"]]).reshape(value["shape"])
        return {key: _arrays(x) for key, x in value.items()}
    return [_arrays(x) for x in value] if isinstance(value, list) else value


def matrices(seven):
    """Return poses x y z, quaternion x y z w (..., 7) as matrices (..., 4, 4), by Rodrigues' formula."""
    seven = np.asarray(seven, dtype=float)
    v, w = seven[..., 3:6], seven[..., 6]
    K = np.zeros((*seven.shape[:-1], 3, 3))
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = v[..., 0], v[..., 1], v[..., 2]
    K = K - np.swapaxes(K, -1, -2)
    T = np.broadcast_to(np.eye(4), (*seven.shape[:-1], 4, 4)).copy()
    T[..., :3, :3] += 2 * w[..., None, None] * K + 2 * K @ K
    T[..., :3, 3] = seven[..., :3]
    return T


def placed_points(data, part, frame=0):
    """Return the vertices of a part (V, 3), or ends of lines (2 S, 3), in the world at one of the times."""
    form = data["forms"][part["form"]]
    if form["kind"] == "triangles":
        points = np.array(form["low"]) + np.array(form["step"]) * form["vertices"]
    else:
        points = form["points"].reshape(-1, 3)
    T = matrices(data["poses"][frame, part["body"]]) @ matrices(part["pose"])
    return points * np.array(part["scale"]) @ T[:3, :3].T + T[:3, 3]
