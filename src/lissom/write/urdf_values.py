"""Names, numbers and poses as attributes of a URDF."""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from ..errors import ModelError
from ..model import IDENTITY, Pose
from ..model.pose import EYE3, rotation_about


def origin_lines(pose: Pose, indent: str) -> list[str]:
    """Return the element <origin> of a pose; none for the identity."""
    if pose == IDENTITY:
        return []
    rpy = f" rpy={numbers(to_rpy(pose))}" if pose.rotation != EYE3 else ""
    return [f"{indent}<origin xyz={numbers(pose.translation)}{rpy}/>"]


def to_rpy(pose: Pose) -> tuple[float, float, float]:
    """Return roll, pitch and yaw [rad] of Rz(yaw) Ry(pitch) Rx(roll), accurate also at pitch = 90 degrees."""
    R = pose.R
    yaw = math.atan2(R[1, 0], R[0, 0])
    # the rotation without yaw is Ry Rx for any yaw, so nothing is divided by a small cosine
    R = rotation_about((0, 0, 1), -yaw) @ R
    return math.atan2(-R[1, 2], R[1, 1]), math.atan2(-R[2, 0], R[0, 0]), yaw


def numbers(values: Iterable[float]) -> str:
    """Return numbers as the quoted value of an attribute."""
    return '"' + " ".join(repr(float(v)) for v in values) + '"'


def quoted(text: str) -> str:
    """Return a text as the quoted value of an attribute; raise a ModelError for characters that XML cannot hold."""
    if any((c < " " and c not in "\t\n\r") or "\ud800" <= c <= "\udfff" or c in "\ufffe\uffff" for c in text):
        raise ModelError(f"the name {text!r} has characters that XML cannot hold; rename it or write YAML")
    return quoteattr(text)
