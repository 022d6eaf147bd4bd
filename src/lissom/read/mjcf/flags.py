"""Apply the disable flags of an MJCF file's `<option>`, and check that numbers are finite."""

from __future__ import annotations

import numpy as np

from ..source import Source
from .compile import Compiled

# flags that disable each array; older MuJoCo has PASSIVE instead of SPRING and DAMPER
_SPRINGS = ("SPRING", "PASSIVE")
_DAMPERS = ("DAMPER", "PASSIVE")
_FRICTION = ("FRICTIONLOSS", "CONSTRAINT")
_EQUALITIES = ("EQUALITY", "CONSTRAINT")
_RANGES = ("LIMIT", "CONSTRAINT")
_TAKEN = (
    (_SPRINGS, ("jnt_stiffness", "jnt_stiffnesspoly")),
    (_DAMPERS, ("dof_damping", "dof_dampingpoly", "actuator_damping")),
    (_FRICTION, ("dof_frictionloss",)),
    (_EQUALITIES, ("eq_active0",)),
    (_RANGES, ("jnt_limited",)),
    (("GRAVITY",), ("gravity", "body_gravcomp")),
)
_SHAPES = ("geom_", "mat_", "mesh_")
# attributes in the file for arrays with another name
_WORDS = {"qpos0": "ref", "qpos_spring": "springref", "qpos_home": "qpos of keyframe home"}


def apply_flags(m: Compiled) -> None:
    """Set disabled arrays of `m` to zero, and remove disabled actuators."""
    for flags, names in _TAKEN:
        if _off(m, *flags):
            for name in names:
                if hasattr(m, name):
                    getattr(m, name)[...] = 0
    works = np.full(m.sizes["actuator"], not _off(m, "ACTUATION"))
    if hasattr(m, "disableactuator"):
        # one bit per group of actuators, from 0 to 30
        group = m.actuator_group
        works &= ~((group >= 0) & (group <= 30) & ((int(m.disableactuator) >> np.clip(group, 0, 30)) & 1 == 1))
    m.works = works


def _off(m: Compiled, *flags: str) -> bool:
    return any(int(m.disableflags) & m.enums.get(f"mjDSBL_{flag}", 0) for flag in flags)


def check_finite(m: Compiled, source: Source) -> None:
    """Raise a FileError for numbers that are not finite, except ranges, which may be infinite, and shapes."""
    joint_of = {"jnt": np.arange(m.sizes["joint"])}
    joint_of["qpos"] = _owners(m.jnt_qposadr, len(m.qpos0))
    joint_of["dof"] = _owners(m.jnt_dofadr, m.sizes["velocity"])
    kinds = {"body": "body", "eq": "equality", "site": "site", "actuator": "actuator"}
    for name, values in vars(m).items():
        if not isinstance(values, np.ndarray) or values.dtype.kind != "f" or name.endswith("range"):
            continue
        if name.startswith(_SHAPES):  # a shape that is not finite is left out
            continue
        wrong = ~np.isfinite(values)
        if not wrong.any():
            continue
        start = name.rstrip("0").split("_")[0]
        first = int(np.flatnonzero(wrong.reshape(len(values), -1).any(axis=1))[0]) if values.ndim else 0
        where, at = ("joint", int(joint_of[start][first])) if start in joint_of else (kinds.get(start, ""), first)
        owner = "<option>" if not where else f"{where} {m.names[where][at]!r}" if m.names[where][at] else f"{where} number {at}"
        value = values.ravel()[int(np.flatnonzero(wrong)[0])]
        word = _WORDS.get(name) or name.split("_", 1)[-1]
        raise source.error(f"{owner}: {word} is {value:g}; all numbers except ranges must be finite")


def _owners(starts: np.ndarray, count: int) -> np.ndarray:
    """Return the joint to which each of `count` coordinates or velocities belongs."""
    return np.searchsorted(starts, np.arange(count), side="right") - 1
