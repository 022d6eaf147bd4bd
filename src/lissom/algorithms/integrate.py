"""The tasks of simulation: rates of a state, and fixed steps of the classical Runge-Kutta method and of semi-implicit Euler.

Forces, and accelerations where these are given instead (see `hybrid.py`), are held over a step h. With x = (q, qd), x-dot = f(x):
    rk4             x + h/6 (k1 + 2 k2 + 2 k3 + k4)   order 4; coordinates of quaternions go along as four numbers, which is
                                                      order 4 too, and are brought back to length one at the end of the step
    semi_implicit   qd + h qdd, then q along the new  order 1, symplectic: energy of conservative trees wavers but stays;
                    velocity by the exponential map   what users of Pinocchio write as integrate(q, v * dt)
The text of the dynamics is traced once for each stage, so that a step of a whole batch is one pass of machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..compiler.program import Port
from ..model.model import Model
from ..spatial.joint_flow import coordinate_rates, step_along, unit_coordinates
from ..spatial.scalar import Scalar, add, mul
from . import hybrid
from .forward_dynamics import default_method, refuse_couplings, walker_orin
from .loads import REGROUPED, External, Situation, laid_out_task
from .task import Task

ForceKnown = tuple[bool, ...] | None  # None: all forces are known
Rates = tuple[list[Scalar], list[Scalar], list[Scalar]]  # of q, of qd, and the joint forces
Step = tuple[list[Scalar], ...]  # q and qd at its end, qdd and tau at its beginning


def state_rates(model: Model, external: External = (), force_known: ForceKnown = None) -> Task:
    """Rates of q, qdd and tau, given a force or an acceleration for each velocity."""
    outputs = [Port("rate", model.nq), Port("qdd", model.nv), Port("tau", model.nv)]
    return laid_out_task(
        _key("state_rates", force_known),
        model,
        _inputs(model),
        outputs,
        lambda s: _rates(model, s, force_known),
        external,
        layouts=REGROUPED,
    )


def rk4_step(model: Model, external: External = (), force_known: ForceKnown = None) -> Task:
    """State after a step of the classical Runge-Kutta method, qdd and tau at its beginning."""

    def text(s: Situation) -> Step:
        q, qd, h = s["q"], s["qd"], s["dt"][0]
        half = mul(0.5, h)

        def stage(length: Scalar, slope: Rates) -> Rates:
            return _rates(model, s.at(q=_ahead(q, length, slope[0]), qd=_ahead(qd, length, slope[1])), force_known)

        k1 = _rates(model, s, force_known)
        k2 = stage(half, k1)
        k3 = stage(half, k2)
        k4 = stage(h, k3)

        def mean(part: int) -> list[Scalar]:
            slopes = zip(k1[part], k2[part], k3[part], k4[part], strict=True)
            return [add(add(a, d), mul(2.0, add(b, c))) for a, b, c, d in slopes]

        sixth = mul(1 / 6, h)
        q_next = _ahead(q, sixth, mean(0))
        return _each_joint(model, unit_coordinates, q_next), _ahead(qd, sixth, mean(1)), k1[1], k1[2]

    return _step("rk4", model, text, external, force_known)


def semi_implicit_step(model: Model, external: External = (), force_known: ForceKnown = None) -> Task:
    """State after a step of semi-implicit Euler, qdd and tau at its beginning."""

    def text(s: Situation) -> Step:
        _, qdd, tau = _rates(model, s, force_known)
        h = s["dt"][0]
        qd = _ahead(s["qd"], h, qdd)
        return _each_joint(model, step_along, s["q"], [mul(h, v) for v in qd]), qd, qdd, tau

    return _step("semi_implicit", model, text, external, force_known)


STEPS = {"rk4": rk4_step, "semi_implicit": semi_implicit_step}


def _inputs(model: Model) -> dict[str, int]:
    return {"q": model.nq, "qd": model.nv, "given": model.nv}


def _key(name: str, force_known: ForceKnown) -> str:
    return name if force_known is None else f"{name}[{''.join('f' if known else 'a' for known in force_known)}]"


def _step(
    name: str, model: Model, text: Callable[[Situation], Step], external: External, force_known: ForceKnown
) -> Task:
    inputs = {**_inputs(model), "dt": 1}
    outputs = [Port("q_next", model.nq), *(Port(out, model.nv) for out in ("qd_next", "qdd", "tau"))]
    return laid_out_task(_key(name + "_step", force_known), model, inputs, outputs, text, external, layouts=REGROUPED)


def _rates(model: Model, s: Situation, force_known: ForceKnown) -> Rates:
    """Return the rates of coordinates and velocities, and the joint forces."""
    rate = _each_joint(model, coordinate_rates, s["q"], s["qd"])
    if force_known is None and default_method(model) == "mass_matrix":
        return rate, walker_orin(s.at(tau=s["given"])), list(s["given"])
    refuse_couplings(model, "hybrid dynamics")
    known = [True] * model.nv if force_known is None else force_known
    found = hybrid.hybrid(s.tree, s["q"], s["qd"], s["given"], known, s.wrenches, s.base)
    return rate, found.qdd, found.tau


def _each_joint(
    model: Model, function: Callable[..., list[Scalar]], q: Sequence[Scalar], v: Sequence[Scalar] | None = None
) -> list[Scalar]:
    """Return function(kind, own q, own v) of every joint with coordinates, one after the other."""
    result: list[Scalar] = []
    iq = iv = 0
    for joint in model.independent_joints:
        kind = joint.kind
        own = (q[iq : iq + kind.nq],) if v is None else (q[iq : iq + kind.nq], v[iv : iv + kind.nv])
        result += function(kind, *own)
        iq, iv = iq + kind.nq, iv + kind.nv
    return result


def _ahead(x: Sequence[Scalar], length: Scalar, slope: Sequence[Scalar]) -> list[Scalar]:
    return [add(a, mul(length, b)) for a, b in zip(x, slope, strict=True)]
