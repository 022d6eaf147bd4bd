"""Barman 2020, chapter III, transcribed equation by equation: steps 1 to 10 with every sensitivity.

A serial chain in standard Denavit-Hartenberg form, the frame of link j at its far end. Every vector of link j is in frame j.
The sensitivity (.)_{j,i} by q_i is `y.q[j, i]`, (.)_{j,i'} by the velocity `y.qd[j, i]`, (.)_{j,i''} by the acceleration
`y.qdd[j, i]`; links and joints count from 1, as in the thesis. What the thesis sets to zero is what an array begins with.

Equations named in `printed` are taken as printed, all others as corrected. The numbers of a state may be complex.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy import cross

# equations that are corrected here, each on its own; why is in docs/theory/errata.md
CORRECTED = (
    *("3.13", "3.18", "3.40", "3.51", "3.52", "3.56", "3.58", "3.61", "3.67", "3.68", "3.76", "3.78", "3.79", "3.82", "3.83"),
    *("3.85", "3.86", "3.87", "3.90", "3.91"),
)


@dataclass(frozen=True)
class LinkNumbers:
    """A row of the table, and the link's inertia; q adds to theta, or to d and d_G if the joint is prismatic."""

    prismatic: bool
    theta: float
    d: float
    a: float
    alpha: float
    l: float  # with d_G and alpha: the center of mass, (2.9)
    d_G: float
    mass: float
    I: np.ndarray  # about the center of mass, in frame j


@dataclass(frozen=True)
class Load:
    """Force and moment on link k, in the global frame; the force at r, given in frame k."""

    k: int
    force: np.ndarray
    moment: np.ndarray
    r: np.ndarray

    def reversed(self):
        return replace(self, force=-self.force, moment=-self.moment)


class Quantity:
    """Values v[j] and sensitivities q[j, i], qd[j, i], qdd[j, i] of one symbol; index 0 is the base, n + 1 beyond the tip."""

    def __init__(self, n, dtype, shape=(3,)):
        self.v = np.zeros((n + 2, *shape), dtype)
        self.q, self.qd, self.qdd = (np.zeros((n + 2, n + 1, *shape), dtype) for _ in range(3))

    def by(self):
        return {"q": self.q, "qd": self.qd, "qdd": self.qdd}


class Symbols(dict):
    """Quantities by name; one that is not there yet is zero for all links."""

    def __missing__(self, name):
        shape = {"R": (3, 3), "R0": (3, 3), "tau": (), "f": ()}.get(name, (3,))
        return self.setdefault(name, Quantity(self.n, self.dtype, shape))


def chapter3(links, q, qd, qdd, gravity, load=None, printed=()):
    """Return the Symbols: x, w (omega), wd, xd, xdd, xG.., H, FG, tG (tau_G), Fd, Fp, Fe, td, tp, tef, tem, tau, f."""
    assert set(printed) <= set(CORRECTED), f"{printed}: only {CORRECTED} were corrected"
    n = len(links)
    s = Symbols()
    s.n, s.dtype = n, np.result_type(*(np.asarray(y) for y in (q, qd, qdd)), float)
    e = np.zeros((n + 2, 3))
    s["R0"].v[0] = np.eye(3)  # step 1
    for j, link in enumerate(links, start=1):
        e[j] = 0, np.sin(link.alpha), np.cos(link.alpha)  # R_j' e_z of frame j-1, in frame j: the axis of joint j
        rates = qd[j - 1], qdd[j - 1]
        _positions(s, j, link, q[j - 1], e[j])
        _angular(s, j, link.prismatic, rates, e[j], printed)
        _translational(s, j, link.prismatic, rates, e[j], printed)
        _inertial(s, j, link, gravity, printed)
    _forces(s, n, load, printed)
    _torques(s, n, load, printed)
    _components(s, n, e)
    return s


def _carry(s, to, name, j):
    """(3.8)-(3.10) and the like: a vector of link j-1 in frame j."""
    y, carried, R = s[name], s[to], s["R"]
    before = slice(1, j)
    carried.v[j] = R.v[j].T @ y.v[j - 1]
    carried.q[j, before] = y.q[j - 1, before] @ R.v[j]  # rows: v' R is (R' v)'
    carried.q[j, j] = R.q[j, j].T @ y.v[j - 1]
    carried.qd[j, before] = y.qd[j - 1, before] @ R.v[j]
    carried.qdd[j, before] = y.qdd[j - 1, before] @ R.v[j]


