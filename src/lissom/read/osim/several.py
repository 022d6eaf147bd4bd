"""Functions of several coordinates that are sums of functions of one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...joints.function import Function, Polynomial
from ..source import Source
from .functions import SEVERAL
from .laws import law_of, stretched
from .parts import FunctionPart

Term = tuple[str, Function]  # a coordinate and a function of it
MOST = 20  # order and dimension of polynomials


def terms_of(part: FunctionPart, names: Sequence[str], what: str, source: Source) -> list[Term]:
    """Return functions of one coordinate each whose sum a function of coordinates is; `what` it belongs to is for messages.

    Raises:
        FileError: the function has not as many arguments as there are coordinates, or terms of two of them at once.
    """
    if part.kind == SEVERAL:
        return _of_powers(part, names, what, source)
    if part.kind == "MultiplierFunction" and part.inner is not None:
        return [(name, stretched(law, part.values[0])) for name, law in terms_of(part.inner, names, what, source)]
    if len(names) == 1 or part.kind == "Constant":
        return [(names[0], law_of(part, what, source))]
    if part.kind != "LinearFunction":
        known = f"LinearFunction and {SEVERAL}"
        raise source.error(
            f"{what} is a {part.kind} of several coordinates, {_listed(names)}; of these lissom has {known}", part.line
        )
    if len(part.values) != len(names) + 1:
        raise source.error(
            f"{what}: a LinearFunction of {_listed(names)} has {len(names)} slopes and an offset, got {part.values}", part.line
        )
    *slopes, offset = part.values
    with source.at(part.line):
        return [
            (name, Polynomial((0.0 if k else offset, slope))) for k, (name, slope) in enumerate(zip(names, slopes, strict=True))
        ]


def summed(terms: list[Term], what: str, source: Source, line: int) -> list[Term]:
    """Return terms in which each coordinate is there once, without those that are zero; one at least."""
    found: dict[str, Function] = {}
    offset = 0.0
    for name, law in terms:
        before = found.get(name)
        if law.constant is not None:
            offset += law.constant
        elif before is None:
            found[name] = law
        elif isinstance(law, Polynomial) and isinstance(before, Polynomial):
            n = max(len(law.coefficients), len(before.coefficients))
            pairs = zip(*((*p.coefficients, *[0.0] * (n - len(p.coefficients))) for p in (law, before)), strict=True)
            found[name] = Polynomial(tuple(a + b for a, b in pairs))
        else:
            raise source.error(f"{what} is the sum of two curves of {name!r}; lissom has one of each coordinate", line)
    if not found:
        return [(terms[0][0], Polynomial((offset,)))]
    first = next(iter(found))
    found[first] = stretched(found[first], 1.0, offset)
    return list(found.items())


def _of_powers(part: FunctionPart, names: Sequence[str], what: str, source: Source) -> list[Term]:
    """Return the terms of a polynomial of several coordinates, whose coefficients count up the powers of the last one first."""
    dimension, order = part.at
    if dimension != len(names) or dimension > MOST or not 0 <= order <= MOST or order != int(order):
        raise source.error(
            f"{what}: a {SEVERAL} of {_listed(names)} has the dimension {len(names)} and an order up to {MOST}, "
            f"got {dimension:g} and {order:g}",
            part.line,
        )
    count = math.comb(len(names) + int(order), int(order))
    if len(part.values) != count:
        raise source.error(f"{what}: a {SEVERAL} of this order has {count} coefficients, got {len(part.values)}", part.line)
    found = [[0.0] * (int(order) + 1) for _ in names]
    for c, powers in zip(part.values, _powers(len(names), int(order)), strict=True):
        used = [k for k, p in enumerate(powers) if p]
        if len(used) > 1 and c != 0.0:
            many = _listed([names[k] for k in used])
            raise source.error(f"{what} has a term of {many} at once; lissom has sums of functions of one coordinate", part.line)
        if c != 0.0:
            k = used[0] if used else 0
            found[k][powers[k]] += c
    with source.at(part.line):
        return [(name, Polynomial(tuple(c))) for name, c in zip(names, found, strict=True)]


def _powers(dimension: int, order: int) -> Iterator[tuple[int, ...]]:
    if dimension == 1:
        yield from ((p,) for p in range(order + 1))
        return
    for p in range(order + 1):
        yield from ((p, *rest) for rest in _powers(dimension - 1, order - p))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))
