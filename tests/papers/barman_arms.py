"""Arms for Barman's steps, each with the same arm in lissom, and the outside reference: complex steps of its recursion."""

from functools import cache, cached_property

import numpy as np

import lissom
from lissom.algorithms.dynamics.inverse_dynamics import inverse_dynamics, joint_wrenches
from lissom.model import Inertia, JointKind
from lissom.model.pose import rotation_about
from lissom.robots.dh_chain import Row, dh_chain
from papers.barman_steps import LinkNumbers, Load, chapter3
from support.complex_step import H, evaluate, jacobians

BY = ("q", "qd", "qdd")


class Case:
    """An arm of the thesis with a state, a load and gravity; `lissom` is the same arm."""

    def __init__(self, links, gravity, load, state):
        self.links, self.gravity, self.load = links, np.asarray(gravity), load
        self.q, self.qd, self.qdd = state
        self.n = len(links)
        rows, inertias = [], []
        for x in links:
            rows.append(Row(x.theta, x.d, x.a, x.alpha, JointKind.PRISMATIC if x.prismatic else JointKind.REVOLUTE))
            along = x.d_G - x.d
            com = (x.l - x.a, along * np.sin(x.alpha), along * np.cos(x.alpha))
            inertias.append(Inertia(x.mass, com, x.I))
        self.model = dh_chain("arm", rows, inertias, "standard", gravity=tuple(gravity))
        self.link = f"link_{load.k}"
        self.external = {self.link: lissom.Wrench(load.force, load.moment, axes="world", point=load.r)}
        self.packed = self.external[self.link].packed()
        self.sliding = np.array([x.prismatic for x in links])

    def thesis(self, printed=(), load=None, gravity=None, state=None):
        q, qd, qdd = state or (self.q, self.qd, self.qdd)
        gravity = self.gravity if gravity is None else gravity
        return chapter3(self.links, q, qd, qdd, gravity, load or self.load, printed)

    @cached_property
    def exact(self):
        """Every symbol of the thesis, {symbol: {"v", "q", "qd", "qdd"}}: corrected values, and their complex steps."""
        state = np.array([self.q, self.qd, self.qdd])
        values = self.thesis()
        found = {name: {"v": y.v, **{by: np.zeros_like(y.by()[by]) for by in BY}} for name, y in values.items()}
        for b, by in enumerate(BY):
            for i in range(self.n):
                moved = state.astype(complex)
                moved[b, i] += 1j * H
                for name, y in self.thesis(state=tuple(moved)).items():
                    found[name][by][:, i + 1] = np.imag(y.v) / H
        return found

    @cached_property
    def from_lissom(self):
        """The same of F_jp and tau_jp, in frame j about the origin of frame j-1, from lissom alone."""
        task = joint_wrenches(self.model, external=((self.link, "world"),))
        n = self.n
        steps = np.concatenate([np.zeros((1, 3 * n)), 1j * H * np.eye(3 * n)])
        states = np.concatenate([self.q, self.qd, self.qdd]) + steps
        q, qd, qdd = np.split(states, 3, axis=1)
        wrenches = evaluate(task, [q, qd, qdd, np.broadcast_to(self.packed, (len(q), 9))]).reshape(-1, n, 2, 3)
        found = {}
        for name, part in (("Fp", 0), ("tp", 1)):
            y = np.zeros((len(q), n + 2, 3), complex)
            for j, x in enumerate(self.links):
                turn = rotation_about((1, 0, 0), x.alpha)
                force, moment = wrenches[:, j, 0], wrenches[:, j, 1]
                # lissom's joint stands where a begins, at d along the axis from the origin of frame j-1
                d = x.d + (q[:, j] if x.prismatic else 0)
                at_origin = moment + np.cross(np.stack([0 * d, 0 * d, d], axis=-1), force)
                y[:, j + 1] = (force, at_origin)[part] @ turn
            rates = np.imag(y[1:]).reshape(3, n, n + 2, 3) / H
            found[name] = {"v": np.real(y[0])}
            for b, by in enumerate(BY):
                found[name][by] = np.zeros((n + 2, n + 1, 3))
                found[name][by][:, 1:] = rates[b].transpose(1, 0, 2)
        return found

    def joint_forces(self, s):
        """Return {"v": (n,), "q": (n, n), ...} of what the drives do: tau_j of turning, f_j of sliding joints."""
        tau, f = s["tau"], s["f"]
        found = {"v": np.where(self.sliding, f.v[1:-1], tau.v[1:-1])}
        for by in BY:
            found[by] = np.where(self.sliding[:, None], f.by()[by][1:-1, 1:], tau.by()[by][1:-1, 1:])
        return found

    @cached_property
    def joint_forces_by_complex_step(self):
        task = inverse_dynamics(self.model, external=((self.link, "world"),))
        state = (self.q, self.qd, self.qdd, self.packed)
        tau = evaluate(task, [x[None] for x in state])[0]
        return {"v": tau, **jacobians(self.model, task, *state)}

    def error(self, printed=(), **changes):
        """Return the largest error of joint forces and their sensitivities, as a share of the largest entry of each."""
        return difference(self.joint_forces(self.thesis(printed, **changes)), self.joint_forces_by_complex_step)

    def wrench_error(self, printed=(), **changes):
        s = self.thesis(printed, **changes)
        return max(difference(parts(s[name]), exact) for name, exact in self.from_lissom.items())


def parts(y):
    return {"v": y.v, **y.by()}


def difference(found, exact):
    assert found.keys() == exact.keys()
    shares = []
    for key, right in exact.items():
        shares.append(np.abs(found[key] - right).max() / max(np.abs(right).max(), 1e-300))
    return max(shares)


@cache
def spatial(seed=0, k=6):
    """R-P-R-P-R-R, all numbers random."""
    rng = np.random.default_rng(seed)
    links = []
    for kind in "RPRPRR":
        points = rng.normal(size=(8, 3))
        second = points.T @ points
        I = 0.01 * (np.trace(second) * np.eye(3) - second)
        theta, alpha = rng.uniform(-3, 3, 2)
        d, a, l, d_G = rng.uniform(0.1, 0.6, 4)
        links.append(LinkNumbers(kind == "P", theta, d, a, alpha, l, d_G, rng.uniform(1, 3), I))
    load = Load(k, 10 * rng.normal(size=3), 3 * rng.normal(size=3), rng.uniform(0.1, 0.3, 3))
    return Case(links, rng.normal(size=3) * 6, load, rng.normal(size=(3, 6)))


@cache
def planar(kinds):
    """The thesis' arms of chapter IV: RR, all in the plane x-y; PR, tables 4.3 and 4.4. Gravity and the load lie in the plane."""
    rod = np.diag([0.0, 0.1, 0.1])
    turning = LinkNumbers(False, 0.3, 0.0, 0.4, 0.0, 0.2, 0.0, 0.5, rod)
    sliding = LinkNumbers(True, np.pi / 2, 0.4, 0.0, np.pi / 2, 0.0, 0.2, 0.5, np.diag([0.1, 0.0, 0.1]))
    force, moment, gravity = (3.0, -2.0, 0.0), (0.0, 0.0, 1.5), (-4.0, -9.0, 0.0)
    if kinds == "PR":  # its plane is y-z of the base
        force, moment, gravity = np.roll(force, 1), np.roll(moment, 1), np.roll(gravity, 1)
    load = Load(2, np.array(force), np.array(moment), np.array([0.1, 0.05, 0.0]))
    state = np.random.default_rng(1).normal(size=(3, 2))
    return Case([sliding if kind == "P" else turning for kind in kinds], gravity, load, state)
