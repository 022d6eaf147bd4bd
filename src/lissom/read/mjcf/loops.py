"""Loops of an MJCF file: the equalities `connect` and `weld` become cut joints, actuated joints are active.

MuJoCo enforces these equalities softly, lissom exactly. The loops close at the file's configuration qpos0; with a keyframe
"home", they are closed near that one instead, since qpos0 is often singular.
"""

from __future__ import annotations

import numpy as np

from ...model import Loop, LoopKind, Pose
from ...model.pose import rotation_from_quaternion, tidy
from ..build import Draft
from ..loops import Home
from .compile import Compiled
from .unsupported import Names


def add_loops(m: Compiled, names: Names, draft: Draft, mimic: bool) -> Home:
    """Add loops, active joints and posture of the compiled model `m` to the draft, if it has loops.

    Returns:
        Active joints and posture, whether or not the file has loops: another file may have them.
    """
    kinds = {m.enums["mjEQ_CONNECT"]: LoopKind.SPHERICAL, m.enums["mjEQ_WELD"]: LoopKind.RIGID}
    for e in np.flatnonzero(m.eq_active0).tolist():
        kind = kinds.get(int(m.eq_type[e]))
        if kind is None:
            continue
        site = int(m.eq_objtype[e]) == m.enums["mjOBJ_SITE"]
        ids = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        bodies = [int(m.site_bodyid[k]) if site else max(k, 0) for k in ids]
        poses = [_pose(m.site_pos[k], m.site_quat[k]) for k in ids] if site else _anchors(kind, m.eq_data[e])
        first, second = (names("body", body) for body in bodies)
        draft.loops.append(Loop(names("equality", e), kind, first, second, poses[0], poses[1]))
    pulled = m.actuator_trnid[m.works & (m.actuator_trntype == 0), 0].tolist()
    leaders = {joint.name: joint.coupling.joint for joint in draft.joints if joint.coupling is not None and mimic}
    driven = [_first_leader(names("joint", j), leaders) for j in pulled if m.jnt_type[j] in (2, 3)]
    active = tuple(dict.fromkeys(driven)) or None
    home = Home(active, tuple((name, q) for name, q in _posture(m, names) if name not in leaders))
    if draft.loops:
        draft.active, draft.posture = home
    return home


def _first_leader(name: str, leaders: dict[str, str]) -> str:
    """Return the independent joint that the joint called `name` follows."""
    for _ in leaders:  # the model rejects couplings in a circle
        name = leaders.get(name, name)
    return name


def _anchors(kind: LoopKind, data: np.ndarray) -> list[Pose]:
    """Return the frames of an equality between bodies, on the first and on the second."""
    if kind is LoopKind.SPHERICAL:
        return [_pose(data[:3]), _pose(data[3:6])]
    # a weld: position of the second body's anchor in the first body, and rotation of the second
    return [_pose(data[3:6], data[6:10]), _pose(data[:3])]


def _posture(m: Compiled, names: Names) -> list[tuple[str, tuple[float, ...]]]:
    found = []
    for j in range(m.sizes["joint"]):
        start = int(m.jnt_qposadr[j])
        size = (7, 4, 1, 1)[m.jnt_type[j]]
        q = [float(x) for x in m.qpos_home[start : start + size]]
        if size > 1:
            q[-4:] = [*q[-3:], q[-4]]  # w x y z to x y z w
        found.append((names("joint", j), tuple(q)))
    return found


def _pose(position: np.ndarray, quaternion: np.ndarray | None = None) -> Pose:
    R = np.eye(3) if quaternion is None else tidy(rotation_from_quaternion(np.roll(quaternion, -1)))  # type: ignore[arg-type]
    return Pose(R, tuple(float(x) for x in position))
