"""The start of a scenario, motors behind springs included, and the wrenches that act on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import yaml

from ..protocol import DrivenRobot
from ..read.entry import Entry
from ..read.number import parse_expression
from ..read.values import line_of, numbers_of
from ..simulate.motor_start import motors_along, motors_at_rest
from ..wrench import Wrench

EQUILIBRIUM, JOINTS = "equilibrium", "joints"
START = ("q", "qd", "motor_q", "motor_qd")
WRENCH = ("force", "moment", "axes", "point", "known")


@dataclass(frozen=True, eq=False)
class Start:
    """A first state: q of the joints (n,), q0 (nq,) and qd0 (nv,) with motors, and the assumptions made."""

    q: np.ndarray
    q0: np.ndarray
    qd0: np.ndarray
    assumed: tuple[str, ...]


def read_start(entry: Entry, robot: DrivenRobot, external: dict[str, Wrench]) -> Start:
    """Read {q, qd, motor_q, motor_qd} of joints and of motors behind springs [rad or m, rad/s or m/s].

    motor_q is `equilibrium` by default: springs hold the robot still under the external wrenches. motor_qd is `joints` by
    default: motors have the speeds of their joints, so that deflections do not change. qd is zero by default.
    """
    n = robot.link_nv
    joints, motors = robot.velocity_names[:n], robot.velocity_names[n:]
    keys = entry.mapping(START)
    if "q" not in keys:
        raise entry.error(f"'start' has no key 'q': the start positions of {', '.join(joints)} [rad or m]")
    q = numbers_of(keys["q"], joints, angles=True)
    qd = numbers_of(keys["qd"], joints, angles=True) if "qd" in keys else np.zeros(n)
    for key in START[2:]:
        if key in keys and not motors:
            raise keys[key].error(f"robot {robot.name!r} has no motors behind springs: leave {key!r} out")
    assumed: list[str] = []
    if _numbers_given(keys, "motor_q", EQUILIBRIUM):
        q0 = np.concatenate([q, numbers_of(keys["motor_q"], motors, angles=True)])
    else:
        with line_of(keys["q"]):
            q0, assumed = motors_at_rest(robot, q, external or None)
    if _numbers_given(keys, "motor_qd", JOINTS):
        qd0 = np.concatenate([qd, numbers_of(keys["motor_qd"], motors, angles=True)])
    else:
        qd0, more = motors_along(robot, qd)
        assumed += more
    return Start(q, q0, qd0, tuple(assumed))


def read_external(entry: Entry, robot: DrivenRobot) -> tuple[dict[str, Wrench], dict[str, Wrench]]:
    """Read {link: {force [N], moment [N m], axes, point [m], known}}; return all wrenches, and those the controller knows."""
    acting: dict[str, Wrench] = {}
    known: dict[str, Wrench] = {}
    for link, item in entry.called(f"'external' (links of {robot.name!r})").mapping(robot.link_names).items():
        keys = item.mapping(WRENCH)
        if "axes" not in keys:
            raise item.error(f"the wrench on {link!r} has no key 'axes', the axes of its components: world or link")
        if "force" not in keys and "moment" not in keys:
            raise item.error(f"the wrench on {link!r} has neither 'force' [N] nor 'moment' [N m]")
        parts = {key: keys[key].numbers(3) for key in ("force", "moment", "point") if key in keys}
        with line_of(keys["axes"]):
            acting[link] = Wrench(**parts, axes=keys["axes"].text())
        if "known" in keys and keys["known"].flag():
            known[link] = acting[link]
    return acting, known


def _numbers_given(keys: dict[str, Entry], key: str, word: str) -> bool:
    """Return whether a key has numbers; otherwise it must be the word for its default."""
    if key not in keys:
        return False
    node = keys[key].node
    if isinstance(node, yaml.ScalarNode) and parse_expression(node.value) is None:
        keys[key].choice((word,))
        return False
    return True
