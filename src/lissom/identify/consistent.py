"""Consistent: parameters of bodies that can exist, as near to the measured torques as such bodies come.

Ten parameters are those of a body that can exist where its pseudo-inertia is positive definite (Wensing, Kim, Slotine 2018):
    P = [ trace(I)/2 1 - I   h ]          h first moments, I about the origin of the link, m mass
        [       h'           m ]
which is linear in the ten, so that least squares with P > 0 for every link is a convex problem with one minimum:
    minimize  (beta - M x)' F (beta - M x) + sum_links 1/(2 s^2) trace( P0^-1 (P - P0) P0^-1 (P - P0) ) + others
beta are base parameters with information F, x all parameters, M their map. The second term is the distance from the bodies of
the model (Lee, Wensing and Park 2020), the same whatever the units and frames. It decides what torques cannot show, and with
s = 10, deviations of ten times the model's own values, hardly anything else. Friction, rotor inertia, stiffness and damping are
not negative.
Solved by Clarabel, an interior-point method for cones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.derivatives.regressor import INERTIAL
from ..errors import IdentificationError, MissingExtraError
from ..model import Model
from .selection import TEN, Selection

MARGIN = 1e-6  # least eigenvalue of P, with the link's own mass and size as units: above the solver's error
ROUND = 1e-3  # of a body that is a point or a needle in the model, for its distance: a part of a ball of its size
STIFF = 1e-6  # least stiffness and rotor inertia, as a share of the model's

_TRIANGLE = [(i, j) for j in range(4) for i in range(j + 1)]  # upper triangle, column by column


def pseudo_inertia(ten: np.ndarray) -> np.ndarray:
    """Return the pseudo-inertia (4, 4) of ten parameters in the regressor's order."""
    m, x, y, z, xx, xy, yy, xz, yz, zz = ten
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    P = np.empty((4, 4))
    P[:3, :3] = np.trace(I) / 2.0 * np.eye(3) - I
    P[:3, 3] = P[3, :3] = x, y, z
    P[3, 3] = m
    return P


_BASIS = np.array([pseudo_inertia(row) for row in np.eye(len(INERTIAL))])  # (10, 4, 4)


@dataclass(frozen=True, eq=False)
class Consistent:
    """Parameters of possible bodies.

    Attributes:
        values: of all columns of a selection (n,), those held included.
        distance: (beta - M x)' F (beta - M x), in which beta is a normal variable with that covariance: about the number of base
            parameters or less where the data agree with bodies that can exist.
        least: smallest eigenvalue of the links' pseudo-inertias, with mass and size as units.
    """

    values: np.ndarray
    distance: float
    least: float


def nearest_possible(
    selection: Selection, matrix: np.ndarray, beta: np.ndarray, information: np.ndarray, spread: float = 10.0
) -> Consistent:
    """Return the nearest parameters of possible bodies.

    Args:
        selection: what is free.
        matrix: maps all columns to base parameters (b, n), zero for columns that are held.
        beta, information: estimate and the inverse of its covariance.
        spread: s, deviations from the model that are usual, relative to its own values.
    """
    try:
        import clarabel
        from scipy import sparse
    except ImportError:
        raise MissingExtraError("clarabel", "identify", "physically consistent estimation") from None
    free = np.flatnonzero(selection.free)
    scale = _scales(selection)[free]
    M = matrix[:, free] * scale
    held = np.where(selection.free, 0.0, selection.prior)
    Q, c = 2.0 * M.T @ information @ M, -2.0 * M.T @ (information @ beta)
    D, at = _distance(selection, free, scale, spread)
    Q, c = Q + D, c - D @ at
    Q = (Q + Q.T) / 2.0
    rows, right, cones = _cones(selection, free, scale, held, clarabel)
    size = float(np.abs(Q).max())
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    settings.max_iter = 500
    P = sparse.csc_matrix(np.triu(Q) / size)
    found = clarabel.DefaultSolver(P, c / size, sparse.csc_matrix(rows), right, cones, settings).solve()
    x = np.array(found.x)
    if str(found.status) not in ("Solved", "AlmostSolved") or not np.isfinite(x).all():
        raise IdentificationError(
            f"no physically consistent parameters were found: the solver ended with {found.status}; see whether the "
            f"estimate without "
            "consistency is near the model (consistent=False), and whether units and signs of the torques are right"
        )
    values = held.copy()
    values[free] = x * scale
    values = _inside(selection, values)
    miss = beta - matrix[:, free] @ values[free]
    return Consistent(values, float(miss @ information @ miss), _least(selection, values))


def is_possible(ten: np.ndarray) -> bool:
    """Return whether ten parameters are those of a body that can exist."""
    return bool(np.linalg.eigvalsh(pseudo_inertia(ten))[0] > 0)


def _units(selection: Selection) -> dict[str, tuple[float, float]]:
    """Return mass [kg] and size [m] of each link for scaling; those without mass get what is usual in the model."""
    reach = _reach(selection.model)
    masses = [link.inertia.mass for link in selection.model.links if link.inertia is not None]
    usual = float(np.median(masses)) if masses else 1.0
    if selection.added:
        return {selection.added: (usual, reach / 2.0)}
    found = {}
    for name, k in selection.links.items():
        ten = selection.own[k : k + TEN]
        m = ten[0] if ten[0] > 0 else usual
        inside = np.sqrt(max(np.trace(pseudo_inertia(ten)[:3, :3]), 0.0) / m)
        found[name] = float(m), float(max(inside, 0.05 * reach))
    return found


