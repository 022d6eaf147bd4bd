"""Tasks of forward and hybrid dynamics, and of the mass matrix.

With rotors as bodies of the tree they do what Hua's Algorithm 2 (2024) does column by column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...compiler.program import Port
from ...compiler.task import Task
from ...errors import ModelError, StateError, suggest
from ...model.model import Model
from ...spatial.scalar import Scalar, sub
from ...tree import lump
from ..loads import FULL, REGROUPED, External, Situation, laid_out_task
from . import crba, hybrid, nasser
from .factor import mass_factor
from .inverse_dynamics import reported
from .partitioned import partitioned
from .rnea import rnea
from .shared import shared_bodies

METHODS = ("articulated_body", "nasser", "mass_matrix")
Way = Callable[[Situation, Sequence[Scalar], Sequence[bool]], hybrid.Found]  # of hybrid dynamics
FEW = 12  # velocities up to which solving with the mass matrix may be cheaper than the articulated-body recursion


def forward_dynamics(model: Model, external: External = (), base_motion: bool = False, method: str | None = None) -> Task:
    """qdd(q, qd, tau)."""
    if method is None:
        return _cheapest(model, external, base_motion)
    checked_method(method)
    texts = {"articulated_body": _articulated_body, "nasser": _nasser, "mass_matrix": walker_orin}
    if method == "articulated_body":
        refuse_couplings(model, "the articulated-body recursion")
    if method == "nasser":
        refuse_couplings(model, "Nasser's method")
        nasser.refuse_other_joints(lump(model))
    inputs = {"q": model.nq, "qd": model.nv, "tau": model.nv}
    key = f"forward_dynamics[{method}]"
    return laid_out_task(key, model, inputs, Port("qdd", model.nv), texts[method], external, base_motion, REGROUPED)


def hybrid_dynamics(model: Model, torque_known: tuple[bool, ...], external: External = (), base_motion: bool = False) -> Task:
    """The unknown half: accelerations where the force is known, forces where the acceleration is."""

    def by(way: Way) -> Task:
        def text(s: Situation) -> list[Scalar]:
            found = way(s, s["given"], torque_known)
            return [a if known else f for a, f, known in zip(found.qdd, found.tau, torque_known, strict=True)]

        return laid_out_task(key, model, inputs, Port("found", model.nv), text, external, base_motion, REGROUPED)

    inputs = {"q": model.nq, "qd": model.nv, "given": model.nv}
    key = "hybrid_dynamics[" + "".join("f" if known else "a" for known in torque_known) + "]"
    return cheapest_of([by(way) for way in hybrid_ways(model)])


def hybrid_wrenches(
    model: Model, torque_known: tuple[bool, ...], external: External = (), base_motion: bool = False, axes: str = "joint"
) -> Task:
    """Force and moment through every joint, on its child, given the force or the acceleration of each velocity (42)."""

    def by(way: Way) -> Task:
        def text(s: Situation) -> list[Scalar]:
            found = way(s, s["given"], torque_known)
            return [x for j in s.tree.jointed for part in reported(s, found, model, j, axes) for x in part]

        # inertias as given: base parameters would move parts of them across joints
        return laid_out_task(key, model, inputs, output, text, external, base_motion, FULL)

    inputs = {"q": model.nq, "qd": model.nv, "given": model.nv}
    key = f"hybrid_wrenches[{axes}][" + "".join("f" if known else "a" for known in torque_known) + "]"
    output = Port("wrenches", 6 * len(lump(model).jointed))
    return cheapest_of([by(way) for way in hybrid_ways(model)])


def hybrid_ways(model: Model) -> list[Way]:
    """Return the methods of hybrid dynamics that the model allows, the first of them the one for plain numbers.

    A joint of several parts costs a recursion as much as that many joints, but the mass matrix only one column: there a few
    velocities may be cheaper by the latter.
    """

    def articulated_body(s: Situation, given: Sequence[Scalar], torque_known: Sequence[bool]) -> hybrid.Found:
        return hybrid.hybrid(s.tree, s["q"], s["qd"], given, torque_known, s.wrenches, s.base)

    if followers(model):
        return [partitioned]
    several = bool(shared_bodies(lump(model))[0])
    return [articulated_body, partitioned] if several and model.nv <= FEW else [articulated_body]


def cheapest_of(tasks: Sequence[Task]) -> Task:
    """Return the first of several tasks with one result, with the texts of all: that of the fewest operations is compiled."""
    return replace(tasks[0], texts=[text for task in tasks for text in task.texts])


def mass_matrix(model: Model, packed: bool = False) -> Task:
    """M(q), row by row; packed: only the structurally non-zero entries of its lower triangle."""
    places = mass_matrix_entries(model) if packed else [(i, j) for i in range(model.nv) for j in range(model.nv)]

    def text(s: Situation) -> list[Scalar]:
        M = crba.mass_matrix(s.tree, s["q"])
        return [M[i][j] for i, j in places]

    key = "packed_mass_matrix" if packed else "mass_matrix"
    return laid_out_task(key, model, {"q": model.nq}, Port("M", len(places)), text, layouts=REGROUPED)


def mass_matrix_entries(model: Model) -> list[tuple[int, int]]:
    """Return (row, column) of the entries of a packed mass matrix."""
    return crba.entries(lump(model))


def checked_method(method: object) -> str:
    """Return the name of a method, or raise a StateError."""
    if not isinstance(method, str) or method not in METHODS:
        raise StateError(f"no method {method!r}; {suggest(str(method), METHODS)}")
    return method


def default_method(model: Model) -> str:
    """Return the method for a model of any size: couplings need the mass matrix."""
    return "mass_matrix" if followers(model) else "articulated_body"


def followers(model: Model) -> list[str]:
    """Name what moves with the velocity of another: coupled joints, and rotors of rigid drives."""
    found = [f"joint {joint.name!r}, which is coupled to {joint.coupling.joint!r}" for joint in model.joints if joint.coupling]
    rotors = {body.name for body in lump(model).bodies if body.spins}
    turning = (motor for motor in model.motors if motor.name in rotors and not motor.elastic)
    return found + [f"motor {motor.name!r}, whose rotor turns with its joint" for motor in turning]


def _cheapest(model: Model, external: External, base_motion: bool) -> Task:
    """Return the default method; for a few joints the cheaper one, by the count of operations."""
    task = forward_dynamics(model, external, base_motion, default_method(model))
    if model.nv > FEW or default_method(model) == "mass_matrix":
        return task
    other = forward_dynamics(model, external, base_motion, "mass_matrix")
    return replace(cheapest_of([task, other]), key=task.key.replace("articulated_body", "cheapest"))


def refuse_couplings(model: Model, what: str) -> None:
    """Raise ModelError if a joint or rotor follows another joint: its acceleration is not independent of the leader's."""
    for name in followers(model):
        others = {"motor": ", or take model.with_rotors('reflected')", "joint": ", or load the model with mimic=False"}
        raise ModelError(f"{what} cannot treat {name}; use method='mass_matrix'{others.get(name.split()[0], '')}")


def _articulated_body(s: Situation) -> list[Scalar]:
    return hybrid.hybrid(s.tree, s["q"], s["qd"], s["tau"], [True] * s.tree.nv, s.wrenches, s.base).qdd


def _nasser(s: Situation) -> list[Scalar]:
    return nasser.nasser(s.tree, s["q"], s["qd"], s["tau"], s.wrenches, s.base)


def walker_orin(s: Situation) -> list[Scalar]:
    """Solve M qdd = tau - h by M = L' D L, using only entries that the tree makes non-zero (Khalil 3.3.1)."""
    n = s.tree.nv
    h = rnea(s.tree, s["q"], s["qd"], [0.0] * n, s.wrenches, s.base).tau
    M = crba.mass_matrix(s.tree, s["q"])
    x = [sub(t, b) for t, b in zip(s["tau"], h, strict=True)]
    return mass_factor(s.tree, M).solve(x)
