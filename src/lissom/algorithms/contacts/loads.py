"""Loads that are unknown functions of time: components of wrenches, and forces of contacts, as an input "given" of any task.

A push is some components of one wrench on a link. A contact is a force at each of several points of a link, along the axes t1,
t2, n of a surface: those of the world, or of another link, which then feels the opposite force at the same point in space.
    on the link      F = A f, along the world's axes   at the point p of the link, A = [t1 t2 n], or R_s [t1 t2 n]
    on the surface   -f, along its own axes            at r = R_s' (x(p) - p_s)
Rates of torques need the rates of these wrenches: F' = A f' + w_s x F and r' = R_s' (v(p) - v_s - w_s x (x(p) - p_s)).
Motors behind springs need more rates, of which series in time keep track: `under_changing_loads`.
Derivatives of tasks are taken by "given" as by the path (`derivatives/directional.py`); other external wrenches are constants.
Symbols: R_s, p_s axes and origin of the surface's link | x(p), v(p) place and velocity of a point | w_s angular velocity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar
from ...spatial.series import Series, terms_of
from ...spatial.vector import ZERO, Matrix, Vector
from ..loads import EXTERNAL_SIZE, External

Point = tuple[float, float, float]
Rows = tuple[Point, Point, Point]
Part = tuple[Callable[..., Task], tuple[tuple[str, Any], ...]]  # a path task's maker and options
GIVEN = ("given", "given_rate", "given_rate_2", "given_rate_3")  # entries of loads and their rates, inputs by name
UPRIGHT: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Push(NamedTuple):
    """Some components of a wrench.

    Attributes:
        link, axes, point: of the wrench.
        components: those that are given, by number: force x y z, moment x y z.
    """

    link: str
    axes: str
    point: Point
    components: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries that are given."""
        return len(self.components)

    @property
    def external(self) -> External:
        """Links and axes of its wrenches."""
        return ((self.link, self.axes),)


class Touch(NamedTuple):
    """Forces at points of a link, along the axes of a surface.

    Attributes:
        link: the touching link.
        points: in its frame [m].
        components: those of each point's force that are given, by number: t1, t2, n.
        axes: rotation matrix, row by row, whose columns are t1, t2, n in the world's axes, or in those of `surface`.
        surface: link that the surface moves with; None for the world.
    """

    link: str
    points: tuple[Point, ...]
    components: tuple[int, ...] = (0, 1, 2)
    axes: Rows = UPRIGHT
    surface: str | None = None

    @property
    def size(self) -> int:
        """Number of entries that are given."""
        return len(self.points) * len(self.components)

    @property
    def external(self) -> External:
        """Links and axes of its wrenches: of every point, and then the opposite ones on the surface."""
        opposite = () if self.surface is None else ((self.surface, "link"),) * len(self.points)
        return ((self.link, "world"),) * len(self.points) + opposite

    def forces(self, given: Sequence[Scalar]) -> list[Vector]:
        """Return the force at every point along the axes t1, t2, n."""
        step, found = len(self.components), []
        for k in range(len(self.points)):
            own = dict(zip(self.components, given[k * step : (k + 1) * step], strict=True))
            found.append(Vector(*(own.get(c, 0.0) for c in range(3))))
        return found


Load = Push | Touch


class Places(NamedTuple):
    """Motion of a robot's links along a path: the tasks "link_position", "link_rotation" and "link_velocity"."""

    position: Part
    rotation: Part
    velocity: Part


def steady(loads: Sequence[Load]) -> bool:
    """Return whether wrenches depend on the input "given" only, not on the path."""
    return all(isinstance(load, Push) or load.surface is None for load in loads)


