"""Derivatives of a trace, recorded in the same trace.

Every operation y = op(a, b) has slopes dy/da and dy/db; the two modes of automatic differentiation go along them
    forward   dy = dy/da da + dy/db db           from inputs to results: one pass for any number of directions
    reverse   a' += dy/da y', b' += dy/db y'     from results to inputs: one pass for a weighted sum of results
(Griewank and Walther 2008, chapter 3). Where a tangent or an adjoint is zero nothing is recorded, so that derivatives have the
sparsity of the robot: a joint's direction runs through what it moves only. Values are shared with the function itself.

Some operations are not smooth everywhere. The slopes of sign and less are taken as 0, at the jump too: Coulomb friction does
not depend on the velocity but by its side. A guard hands derivatives through: where it stops a value, the value itself stops the
result. A selection has the derivatives of the operand that is taken. Those of the other may be infinite or NaN (the square root
of a negative number), and a zero adjoint does not take them away: 0 inf is NaN. So a selection among adjoints stays outermost,
select(c, y', 0) f' = select(c, y' f', 0), as long as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..spatial.scalar import is_zero
from .program import ADD, CONST, COS, DIV, EXP, GUARD, INPUT, LESS, LOG, MUL, NEG, SELECT, SIGN, SIN, SQRT, SUB, TANH
from .schedule import needed
from .symbol import Graph, Symbol

Tangents = Mapping[int, Symbol]  # along each direction where it is not zero


def forward(graph: Graph, seeds: Mapping[int, Tangents], results: Sequence[Symbol]) -> list[Tangents]:
    """Return the tangents of results, given those of some nodes by their index."""
    tangents: dict[int, Tangents] = {}
    for k in sorted(needed(graph, results)):
        if k in seeds:
            tangents[k] = {d: t for d, t in seeds[k].items() if not is_zero(t)}
            continue
        total: dict[int, Symbol] = {}
        if graph.nodes[k][0] == SELECT:
            _, condition, a, b = graph.nodes[k]
            own, other = tangents.get(a.index, {}), tangents.get(b.index, {})
            total = {d: condition.select(own.get(d, 0.0), other.get(d, 0.0)) for d in {**own, **other}}
        for operand, slope in _slopes(graph, k, tangents):
            for d, t in tangents[operand.index].items():
                total[d] = total[d] + t * slope if d in total else t * slope
        total = {d: t for d, t in total.items() if not is_zero(t)}
        if total:
            tangents[k] = total
    return [tangents.get(x.index, {}) for x in results]


def reverse(graph: Graph, inputs: Sequence[Symbol], results: Sequence[Symbol], weights: Sequence[Symbol]) -> list[Symbol]:
    """Return the derivatives of the sum of weighted results by inputs."""
    active = _dependents(graph, inputs, results)
    adjoints: dict[int, Symbol] = {}

    def add(k: int, share: Symbol) -> None:
        if not is_zero(share):
            adjoints[k] = _sum(adjoints[k], share) if k in adjoints else share

    for x, weight in zip(results, weights, strict=True):
        if x.index in active:
            add(x.index, weight)
    own = {x.index for x in inputs}
    for k in sorted(active - own, reverse=True):
        if k in adjoints:
            adjoint = adjoints.pop(k)
            if graph.nodes[k][0] == SELECT:
                _, condition, a, b = graph.nodes[k]
                for operand, share in ((a, condition.select(adjoint, 0.0)), (b, condition.select(0.0, adjoint))):
                    if operand.index in active:
                        add(operand.index, share)
            for operand, slope in _slopes(graph, k, active):
                add(operand.index, _product(adjoint, slope))
    return [adjoints.get(x.index, graph.constant(0.0)) for x in inputs]


def _dependents(graph: Graph, inputs: Sequence[Symbol], results: Sequence[Symbol]) -> set[int]:
    """Return the nodes that lead from inputs to results."""
    found = {x.index for x in inputs}
    for k, operands in sorted(needed(graph, results).items()):
        if any(x in found for x in operands):
            found.add(k)
    return found


def _slopes(graph: Graph, k: int, active: Mapping[int, Tangents] | set[int]) -> list[tuple[Symbol, Symbol | float]]:
    """Return the active operands of a node, and the derivative of its value by each; a selection is not among them."""
    op, a, b = graph.nodes[k][:3]
    if op in (CONST, INPUT, SIGN, LESS, SELECT):
        return []
    first, second = a.index in active, b is not None and b.index in active
    if not (first or second):
        return []
    slopes: tuple[Symbol | float, ...]
    if op == MUL:
        slopes = (b, a)
    elif op == DIV:
        y = graph.at(k)
        # a constant over b gives 1 / b for a product, unless it is zero
        value = graph.nodes[a.index][1] if a.op == CONST else 0.0
        inverse = y * (1.0 / value) if value else 1.0 / b
        slopes = (inverse, -(y * inverse) if second else 0.0)
    elif op == SIN:
        slopes = (a.cos(),)
    elif op == COS:
        slopes = (-a.sin(),)
    elif op in _BY_VALUE:
        slopes = (_BY_VALUE[op](a, graph.at(k)),)
    else:
        slopes = {ADD: (1.0, 1.0), SUB: (1.0, -1.0), NEG: (-1.0,), GUARD: (1.0, 0.0)}[op]
    return [(x, slope) for x, slope, on in zip((a, b), slopes, (first, second), strict=False) if on]


# derivatives of functions y = f(a), of a and y
_BY_VALUE: dict[str, Callable[[Symbol, Symbol], Symbol]] = {
    SQRT: lambda a, y: 0.5 / y,
    EXP: lambda a, y: y,
    LOG: lambda a, y: 1.0 / a,
    TANH: lambda a, y: 1.0 - y * y,
}


def _product(adjoint: Symbol, slope: Symbol | float) -> Symbol:
    """Return adjoint * slope: zero where the adjoint is zero by a selection, whatever the slope."""
    if adjoint.op == NEG:
        return -_product(adjoint.graph.nodes[adjoint.index][1], slope)  # type: ignore[no-any-return]
    if adjoint.op == SELECT:
        _, condition, a, b = adjoint.graph.nodes[adjoint.index]
        if is_zero(a) or is_zero(b):
            return condition.select(_product(a, slope), _product(b, slope))  # type: ignore[no-any-return]
    if adjoint.op == ADD and _has_selection(adjoint):
        _, a, b = adjoint.graph.nodes[adjoint.index][:3]
        return _sum(_product(a, slope), _product(b, slope))
    return adjoint * slope  # type: ignore[no-any-return]


def _sum(x: Symbol, y: Symbol) -> Symbol:
    """Return x + y, as one selection where both are zero under the same condition."""
    if x.op == y.op == SELECT:
        (_, c, a, b), (_, other, p, r) = x.graph.nodes[x.index], y.graph.nodes[y.index]
        if c is other and ((is_zero(a) and is_zero(p)) or (is_zero(b) and is_zero(r))):
            return c.select(_sum(a, p), _sum(b, r))  # type: ignore[no-any-return]
    return x + y  # type: ignore[no-any-return]


def _has_selection(x: Symbol) -> bool:
    """Return whether a sum has a part that is zero by a selection."""
    if x.op in (ADD, NEG):
        return any(_has_selection(part) for part in x.graph.nodes[x.index][1:3] if part is not None)
    return x.op == SELECT and any(is_zero(part) for part in x.graph.nodes[x.index][2:4])