def _positions(s, j, link, q, e):
    """Steps 2 a, b and 5."""
    theta, d, d_G = (link.theta, link.d + q, link.d_G + q) if link.prismatic else (link.theta + q, link.d, link.d_G)
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(link.alpha), np.sin(link.alpha)
    R, dx, dxG, jx, x, xG = (s[name] for name in ("R", "dx", "dxG", "jx", "x", "xG"))
    R.v[j] = [[ct, -ca * st, sa * st], [st, ca * ct, -sa * ct], [0, sa, ca]]  # (2.10)
    dx.v[j] = link.a, d * sa, d * ca  # not in the thesis: (3.2) with a and d
    dxG.v[j] = link.l, d_G * sa, d_G * ca  # (3.2)
    if link.prismatic:
        dx.q[j, j] = e
        dxG.q[j, j] = e  # (3.4)
    else:
        R.q[j, j] = [[-st, -ca * ct, sa * ct], [ct, -ca * st, sa * st], [0, 0, 0]]
    _carry(s, "jx", "x", j)  # (3.23)-(3.25)
    x.v[j] = jx.v[j] + dx.v[j]  # (3.26)
    x.q[j] = jx.q[j] + dx.q[j]  # (3.27), (3.28)
    xG.v[j] = jx.v[j] + dxG.v[j]  # (3.29)
    xG.q[j] = jx.q[j] + dxG.q[j]  # (3.30), (3.31)


def _angular(s, j, prismatic, rates, e, printed):
    """Steps 2 c, 3 and 4: angular velocity and acceleration."""
    before, own = slice(1, j), slice(1, j + 1)
    Dw, jw, w, Dwd, jwd, wd = (s[name] for name in ("Dw", "jw", "w", "Dwd", "jwd", "wd"))
    if not prismatic:
        Dw.v[j] = rates[0] * e  # (3.5)
        Dw.qd[j, j] = e  # (3.6)
    _carry(s, "jw", "w", j)  # (3.8)-(3.10)
    w.v[j] = jw.v[j] + Dw.v[j]  # (3.11)
    w.q[j, own] = jw.q[j, own]  # (3.12), (3.13)
    if not (prismatic and "3.13" in printed):
        w.qd[j, before] = jw.qd[j, before]  # (3.12); (3.13) has 0
    w.qd[j, j] = Dw.qd[j, j]

    _carry(s, "jwd", "wd", j)  # (3.14)-(3.16)
    if not prismatic:
        Dwd.v[j] = rates[1] * e + cross(jw.v[j], Dw.v[j])  # (3.17)
        Dwd.q[j, own] = cross(jw.q[j, own], Dw.v[j])  # (3.18)
        Dwd.qd[j, before] = cross(jw.qd[j, before], Dw.v[j])
        axis = s["R"].q[j, j].T @ [0, 0, 1] if "3.18" in printed else e
        Dwd.qd[j, j] = cross(jw.v[j], axis)
        Dwd.qdd[j, j] = e
    wd.v[j] = jwd.v[j] + Dwd.v[j]  # (3.20)
    wd.q[j, own] = jwd.q[j, own] + Dwd.q[j, own]  # (3.21), (3.22)
    wd.qd[j, own] = jwd.qd[j, own] + Dwd.qd[j, own]
    wd.qdd[j, own] = jwd.qdd[j, own] + Dwd.qdd[j, own]


def _translational(s, j, prismatic, rates, e, printed):
    """Steps 6 and 7: velocity and acceleration of the link's frame and of its center of mass."""
    for name, to in (("xd", "jxd"), ("xdd", "jxdd")):
        _carry(s, to, name, j)  # (3.32)-(3.34), (3.47)-(3.49)
    slide, rise = (rates[0] * e, rates[1] * e) if prismatic else (0 * e, 0 * e)
    for mass, names in enumerate([("dx", "Dxd", "xd", "Dxdd", "xdd"), ("dxG", "DxGd", "xGd", "DxGdd", "xGdd")]):
        dx, Dxd, xd, Dxdd, xdd = (s[name] for name in names)
        _velocity(s, j, prismatic, slide, e, dx, Dxd, xd, not mass and "3.40" in printed)
        # what is printed in the equations of the frame (3.50)-(3.55), or in those of the center of mass (3.56)-(3.61)
        last = slide if mass and "3.56" in printed else rise
        wrong_qdd = not mass and "3.51" in printed, mass and "3.58" in printed
        _acceleration(s, j, prismatic, (slide, last), e, dx, Dxd, Dxdd, not mass and "3.52" in printed, wrong_qdd)
        xdd.v[j] = s["jxdd"].v[j] + Dxdd.v[j]  # (3.53), (3.59)
        for by, sensitivity in xdd.by().items():
            sensitivity[j] = s["jxdd"].by()[by][j] + Dxdd.by()[by][j]  # (3.54), (3.55), (3.60), (3.61)
        if mass and prismatic and "3.61" in printed:
            xdd.q[j] = s["jxd"].q[j] + Dxd.q[j]


