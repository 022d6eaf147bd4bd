"""Smooth motions with exact velocities, accelerations and jerks: polynomials in the coordinates, quaternions of any length.

Derivatives come from truncated power series about a time, on the manifold of each joint, and from nothing of lissom.
"""

import numpy as np

from lissom.model import JointKind, Model

K = 5  # coefficients kept of a series in the time from now
STEP = 4e-3
NODES = STEP * np.array([1, 2, 3, 4, -1, -2, -3, -4])
WEIGHTS = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280, -4 / 5, 1 / 5, -4 / 105, 1 / 280]) / STEP


def times(a, b):
    return np.convolve(a, b)[:K]


def over(a, b):
    """Return a / b."""
    c = np.zeros(K)
    for k in range(K):
        c[k] = (a[k] - sum(c[i] * b[k - i] for i in range(k))) / b[0]
    return c


def rate(a):
    return np.append(a[1:] * np.arange(1, K), 0.0)


def sine_cosine(a):
    s, c, da = np.zeros(K), np.zeros(K), rate(a)
    s[0], c[0] = np.sin(a[0]), np.cos(a[0])
    for k in range(K - 1):
        s[k + 1] = sum(c[i] * da[k - i] for i in range(k + 1)) / (k + 1)
        c[k + 1] = -sum(s[i] * da[k - i] for i in range(k + 1)) / (k + 1)
    return s, c


def cross(a, b):
    return [times(a[i - 2], b[i - 1]) - times(a[i - 1], b[i - 2]) for i in range(3)]


def angular_velocity(u):
    """Return w in the turning axes, of a quaternion x y z w of any length: twice the vector of u* u' over u u."""
    v, s = u[:3], u[3]
    dv, ds = [rate(x) for x in v], rate(s)
    twist = [times(s, dv[i]) - times(ds, v[i]) - c for i, c in enumerate(cross(v, dv))]
    norm = sum(times(x, x) for x in u)
    return [2 * over(x, norm) for x in twist]


def turned_back(u, p):
    """Return R(u)' p: p + 2 (v x (v x p) - s v x p) / (u u)."""
    v, s = u[:3], u[3]
    once = cross(v, p)
    norm = sum(times(x, x) for x in u)
    return [p[i] + 2 * over(c - times(s, once[i]), norm) for i, c in enumerate(cross(v, once))]


class SmoothMotion:
    """Coordinates, velocities, accelerations and jerks of a model at any time, and of its base."""

    def __init__(self, model: Model, seed=0, scale=0.6) -> None:
        self.model = model
        rng = np.random.default_rng(seed)
        self.coordinates = rng.uniform(-scale, scale, (model.nq, K))
        self.coordinates[:, 0] *= 3
        self.orientation = rng.uniform(-scale, scale, (4, K))
        self.position = rng.uniform(-scale, scale, (3, K))
        self.wrench = 10 * rng.uniform(-scale, scale, (9, K))
        start = 0
        for joint in model.independent_joints:
            start += joint.kind.nq
            if joint.kind.nq > joint.kind.nv:
                self.coordinates[start - 1, 0] = 2.0  # keeps the quaternion away from zero
        self.orientation[3, 0] = 2.0

    def state(self, t):
        """Return q, qd, qdd, qddd, at one time or many."""
        if np.ndim(t):
            return [np.array(x) for x in zip(*map(self.state, t), strict=True)]
        q, v, start = [about(p, t) for p in self.coordinates], [], 0
        for joint in self.model.independent_joints:
            v += _velocity(joint.kind, q[start : start + joint.kind.nq])
            start += joint.kind.nq
        v = np.array(v)
        return [np.array([x[0] for x in q]), v[:, 0], v[:, 1], 2 * v[:, 2]]

    def base(self, t):
        """Return the fields of a BaseMotion, at one time or many."""
        if np.ndim(t):
            fields = [self.base(x) for x in t]
            return {name: np.array([f[name] for f in fields]) for name in fields[0]}
        u, p = [about(x, t) for x in self.orientation], [about(x, t) for x in self.position]
        w = np.array(angular_velocity(u))
        still = [np.append(x[0], np.zeros(K - 1)) for x in u]  # the axes of now
        second, third = [2 * x[2] for x in p], [6 * x[3] for x in p]
        a, j = (np.array([x[0] for x in turned_back(still, [constant(x) for x in value])]) for value in (second, third))
        return {
            "orientation": [x[0] for x in u],
            "angular_velocity": w[:, 0],
            "angular_acceleration": w[:, 1],
            "angular_jerk": 2 * w[:, 2] + np.cross(w[:, 0], w[:, 1]),
            "acceleration": a,
            "jerk": j,
        }

    def load(self, t):
        """Return force, moment and point of a wrench, and their rates, at one time or many."""
        if np.ndim(t):
            return [np.array(x) for x in zip(*map(self.load, t), strict=True)]
        x = np.array([about(p, t) for p in self.wrench])
        return [*x[:, 0].reshape(3, 3), *x[:, 1].reshape(3, 3)]


def constant(x):
    return np.append(x, np.zeros(K - 1))


def about(p, t):
    """Return the coefficients of a polynomial in the time from t."""
    shifted = np.polynomial.Polynomial(p)(np.polynomial.Polynomial([t, 1.0])).coef
    return np.append(shifted, np.zeros(K))[:K]


def _velocity(kind, q):
    if kind is JointKind.SPHERICAL:
        return angular_velocity(q)
    if kind is JointKind.FLOATING:
        return [*turned_back(q[3:], [rate(x) for x in q[:3]]), *angular_velocity(q[3:])]
    if kind is JointKind.PLANAR:
        s, c = sine_cosine(q[2])
        x, y = rate(q[0]), rate(q[1])
        return [times(c, x) + times(s, y), times(c, y) - times(s, x), rate(q[2])]
    return [rate(q[0])]


def slope(values):
    """Return the derivative at zero of what has these values at NODES, by central differences of order eight."""
    return np.tensordot(WEIGHTS, values, 1)
