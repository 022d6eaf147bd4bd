"""Mutations of trees: documents as nested lists, pairs and texts, whatever format they are written in.

A node is a text, a list of nodes, or a Map: a list of pairs [key, node], in which a key may stand twice.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from .values import WORDS, is_number, name, number, scalar

MANY = (2, 3, 10, 60, 400)
DEEP = (5, 39, 41, 60, 999, 1001, 4000)


class Map(list):
    """Pairs [key, node]."""


def mutate(rng: Random, root: Any) -> Any:
    """Return a changed copy of a document, with one to three changes."""
    root = copy.deepcopy(root)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(root))
        if not places:
            return root
        try:
            rng.choice(CHANGES)(rng, places, _texts(root))
        except RecursionError:  # copies of what an earlier change nested too deep
            return root
    return root


def _places(node: Any) -> Iterator[tuple[Any, int]]:
    """Give all (container, index) below a node."""
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, (list, Map)):
            for k, item in enumerate(node):
                yield node, k
                stack.append(item[1] if isinstance(node, Map) else item)


def _texts(node: Any) -> list[str]:
    """Return all texts that are not numbers: names, mostly."""
    found = [get(*place) for place in _places(node)]
    return [text for text in found if isinstance(text, str) and text and len(text) < 100 and not is_number(text)]


def get(container: Any, k: int) -> Any:
    """Return the node at a place."""
    return container[k][1] if isinstance(container, Map) else container[k]


def put(container: Any, k: int, node: Any) -> None:
    """Put a node at a place."""
    if isinstance(container, Map):
        container[k][1] = node
    else:
        container[k] = node


def _pick(rng: Random, places: list, test: Any) -> tuple[Any, int] | None:
    for _ in range(20):
        place = rng.choice(places)
        if test(get(*place)):
            return place
    return None


def _number(rng: Random, places: list, names: list[str]) -> None:
    place = _pick(rng, places, lambda node: isinstance(node, str) and is_number(node.split(" ")[0]))
    if place is not None:
        words = get(*place).split(" ")
        words[rng.randrange(len(words))] = number(rng)
        put(*place, " ".join(words))


def _name(rng: Random, places: list, names: list[str]) -> None:
    place = _pick(rng, places, lambda node: isinstance(node, str) and not is_number(node))
    if place is not None:
        put(*place, name(rng, names))


def _value(rng: Random, places: list, names: list[str]) -> None:
    put(*rng.choice(places), scalar(rng, names))


def _drop(rng: Random, places: list, names: list[str]) -> None:
    container, k = rng.choice(places)
    del container[k]


def _twice(rng: Random, places: list, names: list[str]) -> None:
    container, k = rng.choice(places)
    for _ in range(rng.choice(MANY)):
        container.insert(rng.randrange(len(container) + 1), copy.deepcopy(container[k]))


def _family(rng: Random, places: list, names: list[str]) -> None:
    """Repeat an item of a list under new names: long chains, or stars."""
    place = _pick(rng, places, lambda node: isinstance(node, Map) and any(key == "name" for key, _ in node))
    if place is None:
        return
    container, k = place
    for copies in range(rng.choice((3, 30, 300))):
        item = copy.deepcopy(get(container, k))
        for pair in item:
            if pair[0] in ("name", "child"):
                pair[1] = f"{pair[1]}_{copies}"
        container.append([container[k][0], item] if isinstance(container, Map) else item)


def _key(rng: Random, places: list, names: list[str]) -> None:
    keys = [(container, k) for container, k in places if isinstance(container, Map)]
    if keys:
        container, k = rng.choice(keys)
        others = [other[0] for box, i in keys for other in [box[i]]]
        container[k][0] = rng.choice((rng.choice(others), rng.choice(WORDS), name(rng, names)))


def _move(rng: Random, places: list, names: list[str]) -> None:
    put(*rng.choice(places), copy.deepcopy(get(*rng.choice(places))))


def _swap(rng: Random, places: list, names: list[str]) -> None:
    one, two = rng.choice(places), rng.choice(places)
    a, b = copy.deepcopy(get(*one)), copy.deepcopy(get(*two))
    put(*one, b)
    put(*two, a)


def _wrap(rng: Random, places: list, names: list[str]) -> None:
    container, k = rng.choice(places)
    node, mapped = get(container, k), rng.random() < 0.5
    for _ in range(rng.choice((1, 1, 2, *DEEP))):
        node = Map([[container[k][0] if isinstance(container, Map) else "name", node]]) if mapped else [node]
    put(container, k, node)


def _empty(rng: Random, places: list, names: list[str]) -> None:
    put(*rng.choice(places), rng.choice((Map(), [], "")))


CHANGES = (
    *(_number, _number, _number, _number, _number, _number, _name, _name, _name, _value, _value, _drop, _drop, _drop),
    *(_twice, _family, _key, _key, _move, _move, _swap, _swap, _wrap, _empty),
)
