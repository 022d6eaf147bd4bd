"""The parts of a problem file: ends, limits, obstacles, repetition and goals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import yaml

from ...errors import ContradictionError, FileError, suggest
from ...read.entry import Entry
from ...read.values import is_text, line_of, number, numbers, texts, values, vector
from ..problem.check import entry_numbers
from ..problem.check_goal import GOALS
from ..problem.ends import FREE, repeating
from ..problem.joints import path_names
from ..problem.model_limits import model_names
from ..problem.problem import MotionProblem
from ..quantities.by_name import LINEAR
from ..quantities.quantity import Quantity

# options of some quantities; a joint or a link is required
OPTIONS: dict[str, tuple[str, ...]] = {
    "drawn_power": ("rounding",),
    "joint_wrench": ("joint", "components", "axes"),
    "link_position": ("link", "point"),
    "link_rotation": ("link",),
    "distance_squared": ("link", "point", "center", "other"),
}
_EVERY = tuple(dict.fromkeys(key for keys in OPTIONS.values() for key in keys))
ANGLES = (*LINEAR, "deflection", "motor_position", "motor_velocity")  # these may be in degrees
_NEEDED = ("joint", "link")
_BOUNDS = ("lower", "upper", "within", "equal")
LIMIT = ("quantity", *_BOUNDS, "entries", "at", "scale", "hull")
_OPTION: dict[str, Callable[[Entry], Any]] = {"point": vector, "center": vector, "components": texts, "rounding": number}
GOAL = ("goal", "weight", "quantity", "entries", "square", "scale")


def read_end(problem: MotionProblem, side: str, entry: Entry) -> None:
    """Read {position, velocity, acceleration, jerk, snap}: of all joints, a list, by their names, or free.

    At rest by default.
    """
    keys = entry.mapping(LINEAR, required=("position",))
    given: dict[str, Any] = {}
    for key, value in keys.items():
        given[key] = FREE if is_text(value, FREE) else values(value, path_names(problem.robot), angles=True)
    with line_of(keys["position"]):
        (problem.start if side == "start" else problem.end)(**given)


def read_limits(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of limits, each {quantity, bounds, ...} or {from: robot, quantities: [...]}."""
    items: list[Entry] = []  # for every limit of the problem, the item that it comes from
    for item in entry.items():
        loose = item.mapping((*LIMIT, *_EVERY, "from", "quantities"))
        try:
            with line_of(item):
                if "from" in loose:
                    _from_robot(problem, item)
                else:
                    _limit(problem, item, loose)
        except FileError as error:
            if not isinstance(error.__cause__, ContradictionError):
                raise
            other = items[error.__cause__.other]
            raise item.error(f"{error.__cause__} (line {other.line})") from error
        items += [item] * (len(problem.parts.limits) - len(items))


def _from_robot(problem: MotionProblem, item: Entry) -> None:
    keys = item.mapping(("from", "quantities", "hull"))
    keys["from"].choice(("robot",))
    found = len(problem.parts.limits)
    names = texts(keys["quantities"], model_names(problem.robot)) if "quantities" in keys else []
    problem.limit_by_model(*names, hull="hull" in keys and keys["hull"].flag())
    if len(problem.parts.limits) == found:
        raise item.error(f"the model of {problem.robot.name!r} has no limits; write them out")


def _limit(problem: MotionProblem, item: Entry, loose: dict[str, Entry]) -> None:
    quantity = _quantity(problem, item, loose, LIMIT)
    entries = texts(loose["entries"]) if "entries" in loose else None
    labels = _labels(quantity, entries)
    angles = quantity.name in ANGLES
    given = {key: values(loose[key], labels, angles, infinite=True) for key in _BOUNDS if key in loose}
    if not given:
        raise item.error(f"{item.label} has no bounds; give 'lower' and 'upper', 'within' (plus or minus), or 'equal'")
    if len(given) > 1 and {"within", "equal"} & set(given):
        raise item.error(
            f"{item.label} has {' and '.join(repr(key) for key in given)}; 'within' and 'equal' exclude other bounds"
        )
    high = {key: _in_order(value, labels, math.inf) for key, value in given.items()}
    low = {key: _in_order(value, labels, -math.inf) for key, value in given.items()}
    lower: np.ndarray | None
    upper: np.ndarray | None
    if "within" in given:
        lower, upper = -high["within"], high["within"]
    else:
        lower, upper = low.get("lower", low.get("equal")), high.get("upper", high.get("equal"))
    at = None
    if "at" in loose:
        at = numbers(loose["at"]) if isinstance(loose["at"].node, yaml.SequenceNode) else number(loose["at"])
    scale = values(loose["scale"], labels, angles) if "scale" in loose else None
    if isinstance(scale, dict):
        raise loose["scale"].error("'scale' must be one number, or a list with one for each entry")
    hull = "hull" in loose and loose["hull"].flag()
    problem.limit(quantity, lower, upper, entries=entries, at=at, scale=scale, hull=hull)


