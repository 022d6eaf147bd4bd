"""Order: a program's operations in an order that keeps few values alive, as a thread has few registers.

Three orders are tried beside that of the program itself:
    by arrival   as if the inputs came in one joint after the other: one limb is gone out and back before the next begins. Best
                 for the inverse dynamics of trees.
    greedy       among the operations that are ready, the one after which fewest values are alive, in the order of the program
                 or by arrival. Best for forward dynamics and derivatives.
The program's own order has the shortest chains of dependent operations, and is kept while its values fit into registers.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from .. import schedule
from ..program import CONST, COS, INPUT, SIN, Program, operands
from ..segment import angle

COMFORTABLE = 64  # values alive up to which the order of the program is kept

Values = tuple[int, ...]


@dataclass(frozen=True)
class Needs:
    """What a program computes.

    Attributes:
        operands: for each operation that a result needs, the values it uses, without constants; of a sine or cosine the angle
            without the constant that is added inside. Keys are in the order of the program.
        partner: for each sine of an angle the cosine of the same angle, and the other way round: they are computed together.
    """

    operands: dict[int, Values]
    partner: dict[int, int]


def needs(program: Program) -> Needs:
    """Return what a program's results need."""
    code = program.code

    def used(k: int) -> Values:
        own = (angle(program, k)[0],) if code[k][0] in (SIN, COS) else operands(code[k])
        return tuple(x for x in dict.fromkeys(own) if code[x][0] != CONST)

    needed = {k for entries in program.results for k in entries}
    for k in reversed(range(len(code))):
        if k in needed:
            needed.update(used(k))
    found = {k: used(k) for k in sorted(needed) if code[k][0] not in (CONST, INPUT)}
    turned: dict[tuple[int, float], int] = {}
    partner: dict[int, int] = {}
    for k in found:
        if code[k][0] in (SIN, COS):
            other = turned.setdefault(angle(program, k), k)
            if other != k:
                partner[k], partner[other] = other, k
    return Needs(found, partner)


def best_order(program: Program, need: Needs) -> list[int]:
    """Return the order in which fewest values are alive at once."""
    recorded = list(need.operands)
    if most_alive(recorded, need.operands) <= COMFORTABLE:
        return recorded
    arrival = by_arrival(program, need.operands)
    orders = (recorded, arrival, greedy(recorded, need.operands), greedy(arrival, need.operands))
    return min(orders, key=lambda order: most_alive(order, need.operands))


def most_alive(order: Sequence[int], used: dict[int, Values]) -> int:
    """Return the largest number of values, inputs among them, between their first and their last use."""
    last = {x: k for k in order for x in used[k]}
    alive: set[int] = set()
    most = 0
    for k in order:
        alive.update(used[k])
        alive.add(k)
        most = max(most, len(alive))
        alive.difference_update([x for x in (*used[k], k) if last.get(x, k) == k])
    return most


def by_arrival(program: Program, used: dict[int, Values]) -> list[int]:
    """Return the operations by the last of the inputs that they wait for, as `schedule.py` orders those of the processor."""
    inputs: dict[int, Values] = {x: () for own in used.values() for x in own if x not in used}
    order = schedule.by_arrival({**used, **inputs}, lambda x: int(program.code[x][1]) if x in inputs else None)
    return [k for k in order if k in used]


def greedy(reference: Sequence[int], used: dict[int, Values]) -> list[int]:
    """Return an order in which each operation is the ready one that adds fewest values, the first of `reference` among them."""
    users: dict[int, list[int]] = {}
    for k in reference:
        for x in used[k]:
            users.setdefault(x, []).append(k)
    place = {k: i for i, k in enumerate(reference)}
    waiting = {k: sum(x in used for x in used[k]) for k in reference}
    left = {x: len(own) for x, own in users.items()}

    def growth(k: int) -> int:
        return 1 - sum(left[x] == 1 for x in used[k] if x in used)

    heap = [(growth(k), place[k], k) for k in reference if not waiting[k]]
    heapq.heapify(heap)
    order: list[int] = []
    done: set[int] = set()
    while heap:  # what grows less than when it was put in is put in again
        k = heapq.heappop(heap)[2]
        if k in done:
            continue
        done.add(k)
        order.append(k)
        for x in used[k]:
            left[x] -= 1
            if left[x] == 1 and x in used:
                for user in users[x]:
                    if user not in done and not waiting[user]:
                        heapq.heappush(heap, (growth(user), place[user], user))
        for user in users.get(k, ()):
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(heap, (growth(user), place[user], user))
    return order
