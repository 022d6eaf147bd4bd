"""Poses of a person with soles on the ground and hands where they have to be: of least static effort, by least squares.

Where the ground acts follows from balance: all of the weight, that of what hands carry too, has one point of pressure, and the
soles share it by how near they are. Symbols: q coordinates | r residuals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..robots.human.robot import Human
from ..wrench import Wrench
from .body import CORNERS, EARTH, SIDES, flat_soles

TOUCH = 300.0  # [1/m], weight of points that have to be somewhere: a millimeter is 0.3
POSTURE = 0.05  # [1/rad], weight of angles
BEYOND = 2000.0  # [1/m], weight of a point of pressure outside of the soles
TOO_MUCH = 30.0  # weight of moments beyond strengths
ROUNDS, STEP = 200, 1e-6  # evaluations at most; step of differences [rad or m]
SHANKS, TRUNK = 0.3, 0.4  # of the flexion of knees, by which shanks and trunk lean ahead in the first pose
NEWTON, EXACT, EDGE = 10, 1e-13, 1e-3  # steps at most; [m]; [rad] from the end of a range within which a joint stays


class Pose(NamedTuple):
    """A pose that was found.

    Attributes:
        q: coordinates (nv,).
        gap: largest distance of a point from where it has to be [m].
        load: static moments of muscles over strengths, by driven joint.
        beyond: how far the point of pressure is outside of the soles [m].
    """

    q: np.ndarray
    gap: float
    load: dict[str, float]
    beyond: float

    @property
    def hardest(self) -> str:
        """The joint whose strength is used most."""
        return max(self.load, key=lambda name: abs(self.load[name]))


@dataclass(frozen=True)
class Stand:
    """What a pose has to keep.

    Attributes:
        person: who stands.
        stance: between the middles of the soles [m].
        hands: where palms are, by "left" and "right" [m].
        carried: mass in each of these hands [kg].
        knees: least flexion of both knees [rad].
    """

    person: Human
    stance: float
    hands: Mapping[str, np.ndarray]
    carried: float = 0.0
    knees: float = 0.0

    @cached_property
    def _flat(self) -> dict[str, np.ndarray]:
        flat = flat_soles(self.person, self.stance)
        return {name: at for name, at in flat.items() if not name.endswith(CORNERS[-1])}  # the others hold it

    @cached_property
    def _points(self) -> dict[str, tuple[int, np.ndarray]]:
        """Number of the link, and place on it, of soles and palms."""
        links, points = self.person.link_names, self.person.points
        names = (*self._flat, *(f"{side}_hand" for side in self.hands))
        return {name: (links.index(points[name].link), np.array(points[name].position)) for name in names}

    @cached_property
    def _can(self) -> tuple[list[int], np.ndarray, np.ndarray]:
        """Columns of joints that muscles drive, and their strengths both ways."""
        names, can = self.person.joint_names, self.person.strengths
        positive, negative = (np.array([getattr(d, way) for d in can.values()]) for way in ("positive", "negative"))
        return [names.index(name) for name in can], positive, negative

    def gaps(self, q: np.ndarray) -> np.ndarray:
        """Return distances of soles and palms from where they have to be (K, 3 points) [m]."""
        at = self._places(self.person.link_poses(q))
        wanted = {**self._flat, **{f"{side}_hand": place for side, place in self.hands.items()}}
        return np.concatenate([at[name] - place for name, place in wanted.items()], axis=-1)

    def loads(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return static moments over strengths (K, driven), and the point of pressure (K, 2) [m]."""
        person, mass, poses = self.person, self.person.total_mass, self.person.link_poses(q)
        places = self._places(poses)
        palms = [places[f"{side}_hand"] for side in self.hands]
        whole = mass + self.carried * len(palms)
        at = (mass * person.center_of_mass(q) + sum(self.carried * p for p in palms)) / whole
        share = np.clip(at[:, 1] / self.stance + 0.5, 0.0, 1.0)
        external, zero = {}, np.zeros((len(q), 3))
        for side, out, part in zip(SIDES, (1.0, -1.0), (share, 1.0 - share), strict=True):
            force = zero + np.array([0.0, 0.0, whole * EARTH]) * part[:, None]
            under = np.stack([at[:, 0], zero[:, 0] + out * self.stance / 2, zero[:, 0]], axis=1)
            arm = under - poses[:, person.link_names.index(f"{side}_foot"), :3, 3]
            external[f"{side}_foot"] = Wrench(force, np.cross(arm, force), axes="world")
        for side in self.hands:
            force = zero + np.array([0.0, 0.0, -self.carried * EARTH])
            external[f"{side}_hand"] = Wrench(force, zero, axes="world", point=self._points[f"{side}_hand"][1])
        columns, positive, negative = self._can
        tau = person.gravity_torques(q, external=external)[:, columns]
        return np.where(tau > 0, tau / positive, tau / negative), at[:, :2]

    def _places(self, poses: np.ndarray) -> dict[str, np.ndarray]:
        return {name: poses[:, k, :3, :3] @ p + poses[:, k, :3, 3] for name, (k, p) in self._points.items()}