def _reach(model: Model) -> float:
    lengths = [np.linalg.norm(joint.origin.p) + np.linalg.norm(joint.tail.p) for joint in model.joints]
    return float(max(lengths, default=1.0)) or 1.0


def _scales(selection: Selection) -> np.ndarray:
    """Return natural sizes of all columns (n,)."""
    scale = np.ones(len(selection))
    for name, k in selection.links.items():
        m, L = _units(selection)[name]
        scale[k : k + TEN] = [m, *[m * L] * 3, *[m * L * L] * 6]
    last = TEN * len(selection.model.links)
    kinds = [name.rpartition(".")[2] for name in selection.names]
    for k in range(last, len(selection)):
        alike = [abs(selection.values[j]) for j in range(last, len(selection)) if kinds[j] == kinds[k]]
        scale[k] = max(abs(selection.values[k]), 0.1 * max(alike), 1e-2)
    return scale


def _distance(selection: Selection, free: np.ndarray, scale: np.ndarray, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Return D and x0 of the distance 1/2 (x - x0)' D (x - x0), in scaled columns."""
    n, place = len(free), {int(k): i for i, k in enumerate(free)}
    D, at = np.zeros((n, n)), selection.prior[free] / scale
    last = TEN * len(selection.model.links)
    for name, k in selection.links.items():
        m, L = _units(selection)[name]
        unit = np.diag([1 / L, 1 / L, 1 / L, 1.0]) / np.sqrt(m)
        own = selection.own[k : k + TEN]
        P0 = unit @ pseudo_inertia(own) @ unit if own[0] > 0 and not selection.added else np.diag([0.1, 0.1, 0.1, 1.0])
        P0 = P0 + ROUND * np.diag([1.0, 1.0, 1.0, 0.0])
        values, vectors = np.linalg.eigh(P0)
        inverse = (vectors / np.maximum(values, ROUND)) @ vectors.T
        columns = [i for i in range(TEN) if k + i in place]
        G = [inverse @ (unit @ _BASIS[i] @ unit) * scale[place[k + i]] for i in columns]
        at_own = [place[k + i] for i in columns]
        block = np.array([[np.trace(a @ b) for b in G] for a in G])
        D[np.ix_(at_own, at_own)] += block / spread**2
    for k in free[free >= last]:
        D[place[int(k)], place[int(k)]] += 1.0 / (spread if selection.values[k] else 100.0 * spread) ** 2  # zero says little
    return D, at


def _cones(selection: Selection, free: np.ndarray, scale: np.ndarray, held: np.ndarray, clarabel: Any) -> tuple[Any, Any, Any]:
    """Return A, b and cones of b - A x in K: positive ones, then the pseudo-inertia of each link less those of its motors."""
    place = {int(k): i for i, k in enumerate(free)}
    parts = selection.values - selection.own  # of motors
    least = _lowest(selection)
    rows, right, cones = [], [], []
    signed = [int(k) for k in free if selection.positive[k]]
    for k in signed:
        row = np.zeros(len(free))
        row[place[k]] = -1.0
        rows.append(row)
        right.append(-(parts[k] + least[k]) / scale[place[k]])
    if signed:
        cones.append(clarabel.NonnegativeConeT(len(signed)))
    for name, k in selection.links.items():
        m, L = _units(selection)[name]
        unit = np.diag([1 / L, 1 / L, 1 / L, 1.0]) / np.sqrt(m)
        fixed = pseudo_inertia(held[k : k + TEN] - (0.0 if selection.added else parts[k : k + TEN]))
        for i, j in _TRIANGLE:
            root = 1.0 if i == j else np.sqrt(2.0)
            row = np.zeros(len(free))
            for own in range(TEN):
                if k + own in place:
                    row[place[k + own]] = -root * (unit @ _BASIS[own] @ unit)[i, j] * scale[place[k + own]]
            rows.append(row)
            right.append(root * ((unit @ fixed @ unit)[i, j] - (MARGIN if i == j else 0.0)))
        cones.append(clarabel.PSDTriangleConeT(4))
    return np.array(rows), np.array(right), cones


def _lowest(selection: Selection) -> np.ndarray:
    """Return the least values of positive columns (n,): springs and rotors stay, however weak."""
    stay = np.array([name.endswith((".stiffness", ".rotor_inertia")) for name in selection.names])
    return np.where(stay, STIFF * np.abs(selection.own), 0.0)


def _inside(selection: Selection, values: np.ndarray) -> np.ndarray:
    """Return values with the solver's own error taken out of those that must not be negative."""
    parts = selection.values - selection.own
    low = parts + _lowest(selection)
    return np.where(selection.positive & selection.free, np.maximum(values, low), values)


def _least(selection: Selection, values: np.ndarray) -> float:
    parts = np.zeros(len(selection)) if selection.added else selection.values - selection.own
    found = []
    for name, k in selection.links.items():
        m, L = _units(selection)[name]
        unit = np.diag([1 / L, 1 / L, 1 / L, 1.0]) / np.sqrt(m)
        found.append(float(np.linalg.eigvalsh(unit @ pseudo_inertia((values - parts)[k : k + TEN]) @ unit)[0]))
    worst = min(found, default=np.inf)
    if worst <= 0:
        name = list(selection.links)[int(np.argmin(found))]
        raise IdentificationError(
            f"link {name!r} came out with an impossible inertia (least eigenvalue {worst:.2g}); this is an error of the solver"
        )
    return worst
