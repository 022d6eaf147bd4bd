"""Tasks of muscles: lengths of their paths, and forces from these, each one compiled program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..algorithms.derivatives.directional import Record, derived
from ..algorithms.kinematics.kinematics import Frame, frames_in_world
from ..algorithms.loads import Situation, chain, laid_out_task
from ..compiler.derivative import forward
from ..compiler.program import Port
from ..compiler.symbol import Symbol
from ..compiler.task import Task
from ..errors import NameLookupError
from ..model.fingerprint import full_text
from ..model.model import Model
from ..model.names import coordinate_names
from ..spatial.scalar import Scalar, add, mul
from ..spatial.vector import Matrix, Vector
from ..tree import BASE, Tree, lump, reframe
from .hill import active_force, passive_force, rigid_fiber, rigid_force
from .length import path_length
from .muscle import Muscle
from .path import Moving, Path, Point
from .spot import Bodies


def path_lengths(model: Model, paths: tuple[Path, ...]) -> Task:
    """Lengths of paths, one each [m]."""
    for path in paths:
        check_path(model, path)
    links = links_of(paths)

    def text(s: Situation) -> list[Scalar]:
        bodies = bodies_of(model, s.tree, s["q"], links)
        return [path_length(path, bodies) for path in paths]

    return laid_out_task(
        f"path_lengths[{full_text(paths)}]", model, {"q": model.nq}, Port("lengths", len(paths)), text, layouts=(reframe,)
    )


def moment_arms(model: Model, paths: tuple[Path, ...]) -> Task:
    """Moment arms of paths (paths, nv), row by row: -dl/dq, by velocities.

    In forward mode: the conditions of wraps, one within the other, would make the adjoints of reverse mode grow beyond bounds.
    """

    def text(record: Record) -> list[list[Symbol]]:
        rows = forward(record.graph, _units(record, model.nv), record.results)
        return [[-row.get(k, record.zero) for row in rows for k in range(model.nv)]]

    task = path_lengths(model, paths)
    return derived(model, task, "moment arms", [], [Port("arms", len(paths) * model.nv)], text)


def torque_change(model: Model, paths: tuple[Path, ...]) -> Task:
    """How the torques of constant forces along paths change along a velocity (nv), from q, the forces and the velocity."""

    def text(record: Record) -> list[list[Symbol]]:
        rows = forward(record.graph, _units(record, model.nv), record.results)
        forces, along = record.values["forces"], record.values["dq"]
        torques: list[Any] = [record.zero] * model.nv
        for row, force in zip(rows, forces, strict=True):
            for k, slope in row.items():
                torques[k] = torques[k] - slope * force
        rates: list[Any] = [t.get(0, record.zero) for t in forward(record.graph, record.seeds([("q", 0, along)]), torques)]
        return [rates]

    task = path_lengths(model, paths)
    more = [Port("forces", len(paths)), Port("dq", model.nv)]
    return derived(model, task, "torque change", more, [Port("change", model.nv)], text)


def pulled_links(model: Model, paths: tuple[Path, ...]) -> tuple[str, ...]:
    """Return the links that muscles pull, one for each moving body that a path touches."""
    tree = lump(model)
    found: dict[int, str] = {}
    for link in links_of(paths):
        body, _ = tree.places[link]
        if body != BASE:
            found.setdefault(body, link)
    return tuple(found[body] for body in sorted(found))


def pulls(model: Model, paths: tuple[Path, ...]) -> Task:
    """Force and moment about the world's origin, in its axes, of unit forces of paths on each pulled link (paths, links, 6).

    They are the derivatives of the lengths by small motions of the links, which are further inputs: give zeros.
    """
    links = pulled_links(model, paths)

    def text(s: Situation) -> list[Scalar]:
        pushes = {s.tree.places[link][0]: s["push"][6 * k : 6 * k + 6] for k, link in enumerate(links)}
        bodies = bodies_of(model, s.tree, s["q"], links_of(paths), pushes)
        return [path_length(path, bodies) for path in paths]

    key = f"pushed_path_lengths[{full_text(paths)}]"
    inputs = {"q": model.nq, "push": 6 * len(links)}
    task = laid_out_task(key, model, inputs, Port("lengths", len(paths)), text, layouts=(lambda tree: tree,))

    def slopes(record: Record) -> list[list[Symbol]]:
        n = 6 * len(links)
        rows = forward(
            record.graph, record.seeds([("push", k, [float(i == k) for i in range(n)]) for k in range(n)]), record.results
        )
        return [[-row.get(k, record.zero) for row in rows for k in range(n)]]

    return derived(model, task, "pulls", [], [Port("pulls", len(paths) * 6 * len(links))], slopes)


def links_of(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the links that carry points or surfaces of paths."""
    found = [point.link for path in paths for point in path.points] + [w.surface.link for path in paths for w in path.wraps]
    return tuple(dict.fromkeys(found))