def stand_pose(stand: Stand) -> Pose:
    """Return a pose of least static effort; where that is impossible, the nearest: it says what is missing."""
    from scipy.optimize import least_squares

    person = stand.person
    names, can = list(person.joint_names), person.strengths
    driven = [names.index(name) for name in can]
    low, high = np.full(person.nv, -10.0), np.full(person.nv, 10.0)
    low[driven], high[driven] = [d.lower for d in can.values()], [d.upper for d in can.values()]
    knees = [names.index(f"{side}_knee_flexion") for side in SIDES]
    low[knees] = np.maximum(low[knees], stand.knees)
    ahead = _ahead(person, stand.stance)

    def residuals(q: np.ndarray) -> np.ndarray:
        load, at = stand.loads(q)
        out = np.maximum(at[:, :1] - ahead[1], 0.0) + np.maximum(ahead[0] - at[:, :1], 0.0)
        much = TOO_MUCH * np.maximum(np.abs(load) - 1.0, 0.0)
        return np.concatenate([TOUCH * stand.gaps(q), load, much, POSTURE * q[:, driven], BEYOND * out], axis=1)

    q0 = np.clip(_bent(person, stand.knees), low + EDGE, high - EDGE)
    found = least_squares(
        lambda q: residuals(q[None])[0], q0, jac=lambda q: _slopes(residuals, q), bounds=(low, high), max_nfev=ROUNDS
    )
    q = found.x
    if _even(stand):
        q = 0.5 * (q + person.mirror(q))
    q = _closed(stand.gaps, q, low, high)
    load, at = stand.loads(q[None])
    off = np.linalg.norm(stand.gaps(q[None])[0].reshape(-1, 3), axis=1)
    beyond = max(at[0, 0] - ahead[1], ahead[0] - at[0, 0], 0.0)
    return Pose(q, float(off.max()), dict(zip(can, load[0].tolist(), strict=True)), float(beyond))


def _ahead(person: Human, stance: float) -> tuple[float, float]:
    """Return from where to where the soles reach along x [m]."""
    x = [point[0] for point in flat_soles(person, stance).values()]
    return min(x), max(x)


def _bent(person: Human, knees: float) -> np.ndarray:
    """Return a pose with bent knees, soles flat, shanks and trunk leaning ahead."""
    lean, q = SHANKS * knees, person.neutral()
    thigh, shank = (person.segments[name].length for name in ("thigh", "shank"))
    back, tilt = knees - lean, TRUNK * knees
    found = {"pelvis_tilt": tilt, "pelvis_x": shank * np.sin(lean) - thigh * np.sin(back)}
    found["pelvis_z"] = shank * (np.cos(lean) - 1.0) + thigh * (np.cos(back) - 1.0)
    for side in SIDES:
        for joint, angle in (("hip", back + tilt), ("knee", knees), ("ankle", lean), ("shoulder", tilt)):
            found[f"{side}_{joint}_flexion"] = angle
    for name, value in found.items():
        q[person.joint_names.index(name)] = value
    return q


def _even(stand: Stand) -> bool:
    """Return whether left and right have to be mirror images."""
    hands = stand.hands
    return set(hands) == set(SIDES) and bool(np.abs(hands["left"] * [1, -1, 1] - hands["right"]).max() < EXACT)


def _slopes(function: Callable[[np.ndarray], np.ndarray], q: np.ndarray) -> np.ndarray:
    n = len(q)
    y = function(np.concatenate([q + STEP * np.eye(n), q - STEP * np.eye(n)]))
    return np.asarray((y[:n] - y[n:]).T / (2 * STEP))


def _closed(gaps: Callable[[np.ndarray], np.ndarray], q: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the end of Newton's steps of least norm to points that are where they have to be, within ranges."""
    best = q
    for _ in range(NEWTON):
        r = gaps(q[None])[0]
        if np.abs(r).max() < np.abs(gaps(best[None])[0]).max():
            best = q
        if np.abs(r).max() < EXACT:
            break
        J, free = _slopes(gaps, q), (q > low + EDGE) & (q < high - EDGE)
        step = np.zeros_like(q)
        step[free] = -np.linalg.lstsq(J[:, free], r, rcond=1e-9)[0]
        q = np.clip(q + step, low, high)
    return best
