"""Limbs: the operations of a program shared out among warps, each of which has some limbs of a robot.

Every operation has a phase and, in some of them, a warp:
    0  depends on the trunk alone: every warp that needs it computes it
    1  depends on the trunk and on the limbs of one warp
    2  depends on the limbs of several: the first warp computes it, with numbers of the others
    3  depends on phase 2, and matters to the limbs of one warp alone
Between phases 1 and 2, and between 2 and 3, numbers go from warp to warp; in no other case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...model.model import Model
from ...tree.lump import lump
from ..program import INPUT, Program
from .order import Needs, greedy, most_alive

LARGE = 0.3  # share of all bodies up to which what hangs on the trunk is a limb
MOST = 0.5  # share of all operations up to which a warp may have its own and those of phase 2
SLACK = 1.1  # times the fewest values alive up to which the order of the program, with shorter chains, is kept
STATE = ("q", "qd", "qdd", "tau")

Limbs = Mapping[tuple[str, int], int]


class Share(NamedTuple):
    """Operations of a warp.

    Attributes:
        order: in which they are computed, phase after phase.
        need: of them.
        given: numbers of other warps that it uses.
        results: of all outputs, the positions of entries in the program, -1 for those of others.
    """

    order: list[int]
    need: Needs
    given: frozenset[int]
    results: tuple[tuple[int, ...], ...]


class Shared(NamedTuple):
    """A program shared out.

    Attributes:
        shares: of the warps.
        phase: of every operation.
        cross: numbers that go from warp to warp, with their places.
    """

    shares: list[Share]
    phase: dict[int, int]
    cross: dict[int, int]


def limbs_of(model: Model, warps: int) -> Limbs | None:
    """Return the warp of every coordinate and velocity of limbs, by "q" or "v" and its number; None where limbs are too few.

    Long and short limbs take turns, so that two blocks of which one is turned round keep all parts of a processor busy.
    """
    bodies = lump(model).bodies
    children: dict[int, list[int]] = defaultdict(list)
    for i, body in enumerate(bodies):
        children[body.parent].append(i)

    def subtree(i: int) -> list[int]:
        return [i, *(x for child in children[i] for x in subtree(child))]

    front = [i for i, body in enumerate(bodies) if body.parent < 0]
    while front:
        front.sort(key=lambda i: -len(subtree(i)))
        if len(subtree(front[0])) <= LARGE * len(bodies):
            break
        front = front[1:] + children[front[0]]
    loads, of = [0] * warps, dict[int, int]()
    for i in front:
        own = subtree(i)
        warp = loads.index(min(loads))
        loads[warp] += len(own)
        of.update((bodies[k].iv, warp) for k in own)
    places = [(place, of[place.v.start]) for place in model.layout if place.v.start in of]
    found = {("q", k): warp for place, warp in places for k in range(place.q.start, place.q.stop)}
    found |= {("v", k): warp for place, warp in places for k in range(place.v.start, place.v.stop)}
    return found if all(loads) else None


def shared_out(program: Program, need: Needs, limbs: Limbs, warps: int) -> Shared | None:
    """Return a program shared out among warps; None where its inputs are others, or parts of it would wait for each other."""
    if any(port.name not in STATE for port in program.inputs):
        return None
    code, used = program.code, need.operands
    sources, aims = _sources(program, used, limbs), _aims(program, used, limbs, warps)
    home, phase = dict[int, int](), dict[int, int]()
    for k in used:
        a, d = sources[k], aims[k]
        if not a:
            home[k], phase[k] = -1, 0
        elif _one(a):
            home[k], phase[k] = a.bit_length() - 1, 1
        elif _one(d) and d < 1 << warps:
            home[k], phase[k] = d.bit_length() - 1, 3
        else:
            home[k], phase[k] = 0, 2
    crossing: set[int] = set()
    for k, own in used.items():
        for x in own:
            if x in phase and phase[x] and home[x] != home[k]:
                if phase[x] >= phase[k] or (phase[x], phase[k]) not in ((1, 2), (2, 3)):
                    return None
                crossing.add(x)
    cross = {x: place for place, x in enumerate(sorted(crossing))}
    shares = []
    for warp in range(warps):
        mine = {k for k in used if home[k] == warp}
        if not warp:
            mine |= {k for entries in program.results for k in entries if k in used and not phase[k]}
        todo = list(mine)
        while todo:  # what depends on the trunk alone is computed by all who need it
            for x in used[todo.pop()]:
                if x in phase and not phase[x] and x not in mine:
                    mine.add(x)
                    todo.append(x)
        results = tuple(tuple(k if max(home.get(k, 0), 0) == warp else -1 for k in entries) for entries in program.results)
        shares.append(_share(code, need, sorted(mine), phase, results))
    if max(len(share.order) for share in shares) > MOST * len(used):
        return None
    return Shared(shares, phase, cross)


def _share(code: Sequence[tuple], need: Needs, own: list[int], phase: Mapping[int, int], results: tuple) -> Share:  # type: ignore[type-arg]
    used = {k: need.operands[k] for k in own}
    partner = {k: v for k, v in need.partner.items() if k in used and v in used}
    orders = [sorted(order, key=lambda k: max(phase[k], 1)) for order in (own, greedy(own, used))]
    order = orders[0] if most_alive(orders[0], used) <= SLACK * most_alive(orders[1], used) else orders[1]
    given = frozenset(x for xs in used.values() for x in xs if x in need.operands and x not in used)
    return Share(order, Needs(used, partner), given, results)


def _sources(program: Program, used: Mapping[int, Sequence[int]], limbs: Limbs) -> dict[int, int]:
    """Return the warps whose limbs a value depends on, as bits."""
    found: dict[int, int] = {}
    for k, instruction in enumerate(program.code):
        if instruction[0] == INPUT:
            kind = "q" if program.inputs[int(instruction[1])].name == "q" else "v"
            warp = limbs.get((kind, int(instruction[2] or 0)))
            found[k] = 0 if warp is None else 1 << warp
        elif k in used:
            found[k] = 0
            for x in used[k]:
                found[k] |= found[x]
    return found


def _aims(program: Program, used: Mapping[int, Sequence[int]], limbs: Limbs, warps: int) -> dict[int, int]:
    """Return the warps whose limbs have results that depend on a value, as bits; one more for results of the trunk."""
    velocities = [max((i for kind, i in limbs if kind == "v"), default=0)]
    found: dict[int, int] = defaultdict(int)
    for entries in program.results:
        for entry, k in enumerate(entries):
            by_joint = len(entries) > velocities[0] and len(entries) == program.inputs[-1].size
            found[k] |= 1 << (limbs.get(("v", entry), warps) if by_joint else warps)
    for k in sorted(used, reverse=True):
        for x in used[k]:
            found[x] |= found[k]
    return found


def _one(bits: int) -> bool:
    return bits != 0 and not bits & (bits - 1)
