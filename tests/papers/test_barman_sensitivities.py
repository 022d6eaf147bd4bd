"""Barman 2020, chapter III: corrected, its sensitivities are those of lissom; each equation that was corrected fails as printed.

The outside reference is a complex step through lissom's recursion, of which nothing was differentiated by hand.
"""

from functools import cache, cached_property

import numpy as np
import pytest

import lissom
from lissom.algorithms.inverse_dynamics import inverse_dynamics, joint_wrenches
from lissom.model import Inertia, JointKind
from lissom.model.pose import rotation_about
from lissom.robots.dh_chain import Row, dh_chain
from papers.barman_steps import CORRECTED, LinkNumbers, Load, chapter3
from support.complex_step import H, evaluate, jacobians

EXACT = 1e-10
WRONG = 1e-3  # far above rounding: the smallest error of a printed equation is 2e-2
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
        self.external = {self.link: lissom.Wrench(load.force, load.moment, frame="world", point=load.r)}
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


# the symbols that each corrected equation is for
SYMBOLS = {
    **dict.fromkeys(["3.51", "3.52"], "Dxdd"),
    **dict.fromkeys(["3.56", "3.58"], "DxGdd"),
    **dict.fromkeys(["3.67", "3.68"], "FG"),
    **dict.fromkeys(["3.78", "3.79"], "Fp"),
    **dict.fromkeys(["3.82", "3.83", "3.86", "3.87", "3.90", "3.91"], "tp"),
}
SYMBOLS |= {"3.13": "w", "3.18": "Dwd", "3.40": "xd", "3.61": "xGdd", "3.76": "Fe", "3.85": "tef"}
SIGNS = ("3.67", "3.68", "3.78", "3.86", "3.90")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [2, 5, 6])
def test_corrected_the_wrenches_of_joints_and_their_sensitivities_are_those_of_lissom(seed, k):
    arm = spatial(seed, k)
    assert arm.wrench_error() < EXACT
    assert arm.error() < EXACT
    robot = lissom.Robot(arm.model)
    tau = robot.inverse_dynamics(arm.q, arm.qd, arm.qdd, arm.external)
    assert np.abs(arm.joint_forces(arm.thesis())["v"] - tau).max() < EXACT * np.abs(tau).max()


@pytest.mark.parametrize("seed", range(2))
def test_corrected_every_sensitivity_is_the_complex_step_of_its_value(seed):
    arm = spatial(seed, 5)
    for name, y in arm.thesis().items():
        assert difference(parts(y), arm.exact[name]) < EXACT, name


def test_positions_velocities_and_accelerations_are_those_of_lissom():
    """With twice omega x d-dot for a sliding joint: (3.50) adds it once more to the one within Delta x-dot, and is right."""
    arm = spatial()
    robot, s = lissom.Robot(arm.model, backend="numpy"), arm.thesis()
    for j, x in enumerate(arm.links, start=1):
        name, com = f"link_{j}", np.subtract(s["dxG"].v[j], s["dx"].v[j])
        pose = robot.link_pose(arm.q, name)
        found = {"R0": pose[:3, :3], "x": pose[:3, :3].T @ pose[:3, 3], "xG": pose[:3, :3].T @ (pose[:3, 3] + pose[:3, :3] @ com)}
        found["xd"], found["w"] = np.split(robot.link_velocity(arm.q, arm.qd, name, frame="link"), 2)
        found["xdd"], found["wd"] = np.split(robot.link_acceleration(arm.q, arm.qd, arm.qdd, name, frame="link"), 2)
        found["xGd"] = robot.link_velocity(arm.q, arm.qd, name, frame="link", point=com)[:3]
        found["xGdd"] = robot.link_acceleration(arm.q, arm.qd, arm.qdd, name, frame="link", point=com)[:3]
        for symbol, value in found.items():
            assert np.allclose(s[symbol].v[j], value, rtol=0, atol=1e-12 * max(1, np.abs(value).max())), (symbol, j, x)


@pytest.mark.parametrize("equation", CORRECTED)
def test_each_equation_that_was_corrected_fails_as_printed(equation):
    arm, symbol = spatial(), SYMBOLS[equation]
    assert difference(parts(arm.thesis()[symbol]), arm.exact[symbol]) < EXACT
    assert difference(parts(arm.thesis([equation])[symbol]), arm.exact[symbol]) > WRONG
    assert arm.error() < EXACT
    # no force depends on the velocity of a frame: accelerations are found from those before, and Delta x-dot
    if equation != "3.40":
        assert arm.error([equation]) > WRONG
        assert arm.wrench_error([equation]) > WRONG


def test_the_printed_velocity_of_a_sliding_link_reaches_no_force():
    arm = spatial()
    assert arm.error(["3.40"]) < EXACT
    assert arm.wrench_error(["3.40"]) < EXACT


# in forces and torques of drives; RR moves in a plane, and the thesis' own PR arm does too
UNSEEN = {
    "RR": {"3.13", "3.18", "3.40", "3.52", "3.56", "3.58", "3.61", "3.78", "3.79", "3.83"},
    "PR": {"3.13", "3.18", "3.40", "3.51", "3.52", "3.61", "3.82", "3.83"},
}


@pytest.mark.parametrize("kinds", UNSEEN)
def test_planar_arms_do_not_expose_most_misprints(kinds):
    arm = planar(kinds)
    assert arm.error() < EXACT
    unseen = {equation for equation in CORRECTED if arm.error([equation]) < EXACT}
    assert unseen == UNSEEN[kinds]
    assert all(arm.error([equation]) > WRONG for equation in set(CORRECTED) - unseen)


def test_the_wrench_in_the_slide_of_the_printed_arm_exposes_what_its_drives_do_not():
    arm = planar("PR")
    assert arm.wrench_error() < EXACT
    seen = {equation for equation in UNSEEN["PR"] if arm.wrench_error([equation]) > WRONG}
    assert seen == {"3.82", "3.83"}


def test_the_printed_signs_want_gravity_upwards_and_loads_on_the_environment():
    arm = spatial()
    assert arm.error(["3.67", "3.68"], gravity=-arm.gravity) < EXACT
    assert arm.error(["3.78", "3.86", "3.90"], load=arm.load.reversed()) < EXACT


def test_at_rest_the_printed_signs_are_those_of_the_printed_reaction():
    """F_jp as the nomenclature has it, of link j on link j-1: gravity and loads are then right, but inertia is not."""
    arm, still = spatial(), np.zeros(6)
    printed, right = (arm.thesis(choice, state=(arm.q, still, still)) for choice in (SIGNS, ()))
    for symbol in ("Fp", "tp"):
        assert np.allclose(printed[symbol].v, -right[symbol].v, rtol=0, atol=1e-12)
        assert np.allclose(printed[symbol].q, -right[symbol].q, rtol=0, atol=1e-12)
    assert arm.wrench_error(SIGNS) > WRONG
    assert difference({"v": -arm.thesis(SIGNS)["Fp"].v}, {"v": arm.exact["Fp"]["v"]}) > WRONG


def test_a_load_that_is_fixed_in_space_turns_only_with_the_joints_before():
    """(3.77) carries zeros: F^e_jd is the load in frame j, so what lies beyond j does not change it."""
    arm = spatial()
    Fe = arm.thesis()["Fe"]
    for j in range(1, arm.n + 1):
        assert np.abs(Fe.q[j, j + 1 :]).max(initial=0) < 1e-14 * np.abs(Fe.q).max()
