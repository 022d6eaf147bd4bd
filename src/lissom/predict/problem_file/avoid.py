"""Obstacles of a problem file: points, spheres, capsules, boxes, and the robot itself."""

from __future__ import annotations

from typing import Any

import yaml

from ...read.entry import Entry
from ...read.fields import POSE, pose_of
from ...read.values import line_of, number, texts, vector
from ..data.solids import Box, Capsule, Solid, Sphere
from ..problem.problem import MotionProblem

FORMS = ("sphere", "capsule")  # of links
OBSTACLES = (*FORMS, "box")
_POINT = ("link", "point", "center", "distance", "other")
_SOLID = ("link", "links", *OBSTACLES, "other", "margin", "capsules")
_SELF = ("self", "margin", "pairs", "exclude", "capsules")
_KEYS = tuple(dict.fromkeys((*_POINT, *_SOLID, *_SELF)))


def read_avoid(problem: MotionProblem, entry: Entry) -> None:
    """Read a list of obstacles [m].

    {link, point, center, distance, other}: a point of a link; {link or links, sphere, capsule or box, other, margin,
    capsules}: links; {self: true, margin, pairs, exclude, capsules}: the robot itself.
    """
    for item in entry.items():
        keys = item.mapping(_KEYS)
        with line_of(item):
            if "self" in keys:
                _itself(problem, item)
            elif any(form in keys for form in OBSTACLES):
                _solid(problem, item)
            else:
                keys = item.mapping(_POINT, required=("link", "center", "distance"))
                options: dict[str, Any] = {key: vector(keys[key]) for key in ("point", "center") if key in keys}
                other = keys["other"].text() if "other" in keys else None
                problem.avoid(keys["link"].text(), distance=number(keys["distance"]), other=other, **options)


def _solid(problem: MotionProblem, item: Entry) -> None:
    keys = item.mapping(_SOLID)
    if sum(form in keys for form in OBSTACLES) > 1 or ("link" in keys and "links" in keys):
        raise item.error(f"{item.label} has {', '.join(map(repr, keys))}; give one obstacle, and 'link' or 'links'")
    form = next(form for form in OBSTACLES if form in keys)
    links: Any = keys["link"].text() if "link" in keys else texts(keys["links"]) if "links" in keys else None
    options: dict[str, Any] = {"other": keys["other"].text()} if "other" in keys else {}
    options |= {"margin": number(keys["margin"])} if "margin" in keys else {}
    options |= {"capsules": _bodies(keys["capsules"])} if "capsules" in keys else {}
    problem.avoid(links, _box(keys[form]) if form == "box" else _one(form, keys[form]), **options)


def _itself(problem: MotionProblem, item: Entry) -> None:
    keys = item.mapping(_SELF)
    if not keys["self"].flag():
        raise keys["self"].error("'self' is false; leave the entry out")
    options: dict[str, Any] = {"margin": number(keys["margin"])} if "margin" in keys else {}
    if "pairs" in keys:
        options["pairs"] = [tuple(texts(pair)) for pair in keys["pairs"].items()]
    if "exclude" in keys:
        several = [(each, isinstance(each.node, yaml.SequenceNode)) for each in keys["exclude"].items()]
        options["exclude"] = [tuple(texts(each)) if pair else each.text() for each, pair in several]
    if "capsules" in keys:
        links = keys["capsules"].mapping([link.name for link in problem.robot.model.links])
        options["capsules"] = {name: _bodies(each) for name, each in links.items()}
    problem.avoid_self(**options)


def _bodies(entry: Entry) -> list[Solid]:
    """Read {sphere or capsule}, or a list of them."""
    found = []
    for item in entry.items() if isinstance(entry.node, yaml.SequenceNode) else [entry]:
        keys = item.mapping(FORMS)
        if len(keys) != 1:
            raise item.error(f"{item.label} must have one of 'sphere' and 'capsule'")
        found += [_one(form, each) for form, each in keys.items()]
    return found


def _one(form: str, entry: Entry) -> Solid:
    names = ("center", "radius") if form == "sphere" else ("start", "end", "radius")
    keys = entry.mapping(names, required=names)
    radius = number(keys["radius"])
    with line_of(entry):
        if form == "sphere":
            return Sphere(vector(keys["center"]), radius)
        return Capsule(vector(keys["start"]), vector(keys["end"]), radius)


def _box(entry: Entry) -> Box:
    """Read {center, size, rpy or rotation or quaternion}."""
    keys = entry.mapping(("center", "size", *POSE[1:]), required=("center", "size"))
    turn = pose_of(entry, {key: value for key, value in keys.items() if key in POSE[1:]}).rotation
    with line_of(entry):
        return Box(vector(keys["center"]), vector(keys["size"]), turn)
