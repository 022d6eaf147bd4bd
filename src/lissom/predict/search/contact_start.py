"""The first motion of a problem with contacts: their places along it, and the smallest forces that balance it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from ..data.contact import Contact
from ..data.motion import Motion
from ..data.part import AnyPath, PartBasis
from ..problem.problem import MotionProblem
from ..problem.undriven import weight_of
from ..quantities.contacts import surface_position
from ..quantities.state import ORDERS, State

APART = 1e-9  # of the duration, by which instants keep away from the ends of a contact
LEAST = 0.01  # share of the weight that a point bears at least at first


def with_contacts(problem: MotionProblem, motion: Motion, kept: Collection[str] = ()) -> Motion:
    """Return a motion whose contacts are where its links are, with forces of least norm that balance undriven joints.

    Channels named in `kept` stay as they are.
    """
    if not problem.contacts:
        return motion
    channels = dict(motion.channels)
    for contact in problem.contacts:
        if contact.placed and contact.where not in kept:
            spline = channels[contact.where]
            place = _place(problem, motion, contact, spline.basis)
            channels[contact.where] = _with_points(spline, np.tile(place, (len(spline.points), 1)))
    placed = Motion(motion.path, channels, motion.ends)
    for contact in problem.contacts:
        if contact.force in kept:
            continue
        channels[contact.force] = _forces(problem, placed, contact)
    return Motion(motion.path, channels, motion.ends)


def coordinates_on_surface(problem: MotionProblem, contact: Contact, q: np.ndarray) -> np.ndarray:
    """Return the entries of a contact's place that are to be found (K, size), at columns of a path (K, n)."""
    state = State((q,) + (np.zeros_like(q),) * (ORDERS - 1))
    y = surface_position(problem.robot, contact).values(state).reshape(len(q), -1, 3)
    way = y[:, min(1, len(contact.tips) - 1)] - y[:, 0]
    whole = np.stack([y[:, 0, 0], y[:, 0, 1], np.arctan2(way[:, 1], way[:, 0])], axis=1)
    return whole[:, [k for k, given in enumerate(contact.place) if given is None]]


def _place(problem: MotionProblem, motion: Motion, contact: Contact, basis: object) -> np.ndarray:
    """Return the place of a contact: at a known end of the motion where it holds there, else amid its run."""
    begin, end = (basis.begin, basis.end) if isinstance(basis, PartBasis) else (0.0, 1.0)
    known = [side in problem.ends and "position" in problem.ends[side] for side in ("start", "end")]
    s = 0.0 if begin == 0.0 and known[0] else 1.0 if end == 1.0 and known[1] else 0.5 * (begin + end)
    return coordinates_on_surface(problem, contact, motion.path.at(np.array([s * motion.duration])))[0]


def _forces(problem: MotionProblem, motion: Motion, contact: Contact) -> AnyPath:
    """Return the forces of a contact on their spline: at as many instants as there are control points, of least norm."""
    spline = motion.channels[contact.force]
    basis = spline.basis
    begin, end = (basis.begin, basis.end) if isinstance(basis, PartBasis) else (0.0, 1.0)
    inner = basis.inner if isinstance(basis, PartBasis) else basis
    assert inner is not None
    s = np.clip(begin + (end - begin) * inner.centers, begin + APART, end - APART)
    found = least_forces(problem, motion, s)[contact.force]
    normal = [k for k, label in enumerate(contact.entries) if label.rsplit(".", 1)[-1] == "n"]
    found[:, normal] = np.maximum(found[:, normal], LEAST * weight_of(problem.robot))
    if inner.degree > 1:
        found = np.linalg.solve(inner.matrix(inner.centers, 0).toarray(), found)
    return _with_points(spline, found)


def least_forces(problem: MotionProblem, motion: Motion, s: np.ndarray) -> dict[str, np.ndarray]:
    """Return the forces of all contacts (K, size) at instants s (K,) that balance undriven joints, of least norm."""
    torque, n, t = problem.quantities.get("torque"), problem.n, s * motion.duration
    path = [motion.path.rate(t, order) for order in range(max(ORDERS, max(torque.orders) + 1))]
    entries = np.zeros((len(s), torque.depends.shape[1] - n))
    names = {contact.force for contact in problem.contacts}
    sizes = [len(problem.quantities.channels[name].labels) for name in torque.channels]
    alive = np.concatenate(
        [_alive(motion.channels, name, s, size, names) for name, size in zip(torque.channels, sizes, strict=True)], axis=1
    )
    free = list(problem.undriven)
    if free:
        state = _state(path, entries)
        A = np.array(torque.derivatives(state)[0][:, free, n:]) * alive[:, None, :]
        tau = torque.values(state)[:, free]
        entries = -(np.linalg.pinv(A, rcond=1e-9) @ tau[..., None])[..., 0]
    return dict(zip(torque.channels, np.split(entries, np.cumsum(sizes)[:-1], axis=1), strict=True))


def _alive(channels: Mapping[str, AnyPath], name: str, s: np.ndarray, size: int, contacts: set[str]) -> np.ndarray:
    basis = channels[name].basis
    on = basis.inside(s) if isinstance(basis, PartBasis) else np.ones(len(s), dtype=bool)
    return np.repeat(on[:, None] & (name in contacts), size, axis=1)


def _state(path: list[np.ndarray], entries: np.ndarray) -> State:
    still = np.zeros_like(entries)
    return State(tuple(np.concatenate([rate, still if k else entries], axis=1) for k, rate in enumerate(path)))


def _with_points(spline: AnyPath, points: np.ndarray) -> AnyPath:
    return type(spline)(points, spline.duration, basis=spline.basis)  # type: ignore[arg-type]
