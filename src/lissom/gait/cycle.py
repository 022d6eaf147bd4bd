"""A step and its mirror images, or two steps again and again: the motion, its torques and its forces at any time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..predict.result.prediction import Prediction
from ..robots.human.robot import Human
from ..robots.human.tree import mirror_partner
from ..view.scene.arrows import Force
from ..wrench import Wrench

POLAR, AXIAL = np.array([1.0, -1.0, 1.0]), np.array([-1.0, 1.0, -1.0])  # signs of vectors and of moments in the mirror y = 0


class Instants(NamedTuple):
    """Times (K,) of a walk as times of its prediction.

    Attributes:
        local: time since the prediction began anew [s].
        odd: whether it is seen in the mirror.
        ahead, up: by how much it begins ahead of the first and above it [m].
    """

    local: np.ndarray
    odd: np.ndarray
    ahead: np.ndarray
    up: np.ndarray


def instants(found: Prediction, length: float, rise: float, steps: int, t: np.ndarray) -> Instants:
    """Return where times are; at a heel strike a step ends, so that a cycle's last sample is of its second step.

    Args:
        found: one step, which repeats mirrored, or two, which repeat as they are.
        length, rise: of a step [m].
        steps: that the prediction has.
        t: times [s].
    """
    T = found.duration
    number = np.clip(np.ceil(t / T - 1e-9) - 1.0, 0.0, None)
    local, many = np.clip(t - number * T, 0.0, T), number * steps
    return Instants(local, (many % 2 == 1) & (steps == 1), many * length, many * rise)


def states(person: Human, step: Prediction, at: Instants) -> tuple[np.ndarray, ...]:
    """Return q, qd, qdd and torques (K, nv)."""
    found = [_seen(x, person.mirror(x) if at.odd.any() else x, at) for x in (*step.states(at.local)[:3], step.torques(at.local))]
    found[0][:, person.joint_names.index("pelvis_x")] += at.ahead
    found[0][:, person.joint_names.index("pelvis_z")] += at.up
    return tuple(found)


def ground_forces(step: Prediction, at: Instants) -> list[Force]:
    """Return the forces of the ground on every link that may stand, on both sides, along the world's axes."""
    own = {force.name: force for force in step._ground_forces(at.local)}
    found = []
    for name in _both(own):
        a, b = own.get(name), own.get(_other(name))
        place, vector = (_seen(_of(a, part, at), _of(b, part, at) * POLAR, at) for part in ("at", "vector"))
        place[:, 0] += at.ahead
        place[:, 2] += at.up
        found.append(Force(name, place, vector))
    return found


def loads(step: Prediction, at: Instants) -> dict[str, Wrench]:
    """Return the wrenches on links at their origins, along the world's axes."""
    own = dict(step._supports(at.local))
    found = {}
    for name in _both(own):
        a, b = own.get(name), own.get(_other(name))
        force = _seen(_of(a, "force", at), _of(b, "force", at) * POLAR, at)
        moment = _seen(_of(a, "moment", at), _of(b, "moment", at) * AXIAL, at)
        found[name] = Wrench(force, moment, axes="world")
    return found


def _of(value: object, part: str, at: Instants) -> np.ndarray:
    return np.zeros((len(at.local), 3)) if value is None else np.asarray(getattr(value, part))


def _seen(own: np.ndarray, mirrored: np.ndarray, at: Instants) -> np.ndarray:
    return np.where(at.odd[:, None], mirrored, own)


def _both(names: object) -> list[str]:
    return list(dict.fromkeys(x for name in names for x in (name, _other(name))))  # type: ignore[attr-defined]


def _other(name: str) -> str:
    """Return a name with left and right exchanged; of forces, links stand last."""
    before, _, link = name.rpartition(" ")
    return f"{before} {mirror_partner(link)}".strip()
