"""How far limits are broken between instants: every built-in problem at default settings, on a grid 50 times finer than its own.

All limits that hold all the time, friction and pushing of contacts among them, are evaluated anew along the motion found, with
the forces that balance it there (`prediction.contact_forces`). Equations at knots are left out; contacts show how far points
move that should rest. A problem that asks for its limits at the instants only, as it was published (`limit_tolerance: .inf`), has
a row with a star, and does not count.
"""

import time
from collections.abc import Sequence

import numpy as np

import lissom
from lissom.predict import Prediction, builtin_problems
from lissom.predict.quantities.state import State

FINER = 50


def main(names: Sequence[str] = tuple(builtin_problems())) -> None:
    head = f"{'problem':22}{'instants':>9}{'with compiling':>16}{'found':>12}{'violation / scale':>20}  {'of':30}{'contacts':>24}"
    print(head)
    worst = 0.0
    for name in names:
        problem = lissom.predict.load(name)
        began = time.process_time()
        found = problem.solve(throw=False)
        seconds = time.process_time() - began
        t, violation, label = broken(found)
        published = problem.settings.get("limit_tolerance") == np.inf
        worst = worst if published else max(worst, violation)
        gap, rate = slides(found, t)
        rests = f"{1e3 * gap:8.3f} mm{1e2 * rate:8.3f} cm/s" if problem.contacts else ""
        row = name + " *" * published
        print(
            f"{row:22}{len(t):9}{seconds:14.1f} s{found.status.name.lower():>12}{violation:20.1e}  {label:30.30}{rests:>24}",
            flush=True,
        )
    print(f"largest: {worst:.1e}")


def broken(found: Prediction) -> tuple[np.ndarray, float, str]:
    """Return the instants, the largest violation there relative to its limit's scale, and what is broken."""
    problem = found.problem
    spans = found.path.basis.spans
    t = np.linspace(0.0, found.duration, FINER * problem.points_per_span * spans + 1)
    state = balanced_state(found, problem, t)
    worst, label = 0.0, "none"
    for limit in problem.parts.limits:
        equation = limit.knots and (limit.lower == limit.upper).any()
        if limit.at is not None or equation or limit.peak is not None or limit.of is not None:
            continue  # equations at knots, and limits at some instants, say nothing of others
        beyond = limit.beyond(limit.quantity.values(state.part(problem.columns.of(limit.quantity)))) / limit.scale
        if limit.during is not None:  # instants inside its phases
            beyond[~inside(found, t, [problem.timing.names[k] for k in limit.during])] = -np.inf
        k, e = np.unravel_index(np.argmax(beyond), beyond.shape)
        if beyond[k, e] > worst:
            worst, label = float(beyond[k, e]), limit.label(int(e))
    return t, worst, label


def balanced_state(found: Prediction, problem: lissom.MotionProblem, t: np.ndarray) -> State:
    """Return the motion at times (K,), with the forces of contacts that balance it there."""
    state = State.along(found.motion, t, problem.parts.orders, problem.timing)
    forces = found.contact_forces(t) if problem.contacts else {}
    for contact in problem.contacts:
        columns = problem.columns.of(problem.quantities.get(contact.force))
        state.rates[0][:, columns] = forces[contact.name][..., list(contact.touch.components)].reshape(len(t), -1)
    return state


def slides(found: Prediction, t: np.ndarray) -> tuple[float, float]:
    """Return how far points of contacts are off their places [m] and how fast they move [m/s], at most."""
    state, largest = State.along(found.motion, t, 2), [0.0, 0.0]
    for contact in found.problem.contacts:
        live = np.ones(len(t), dtype=bool) if contact.during is None else inside(found, t, contact.during)
        for k, name in enumerate(("gap", "gap_rate")):
            quantity = found.problem.quantities.get(name, contact=contact.name)
            y = quantity.values(state.part(found.problem.columns.of(quantity)))[live][:, list(contact.rows)]
            largest[k] = max(largest[k], float(np.abs(y).max(initial=0.0)))
    return largest[0], largest[1]


def inside(found: Prediction, t: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Return whether times (K,) are inside of phases."""
    return np.any([(t > p.start + 1e-9) & (t < p.end - 1e-9) for p in found.phases if p.name in names], axis=0)
