"""The tasks of simulation: rates of a state, and fixed steps of the classical Runge-Kutta method and of semi-implicit Euler.

Forces, and accelerations where these are given instead (see `hybrid.py`), are held over a step h. With x = (q, qd), x-dot = f(x):
    rk4             x + h/6 (k1 + 2 k2 + 2 k3 + k4)   order 4; quaternions are integrated as four numbers, which is
                                                      order 4 too, and are brought back to length one at the end of the step
    semi_implicit   qd + h qdd, then q along the new  order 1; symplectic where M is constant, as for a single joint, but
                    velocity by the exponential map   not for M(q); integrate(q, v * dt) in Pinocchio
The text of the dynamics is traced once for each stage, so that a step of a whole batch is one pass of machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...joints.flow import coordinate_rates, step_along, unit_coordinates
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ..loads import REGROUPED, External, Situation, laid_out_task
from .forward_dynamics import FEW, Way, cheapest_of, default_method, hybrid_ways, walker_orin

ForceKnown = tuple[bool, ...] | None  # None: all forces are known
Rates = tuple[list[Scalar], list[Scalar], list[Scalar]]  # of q, of qd, and the joint torques
RatesOf = Callable[[Situation], Rates]
Step = tuple[list[Scalar], ...]  # q and qd at its end, qdd and tau at its beginning


def state_rates(model: Model, external: External = (), torque_known: ForceKnown = None) -> Task:
    """Rates of q, qdd and tau, given a force or an acceleration for each velocity."""
    outputs = [Port("rate", model.nq), Port("qdd", model.nv), Port("tau", model.nv)]
    return _task("state_rates", model, {}, outputs, lambda s, rates: rates(s), external, torque_known)


def rk4_step(model: Model, external: External = (), torque_known: ForceKnown = None) -> Task:
    """State after a step of the classical Runge-Kutta method, qdd and tau at its beginning."""

    def text(s: Situation, rates: RatesOf) -> Step:
        nq, first = model.nq, rates(s)

        def slope(state: Sequence[Scalar]) -> list[Scalar]:
            there = rates(s.at(q=state[:nq], qd=state[nq:]))
            return [*there[0], *there[1]]

        end = runge_kutta([*s["q"], *s["qd"]], [*first[0], *first[1]], slope, s["dt"][0])
        return each_joint(model, unit_coordinates, end[:nq]), end[nq:], first[1], first[2]

    return _task("rk4_step", model, {"dt": 1}, _after(model), text, external, torque_known)


def runge_kutta(
    start: Sequence[Scalar], first: Sequence[Scalar], slope: Callable[[Sequence[Scalar]], Sequence[Scalar]], h: Scalar
) -> list[Scalar]:
    """Return the state after a step h of the classical Runge-Kutta method; `first` is the slope at the start."""
    half = mul(0.5, h)
    k2 = slope(_ahead(start, half, first))
    k3 = slope(_ahead(start, half, k2))
    k4 = slope(_ahead(start, h, k3))
    slopes = zip(first, k2, k3, k4, strict=True)
    return _ahead(start, mul(1 / 6, h), [add(add(a, d), mul(2.0, add(b, c))) for a, b, c, d in slopes])


def semi_implicit_step(model: Model, external: External = (), torque_known: ForceKnown = None) -> Task:
    """State after a step of semi-implicit Euler, qdd and tau at its beginning."""

    def text(s: Situation, rates: RatesOf) -> Step:
        _, qdd, tau = rates(s)
        h = s["dt"][0]
        qd = _ahead(s["qd"], h, qdd)
        return each_joint(model, step_along, s["q"], [mul(h, v) for v in qd]), qd, qdd, tau

    return _task("semi_implicit_step", model, {"dt": 1}, _after(model), text, external, torque_known)


STEPS = {"rk4": rk4_step, "semi_implicit": semi_implicit_step}


def _after(model: Model) -> list[Port]:
    return [Port("q_next", model.nq), *(Port(name, model.nv) for name in ("qd_next", "qdd", "tau"))]


def _task(
    name: str,
    model: Model,
    more: Mapping[str, int],
    outputs: Sequence[Port],
    text: Callable[[Situation, RatesOf], Step],
    external: External,
    torque_known: ForceKnown,
) -> Task:
    """Return the task of a text over the rates of a state, with the form of the dynamics that is cheapest."""
    key = name if torque_known is None else f"{name}[{''.join('f' if known else 'a' for known in torque_known)}]"
    inputs = {"q": model.nq, "qd": model.nv, "given": model.nv, **more}

    def by(rates: RatesOf) -> Task:
        return laid_out_task(key, model, inputs, outputs, lambda s: text(s, rates), external, layouts=REGROUPED)

    return cheapest_of([by(rates) for rates in _ways(model, torque_known)])


def _ways(model: Model, torque_known: ForceKnown) -> list[RatesOf]:
    """Return the methods that the model allows for rates of coordinates and velocities, and joint torques."""
    known = [True] * model.nv if torque_known is None else torque_known

    def hybrid(way: Way) -> RatesOf:
        def rates(s: Situation) -> Rates:
            found = way(s, s["given"], known)
            return each_joint(model, coordinate_rates, s["q"], s["qd"]), found.qdd, found.tau

        return rates

    def mass_matrix(s: Situation) -> Rates:
        qdd = walker_orin(s.at(tau=s["given"]))
        return each_joint(model, coordinate_rates, s["q"], s["qd"]), qdd, list(s["given"])

    if torque_known is not None:
        return [hybrid(way) for way in hybrid_ways(model)]
    if default_method(model) == "mass_matrix":
        return [mass_matrix]
    articulated_body = hybrid(hybrid_ways(model)[0])
    return [articulated_body, mass_matrix] if model.nv <= FEW else [articulated_body]


def each_joint(
    model: Model, function: Callable[..., list[Scalar]], q: Sequence[Scalar], v: Sequence[Scalar] | None = None
) -> list[Scalar]:
    """Return function(kind, own q, own v) of every joint with coordinates, one after the other."""
    result: list[Scalar] = []
    for place in model.layout:
        own = (q[place.q],) if v is None else (q[place.q], v[place.v])
        result += function(place.kind, *own)
    return result


def _ahead(x: Sequence[Scalar], length: Scalar, slope: Sequence[Scalar]) -> list[Scalar]:
    return [add(a, mul(length, b)) for a, b in zip(x, slope, strict=True)]
