"""Every quantity by its name, in every setting that has it: derivatives beside differences of values, and complex steps."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, Robot
from lissom.algorithms.contacts.loads import GIVEN
from lissom.algorithms.elastic.links import PATH
from lissom.predict import State
from lissom.predict.quantities.by_name import Quantities
from lissom.robots import tree_model
from support.complex_step import H, evaluate
from support.elastic_arms import chain, one_joint

POINT, TURN = (0.1, -0.2, 0.3), (0.3, -0.2, 0.5, 0.8)
SOLE = ((0.1, -0.2, 0.3), (0.2, -0.2, 0.3))
SLOPE = {"normal": (0.3, 0.2, 1.0), "point": (0.1, 0.2, -0.5), "along": (1, 1, 0)}
FLOATING = tree_model(3, branching=1.0, skew=0.7, seed=6, kinds=["floating", "revolute", "prismatic"], drives=True)
BALLS = tree_model(2, branching=1.0, skew=0.7, seed=3, kinds=["planar", "spherical"], drives=True)
LINKS = [link.name for link in FLOATING.links]
STEP, STENCIL = 0.004, ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))  # central differences of order eight


def pushed():
    """Return a robot on a slope and on another link, in two phases, with a push beside."""
    problem = MotionProblem(Robot(FLOATING, backend="numpy"), control_points=8).phases({"one": 0.3, "two": (0.2, 0.4)})
    problem.contact("foot", LINKS[-1], SOLE, surface=SLOPE, during="two")
    problem.contact("lid", LINKS[-2], POINT, surface={"link": LINKS[-1], "normal": (0, 1, 1)}, place=(0.1, None), cone="cone")
    return problem.channel("push", ("fx", "mz"), link=LINKS[1], axes="link", point=POINT).quantities


def split():
    problem = MotionProblem(Robot(FLOATING, backend="numpy"), control_points=8)
    problem.split_ground((LINKS[-2], {"link": LINKS[-1], "point": POINT}), internal=True)
    return problem.quantities


def pushed_springs():
    """Return an arm with motors behind springs, whose last link rests on the first one and is pushed."""
    robot = chain(backend="numpy")
    links = [link.name for link in robot.model.links]
    problem = MotionProblem(robot, control_points=8, duration=0.5)
    problem.channel("push", ("fx", "fz", "mx"), link=links[-1], point=POINT)
    problem.contact("foot", links[-1], POINT, surface={"link": links[1], "normal": (0, 1, 1)}, place=(0.1, None), cone="cone")
    return problem.quantities


SETTINGS = {
    "balls and planes": lambda: Quantities(Robot(BALLS, backend="numpy")),
    "contacts": pushed,
    "split ground": split,
    "closed": lambda: Quantities(lissom.robots.five_bar()),
    "elastic": lambda: Quantities(one_joint()),
    "loads on springs": pushed_springs,
}
WITHOUT = {  # quantities that a setting refuses
    "balls and planes": ("ground_force", "ground_share", "gap", "gap_rate", "friction", "contact_force", "contact_force_rate",
                         "pressure_point"),
    "contacts": ("ground_force", "ground_share"),
    "loads on springs": ("ground_force", "ground_share"),
    "split ground": ("gap", "gap_rate"),
}  # fmt: skip
WITHOUT |= dict.fromkeys(("closed", "elastic"), WITHOUT["balls and planes"])


def options_of(quantities, name):
    """Return options with which a quantity by name is made."""
    links = [link.name for link in quantities.robot.model.links]
    if name in ("joint_wrench", "joint_wrench_rate"):
        return {"joint": quantities.robot.wrench_names[-1], "axes": "world"}
    if name == "distance_squared":
        return {"link": links[-1], "point": POINT, "other": links[1], "center": (0.5, 0.4, -0.3)}
    if name == "swing_product":
        return {"link": links[-1], "root": links[1], "other": links[-2], "other_root": links[0], "direction": (0.3, 0.4, 1.0)}
    if name == "clearance":
        return {"link": links[-1], "points": SOLE, "surface": SLOPE}
    if name == "link_pose":
        return {"link": links[-1], "point": POINT, "target": np.diag([1.0, -1.0, -1.0, 1.0])}
    found = {"link": links[-1]} if quantities.takes(name, "link") else {}
    if quantities.takes(name, "contact"):
        found["contact"] = links[-1] if quantities.ground is not None else "foot"
    more = {"target": TURN, "point": POINT, "about": "origin", "rounding": 3.0}
    more |= {"direction": (0.3, 0.4, 1.0), "axis": (1.0, 2.0, -0.5)}
    return found | {key: value for key, value in more.items() if quantities.takes(name, key)}


def state_of(quantity, robot, count=2):
    rng = np.random.default_rng(1)
    size = (count, quantity.depends.shape[1])
    rates = [rng.uniform(0.1, 0.7, size) * rng.choice([-1.0, 1.0], size) for _ in range(6)]  # Coulomb friction jumps at zero
    if hasattr(robot, "home"):  # near home, where it can be assembled
        rates[0] = 0.1 * rates[0] + robot.home()[None]
    if quantity.name == "pressure_point" and quantity.path and quantity.channels:
        rates[0][:, -6:] += 20.0  # forces that push
    return State(tuple(rates), s=np.array([0.3, 0.6]), durations=np.full(count, 0.5))


def moved(state, orders, n):
    """Return one state of all the instants, with each column of each order moved by each step of the stencil."""
    steps = [sign * steps * STEP for steps, _ in STENCIL for sign in (1, -1)]
    count, copies = len(state), len(orders) * n * len(steps)
    rates = [np.tile(rate, (copies, 1)).reshape(len(orders), n, len(steps), count, -1) for rate in state.rates]
    for r, order in enumerate(orders):
        for j in range(n):
            rates[order][r, j, :, :, j] += np.array(steps)[:, None]
    flat = tuple(rate.reshape(copies * count, -1) for rate in rates)
    return replace(state, rates=flat, s=np.tile(state.s, copies), durations=np.tile(state.durations, copies))


def slope(values, orders, n):
    """Return derivatives (orders, n, ...) of values of moved states."""
    weights = np.array([sign * weight / STEP for _, weight in STENCIL for sign in (1, -1)])
    return np.einsum("rjs...,s->rj...", values.reshape(len(orders), n, len(weights), -1, *values.shape[1:]), weights)


@cache  # the list of cases needs them too
def made(setting):
    return SETTINGS[setting]()


CASES = [(setting, name) for setting in SETTINGS for name in made(setting).names if name not in WITHOUT[setting]]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("setting", "name"), CASES)
def test_derivatives_are_differences_of_values(setting, name):
    quantities = made(setting)
    quantity = quantities.get(name, **options_of(quantities, name))
    state, n, rows = state_of(quantity, quantities.robot), quantity.depends.shape[1], len(quantity.orders)
    near = moved(state, quantity.orders, n)
    ours = np.array(quantity.derivatives(state))
    theirs = np.moveaxis(slope(quantity.values(near), quantity.orders, n), 1, -1)
    assert np.abs(ours - theirs).max() < 1e-8 * max(1.0, np.abs(theirs).max())
    assert np.abs(theirs[:, :, ~quantity.depends]).max(initial=0.0) < 1e-9 * max(1.0, np.abs(theirs).max())
    weights = np.random.default_rng(2).uniform(-1, 1, (len(state), quantity.size))
    bend = quantity.curvature(state, weights)
    bend = np.zeros((len(state), rows, n, rows, n)) if bend is None else bend
    slopes = slope(np.moveaxis(np.array(quantity.derivatives(near)), 0, 1), quantity.orders, n)  # (r, j, K, R, entries, n)
    theirs = np.einsum("rjkRen,ke->krjRn", slopes, weights)
    assert np.abs(bend - theirs).max() < 1e-7 * max(1.0, np.abs(theirs).max())


@pytest.mark.sweep("joint-contacts", "parent-balls", "world-split", "elastic")
@pytest.mark.parametrize("setting", [setting for setting in SETTINGS if setting != "closed"])
@pytest.mark.parametrize("axes", ["joint", "parent", "world"])
def test_rates_of_joint_wrenches_are_their_derivatives_along_the_motion(setting, axes):
    quantities = made(setting)
    options = {"joint": quantities.robot.wrench_names[-2 if setting == "contacts" else -1], "axes": axes}
    wrench, rate = (quantities.get(name, **options) for name in ("joint_wrench", "joint_wrench_rate"))
    state = state_of(rate, quantities.robot)
    slopes = np.array(wrench.derivatives(state))
    along = sum(np.einsum("kej,kj->ke", slopes[row], state.rates[order + 1]) for row, order in enumerate(wrench.orders))
    assert np.abs(rate.values(state) - along).max() < 1e-10 * np.abs(along).max()
    assert rate.units() == ("N/s",) * 3 + ("N m/s",) * 3 and rate.labels == wrench.labels


# closed robots, and drives without loads, search what their texts take as given
TREES = ("balls and planes", "contacts", "split ground", "loads on springs")


@cache
def compiled():
    """Return the cases whose text runs over complex numbers."""
    cases = [(setting, name) for setting, name in CASES if setting in TREES]
    return [case for case in cases if hasattr(made(case[0]).get(case[1], **options_of(made(case[0]), case[1])), "_maker")]


@pytest.mark.sweep(12)
@pytest.mark.parametrize(("setting", "name"), compiled())
def test_first_derivatives_are_complex_steps_of_the_text(setting, name):
    quantities = made(setting)
    quantity = quantities.get(name, **options_of(quantities, name))
    state = state_of(quantity, quantities.robot)
    task = quantity._maker(quantities.robot.model, **quantity._options)
    given = dict(zip((port.name for port in task.inputs), quantity._given_at(state), strict=True))
    joints = getattr(quantity, "joints", quantity.n)
    theirs = np.zeros_like(np.array(quantity.derivatives(state)))
    for row, order in enumerate(quantity.orders):
        for column in range(quantity.n):
            inner = GIVEN[order] if column >= joints and order < len(GIVEN) else PATH[order]
            if inner not in given or (column >= joints) != inner.startswith("given"):
                continue
            values = {key: x.astype(complex) for key, x in given.items()}
            values[inner][:, column - joints if column >= joints else column] += 1j * H
            y = evaluate(task, list(values.values()))
            y = y @ quantity.factors.T if hasattr(quantity, "factors") else y
            theirs[row, :, :, column] = y.imag / H
    assert np.abs(np.array(quantity.derivatives(state)) - theirs).max() < 1e-11 * max(1.0, np.abs(theirs).max())