def _velocity(s, j, prismatic, slide, e, dx, Dxd, xd, without_delta):
    """Steps 6 b-e."""
    before, w, jxd = slice(1, j), s["w"], s["jxd"]
    Dxd.v[j] = cross(w.v[j], dx.v[j]) + slide  # (3.35), (3.41)
    Dxd.q[j, before] = cross(w.q[j, before], dx.v[j])  # (3.36), (3.37), (3.42), (3.43)
    Dxd.qd[j, before] = cross(w.qd[j, before], dx.v[j])
    Dxd.q[j, j] = cross(w.v[j], dx.q[j, j]) if prismatic else cross(w.q[j, j], dx.v[j])
    Dxd.qd[j, j] = e if prismatic else cross(w.qd[j, j], dx.v[j])
    xd.v[j] = jxd.v[j] + Dxd.v[j]  # (3.38), (3.44)
    xd.q[j] = jxd.q[j] + Dxd.q[j]  # (3.39), (3.40), (3.45), (3.46)
    xd.qd[j] = jxd.qd[j] + Dxd.qd[j]
    if prismatic and without_delta:
        xd.qd[j, before] = jxd.qd[j, before]


def _acceleration(s, j, prismatic, joint, e, dx, Dxd, Dxdd, w_for_wd, wrong_qdd):
    """Steps 7 b, d."""
    own, w, wd, (slide, rise) = slice(1, j + 1), s["w"], s["wd"], joint
    Dxdd.v[j] = cross(wd.v[j], dx.v[j]) + cross(w.v[j], Dxd.v[j] + slide) + rise  # (3.50), (3.56)
    for by in ("q", "qd"):  # (3.51), (3.52), (3.57), (3.58)
        of_w, of_wd, of_Dxd = (y.by()[by][j, own] for y in (w, wd, Dxd))
        Dxdd.by()[by][j, own] = cross(of_wd, dx.v[j]) + cross(of_w, Dxd.v[j] + slide) + cross(w.v[j], of_Dxd)
    Dxdd.qdd[j, own] = cross(wd.qdd[j, own], dx.v[j])
    if prismatic:
        Dxdd.q[j, j] = cross(w.v[j] if w_for_wd else wd.v[j], dx.q[j, j]) + cross(w.v[j], Dxd.q[j, j])
        Dxdd.qd[j, j] = 2 * cross(w.v[j], e)
        Dxdd.qdd[j, j] = 0 * e if wrong_qdd[1] else e  # (3.58) has the velocity of d_G, which no acceleration changes
    elif wrong_qdd[0]:
        Dxdd.qdd[j, own] = cross(w.qdd[j, own], dx.v[j])


def _inertial(s, j, link, gravity, printed):
    """Step 8."""
    before, own = slice(1, j), slice(1, j + 1)
    R, R0, w, wd, H, FG, tG, xGdd = (s[name] for name in ("R", "R0", "w", "wd", "H", "FG", "tG", "xGdd"))
    R0.v[j] = R0.v[j - 1] @ R.v[j]  # (3.62)
    R0.q[j, before] = R0.q[j - 1, before] @ R.v[j]  # (3.63)
    R0.q[j, j] = R0.v[j - 1] @ R.q[j, j]
    H.v[j] = link.I @ w.v[j]  # (3.64)
    H.q[j, own], H.qd[j, own] = w.q[j, own] @ link.I, w.qd[j, own] @ link.I  # (3.65), (3.66); I is symmetric
    up, up_sensitivity = (1 if equation in printed else -1 for equation in ("3.67", "3.68"))
    FG.v[j] = link.mass * (xGdd.v[j] + up * R0.v[j].T @ gravity)  # (3.67)
    FG.q[j, own] = link.mass * (xGdd.q[j, own] + up_sensitivity * gravity @ R0.q[j, own])  # (3.68)
    FG.qd[j, own] = link.mass * xGdd.qd[j, own]
    FG.qdd[j, own] = link.mass * xGdd.qdd[j, own]
    tG.v[j] = link.I @ wd.v[j] + cross(w.v[j], H.v[j])  # (3.69)
    for by in ("q", "qd"):  # (3.70), (3.71)
        of_w, of_wd, of_H = (y.by()[by][j, own] for y in (w, wd, H))
        tG.by()[by][j, own] = of_wd @ link.I + cross(of_w, H.v[j]) + cross(w.v[j], of_H)
    tG.qdd[j, own] = wd.qdd[j, own] @ link.I


