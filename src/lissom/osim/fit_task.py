"""One step of the least squares of markers as a compiled program: cost, gradient and the damped Gauss-Newton step.

With x the place of a marker, e = x - d its error and w its weight, a motion (v, omega) at the world's origin changes e by
v + omega x x. Sums over markers of w, w x, w x x', w e and w x x e add up from the tips of the tree inward, as composite inertias
do, so that (as in the composite rigid body algorithm) with the unit motion S of each joint direction

    gradient_i = S_i . (sum w e, sum w x x e),     matrix_ij = S_i . G_j S_j,   i before j,   G = sum w [1, -x; x, -x x] (crossed)

over the markers that joint j moves. The step solves (A + lambda D) step = -gradient by a factor L D L', with D the diagonal of A;
a coordinate at a bound that its gradient pushes against stands still.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..algorithms.kinematics.jacobian import motion_at
from ..algorithms.kinematics.kinematics import Frame, frames_in_world
from ..algorithms.loads import Situation, laid_out_task
from ..algorithms.step import share_of
from ..compiler.program import Port
from ..compiler.task import Task
from ..model.fingerprint import full_text
from ..model.model import Model
from ..spatial.scalar import Scalar, add, less, mul, select, sub
from ..spatial.twist import Twist
from ..spatial.vector import ZERO, Vector
from ..tree import BASE, Tree, reframe

Place = tuple[str, tuple[float, float, float]]  # a link, and a point in its frame [m]
SMALL = 1e-12  # share of the largest diagonal entry that every one has at least


class Sums:
    """Sums over markers: of w, w x, w x x' (xx, xy, xz, yy, yz, zz), w e and w x x e."""

    def __init__(self) -> None:
        self.w: Scalar = 0.0
        self.s, self.f, self.m = ZERO, ZERO, ZERO
        self.outer: list[Scalar] = [0.0] * 6

    def include(self, x: Vector, e: Vector, w: Scalar) -> None:
        """Add a marker."""
        wx, we = x * w, e * w
        self.w, self.s, self.f, self.m = add(self.w, w), self.s + wx, self.f + we, self.m + x.cross(we)
        a, b = list(x), list(wx)
        pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
        self.outer = [add(old, mul(a[i], b[j])) for old, (i, j) in zip(self.outer, pairs, strict=True)]

    def join(self, other: Sums) -> None:
        """Add the sums of other markers."""
        self.w, self.s, self.f, self.m = add(self.w, other.w), self.s + other.s, self.f + other.f, self.m + other.m
        self.outer = [add(a, b) for a, b in zip(self.outer, other.outer, strict=True)]

    def times(self, S: Twist) -> Twist:
        """Return G S."""
        v, omega = S
        xx, xy, xz, yy, yz, zz = self.outer
        trace, (a, b, c) = add(add(xx, yy), zz), omega
        turned = Vector(
            add(add(mul(xx, a), mul(xy, b)), mul(xz, c)),
            add(add(mul(xy, a), mul(yy, b)), mul(yz, c)),
            add(add(mul(xz, a), mul(yz, b)), mul(zz, c)),
        )
        return v * self.w + omega.cross(self.s), self.s.cross(v) + (omega * trace - turned)


def marker_step(model: Model, places: tuple[Place, ...], pull: Sequence[float], bounds: Sequence[tuple[float, float]]) -> Task:
    """Return the task that gives the cost (1), squared distances (M) [m^2] and the step (n).

    Its inputs are q, measured places (3 M) [m], weights (M), targets of coordinates (n) and the damping (1).

    Args:
        model: of a robot whose coordinates add up.
        places: of the M markers.
        pull: weights of coordinates (n).
        bounds: lowest and highest value of each coordinate.
    """
    n = model.nv

    def text(s: Situation) -> list[list[Scalar]]:
        tree, q, target = s.tree, list(s["q"]), list(s["target"])
        frames = frames_in_world(tree, q, range(len(tree.bodies)))
        sums, squared, cost = _sums(tree, frames, places, list(s["seen"]), list(s["weights"]))
        A, g = _normal(tree, q, frames, sums, n)
        for k, c in enumerate(pull):
            off = sub(q[k], target[k])
            g[k], A[k][k] = add(g[k], mul(c, off)), add(A[k][k], c)
            cost = add(cost, mul(0.5 * c, mul(off, off)))
        held = [_held(q[k], g[k], *bounds[k]) for k in range(n)]
        return [[cost], squared, _solved(A, g, held, s["damping"][0])]

    M = len(places)
    inputs = {"q": model.nq, "seen": 3 * M, "weights": M, "target": n, "damping": 1}
    outputs = [Port("cost", 1), Port("squared", M), Port("step", n)]
    key = f"marker_step[{full_text(places)} {full_text(tuple(pull))} {full_text(tuple(bounds))}]"
    return laid_out_task(key, model, inputs, outputs, text, layouts=(reframe,))


