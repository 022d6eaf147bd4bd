"""Loops of an MJCF file: the equalities `connect` and `weld` become cut joints, actuated joints are active.

MuJoCo keeps these equalities softly, lissom exactly. The file's own configuration, qpos0, is where the parts fit together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Loop, LoopKind, Pose
from ..model.pose import rotation_from_quaternion, tidy
from .build import Draft
from .mjcf_rest import Names


def add_loops(mujoco: Any, m: Any, names: Names, draft: Draft, mimic: bool) -> None:
    """Add loops, active joints and posture of the compiled model `m` to the draft, where it has loops."""
    kinds = {int(mujoco.mjtEq.mjEQ_CONNECT): LoopKind.SPHERICAL, int(mujoco.mjtEq.mjEQ_WELD): LoopKind.RIGID}
    for e in np.flatnonzero(m.eq_active0).tolist():
        kind = kinds.get(int(m.eq_type[e]))
        if kind is None:
            continue
        site = int(m.eq_objtype[e]) == int(mujoco.mjtObj.mjOBJ_SITE)
        ids = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        bodies = [int(m.site_bodyid[k]) if site else max(k, 0) for k in ids]
        poses = [_pose(m.site_pos[k], m.site_quat[k]) for k in ids] if site else _anchors(kind, m.eq_data[e])
        first, second = (names("body", body) for body in bodies)
        draft.loops.append(Loop(names("equality", e), kind, first, second, poses[0], poses[1]))
    if not draft.loops:
        return
    pulled = [int(m.actuator_trnid[a, 0]) for a in range(len(m.actuator_trntype)) if m.actuator_trntype[a] == 0]
    single = [names("joint", j) for j in dict.fromkeys(pulled) if m.jnt_type[j] in (2, 3)]
    draft.active = tuple(single) or None
    own = {joint.name for joint in draft.joints if joint.coupling is None or not mimic}  # others have no coordinates
    draft.posture = tuple((name, q) for name, q in _posture(m, names) if name in own)


def _anchors(kind: LoopKind, data: np.ndarray) -> list[Pose]:
    """Return the frames of an equality between bodies, on the first and on the second."""
    if kind is LoopKind.SPHERICAL:
        return [_pose(data[:3]), _pose(data[3:6])]
    # a weld: where the second body's anchor is in the first body, and how the second is turned there
    return [_pose(data[3:6], data[6:10]), _pose(data[:3])]


def _posture(m: Any, names: Names) -> list[tuple[str, tuple[float, ...]]]:
    found = []
    for j in range(m.njnt):
        start = int(m.jnt_qposadr[j])
        size = (7, 4, 1, 1)[m.jnt_type[j]]
        q = [float(x) for x in m.qpos0[start : start + size]]
        if size > 1:
            q[-4:] = [*q[-3:], q[-4]]  # w x y z to x y z w
        found.append((names("joint", j), tuple(q)))
    return found


def _pose(position: np.ndarray, quaternion: np.ndarray | None = None) -> Pose:
    R = np.eye(3) if quaternion is None else tidy(rotation_from_quaternion(np.roll(quaternion, -1)))  # type: ignore[arg-type]
    return Pose(R, tuple(float(x) for x in position))