def _in_order(value: Any, labels: list[str], none: float) -> np.ndarray:
    """Return numbers in the order of labels; `none` for those that a dictionary leaves out."""
    listed = [value.get(label, none) for label in labels] if isinstance(value, dict) else value
    return np.array(np.broadcast_to(np.asarray(listed, dtype=float), len(labels)))


def read_avoid(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of {link, point, center, distance, other} [m]."""
    for item in entry.items():
        keys = item.mapping(("link", "point", "center", "distance", "other"), required=("link", "center", "distance"))
        options = {key: vector(keys[key]) for key in ("point", "center") if key in keys}
        other = keys["other"].text() if "other" in keys else None
        with line_of(item):
            problem.avoid(keys["link"].text(), distance=number(keys["distance"]), other=other, **options)


def read_goals(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of goals, each a word or {goal, weight, quantity, ...}."""
    items = entry.items() if isinstance(entry.node, yaml.SequenceNode) else [entry]
    if not items:
        raise entry.error("nothing is minimized; add a goal such as {goal: time}")
    for item in items:
        if isinstance(item.node, yaml.ScalarNode):
            with line_of(item):
                problem.minimize(item.choice(("time",)))
            continue
        loose = item.mapping((*GOAL, *_EVERY), required=("goal",))
        goal = loose["goal"].choice(GOALS)
        weight = number(loose["weight"]) if "weight" in loose else 1.0
        with line_of(item):
            if goal == "time":
                item.mapping(("goal", "weight"))
                problem.minimize("time", weight)
                continue
            allowed = tuple(key for key in GOAL if key != ("scale" if goal == "integral" else "square"))
            quantity = _quantity(problem, item, loose, allowed)
            told: dict[str, Any] = {"entries": texts(loose["entries"]) if "entries" in loose else None}
            if "square" in loose:
                told["square"] = loose["square"].flag()
            if "scale" in loose:
                told["scale"] = values(loose["scale"], _labels(quantity, told["entries"]), quantity.name in ANGLES)
            problem.minimize(goal, weight, quantity, **told)


def read_repeat(problem: MotionProblem, entry: Entry) -> None:
    """Read the quantities that are equal at both ends: a list of names, or {quantities, pairs: [{start, end, sign}]}."""
    if not isinstance(entry.node, yaml.MappingNode):
        with line_of(entry):
            problem.same_at_both_ends(*texts(entry, repeating(problem.robot)))
        return
    keys = entry.mapping(("quantities", "pairs"))
    names = texts(keys["quantities"], repeating(problem.robot)) if "quantities" in keys else []
    pairs: Sequence[tuple[str, str, float]] | None = None
    if "pairs" in keys:
        parts = [item.mapping(("start", "end", "sign"), required=("start", "end")) for item in keys["pairs"].items()]
        pairs = [(p["start"].text(), p["end"].text(), number(p["sign"]) if "sign" in p else 1.0) for p in parts]
    with line_of(entry):
        problem.same_at_both_ends(*names, pairs=pairs)


def _quantity(problem: MotionProblem, item: Entry, loose: dict[str, Entry], allowed: tuple[str, ...]) -> Quantity:
    """Return the quantity that an item names, with its options; keys of other quantities are errors."""
    if "quantity" not in loose:
        raise item.error(f"{item.label} has no key 'quantity'")
    name = loose["quantity"].text()
    if name not in problem.quantities.names:
        raise loose["quantity"].error(f"no quantity {name!r}; {suggest(name, problem.quantities.names)}")
    own = OPTIONS.get(name, ())
    keys = item.mapping((*allowed, *own), required=[key for key in own if key in _NEEDED])
    options: dict[str, Any] = {}
    for key in own:
        if key in keys:
            options[key] = _OPTION.get(key, Entry.text)(keys[key])
    with line_of(keys.get(own[0], item) if own else loose["quantity"]):
        return problem.quantities.get(name, **options)


def _labels(quantity: Quantity, entries: list[str] | None) -> list[str]:
    """Return the names of entries as values may use them: "x" is enough for "hand.x"."""
    whole = [quantity.labels[k] for k in entry_numbers(quantity, entries)]
    return [label.rsplit(".", 1)[-1] for label in whole] if set(_NEEDED) & set(OPTIONS.get(quantity.name, ())) else whole
