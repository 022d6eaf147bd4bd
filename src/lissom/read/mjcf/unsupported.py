"""Parts of an MJCF file beyond links and joints: couplings are kept, everything else is ignored with a warning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...model import Coupling, Polynomial
from ..source import Source
from .compile import Compiled

Names = Callable[[str, int], str]


@dataclass(frozen=True)
class Followed:
    """Coupling of a joint to another; if `law` is given, by this function of the coupling's value."""

    coupling: Coupling
    law: Polynomial | None = None


def warn_of_rest(m: Compiled, names: Names, source: Source) -> dict[str, Followed]:
    """Return the couplings of the compiled model `m` by follower, and warn of everything dropped."""
    _warn_of_joints(m, names, source)
    for t in range(m.sizes["tendon"]):
        source.warn(f"tendon {names('tendon', t)!r} is ignored")
    for a in range(m.sizes["actuator"]):
        # older MuJoCo has neither
        if any(np.any(getattr(m, key)[a]) for key in ("actuator_armature", "actuator_damping") if hasattr(m, key)):
            source.warn(f"armature and damping of actuator {names('actuator', a)!r} are ignored; give them to its joint")
    for body in np.flatnonzero(m.body_gravcomp).tolist():
        source.warn(f"gravity compensation of body {names('body', body)!r} is ignored")
    if m.density or m.viscosity:
        source.warn("the fluid (density and viscosity in <option>) is ignored")
    for flex in range(m.sizes["flex"]):
        source.warn(f"flex {flex} is ignored: lissom supports only rigid links")
    return _couplings(m, names, source)


def _warn_of_joints(m: Compiled, names: Names, source: Source) -> None:
    bent = np.any(getattr(m, "jnt_stiffnesspoly", np.zeros((m.sizes["joint"], 1))), axis=-1)
    curved = np.any(getattr(m, "dof_dampingpoly", np.zeros((m.sizes["velocity"], 1))), axis=-1)
    for j in range(m.sizes["joint"]):
        name, wide = names("joint", j), m.jnt_type[j] in (0, 1)
        first = m.jnt_dofadr[j]
        dofs = slice(first, first + (6, 3, 1, 1)[m.jnt_type[j]])
        if wide and (bent[j] or m.jnt_stiffness[j]):
            source.warn(f"the spring of joint {name!r} is ignored: it has more than one axis")
        elif bent[j]:
            source.warn(f"stiffness of joint {name!r} beyond the linear part is ignored")
        if np.any(curved[dofs]):
            source.warn(f"damping of joint {name!r} beyond the linear part is ignored")
        if wide and (np.any(m.dof_damping[dofs]) or np.any(m.dof_frictionloss[dofs]) or np.any(m.dof_armature[dofs])):
            source.warn(f"damping, friction and armature of joint {name!r} are ignored: it has more than one axis")
        if wide and m.jnt_limited[j]:
            source.warn(f"the range of joint {name!r} is ignored: it has more than one axis")


def _couplings(m: Compiled, names: Names, source: Source) -> dict[str, Followed]:
    found: dict[str, Followed] = {}
    for e in np.flatnonzero(m.eq_active0).tolist():
        follower, leader, c = int(m.eq_obj1id[e]), int(m.eq_obj2id[e]), m.eq_data[e]
        joint = m.eq_type[e] == m.enums["mjEQ_JOINT"]
        if m.eq_type[e] in (m.enums["mjEQ_CONNECT"], m.enums["mjEQ_WELD"]):
            continue  # loops
        if not joint:
            source.warn(f"{names('equality', e)!r} is ignored: lissom supports only loops and equalities between two joints")
        elif leader < 0:
            source.warn(f"{names('equality', e)!r} is ignored: it is not between two joints")
        elif names("joint", follower) in found:
            source.warn(f"{names('equality', e)!r} is ignored: joint {names('joint', follower)!r} already follows another")
        else:
            # q1 - q1_0 = c0 + c1 x + c2 x^2 + ..., x = q2 - q2_0
            q1, q2 = (float(m.qpos0[m.jnt_qposadr[j]]) for j in (follower, leader))
            one, other, ratio = names("joint", follower), names("joint", leader), float(c[1])
            if np.any(c[2:5]):
                found[one] = Followed(Coupling(other, 1.0, -q2), Polynomial((q1 + float(c[0]), *(float(x) for x in c[1:5]))))
            else:
                found[one] = Followed(Coupling(other, ratio, q1 + float(c[0]) - ratio * q2))
    bent = {name for name, followed in found.items() if followed.law is not None}
    for name, followed in list(found.items()):
        # a joint that follows by a polynomial uses its leader's coordinate
        if followed.coupling.joint in bent:
            source.warn(
                f"joint {name!r} is free: it would follow {followed.coupling.joint!r}, which itself follows by a polynomial"
            )
            del found[name]
    return found
