"""Recorded motions for identification: sums of sines, with noise of sensors."""

import numpy as np

from lissom.identify import Measurement


def sines(n, T=10.0, rate=200.0, seed=2, harmonics=8, size=1.0):
    """Return t (N,), q, qd, qdd (N, n) of sums of sines."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, T, 1.0 / rate)
    w = 2 * np.pi / T * np.arange(1, harmonics + 1)
    a = size * rng.uniform(-1, 1, (2, harmonics, n)) / w[:, None]
    s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    return t, s @ a[0] + c @ a[1], (c * w) @ a[0] - (s * w) @ a[1], -(s * w**2) @ a[0] - (c * w**2) @ a[1]


def recorded(robot, true=None, noise=0.02, encoder=1e-5, seed=0, rates=False, **motion):
    """Return a Measurement of `robot` whose torques are those of `true`, with noise as a share of each largest torque."""
    t, q, qd, qdd = sines(robot.nv, **motion)
    tau = (true or robot).inverse_dynamics(q, qd, qdd)
    rng = np.random.default_rng(seed)
    tau = tau + noise * np.abs(tau).max(axis=0) * rng.normal(size=tau.shape)
    q = q + encoder * rng.normal(size=q.shape)
    return Measurement(robot, t, q, tau, *((qd, qdd) if rates else ()))
