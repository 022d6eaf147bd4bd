"""OpenSim's functions of one coordinate as lissom's."""

from __future__ import annotations

from ...joints.function import Composed, Function, Polyline, Polynomial, Spline
from ..source import Source
from .parts import FunctionPart

IDENTITY_LAW = Polynomial((0.0, 1.0))


def law_of(part: FunctionPart, what: str, source: Source) -> Function:
    """Return the function of a part; `what` it belongs to is for messages."""
    with source.at(part.line):
        if part.kind == "Constant":
            return Polynomial(part.values)
        if part.kind == "LinearFunction":
            if len(part.values) != 2:
                raise source.error(f"a LinearFunction of one coordinate has a slope and an offset, got {part.values}", part.line)
            return Polynomial((part.values[1], part.values[0]))
        if part.kind == "PolynomialFunction":
            return Polynomial(part.values[::-1])
        if part.kind == "SimmSpline":
            return Spline(part.at, part.values, "cubic" if len(part.at) != 2 else "natural")
        if part.kind == "PiecewiseLinearFunction":
            return Polyline(part.at, part.values)
        if part.kind == "MultiplierFunction":
            assert part.inner is not None
            return stretched(law_of(part.inner, what, source), part.values[0])
    known = "Constant, LinearFunction, SimmSpline, PiecewiseLinearFunction, PolynomialFunction and MultiplierFunction"
    raise source.error(f"{what} is moved by a {part.kind}, which lissom does not have; it has {known}", part.line)


def stretched(law: Function, factor: float, offset: float = 0.0) -> Function:
    """Return factor * law + offset."""
    if factor == 1.0 and offset == 0.0:
        return law
    if isinstance(law, Polynomial):
        scaled = [factor * c for c in law.coefficients]
        return Polynomial((scaled[0] + offset, *scaled[1:]))
    if isinstance(law, Composed):
        return Composed(stretched(law.outer, factor, offset), law.inner)
    values = tuple(factor * y + offset for y in law.values)
    return Polyline(law.at, values) if isinstance(law, Polyline) else Spline(law.at, values, law.ends)


def line(law: Function) -> tuple[float, float] | None:
    """Return slope and offset of a straight line, or None."""
    if not isinstance(law, Polynomial) or any(law.coefficients[2:]):
        return None
    c = (*law.coefficients, 0.0)
    return c[1], c[0]


def after(outer: Function, inner: Function) -> Function:
    """Return outer(inner(x))."""
    if (straight := line(outer)) is not None:
        return stretched(inner, *straight)
    if line(inner) == (1.0, 0.0):
        return outer
    if isinstance(outer, Composed):
        return Composed(outer.outer, after(outer.inner, inner))
    return Composed(outer, inner)