def under_loads(
    model: Model,
    inner: Callable[..., Task],
    loads: tuple[Load, ...],
    places: Places | None = None,
    external: External = (),
    changing: bool = False,
    **options: Any,
) -> Task:
    """Return the task of `inner` with a last input "given", the entries of all loads, which are added to its external wrenches.

    Args:
        model: the robot.
        inner: maker of a task that takes external wrenches.
        loads: pushes and contacts.
        places: of the links, where a surface moves.
        external: other wrenches, constants.
        changing: whether the task depends on rates of wrenches; the rates "given_rate" follow "given" then.
        options: of the maker.
    """
    more = tuple(entry for load in loads for entry in load.external)
    chosen = {"changing": True} if changing else {}
    task = inner(model, external=(*external, *more), **chosen, **options)
    constant, size = EXTERNAL_SIZE * len(external), sum(load.size for load in loads)
    kept = [p for p in task.inputs if p.name not in ("external", "external_rates")]
    own = [Port("external", constant)] if external else []
    at = 1 + max(k for k, port in enumerate(kept) if port.name.startswith("q"))
    inputs = (*kept[:at], *own, *kept[at:], Port("given", size), *([Port("given_rate", size)] if changing else []))
    names = [port.name for port in inputs]

    def run_of(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
        def run(*arguments: Sequence[Any]) -> Sequence[Sequence[Any]]:
            values = dict(zip(names, arguments, strict=True))
            wrenches, rates = list(values.get("external", ())), [0.0] * constant
            start = 0
            for load in loads:
                part = slice(start, start + load.size)
                change = values["given_rate"][part] if changing else None
                for wrench, rate in _wrenches(model, load, places, values, values["given"][part], change):
                    wrenches += [x for v in wrench for x in v]
                    rates += [x for v in rate for x in v]
                start += load.size
            values["external"], values["external_rates"] = wrenches, rates
            return text(*(values[port.name] for port in task.inputs))

        return run

    key = f"{task.key}[given {loads!r} beside {len(external)}{' by a path' if places else ''}]"
    return replace(task, key=key, inputs=inputs, texts=[run_of(text) for text in task.texts])


def under_changing_loads(
    model: Model,
    loaded_task: Callable[..., Task],
    loads: tuple[Load, ...],
    places: Places | None = None,
    external: External = (),
    **options: Any,
) -> Task:
    """Return a task of a robot with motors behind springs with last inputs "given", "given_rate" and so on, see `under_loads`.

    The springs carry the loads, and motors follow their rates: as many as there are derivatives of the path after qdd.
    """
    more = tuple(entry for load in loads for entry in load.external)
    task = loaded_task(model, external=(*external, *more), **options)
    size = sum(load.size for load in loads)
    path = [port for port in task.inputs if port.name != "external"]
    constant = [Port("external", EXTERNAL_SIZE * len(external))] if external else []
    given = GIVEN[: len(path) - 2]  # a deflection depends on q, qd, qdd and given
    inputs = (*path, *constant, *(Port(name, size) for name in given))
    names = [port.name for port in inputs]

    def run_of(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
        def run(*arguments: Sequence[Any]) -> Sequence[Sequence[Any]]:
            values = dict(zip(names, arguments, strict=True))
            entries = _series([values[name] for name in given])
            moving = {"q": _series([values[port.name] for port in path[: len(given)]])}
            wrenches, start = list(values.get("external", ())), 0
            for load in loads:
                for wrench, _ in _wrenches(model, load, places, moving, entries[start : start + load.size], None):
                    wrenches += [x for v in wrench for x in v]
                start += load.size
            values["external"] = wrenches
            return [[terms_of(x, 1)[0] for x in found] for found in text(*(values[port.name] for port in task.inputs))]

        return run

    key = f"{task.key}[given {loads!r} and rates beside {len(external)}{' by a path' if places else ''}]"
    return replace(task, key=key, inputs=inputs, texts=[run_of(text) for text in task.texts])


def _series(terms: Sequence[Sequence[Scalar]]) -> list[Scalar]:
    """Return entries with their rates, given the entries of each order."""
    return [Series(own) if len(terms) > 1 else own[0] for own in zip(*terms, strict=True)]


Nine = tuple[Vector, Vector, Vector]  # force, moment, point


def _wrenches(
    model: Model,
    load: Load,
    places: Places | None,
    values: Mapping[str, Sequence[Scalar]],
    given: Sequence[Scalar],
    change: Sequence[Scalar] | None,
) -> list[tuple[Nine, Nine]]:
    """Return the wrenches of a load and their rates, zero where no rates are asked for."""
    if isinstance(load, Push):
        rate = (ZERO, ZERO, ZERO) if change is None else _six(load, change, ZERO)
        return [(_six(load, given, Vector.of(load.point)), rate)]
    still = [ZERO] * len(load.points)
    forces, changes = load.forces(given), still if change is None else load.forces(change)
    axes, points = Matrix.of(load.axes), [Vector.of(point) for point in load.points]
    if load.surface is None:
        return [((axes @ f, ZERO, p), (axes @ df, ZERO, ZERO)) for f, df, p in zip(forces, changes, points, strict=True)]
    assert places is not None
    R, origin = rotation_of(model, places, load.surface, values), position_of(model, places, load.surface, values)
    on_link, on_surface = [], []
    for f, df, p, point in zip(forces, changes, points, load.points, strict=True):
        x = position_of(model, places, load.link, values, point) - origin
        own = axes @ f
        force, dforce, drift = R @ own, ZERO, ZERO
        if change is not None:
            (v, _), (vs, ws) = (velocity_of(model, places, *at, values) for at in ((load.link, point), (load.surface, ZERO3)))
            dforce = R @ (axes @ df) + ws.cross(force)
            drift = R.T @ (v - vs - ws.cross(x))
        on_link.append(((force, ZERO, p), (dforce, ZERO, ZERO)))
        on_surface.append(((own * -1.0, ZERO, R.T @ x), (axes @ df * -1.0, ZERO, drift)))
    return on_link + on_surface


def _six(load: Push, given: Sequence[Scalar], point: Vector) -> Nine:
    own = dict(zip(load.components, given, strict=True))
    six = [own.get(c, 0.0) for c in range(6)]
    return Vector(*six[:3]), Vector(*six[3:]), point


ZERO3: Point = (0.0, 0.0, 0.0)


def position_of(model: Model, places: Places, link: str, values: Mapping[str, Sequence[Scalar]], point: Point = ZERO3) -> Vector:
    """Return the position of a point of a link in the world [m], given the inputs of a path task by name."""
    return Vector(*_run(model, places.position, values, link=link, point=point))


def rotation_of(model: Model, places: Places, link: str, values: Mapping[str, Sequence[Scalar]]) -> Matrix:
    """Return the rotation matrix of a link in the world."""
    R = _run(model, places.rotation, values, link=link)
    return Matrix(Vector(*R[3 * i : 3 * i + 3]) for i in range(3))


def velocity_of(
    model: Model, places: Places, link: str, point: Point, values: Mapping[str, Sequence[Scalar]]
) -> tuple[Vector, Vector]:
    """Return the velocity of a point of a link [m/s] and the angular velocity of the link [rad/s], along the world's axes."""
    six = _run(model, places.velocity, values, link=link, point=point)
    return Vector(*six[:3]), Vector(*six[3:])


def _run(model: Model, part: Part, values: Mapping[str, Sequence[Scalar]], **options: Any) -> Sequence[Any]:
    maker, given = part
    task = maker(model, **{**dict(given), **options})
    return task.texts[0](*(values[port.name] for port in task.inputs))[0]