def _pushed(frame: Frame, push: Sequence[Scalar]) -> Frame:
    """Return a frame after a small motion of its body: a shift, then a turn about the world's origin."""
    shift, turn = Vector(*push[:3]), Vector(*push[3:])
    columns = [column + turn.cross(column) for column in frame.R.T.rows]
    return Frame(Matrix(columns).T, frame.p + shift + turn.cross(frame.p))


def _units(record: Record, nv: int) -> dict[int, dict[int, Symbol]]:
    return record.seeds([("q", k, [float(i == k) for i in range(nv)]) for k in range(nv)])


def bodies_of(
    model: Model,
    tree: Tree,
    q: Sequence[Scalar],
    links: Sequence[str],
    pushes: Mapping[int, Sequence[Scalar]] | None = None,
) -> Bodies:
    """Return where bodies and links are, after small motions of some bodies."""
    moving = sorted({j for link in links for j in chain(tree, tree.places[link][0])})
    places = {}
    for link in links:
        body, pose = tree.places[link]
        places[link] = (body, Matrix.of(pose.R), Vector.of(pose.translation))
    frames = frames_in_world(tree, q, moving)
    for body, push in (pushes or {}).items():
        frames[body] = _pushed(frames[body], push)
    return Bodies(places, frames, coordinates_of(model, q))


def coordinates_of(model: Model, q: Sequence[Scalar]) -> dict[str, Scalar]:
    """Return the values of all coordinates by name, those of coupled joints too."""
    found = dict(zip(coordinate_names(model), q, strict=True))
    for joint in model.joints:
        if joint.coupling is not None:
            leader = model.resolve_coupling(joint)
            found[joint.name] = add(mul(leader.ratio, found[leader.joint]), leader.offset)
    return found


def check_path(model: Model, path: Path) -> None:
    """Raise NameLookupError where a path names a link or a coordinate that a model does not have."""
    known = {link.name for link in model.links}
    coordinates = {*coordinate_names(model), *(j.name for j in model.joints if j.coupling is not None)}
    for point in path.points:
        if point.link not in known:
            raise NameLookupError("link", point.link, known, f" (of path point {point.name!r})")
        named = [x.coordinate for x in point.place if isinstance(x, Moving)]
        for name in [*named, *([point.when.coordinate] if point.when else [])]:
            if name not in coordinates:
                raise NameLookupError("coordinate", name, coordinates, f" (of path point {point.name!r})")
    for wrap in path.wraps:
        if wrap.surface.link not in known:
            raise NameLookupError("link", wrap.surface.link, known, f" (of surface {wrap.surface.name!r})")


def forces(model: Model, muscles: tuple[Muscle, ...]) -> Task:
    """Forces of muscles with rigid tendons, along these [N], from lengths [m], rates [m/s] and activations."""

    def text(lengths: Sequence[Scalar], rates: Sequence[Scalar], activations: Sequence[Scalar]) -> list[list[Scalar]]:
        given = zip(muscles, activations, lengths, rates, strict=True)
        return [[rigid_force(muscle, a, length, rate) for muscle, a, length, rate in given]]

    return _of_muscles("rigid_forces", muscles, ("lengths", "rates", "activations"), ("forces",), text)


def analysis(model: Model, muscles: tuple[Muscle, ...]) -> Task:
    """Fiber lengths and velocities, cosines of pennation, active and passive forces of muscles with rigid tendons."""

    def text(lengths: Sequence[Scalar], rates: Sequence[Scalar], activations: Sequence[Scalar]) -> list[list[Scalar]]:
        fibers = [rigid_fiber(muscle, x, rate) for muscle, x, rate in zip(muscles, lengths, rates, strict=True)]
        both = list(zip(muscles, fibers, strict=True))
        return [
            [fiber.length * muscle.optimal_fiber_length for muscle, fiber in both],
            [fiber.velocity * (muscle.max_velocity * muscle.optimal_fiber_length) for muscle, fiber in both],
            [fiber.cosine for fiber in fibers],
            [active_force(muscle, a, fiber) for (muscle, fiber), a in zip(both, activations, strict=True)],
            [passive_force(muscle, fiber) for muscle, fiber in both],
        ]

    outputs = ("fiber_lengths", "fiber_velocities", "cosines", "active", "passive")
    return _of_muscles("analysis", muscles, ("lengths", "rates", "activations"), outputs, text)


def _of_muscles(
    name: str, muscles: tuple[Muscle, ...], inputs: Sequence[str], outputs: Sequence[str], text: Callable[..., list[list[Scalar]]]
) -> Task:
    n = len(muscles)
    without = tuple(replace(muscle, path=NO_PATH) for muscle in muscles)  # forces do not depend on paths
    key = f"{name}[{full_text(without)}]"
    return Task(key, tuple(Port(x, n) for x in inputs), tuple(Port(x, n) for x in outputs), [text], title=f"{name} of muscles")


NO_PATH = Path((Point("", (0.0, 0.0, 0.0)), Point("", (0.0, 0.0, 0.0))))
