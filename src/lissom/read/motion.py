"""The motion of a custom joint: translations and rotations as functions of its coordinate.

    motion:
      unit: rad                            # of the coordinate, or m
      translations:                        # [m], along axes of the joint frame
        - {axis: [1, 0, 0], function: {spline: {at: [-2, -1, 0, 1], values: [0.01, 0.02, 0.0, -0.01]}}}
      rotations:                           # [rad], one after the other, each about an axis moved by those before
        - {axis: [0, 0, 1], function: {polynomial: [0, 1]}}        # the coordinate itself
        - {axis: [1, 0, 0], function: 0.1}                         # a constant

Coefficients of a polynomial start with the constant. A spline may have `ends: cubic` instead of natural (see Spline). There are
also {polyline: {at: [...], values: [...]}} and {composed: {outer: FUNCTION, inner: FUNCTION}}.
"""

from __future__ import annotations

import yaml

from ..joints.function import DEEP, ENDS, Composed, Function, Polyline
from ..model import Motion, Polynomial, Spline
from ..model.motion import UNITS, Along
from ..model.pose import as_vector3
from .entry import Entry

_FUNCTIONS = ("polynomial", "spline", "polyline", "composed")


def read_motion(entry: Entry) -> Motion:
    """Read {unit, translations, rotations}."""
    keys = entry.mapping(("unit", "translations", "rotations"))
    unit = keys["unit"].choice(UNITS) if "unit" in keys else "rad"
    parts = {name: [_pair(item) for item in keys[name].items()] for name in ("translations", "rotations") if name in keys}
    with entry.source.at(entry.line):
        return Motion(unit=unit, **{name: tuple(pairs) for name, pairs in parts.items()})


def _pair(entry: Entry) -> Along:
    keys = entry.mapping(("axis", "function"), required=("axis", "function"))
    return as_vector3(keys["axis"].numbers(3), "axis"), _function(keys["function"])


def _function(entry: Entry, depth: int = 0) -> Function:
    """Read a number, or a function of one of the four forms."""
    if isinstance(entry.node, yaml.ScalarNode):
        with entry.source.at(entry.line):
            return Polynomial((entry.number(),))
    keys = entry.mapping(_FUNCTIONS)
    if len(keys) != 1:
        raise entry.error(f"{entry.label} must be one of {', '.join(_FUNCTIONS)}, got {' and '.join(keys) or 'nothing'}")
    if "polynomial" in keys:
        coefficients = tuple(item.number() for item in keys["polynomial"].items())
        with entry.source.at(entry.line):
            return Polynomial(coefficients)
    if "composed" in keys:
        if depth > DEEP:
            raise entry.error(f"functions are nested more than {DEEP} deep")
        parts = keys["composed"].mapping(("outer", "inner"), required=("outer", "inner"))
        outer, inner = (_function(parts[name], depth + 1) for name in ("outer", "inner"))
        with entry.source.at(entry.line):
            return Composed(outer, inner)
    if "polyline" in keys:
        line = keys["polyline"].mapping(("at", "values"), required=("at", "values"))
        at, values = (tuple(item.number() for item in line[name].items()) for name in ("at", "values"))
        with entry.source.at(entry.line):
            return Polyline(at, values)
    spline = keys["spline"].mapping(("at", "values", "ends"), required=("at", "values"))
    at, values = (tuple(item.number() for item in spline[name].items()) for name in ("at", "values"))
    ends = spline["ends"].choice(ENDS) if "ends" in spline else "natural"
    with entry.source.at(entry.line):
        return Spline(at, values, ends)
