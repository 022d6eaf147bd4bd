"""Controllers in words and numbers: their gains joint by joint, and whether they are stable."""

from __future__ import annotations

from typing import Any

import numpy as np

from .computed_torque import ComputedTorque
from .elastic_feedback import ElasticFeedback
from .mixed import MixedControl
from .pd_gravity import PDGravity

MOST = 101  # configurations at which a rate of decay is computed


def gains_of(controller: Any) -> dict[str, list[str]]:
    """Return the gains of a controller: for each name, with its unit, the values per joint; "" where there is none."""
    robot = controller.robot
    n, forces, units = robot.link_nv, robot.torque_units, robot.coordinate_units
    stiff = damp = ""
    if len(set(forces)) == 1:  # a robot with both kinds of joints has no common unit
        stiff, damp = f" [{forces[0]}/{units[0]}]", f" [{forces[0]} s/{units[0]}]"
    if isinstance(controller, ComputedTorque):
        return {"kp [1/s^2]": _shown(controller.kp), "kd [1/s]": _shown(controller.kd)}
    if isinstance(controller, PDGravity):
        return {f"kp{stiff}": _shown(controller.kp), f"kd{damp}": _shown(controller.kd)}
    if isinstance(controller, ElasticFeedback):
        return {f"k{k} [1/s^{4 - k}]".replace("^1]", "]"): _shown(row) for k, row in enumerate(controller.gains)}
    if not isinstance(controller, MixedControl):
        return {}
    found = {"slope [1/s]": _shown(controller.slope), f"damping{damp}": _shown(controller.damping)}
    motors = {"motor_slope [1/s]": controller.motor_slope, f"motor_damping{damp}": controller.motor_damping}
    for name, values in motors.items() if robot.n_elastic else ():
        found[name] = [""] * n
        for drive, text in zip(robot._elastic_drives, _shown(values), strict=True):
            found[name][drive.joint] = text
    return found


def stability(controller: Any, q: np.ndarray | None = None) -> str:
    """Return the condition under which a controller is stable, and whether its gains meet it, in a sentence.

    Args:
        controller: one of this package; "" for others.
        q: configurations (T, nq) of a motion; where the rate of decay depends on them it is the least there.
    """
    if isinstance(controller, ComputedTorque):
        return f"stable, as kp > 0 and kd > 0, if the model is exact: V' <= -c V, c = {controller.decay:.3g} /s"
    if isinstance(controller, ElasticFeedback):
        roots = [np.roots([1.0, *controller.gains[::-1, k]]) for k in range(controller.gains.shape[1])]
        last = max(float(r.real.max()) for r in roots)
        return (
            "stable, as all roots of s^4 + k3 s^3 + k2 s^2 + k1 s + k0 have negative real parts "
            f"({last:.3g} /s or less), if the model is exact: V' <= -c V, c = {controller.decay:.3g} /s"
        )
    if isinstance(controller, MixedControl):
        text = "stable, as all gains are positive, if the model is exact: V' <= -c V"
        if q is None or not len(q):
            return text
        rows = np.unique(np.linspace(0, len(q) - 1, MOST).round().astype(int))
        return f"{text}, c = {float(np.min(controller.decay(q[rows]))):.3g} /s or more along this motion"
    if isinstance(controller, PDGravity):
        margin = controller.margin()
        unit = "N m/rad" if set(controller.robot.torque_units) == {"N m"} else "N m/rad or N/m"
        where = "at 2000 random configurations"
        if margin > 0:
            return f"stable: the stiffness of springs and gains exceeds the slope of gravity by {margin:.3g} {unit} ({where})"
        return (
            f"not known to be stable: the slope of gravity exceeds the stiffness of springs and gains by {-margin:.3g} {unit} "
            f"({where}); raise kp; if that does not help, the springs are too soft for this condition"
        )
    return ""


def _shown(values: Any) -> list[str]:
    return [f"{x:.4g}" for x in np.ravel(values)]
