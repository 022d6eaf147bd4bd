"""Sensitivities of forward dynamics, through those of inverse dynamics.

tau(q, qd, qdd(q, qd, tau)) = tau for every q, qd and tau, hence with M = d tau / d qdd, at the acceleration that tau causes,
    d qdd / d q = - M^-1 d tau / d q        d qdd / d qd = - M^-1 d tau / d qd        d qdd / d tau = M^-1
(Carpentier and Mansard 2018). M is factored once; its factor is as sparse as the tree is branched, and so is the
factor's inverse.
"""

from __future__ import annotations

from ..dynamics.factor import mass_factor
from ..dynamics.forward_dynamics import walker_orin
from ..dynamics.inverse_factor import InverseFactor
from ..loads import Situation
from .sensitivities import Table, inverse_dynamics_tables


def forward_dynamics_tables(s: Situation) -> tuple[Table, Table, Table]:
    """Return d qdd / d q, d qd and d tau (nv, nv): accelerations in rows."""
    by_q, by_qd, M = inverse_dynamics_tables(s.at(qdd=walker_orin(s)))
    inverse = InverseFactor(mass_factor(s.tree, M))
    return inverse.minus_times(by_q), inverse.minus_times(by_qd), inverse.matrix()
