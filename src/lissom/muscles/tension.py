"""Tension: what a taut path does to bodies and coordinates, as OpenSim has it, over any scalar.

A path with a unit tension pulls the two ends of each straight part together, along it. Where it touches a surface the touching
point counts as one of the surface's body. The moment arm of a coordinate is the work of these forces in its unit motion: -dl/dq
where the path is as short as the surfaces let it be (no wraps, spheres, exact cylinders). Around ellipsoids, tori and cylinders
that are not exact OpenSim's paths are no geodesics, and their moment arms differ from -dl/dq by up to millimeters.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..algorithms.kinematics.jacobian import motion_at
from ..algorithms.loads import Situation, chain, laid_out_task
from ..algorithms.step import share_of
from ..compiler.program import Port
from ..compiler.task import Task
from ..model.fingerprint import full_text
from ..model.model import Model
from ..model.names import velocity_names
from ..spatial.scalar import Scalar, add, mul, select
from ..spatial.twist import Twist
from ..spatial.vector import ZERO
from ..tree import BASE, Tree, reframe
from .length import route
from .path import Path
from .spot import Bodies
from .tasks import bodies_of, links_of, pulled_links
from .wrapped import size

NO_PULL: Twist = (ZERO, ZERO)


def tension(path: Path, bodies: Bodies) -> tuple[Scalar, dict[int, Twist], dict[str, Scalar]]:
    """Return the length of a path [m], and of a unit tension force and moment about the world's origin on each body, in the
    world's axes, and what it does to coordinates that move points.
    """
    parts, arcs = route(path, bodies)
    total: Scalar = 0.0
    for on, arc in arcs:
        total = add(total, select(on, arc, 0.0))
    pulls: dict[int, Twist] = {}
    drifts: dict[str, Scalar] = {}
    for on, a, b in parts:
        if type(on) is float and on == 0.0:
            continue
        if a.body is not None and a.body == b.body and not (a.drifts or b.drifts):
            total = add(total, _if(on, size(b.local - a.local)))
            continue
        along = b.world - a.world
        length = size(along)
        total = add(total, _if(on, length))
        # a part that is not there may have no length: its direction is then zero
        there = 1.0 / (length if type(on) is float else select(on, length, 1.0))
        unit = along * (there if type(on) is float else mul(on, there))
        for spot, pull in ((a, unit), (b, unit * -1.0)):
            moment = spot.world.cross(pull)
            for body, carries in spot.carriers.items():
                if body != BASE and not (type(carries) is float and carries == 0.0):
                    force, turn = pulls.get(body, NO_PULL)
                    pulls[body] = force + pull * carries, turn + moment * carries
            for name, drift in spot.drifts.items():
                drifts[name] = add(drifts.get(name, 0.0), pull.dot(drift))
    return total, pulls, drifts


def _if(condition: Scalar, value: Scalar) -> Scalar:
    return value if type(condition) is float else select(condition, value, 0.0)


def lengths_and_arms(model: Model, paths: tuple[Path, ...]) -> Task:
    """Lengths of paths [m], and their moment arms by tension (paths, nv), row by row."""

    def text(s: Situation) -> list[list[Scalar]]:
        bodies = bodies_of(model, s.tree, s["q"], links_of(paths))
        motions, shares = _motions(s.tree, s["q"], bodies), _shares(model)
        lengths: list[Scalar] = []
        arms: list[Scalar] = []
        for path in paths:
            length, pulls, drifts = tension(path, bodies)
            row: list[Scalar] = [0.0] * model.nv
            for k, carried, (v, w) in motions:
                for j in sorted(carried & pulls.keys()):
                    force, moment = pulls[j]
                    row[k] = add(row[k], add(v.dot(force), w.dot(moment)))
            for name, work in drifts.items():
                k, share = shares[name]
                row[k] = add(row[k], mul(share, work))
            lengths.append(length)
            arms += row
        return [lengths, arms]

    outputs = [Port("lengths", len(paths)), Port("arms", len(paths) * model.nv)]
    key = f"lengths_and_tension_arms[{full_text(paths)}]"
    return laid_out_task(key, model, {"q": model.nq}, outputs, text, layouts=(reframe,))


def pulls_of_tension(model: Model, paths: tuple[Path, ...]) -> Task:
    """Force and moment about the world's origin, in its axes, of unit tensions on each pulled link (paths, links, 6)."""
    links = pulled_links(model, paths)

    def text(s: Situation) -> list[Scalar]:
        bodies = bodies_of(model, s.tree, s["q"], links_of(paths))
        found: list[Scalar] = []
        for path in paths:
            _, pulls, _ = tension(path, bodies)
            for link in links:
                force, moment = pulls.get(s.tree.places[link][0], NO_PULL)
                found += [*force, *moment]
        return found

    key = f"tension_pulls[{full_text(paths)}]"
    return laid_out_task(
        key, model, {"q": model.nq}, Port("pulls", len(paths) * 6 * len(links)), text, layouts=(lambda tree: tree,)
    )


def _motions(tree: Tree, q: Sequence[Scalar], bodies: Bodies) -> list[tuple[int, set[int], Twist]]:
    """Return for each joint direction its velocity's index, the bodies that it carries, and its unit motion at the world's
    origin.
    """
    found = []
    for j, body in enumerate(tree.bodies):
        if body.spins or j not in bodies.frames:
            continue
        carried = {k for k in bodies.frames if k != BASE and j in chain(tree, k)}
        share = share_of(body, q)
        for k, S in enumerate(body.directions):
            v, w = motion_at(bodies.frames[j], S, ZERO)
            found.append((body.iv + k, carried, (v * share, w * share)))
    return found


def _shares(model: Model) -> dict[str, tuple[int, float]]:
    """Return for each coordinate the velocity that moves it, and the ratio of their rates."""
    found = {name: (k, 1.0) for k, name in enumerate(velocity_names(model))}
    for joint in model.joints:
        if joint.coupling is not None:
            leader = model.resolve_coupling(joint)
            k, share = found[leader.joint]
            found[joint.name] = (k, float(leader.ratio) * share)
    return found
