"""Meanings: what arguments and results of functions are, in words, with units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

STATE = {
    "q": "coordinates [rad or m; quaternions x y z w]",
    "qd": "velocities [rad/s or m/s]",
    "qdd": "accelerations [rad/s^2 or m/s^2]",
    "qddd": "jerks, rates of the accelerations [rad/s^3 or m/s^3]",
    "qdddd": "second rates of the accelerations [rad/s^4 or m/s^4]",
    "qddddd": "third rates of the accelerations [rad/s^5 or m/s^5]",
    "tau": "torques of the joints [N m or N]",
    "given": "torques where these are known [N m or N], accelerations elsewhere [rad/s^2 or m/s^2]",
    "dt": "length of the step [s]",
    "tree_q": "coordinates of all joints of the tree, which close the loops [rad or m]",
    "point": "a point in the frame of the link [m]",
    "weights": "one per torque",
    "base_motion": "motion of the base: quaternion x y z w, angular velocity [rad/s], acceleration of the origin [m/s^2], "
    "angular acceleration [rad/s^2], in the axes of the base",
    "base_jerk": "rate of the accelerations of the base: of the origin [m/s^3], angular [rad/s^3]",
    "dq": "direction of the coordinates, one per velocity",
    "dqd": "direction of the velocities",
    "dqdd": "direction of the accelerations",
}


def of_input(name: str, options: Mapping[str, Any]) -> str:
    """Return what an input is."""
    if name == "external":
        return f"wrenches on {_links(options)}: force [N], moment [N m], point [m] in the frame of the link; nine numbers each"
    if name == "external_rates":
        return f"rates of the wrenches on {_links(options)}: of force [N/s], moment [N m/s], point [m/s]; nine numbers each"
    return STATE.get(name, name)


def _links(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{link} (in the axes of the {axes})" for link, axes in options.get("external", ()))


def of_function(robot: Any, name: str, maker: Any) -> str:
    """Return what a function returns: the first sentence of its method's description."""
    method = getattr(type(robot), name, None)
    text = (getattr(method, "__doc__", None) or getattr(maker, "__doc__", None) or name).strip().split("\n\n")[0]
    return re.sub(r"\s+", " ", text).replace("(..., ", "(").replace("`", "").replace("'", "")
