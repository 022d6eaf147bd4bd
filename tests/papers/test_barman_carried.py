"""Why lissom's sensitivities are Barman's: what q_i changes is one motion that joint i carries outward, and no more is needed.

The page docs/theory/sensitivities.md derives what is put into numbers here.
"""

import numpy as np
import pytest

from lissom.algorithms.derivatives.tasks import inverse_dynamics_derivatives
from lissom.compiler.program import Port
from lissom.compiler.trace import trace
from lissom.spatial.scalar import add, mul, sincos, sub
from papers.barman_arms import BY, Case, spatial
from papers.barman_steps import LinkNumbers, Load, chapter3

EXACT = 1e-10


def crossed(V, S):
    """V x S of motions (linear, angular)."""
    return np.cross(V[1], S[0]) + np.cross(V[0], S[1]), np.cross(V[1], S[1])


def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


def outward(s, motion, j):
    """A motion at the origin of frame j-1, in its axes: the same at the origin of frame j."""
    R, dx = s["R"].v[j], s["dx"].v[j]
    linear, angular = R.T @ motion[0], R.T @ motion[1]
    return linear + np.cross(angular, dx), angular


def before(s, j):
    """Spatial velocity and acceleration of link j-1, at the origin of frame j, in its axes."""
    v, w, a, dw = (s[name].v[j - 1] for name in ("xd", "w", "xdd", "wd"))
    return outward(s, (v, w), j), outward(s, (a - np.cross(w, v), dw), j)


def test_sensitivities_of_motions_are_what_the_joint_carries_outwards():
    arm = spatial()
    s = arm.thesis()
    largest = {(name, by): np.abs(s[name].by()[by]).max() for name in ("w", "xd", "wd", "xdd") for by in BY}
    for i, link in enumerate(arm.links, start=1):
        e = s["R"].v[i].T @ [0, 0, 1]
        S = (e, 0 * e) if link.prismatic else (np.cross(e, s["dx"].v[i]), e)
        V, A = before(s, i)
        Psi1 = crossed(V, S)
        Psi2 = plus(crossed(A, S), crossed(V, Psi1))
        both = plus(Psi1, Psi1)  # Psi' + S', which are the same for a joint with one velocity
        for j in range(i, arm.n + 1):
            if j > i:
                S, Psi1, Psi2, both = (outward(s, motion, j) for motion in (S, Psi1, Psi2, both))
            v, w = s["xd"].v[j], s["w"].v[j]
            for by, velocity, acceleration in (("q", Psi1, Psi2), ("qd", S, both), ("qdd", (0, 0), S)):
                turned = np.broadcast_to(velocity[1], 3)
                expected = {
                    "xd": velocity[0],
                    "w": velocity[1],
                    "xdd": acceleration[0] + 2 * np.cross(turned, v),  # the rate of a point's velocity, not a spatial one
                    "wd": acceleration[1] + np.cross(turned, w),
                }
                for name, value in expected.items():
                    error = np.abs(s[name].by()[by][j, i] - value).max()
                    assert error <= EXACT * largest[name, by], (name, by, j, i)


class Counted:
    """A symbol of lissom's trace that NumPy's functions take, so that the transcription can be traced as it stands."""

    def __init__(self, symbol):
        self.symbol = symbol

    def __add__(self, other):
        return Counted(add(self.symbol, plain(other)))

    def __sub__(self, other):
        return Counted(sub(self.symbol, plain(other)))

    def __rsub__(self, other):
        return Counted(sub(plain(other), self.symbol))

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return np.array([self * x for x in other], dtype=object)
        return Counted(mul(self.symbol, plain(other)))

    def __neg__(self):
        return self * -1.0

    def sin(self):
        return Counted(sincos(self.symbol)[0])

    def cos(self):
        return Counted(sincos(self.symbol)[1])

    __radd__, __rmul__ = __add__, __mul__


def plain(x):
    return x.symbol if isinstance(x, Counted) else float(x)


def general_arm(n):
    """Return an arm of n revolute joints whose numbers are all different, under gravity in no special direction."""
    rng = np.random.default_rng(0)
    links = []
    for _ in range(n):
        points = rng.normal(size=(8, 3))
        second = points.T @ points
        links.append(LinkNumbers(False, *rng.uniform(0.1, 1, 6), rng.uniform(1, 3), np.trace(second) * np.eye(3) - second))
    return Case(links, (1.0, 2.0, -9.0), Load(n, *np.ones((3, 3))), np.zeros((3, n)))


def explicit_operations(arm):
    """Return multiplications and additions of steps 1-10 for joint forces and their sensitivities, by lissom's trace."""

    def text(*state):
        s = chapter3(arm.links, *(np.array([Counted(x) for x in y], dtype=object) for y in state), arm.gravity)
        return [[plain(x) for x in y.ravel()] for y in arm.joint_forces(s).values()]

    outputs = [Port("tau", arm.n), *(Port(f"d{by}", arm.n**2) for by in BY)]
    count = trace("steps 1-10", [Port(by, arm.n) for by in BY], outputs, text).operation_count()
    return count.multiplications, count.additions


def test_counting_does_not_change_the_numbers():
    arm = general_arm(3)
    state = np.random.default_rng(2).normal(size=(3, 3))
    wrapped = [np.array([Counted(float(x)) for x in y], dtype=object) for y in state]
    counted, numbers = chapter3(arm.links, *wrapped, arm.gravity), chapter3(arm.links, *state, arm.gravity)
    for part, exact in arm.joint_forces(numbers).items():
        found = np.array([plain(x) for x in arm.joint_forces(counted)[part].ravel()]).reshape(exact.shape)
        assert np.allclose(found, exact, rtol=1e-13, atol=1e-13 * np.abs(exact).max())


@pytest.mark.parametrize("n", [3, 7])
def test_differentiating_step_by_step_costs_more_than_twice_as_much(n):
    arm = general_arm(n)
    ours = inverse_dynamics_derivatives(arm.model).program("arm").operation_count()
    multiplications, additions = explicit_operations(arm)
    assert multiplications > 2 * ours.multiplications
    assert additions > 2 * ours.additions
