"""Least squares of markers: all frames at once, by Gauss and Newton's steps with exact Jacobians and bounds.

The cost of a frame is sum(w_i |m_i(q) - d_i|^2) / (2 sum(w_i)) + sum(c_k (q_k - r_k)^2) / 2, as OpenSim's, over the markers that
were seen. Markers of one body turn together: with e_i = p + R l_i - d_i, a twist (v, w) of the body changes e_i by v + w x R l_i,
so that its share of gradient and Gauss-Newton matrix are a wrench and a 6 x 6 matrix, of sums over its markers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..robot import Robot

STEPS = 200
FIRST, LEAST, MOST = 1e-6, 1e-14, 1e12  # damping, relative to the diagonal


@dataclass(frozen=True, eq=False)
class Problem:
    """Markers of a robot's links and what they are compared with.

    Attributes:
        robot: of nq = nv coordinates.
        links: names of the links that carry markers.
        which: (M,) index of each marker's link.
        local: (M, 3) places in the links' frames [m].
        seen: (N, M, 3) measured places [m], zero where not seen.
        weights: (N, M) weights, zero where not seen, of sum one in each frame.
        pull, target: (n,) weights and values of coordinates.
        lower, upper: (n,) bounds.
    """

    robot: Robot
    links: tuple[str, ...]
    which: np.ndarray
    local: np.ndarray
    seen: np.ndarray
    weights: np.ndarray
    pull: np.ndarray
    target: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def frames(self, rows: np.ndarray) -> Problem:
        """Return the problem of some frames."""
        return replace(self, seen=self.seen[rows], weights=self.weights[rows])

    def errors(self, q: np.ndarray) -> np.ndarray:
        """Return m(q) - d (N, M, 3) [m], zero for markers that were not seen."""
        poses = np.stack([self.robot.link_pose(q, link) for link in self.links], axis=1)
        return self._errors(poses)

    def _errors(self, poses: np.ndarray) -> np.ndarray:
        mine = poses[:, self.which]
        e = np.einsum("nmij,mj->nmi", mine[..., :3, :3], self.local) + mine[..., :3, 3] - self.seen
        return np.where(self.weights[..., None] > 0, e, 0.0)

    def cost(self, q: np.ndarray) -> np.ndarray:
        """Return the cost of each frame (N,) [m^2]."""
        e = self.errors(q)
        return 0.5 * (self.weights * (e * e).sum(axis=2)).sum(axis=1) + 0.5 * ((q - self.target) ** 2 @ self.pull)

    def model(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return cost (N,), gradient (N, n) and Gauss-Newton matrix (N, n, n)."""
        poses = np.stack([self.robot.link_pose(q, link) for link in self.links], axis=1)
        J = np.stack([self.robot.jacobian(q, link) for link in self.links], axis=1)  # (N, B, 6, n), at the links' origins
        e, w = self._errors(poses), self.weights
        arm = np.einsum("nmij,mj->nmi", poses[:, self.which, :3, :3], self.local)
        member = np.eye(len(self.links))[self.which]  # (M, B)
        sums = np.concatenate([w[..., None], w[..., None] * arm, w[..., None] * e, w[..., None] * np.cross(arm, e)], axis=2)
        total = np.einsum("nmk,mb->nbk", sums, member)
        outer = np.einsum("nm,nmi,nmj,mb->nbij", w, arm, arm, member, optimize=True)
        G = np.zeros((*total.shape[:2], 6, 6))
        G[..., range(3), range(3)] = total[..., :1]
        s = _crossed(total[..., 1:4])
        G[..., :3, 3:], G[..., 3:, :3] = -s, s
        G[..., 3:, 3:] = np.trace(outer, axis1=2, axis2=3)[..., None, None] * np.eye(3) - outer
        wrench = total[..., 4:]
        flat = J.reshape(len(q), -1, q.shape[1])
        A = flat.transpose(0, 2, 1) @ (G @ J).reshape(flat.shape)
        g = np.einsum("nkj,nk->nj", flat, wrench.reshape(len(q), -1))
        cost = 0.5 * (w * (e * e).sum(axis=2)).sum(axis=1) + 0.5 * ((q - self.target) ** 2 @ self.pull)
        return cost, g + self.pull * (q - self.target), A + np.diag(self.pull)


def solve(problem: Problem, q: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates (N, n) from first ones, and whether each frame has come to rest.

    Steps are damped where the cost would grow (Levenberg and Marquardt). A coordinate at a bound that its gradient pushes against
    stands still.
    """
    q = np.clip(q, problem.lower, problem.upper)
    rest = np.zeros(len(q), bool)
    damping = np.full(len(q), FIRST)
    todo = np.arange(len(q))
    eye = np.eye(q.shape[1])
    for _ in range(STEPS):
        part, x = problem.frames(todo), q[todo]
        cost, g, A = part.model(x)
        held = ((x <= part.lower) & (g > 0)) | ((x >= part.upper) & (g < 0))
        free = ~held
        A = A * (free[:, :, None] & free[:, None, :])
        diagonal = np.einsum("nii->ni", A)
        scale = np.maximum(diagonal, 1e-12 * np.maximum(diagonal.max(axis=1, keepdims=True), 1e-300))
        step = np.zeros_like(x)
        waiting = np.arange(len(todo))
        while len(waiting):  # longer damping until the cost does not grow
            lam = damping[todo[waiting]]
            B = A[waiting] + eye * (lam[:, None] * scale[waiting] + held[waiting])[:, None, :]
            d = np.linalg.solve(B, -(g * free)[waiting][..., None])[..., 0]
            to = np.clip(x[waiting] + d, part.lower, part.upper)
            better = part.frames(waiting).cost(to) <= cost[waiting] * (1.0 + 1e-14) + 1e-300
            step[waiting[better]] = (to - x[waiting])[better]
            damping[todo[waiting]] = np.where(better, np.maximum(lam / 10.0, LEAST), lam * 10.0)
            waiting = waiting[~better & (damping[todo[waiting]] < MOST)]
        q[todo] = x + step
        done = np.abs(step).max(axis=1) <= tolerance
        damping[todo[damping[todo] >= MOST]] = FIRST
        rest[todo[done]] = True
        todo = todo[~done]
        if not len(todo):
            break
    return q, rest


def _crossed(x: np.ndarray) -> np.ndarray:
    """Return the matrices (..., 3, 3) of x cross."""
    found = np.zeros((*x.shape[:-1], 3, 3))
    found[..., 0, 1], found[..., 0, 2], found[..., 1, 2] = -x[..., 2], x[..., 1], -x[..., 0]
    return found - found.swapaxes(-1, -2)
