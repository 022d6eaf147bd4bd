"""Functions in an OpenSim file, as they stand there."""

from __future__ import annotations

from ..xml import Element
from .parts import FunctionPart
from .values import Values, title

# classes by the properties with their numbers
_VALUES = {
    "Constant": "value",
    "LinearFunction": "coefficients",
    "PolynomialFunction": "coefficients",
    "SimmSpline": "y",
    "PiecewiseLinearFunction": "y",
}
_OLD = {"natCubicSpline": "SimmSpline", "NatCubicSpline": "SimmSpline", "NaturalCubicSpline": "SimmSpline"}
# classes of which only the name is read, so that a message can say it
_OTHERS = frozenset(
    {
        "GCVSpline",
        "PiecewiseConstantFunction",
        "SignalGenerator",
        "Sine",
        "StepFunction",
    }
)
SEVERAL = "MultivariatePolynomialFunction"
DEEP = 20  # multipliers inside one another


def find_function(holder: Element, values: Values, *names: str) -> FunctionPart | None:
    """Return the function of an object: a child of a function's class, or one inside the property called one of `names`."""
    for child in holder.children:
        if _known(child.tag):
            return read_function(child, values)
    wrapper = values.child(holder, *names) if names else None
    if wrapper is not None:
        for child in wrapper.children:
            return read_function(child, values)
    return None


def read_function(element: Element, values: Values, depth: int = 0) -> FunctionPart:
    """Return the function of an element."""
    kind = _OLD.get(element.tag, element.tag)
    if kind == "MultiplierFunction":
        if depth >= DEEP:
            raise values.source.error(f"functions are nested more than {DEEP} deep", element.line)
        wrapper = values.need(element, "function")
        if not wrapper.children:
            raise values.source.error(f"{title(element)} has no function to multiply", element.line)
        inner = read_function(wrapper.children[0], values, depth + 1)
        return FunctionPart(kind, element.line, (values.finite(element, "scale", 1.0),), (), inner, element)
    if kind == SEVERAL:
        coefficients = values.numbers(element, "coefficients") or ()
        sizes = values.finite(element, "dimension", 0.0), values.finite(element, "order", 0.0)
        return FunctionPart(kind, element.line, coefficients, sizes, None, element)
    if kind not in _VALUES:
        return FunctionPart(kind, element.line, element=element)
    numbers = values.numbers(element, _VALUES[kind])
    if numbers is None:
        if kind != "Constant":
            raise values.source.error(f"{title(element)} has no <{_VALUES[kind]}>", element.line)
        numbers = (0.0,)
    at = values.numbers(element, "x") or () if _VALUES[kind] == "y" else ()
    return FunctionPart(kind, element.line, numbers, at, None, element)


def _known(tag: str) -> bool:
    return tag in _VALUES or tag in _OLD or tag in _OTHERS or tag == SEVERAL or tag == "MultiplierFunction"
