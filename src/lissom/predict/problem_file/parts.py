"""The parts of a problem file: limits, obstacles, repetition and goals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ...errors import ContradictionError, FileError, suggest
from ...read.entry import Entry
from ...read.fields import POSE, pose_of, read_pose
from ...read.values import line_of, number, numbers, texts, values, vector
from ..data.joints import path_names
from ..problem.check_goal import GOALS
from ..problem.ends import repeating
from ..problem.limit_times import KNOTS
from ..problem.model_limits import model_names
from ..problem.problem import MotionProblem
from ..quantities.by_name import LINEAR
from ..quantities.quantity import Quantity
from .contacts import read_points, read_surface
from .curves import read_curve
from .phases import read_during

# options of some quantities; a joint or a link is required
OPTIONS: dict[str, tuple[str, ...]] = {
    "drawn_power": ("rounding",),
    "joint_wrench": ("joint", "components", "axes"),
    "joint_wrench_rate": ("joint", "components", "axes"),
    "link_position": ("link", "point"),
    "link_rotation": ("link",),
    "distance_squared": ("link", "point", "center", "other"),
    "swing_product": ("link", "root", "other", "other_root", "direction"),
    "link_velocity": ("link", "point", "axes"),
    "speed_squared": ("link", "point"),
    "link_acceleration": ("link", "point", "axes"),
    "orientation": ("link", "target"),
    "link_pose": ("link", "target", "point"),
    "tilt": ("link", "axis", "direction"),
    "momentum": ("about",),
    "clearance": ("link", "points", "surface"),
    **dict.fromkeys(("gap", "gap_rate", "friction", "contact_force", "contact_force_rate"), ("contact",)),
    "pressure_point": ("contact",),
}
_EVERY = tuple(dict.fromkeys(key for keys in OPTIONS.values() for key in keys))
ANGLES = (*LINEAR, "deflection", "motor_position", "motor_velocity")  # these may be in degrees
_NEEDED = ("joint", "link", "contact")
_BOUNDS = ("lower", "upper", "within", "equal")
LIMIT = ("quantity", *_BOUNDS, "entries", "at", "scale", "hull", "during")
_OPTION: dict[str, Callable[[Entry], Any]] = {
    **dict.fromkeys(("point", "center", "axis", "direction"), vector),
    "components": texts,
    "contact": lambda entry: texts(entry) if isinstance(entry.node, yaml.SequenceNode) else entry.text(),
    "points": read_points,
    "surface": read_surface,
    "rounding": number,
    "target": lambda entry: pose_of(entry, entry.mapping(POSE[1:])).rotation,
}
GOAL = ("goal", "weight", "quantity", "entries", "square", "scale", "target", "weights", "during")


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
    labels = _labels(problem, quantity, entries)
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
    at: Any = None
    if "at" in loose and isinstance(loose["at"].node, yaml.SequenceNode):
        at = numbers(loose["at"])
    elif "at" in loose:
        at = KNOTS if loose["at"].node.value == KNOTS else number(loose["at"])
    scale = values(loose["scale"], labels, angles) if "scale" in loose else None
    if isinstance(scale, dict):
        raise loose["scale"].error("'scale' must be one number, or a list with one for each entry")
    hull = "hull" in loose and loose["hull"].flag()
    problem.limit(quantity, lower, upper, entries=entries, at=at, scale=scale, hull=hull, **read_during(loose))


def _in_order(value: Any, labels: list[str], none: float) -> np.ndarray:
    """Return numbers in the order of labels; `none` for those that a dictionary leaves out."""
    listed = [value.get(label, none) for label in labels] if isinstance(value, dict) else value
    return np.array(np.broadcast_to(np.asarray(listed, dtype=float), len(labels)))


def read_goals(problem: MotionProblem, entry: Entry, folder: Path) -> None:
    """Read a list of goals, each a word or {goal, weight, quantity, ...}; curves in other files lie in the folder."""
    items = entry.items() if isinstance(entry.node, yaml.SequenceNode) else [entry]
    if not items:
        raise entry.error("nothing is minimized; add a goal such as {goal: time}")
    for item in items:
        if isinstance(item.node, yaml.ScalarNode):
            with line_of(item):
                problem.minimize(item.choice(("time",)))
            continue
        loose = item.mapping(tuple(dict.fromkeys((*GOAL, *_EVERY))), required=("goal",))
        goal = loose["goal"].choice(GOALS)
        weight = number(loose["weight"]) if "weight" in loose else 1.0
        with line_of(item):
            if goal == "time":
                item.mapping(("goal", "weight"))
                problem.minimize("time", weight)
                continue
            allowed = tuple(key for key in GOAL if key != ("square" if goal == "peak" else ""))
            quantity = _quantity(problem, item, loose, allowed)
            chosen: dict[str, Any] = {"entries": texts(loose["entries"]) if "entries" in loose else None, **read_during(loose)}
            if "square" in loose:
                chosen["square"] = loose["square"].flag()
            labels, angles = _labels(problem, quantity, chosen["entries"]), quantity.name in ANGLES
            if "scale" in loose:
                chosen["scale"] = values(loose["scale"], labels, angles)
            if "target" in loose and not problem.quantities.takes(quantity.name, "target"):
                chosen["target"] = read_curve(loose["target"], quantity.name, labels, angles, folder)
            if "weights" in loose:
                chosen["weights"] = read_curve(loose["weights"], quantity.name, labels, False, folder, weights=True)
            problem.minimize(goal, weight, quantity, **chosen)


def read_repeat(problem: MotionProblem, entry: Entry) -> None:
    """Read the quantities that are equal at both ends: a list of names, or {quantities, pairs, shift}.

    Pairs are {start, end, sign, shift}; start and end are a joint, a list of joints to add up, or factors by joint.
    """
    if not isinstance(entry.node, yaml.MappingNode):
        with line_of(entry):
            problem.same_at_both_ends(*texts(entry, repeating(problem.robot)))
        return
    keys = entry.mapping(("quantities", "pairs", "shift"))
    names = texts(keys["quantities"], repeating(problem.robot)) if "quantities" in keys else []
    joints = path_names(problem.robot)
    pairs: list[tuple[Any, Any, float]] | None = None
    shift: Any = values(keys["shift"], joints, angles=True) if "shift" in keys else None
    if "pairs" in keys:
        known = ("start", "end", "sign", "shift")
        parts = [item.mapping(known, required=("start", "end")) for item in keys["pairs"].items()]
        pairs = [(_sum(p["start"], joints), _sum(p["end"], joints), number(p["sign"]) if "sign" in p else 1.0) for p in parts]
        if any("shift" in p for p in parts):
            if shift is not None:
                raise entry.error(f"{entry.label} has 'shift' beside pairs that have their own; give one of them")
            shift = [number(p["shift"], angles=True) if "shift" in p else 0.0 for p in parts]
    with line_of(entry):
        problem.same_at_both_ends(*names, pairs=pairs, shift=shift)


def _sum(entry: Entry, joints: Sequence[str]) -> Any:
    """Read a joint, a list of joints, or factors by joint."""
    if isinstance(entry.node, yaml.MappingNode):
        return {name: number(value) for name, value in entry.mapping(joints).items()}
    return texts(entry) if isinstance(entry.node, yaml.SequenceNode) else entry.text()


def _quantity(problem: MotionProblem, item: Entry, loose: dict[str, Entry], allowed: tuple[str, ...]) -> Quantity:
    """Return the quantity that an item names, with its options; keys of other quantities are errors."""
    if "quantity" not in loose:
        raise item.error(f"{item.label} has no key 'quantity'")
    name = loose["quantity"].text()
    if name not in problem.quantities.names:
        raise loose["quantity"].error(f"no quantity {name!r}; {suggest(name, problem.quantities.names)}")
    own = OPTIONS.get(name, ())
    whole_ground = name == "pressure_point" and problem.quantities.ground is not None  # of all supports, unless one is named
    keys = item.mapping((*allowed, *own), required=[] if whole_ground else [key for key in own if key in _NEEDED])
    options: dict[str, Any] = {}
    for key in own:
        if key in keys:
            whole = key == "target" and name == "link_pose"
            options[key] = read_pose(keys[key]) if whole else _OPTION.get(key, Entry.text)(keys[key])
    with line_of(keys.get(own[0], item) if own else loose["quantity"]):
        return problem.quantities.get(name, **options)


def _labels(problem: MotionProblem, quantity: Quantity, entries: list[str] | None) -> list[str]:
    """Return the names of entries as values may use them: "x" is enough for "hand.x"."""
    whole = [quantity.labels[k] for k in problem.entries_of(quantity, entries)]
    return [label.rsplit(".", 1)[-1] for label in whole] if set(_NEEDED) & set(OPTIONS.get(quantity.name, ())) else whole
