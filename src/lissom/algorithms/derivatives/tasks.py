"""The tasks of sensitivities: of inverse dynamics, of the wrenches inside joints, and of forward dynamics."""

from __future__ import annotations

from dataclasses import replace

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar
from ...tree import lump
from ..dynamics import crba
from ..dynamics.forward_dynamics import FEW
from ..dynamics.inverse_dynamics import inverse_dynamics
from ..force_elements import way_columns
from ..loads import FULL, REGROUPED, External, Situation, laid_out_task
from .forward_sensitivities import forward_dynamics_tables
from .sensitivities import Table, inverse_dynamics_tables
from .wrench_sensitivities import joint_wrench_tables

SIX = (0, 1, 2, 3, 4, 5)  # components of a wrench: force x y z, moment x y z


def inverse_dynamics_derivatives(model: Model, external: External = (), base_motion: bool = False, packed: bool = False) -> Task:
    """Derivatives of tau by q, qd, qdd: three tables (nv, nv), row by row; packed: only the structurally non-zero entries."""
    places = derivatives_entries(model) if packed else [(i, j) for i in range(model.nv) for j in range(model.nv)]

    def text(s: Situation) -> list[Scalar]:
        return [table[i][j] for table in inverse_dynamics_tables(s) for i, j in places]

    key = "inverse_dynamics_derivatives" + ("[packed]" if packed else "")
    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    output = Port("derivatives", 3 * len(places))
    task = laid_out_task(key, model, inputs, output, text, external, base_motion, REGROUPED)
    return _chosen_early(task, model)


def derivatives_entries(model: Model) -> list[tuple[int, int]]:
    """Return (row, column) of the entries of packed derivatives: where one joint carries the other, or springs join them.

    They come velocity by velocity: its row from the diagonal to the left, then its column from there upward. That is how they
    are computed, on the way to the base: results need not wait for others to be written beside them.
    """
    tree = lump(model)
    pairs = {(a, b) for spring in tree.springs for _, a, _ in spring.shares for _, b, _ in spring.shares if a >= b}
    lower: dict[int, list[int]] = {}
    for element in tree.elements:
        way = way_columns(tree, element)
        pairs |= {(a, b) for a in way for b in way if a >= b}
    for i, j in sorted(pairs.union(crba.entries(tree))):
        lower.setdefault(i, []).insert(0, j)
    return [pair for i, row in lower.items() for pair in (*((i, j) for j in row), *((j, i) for j in row if j != i))]


def joint_wrench_derivatives(
    model: Model,
    external: External = (),
    base_motion: bool = False,
    axes: str = "joint",
    joints: tuple[int, ...] | None = None,
    components: tuple[int, ...] = SIX,
) -> Task:
    """Derivatives of the wrenches through joints by q, qd, qdd: three tables (joints, components, nv), row by row.

    `joints` are indices of moving joints; None means all of them.
    """
    jointed = lump(model).jointed
    which = tuple(range(len(jointed))) if joints is None else joints

    def text(s: Situation) -> list[Scalar]:
        return _row_by_row(*joint_wrench_tables(s, model, [jointed[k] for k in which], components, axes))

    chosen = "" if joints is None and components == SIX else f"[{which} {components}]"
    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    output = Port("derivatives", 3 * len(which) * len(components) * model.nv)
    key = f"joint_wrench_derivatives[{axes}]{chosen}"
    # inertias as given: base parameters would move parts of them across joints
    return laid_out_task(key, model, inputs, output, text, external, base_motion, FULL)


def forward_dynamics_derivatives(model: Model, external: External = (), base_motion: bool = False) -> Task:
    """Derivatives of qdd by q, qd, tau: three tables (nv, nv), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return _row_by_row(*forward_dynamics_tables(s))

    inputs = {"q": model.nq, "qd": model.nv, "tau": model.nv}
    output = Port("derivatives", 3 * model.nv**2)
    task = laid_out_task("forward_dynamics_derivatives", model, inputs, output, text, external, base_motion, REGROUPED)
    return _chosen_early(task, model)


def _chosen_early(task: Task, model: Model) -> Task:
    """Choose the frames of a large model by its inverse dynamics: tracing derivatives in every layout would take seconds."""
    return task if model.nv <= FEW else replace(task, like=inverse_dynamics(model))


def _row_by_row(*tables: Table) -> list[Scalar]:
    return [x for table in tables for row in table for x in row]