def _hand_back(s, y, proximal, j, n):
    """(3.72), (3.73), (3.77), (3.80), (3.81), (3.89): a vector of link j+1 in frame j."""
    if j == n:
        return
    R = s["R"]
    y.v[j] = R.v[j + 1] @ proximal.v[j + 1]
    y.q[j] = proximal.q[j + 1] @ R.v[j + 1].T
    y.q[j, j + 1] += R.q[j + 1, j + 1] @ proximal.v[j + 1]
    y.qd[j] = proximal.qd[j + 1] @ R.v[j + 1].T
    y.qdd[j] = proximal.qdd[j + 1] @ R.v[j + 1].T


def _add(total, part, j, k, sign, zeroed):
    """(3.78)-(3.79), (3.86)-(3.87), (3.90)-(3.91): the part of a load on link k, which changes with q_i, i <= k, alone."""
    total.v[j] += sign * part.v[j]
    total.q[j, : k + 1] += sign * part.q[j, : k + 1]
    if zeroed:
        total.qd[j], total.qdd[j] = 0, 0


def _forces(s, n, load, printed):
    """Step 9 a, b."""
    R0, FG, Fd, Fp, Fe = (s[name] for name in ("R0", "FG", "Fd", "Fp", "Fe"))
    for j in range(n, 0, -1):
        _hand_back(s, Fd, Fp, j, n)  # (3.72), (3.73)
        Fp.v[j] = Fd.v[j] + FG.v[j]  # (3.74)
        for by, sensitivity in Fp.by().items():
            sensitivity[j] = Fd.by()[by][j] + FG.by()[by][j]  # (3.75): F_G,i is zero for i > j
    k = load.k if load else 0
    for j in range(k, 0, -1):
        if j == k:
            Fe.v[j] = (R0.q[k, k] if "3.76" in printed else R0.v[k]).T @ load.force  # (3.76) does not say which i
            Fe.q[j, 1 : k + 1] = load.force @ R0.q[k, 1 : k + 1]  # (3.77)
        else:
            _hand_back(s, Fe, Fe, j, n)
        _add(Fp, Fe, j, k, 1 if "3.78" in printed else -1, "3.79" in printed)


def _torques(s, n, load, printed):
    """Step 9 c, d, e."""
    names = ("R0", "dx", "dxG", "FG", "tG", "Fd", "Fp", "Fe", "td", "tp", "tef", "tem")
    R0, dx, dxG, FG, tG, Fd, Fp, Fe, td, tp, tef, tem = (s[name] for name in names)
    if "3.82" in printed:
        for j in range(n, 0, -1):
            _hand_back(s, Fd, Fp, j, n)  # (3.72) with what (3.78) left in F_jp
    for j in range(n, 0, -1):
        _hand_back(s, td, tp, j, n)  # (3.80), (3.81)
        tp.v[j] = td.v[j] + tG.v[j] - cross(Fd.v[j], dx.v[j]) - cross(FG.v[j], dxG.v[j])  # (3.82)
        for by, sensitivity in tp.by().items():  # (3.83): tau_G,i and F_G,i are zero for i > j
            turned = cross(Fd.by()[by][j], dx.v[j]) + cross(FG.by()[by][j], dxG.v[j])
            sensitivity[j] = td.by()[by][j] + tG.by()[by][j] - turned
        if "3.83" not in printed:
            tp.q[j, j] -= cross(Fd.v[j], dx.q[j, j]) + cross(FG.v[j], dxG.q[j, j])
    k = load.k if load else 0
    for j in range(k, 0, -1):
        if j == k:
            arm = load.r + dx.v[j]
            tef.v[j] = cross(arm, Fe.v[j])  # (3.84)
            arm = dx.v[j] if "3.85" in printed else arm
            tem.v[j] = R0.v[k].T @ load.moment  # (3.88)
            tem.q[j, 1 : k + 1] = load.moment @ R0.q[k, 1 : k + 1]  # (3.89)
        else:
            _hand_back(s, tef, tef, j, n)
            arm = dx.v[j]
            tef.v[j] += cross(arm, Fe.v[j])
            _hand_back(s, tem, tem, j, n)
        tef.q[j] += cross(dx.q[j], Fe.v[j]) + cross(arm, Fe.q[j])  # (3.85)
        _add(tp, tef, j, k, 1 if "3.86" in printed else -1, "3.87" in printed)
        _add(tp, tem, j, k, 1 if "3.90" in printed else -1, "3.91" in printed)


def _components(s, n, e):
    """Step 10: the components along the axis of joint j; R_j,j' e_z is zero."""
    for name, whole in (("tau", "tp"), ("f", "Fp")):
        for j in range(1, n + 1):
            s[name].v[j] = s[whole].v[j] @ e[j]  # (3.92), (3.94)
            for by, sensitivity in s[name].by().items():
                sensitivity[j] = s[whole].by()[by][j] @ e[j]  # (3.93), (3.95)
