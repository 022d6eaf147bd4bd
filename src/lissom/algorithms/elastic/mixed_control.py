"""The inverse-dynamics controller for rigid and elastic joints together. Hua 2024, section IV, eqs (37)-(52).

The links follow a reference through a passivity-based law, (39); the torque of an elastic joint determines the desired position
of its motor, (43), and a second law of the same kind brings the motor there, (49). The motor's desired rate and acceleration are
rates of (43) along the motion that the law itself causes. They are exact: the closed loop determines the accelerations of the
links, (40), so that the law can be evaluated on series in time (`spatial/series.py`), one derivative more each round.

Symbols beside the paper's:
    e, e'          q_d - q and its rate                   sigma     e' + Lambda e, (38)
    qdd_r          qdd_d + Lambda e'                      theta_d   desired motor position
    needed(a)      M a + C qd + C1 theta' + G + friction: the Newton-Euler recursion without the springs of drives
so that (39) is needed(qdd_r) + C sigma + K_D sigma, with C of the links alone, for which M' - 2 C is skew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.series import Series, terms_of
from ..dynamics.coriolis import coriolis
from ..dynamics.crba import mass_matrix
from ..dynamics.factor import mass_factor
from ..dynamics.rnea import rnea
from ..loads import REGROUPED, External, Situation, laid_out_task
from .links import PATH, link_nv
from .motors import Drive, elastic_drives, path_series, refuse_entangled, refuse_several_axes, without_drives

GAINS = ("lambda_q", "damping_q", "lambda_theta", "damping_theta")
REFERENCE = tuple(f"{name}_desired" for name in PATH[:5])


@dataclass(frozen=True)
class Law:
    """The law of the links at one instant, each entry a scalar or a series.

    Attributes:
        e, de, sigma, qdd_r: errors and reference acceleration (n).
        theta_d: desired positions of motors.
        dsigma: rate of sigma in the closed loop (40) (n); zeros in the last round, where it is not needed.
    """

    e: list[Scalar]
    de: list[Scalar]
    sigma: list[Scalar]
    qdd_r: list[Scalar]
    theta_d: list[Scalar]
    dsigma: list[Scalar]


def mixed_control(model: Model, external: External = ()) -> Task:
    """Tau (nv), theta_d, theta_d', theta_d'', V and V', from the state, the reference up to its fourth derivative, and gains.

    The reference is one input (5 n), derivative after derivative, and so are the gains, in the order of GAINS.
    """
    refuse_several_axes(model)
    refuse_entangled(model)
    n, elastic = link_nv(model), len(model.elastic_motors)

    gains = dict(zip(GAINS, (n, n, elastic, elastic), strict=True))

    def text(s: Situation) -> list[Scalar]:
        s = unpacked(s, reference=dict.fromkeys(REFERENCE, n), gains=gains)
        law, path = _follow(s, model)
        theta_d = [terms_of(x, 3) for x in law.theta_d]
        return _both_sides(s, model, _values(law), path, theta_d)

    inputs = {"q": model.nq, "qd": model.nv, "reference": n * len(REFERENCE), "gains": sum(gains.values())}
    output = Port("control", model.nv + 3 * elastic + 2)
    return laid_out_task("mixed_control", model, inputs, output, text, external, layouts=REGROUPED)


def unpacked(s: Situation, **packed: dict[str, int]) -> Situation:
    """Return the situation with packed inputs (few arguments are faster to pass) under names and sizes of their own."""
    values = dict(s.values)
    for name, sizes in packed.items():
        entries = iter(values.pop(name))
        values |= {part: [next(entries) for _ in range(size)] for part, size in sizes.items()}
    return replace(s, values=values)


def _follow(s: Situation, model: Model) -> tuple[Law, list[list[Scalar]]]:
    """Return the law as series with two derivatives, and q, qd, qdd, qddd of the links in the closed loop."""
    n, drives = link_nv(model), elastic_drives(s.tree, model)
    path: list[list[Scalar]] = [list(s["q"][:n]), list(s["qd"][:n])]
    law = _law(s, model, drives, path, 0)
    for order in (1, 2) if drives else ():
        # (40): accelerations of the links, from the law so far
        path.append([sub(terms_of(a, order)[-1], terms_of(b, order)[-1]) for a, b in zip(law.qdd_r, law.dsigma, strict=True)])
        law = _law(s, model, drives, path, order)
    if not drives:
        path.append([sub(a, b) for a, b in zip(law.qdd_r, law.dsigma, strict=True)])
    return law, path


def _law(s: Situation, model: Model, drives: Sequence[Drive], path: Sequence[Sequence[Scalar]], order: int) -> Law:
    """Return (37)-(43) as series with `order` derivatives, for links that move along `path`."""
    n, nv = link_nv(model), s.tree.nv
    desired = [s[name] for name in REFERENCE]
    q, qd = path_series(path, 0, order, nv), path_series(path, 1, order, nv)
    q_d, qd_d, qdd_d = (path_series(desired, k, order, n) for k in range(3))
    slope, K_D = s["lambda_q"], s["damping_q"]
    e = [sub(a, b) for a, b in zip(q_d, q[:n], strict=True)]
    de = [sub(a, b) for a, b in zip(qd_d, qd[:n], strict=True)]
    sigma = [add(b, mul(k, a)) for a, b, k in zip(e, de, slope, strict=True)]  # (38)
    qdd_r = [add(a, mul(k, b)) for a, b, k in zip(qdd_d, de, slope, strict=True)]  # rate of (37)
    # motors at rest: the torques of elastic joints in (43) do not depend on their speeds
    moving = s.at(q=q, qd=qd, qdd=[*qdd_r, *[0.0] * (nv - n)])
    tree = without_drives(s.tree, model)
    needed = rnea(tree, q, qd, moving["qdd"], moving.wrenches, s.base).tau[:n]
    held = [add(x, mul(k, y)) for x, k, y in zip(_links_coriolis(moving, sigma, qd, n), K_D, sigma, strict=True)]
    torque = [add(a, b) for a, b in zip(needed, held, strict=True)]  # (39)
    theta_d = [add(add(mul(1.0 / d.stiffness, torque[d.joint]), q[d.joint]), d.rest) for d in drives]  # (43)
    # (40): M sigma' = K (theta_d - theta) - C sigma - K_D sigma
    dsigma: list[Scalar] = [0.0] * n
    if order < 2:
        pull: list[Scalar] = [0.0] * n
        for d, x in zip(drives, theta_d, strict=True):
            theta = Series([s["q"][d.motor], s["qd"][d.motor]]) if order else s["q"][d.motor]
            pull[d.joint] = mul(d.stiffness, sub(x, theta))
        M = mass_matrix(tree, q)
        factor = mass_factor(tree, [row[:n] for row in M[:n]], range(n))
        dsigma = factor.solve([sub(a, b) for a, b in zip(pull, held, strict=True)])
    return Law(e, de, sigma, qdd_r, theta_d, dsigma)


def _links_coriolis(s: Situation, x: Sequence[Scalar], qd: Sequence[Scalar], n: int) -> list[Scalar]:
    """Return C x with C of the links, motors at rest."""
    still = [*qd[:n], *[0.0] * (s.tree.nv - n)]
    C = coriolis(s.tree, s["q"], still)
    rows = []
    for row in C[:n]:
        total: Scalar = 0.0
        for entry, value in zip(row[:n], x, strict=True):
            total = add(total, mul(entry, value))
        rows.append(total)
    return rows


def _values(law: Law) -> Law:
    """Return the law without derivatives."""
    parts = {name: [terms_of(x, 1)[0] for x in values] for name, values in vars(law).items()}
    return replace(law, **parts)


def _both_sides(
    s: Situation, model: Model, law: Law, path: Sequence[Sequence[Scalar]], theta_d: Sequence[Sequence[Scalar]]
) -> list[Scalar]:
    """Return the forces of (39) and (49), the desired motion of motors, and (51), (52)."""
    n, tree, drives = link_nv(model), without_drives(s.tree, model), elastic_drives(s.tree, model)
    q, qd, qdd, M = s["q"], s["qd"], path[2], mass_matrix(s.tree, s["q"])
    dsigma = [sub(a, b) for a, b in zip(law.qdd_r, qdd, strict=True)]
    accelerations, torques = [], []
    V, dV = _energy(M, law, s)
    for k, d in enumerate(drives):
        slope, K_D, B = s["lambda_theta"][k], s["damping_theta"][k], M[d.motor][d.motor]
        e, de = sub(theta_d[k][0], q[d.motor]), sub(theta_d[k][1], qd[d.motor])  # (44)
        sigma = add(add(de, mul(slope, e)), law.sigma[d.joint])  # (47)
        theta_rr = add(add(theta_d[k][2], mul(slope, de)), dsigma[d.joint])  # rate of (45)
        # (50): acceleration of the motor
        settle = add(mul(K_D, sigma), mul(d.stiffness, e))
        accelerations.append(add(theta_rr, mul(settle, 1.0 / B)))
        deflection = sub(sub(theta_d[k][0], q[d.joint]), d.rest)
        torques.append((theta_rr, add(mul(d.stiffness, deflection), mul(K_D, sigma))))
        V = add(V, mul(0.5, add(mul(B, mul(sigma, sigma)), mul(d.stiffness, mul(e, e)))))  # (51)
        dV = sub(dV, add(mul(K_D, mul(sigma, sigma)), mul(mul(d.stiffness, slope), mul(e, e))))  # (52)
    # (49): motors
    motors = rnea(tree, q, qd, [*qdd, *(a for a, _ in torques)], s.wrenches, s.base).tau[n:]
    motors = [add(a, b) for a, (_, b) in zip(motors, torques, strict=True)]
    # (39): actual accelerations of motors act on rigid joints
    links = rnea(tree, q, qd, [*law.qdd_r, *accelerations], s.wrenches, s.base).tau[:n]
    held = _links_coriolis(s, law.sigma, qd, n)
    links = [add(add(a, b), mul(k, x)) for a, b, k, x in zip(links, held, s["damping_q"], law.sigma, strict=True)]
    behind = {d.joint for d in drives}
    tau = [*(0.0 if k in behind else x for k, x in enumerate(links)), *motors]
    return [*tau, *(terms[k] for k in range(3) for terms in theta_d), V, dV]


def _energy(M: Sequence[Sequence[Scalar]], law: Law, s: Situation) -> tuple[Scalar, Scalar]:
    """Return V1, (41), and its rate without the work of springs, (42)."""
    V: Scalar = 0.0
    dV: Scalar = 0.0
    for i, (sigma, e, de) in enumerate(zip(law.sigma, law.e, law.de, strict=True)):
        slope, K_D = s["lambda_q"][i], s["damping_q"][i]
        for j, other in enumerate(law.sigma):
            V = add(V, mul(0.5, mul(sigma, mul(M[i][j], other))))
        lag = mul(slope, e)
        V = add(V, mul(K_D, mul(lag, e)))
        dV = sub(dV, mul(K_D, add(mul(de, de), mul(lag, lag))))
    return V, dV