def _sums(
    tree: Tree, frames: dict[int, Frame], places: Sequence[Place], seen: list[Scalar], weights: list[Scalar]
) -> tuple[dict[int, Sums], list[Scalar], Scalar]:
    """Return sums over the markers that each body moves, squared distances, and the cost."""
    sums = {j: Sums() for j in (BASE, *range(len(tree.bodies)))}
    squared: list[Scalar] = []
    cost: Scalar = 0.0
    for k, (link, point) in enumerate(places):
        body, pose = tree.places[link]
        x = frames[body].p + frames[body].R @ Vector.of(pose.R @ point + pose.p)
        e = x - Vector(*seen[3 * k : 3 * k + 3])
        squared.append(e.dot(e))
        cost = add(cost, mul(0.5, mul(weights[k], squared[-1])))
        sums[body].include(x, e, weights[k])
    for j in reversed(range(len(tree.bodies))):
        sums[tree.bodies[j].parent].join(sums[j])
    return sums, squared, cost


def _normal(
    tree: Tree, q: list[Scalar], frames: dict[int, Frame], sums: dict[int, Sums], n: int
) -> tuple[list[list[Scalar]], list[Scalar]]:
    """Return the Gauss-Newton matrix and the gradient."""
    A: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    g: list[Scalar] = [0.0] * n
    motions: dict[int, list[tuple[int, Twist]]] = {}
    for j, body in enumerate(tree.bodies):
        if body.spins:
            motions[j] = []
            continue
        share = share_of(body, q)
        unit = [motion_at(frames[j], S, ZERO) for S in body.directions]
        motions[j] = [(body.iv + k, (v * share, w * share)) for k, (v, w) in enumerate(unit)]
    for j in range(len(tree.bodies)):
        for k, (v, w) in motions[j]:
            g[k] = add(g[k], add(v.dot(sums[j].f), w.dot(sums[j].m)))
            linear, angular = sums[j].times((v, w))
            i = j
            while i != BASE:
                for at, (a, b) in motions[i]:
                    if i == j and at > k:
                        continue
                    value = add(a.dot(linear), b.dot(angular))
                    A[k][at] = add(A[k][at], value)
                    if (i, at) != (j, k):
                        A[at][k] = add(A[at][k], value)
                i = tree.bodies[i].parent
    return A, g


def _held(q: Scalar, g: Scalar, lower: float, upper: float) -> Scalar:
    """Return 1 where a coordinate is at a bound that its gradient pushes against, otherwise 0."""
    found: Scalar = 0.0
    if lower > -float("inf"):
        found = add(found, mul(sub(1.0, less(lower, q)), less(0.0, g)))
    if upper < float("inf"):
        found = add(found, mul(sub(1.0, less(q, upper)), less(g, 0.0)))
    return found


def _solved(A: list[list[Scalar]], g: list[Scalar], held: list[Scalar], damping: Scalar) -> list[Scalar]:
    """Return the step, zero where held: (A + damping * diagonal) step = -g by L D L' of the lower triangle."""
    n = len(g)
    free = [sub(1.0, h) for h in held]
    most: Scalar = 0.0
    for k in range(n):
        most = select(less(most, A[k][k]), A[k][k], most)
    L: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    D: list[Scalar] = []
    for j in range(n):
        least = add(mul(SMALL, most), 1e-300)
        size = select(less(A[j][j], least), least, A[j][j])
        d = add(mul(free[j], add(A[j][j], mul(damping, size))), held[j])
        for k in range(j):
            d = sub(d, mul(L[j][k], mul(L[j][k], D[k])))
        D.append(d)
        for i in range(j + 1, n):
            value = mul(mul(free[i], free[j]), A[i][j])
            for k in range(j):
                value = sub(value, mul(L[i][k], mul(L[j][k], D[k])))
            L[i][j] = value / d if not (isinstance(value, float) and value == 0.0) else 0.0
    x = [mul(-1.0, mul(f, value)) for f, value in zip(free, g, strict=True)]
    for i in range(n):
        for k in range(i):
            x[i] = sub(x[i], mul(L[i][k], x[k]))
    x = [value / d for value, d in zip(x, D, strict=True)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            x[i] = sub(x[i], mul(L[k][i], x[k]))
    return x
