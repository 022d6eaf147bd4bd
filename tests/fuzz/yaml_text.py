"""YAML as nodes, and nodes as YAML in its flow style."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import yaml

from . import nodes, raw
from .nodes import Map

_PLAIN = re.compile(r"[\w.+/():*-]*\w", re.ASCII)


def mutate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return a changed document: mostly its keys and values, sometimes its bytes."""
    if rng.random() < 0.25:
        return raw.mutate(rng, data, others)
    tree = nodes.mutate(rng, parse(data))
    text = write(tree, rng).encode("utf-8", "surrogatepass")
    return raw.mutate(rng, text, others) if rng.random() < 0.05 else text


def parse(data: bytes) -> Any:
    """Return a document as nodes, all scalars as they are written."""
    return _node(yaml.compose(data.decode(), Loader=yaml.SafeLoader))


def _node(node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return Map([key.value, _node(value)] for key, value in node.value)
    if isinstance(node, yaml.SequenceNode):
        return [_node(item) for item in node.value]
    return node.value


def write(root: Any, rng: Random) -> str:
    """Return the text of a document: the keys of the top on lines of their own, all below in brackets."""
    if isinstance(root, Map):
        return "".join(f"{_scalar(key, rng)}: {_flow(value, rng)}\n" for key, value in root)
    return _flow(root, rng) + "\n"


def _flow(node: Any, rng: Random) -> str:
    out: list[str] = []
    stack = [("", node)]
    while stack:
        text, node = stack.pop()
        out.append(text)
        if isinstance(node, Map):
            stack.append(("}", None))
            pairs = reversed([*enumerate(node)])
            stack.extend((f"{', ' if k else '{'}{_scalar(key, rng)}: ", value) for k, (key, value) in pairs)
            out.append("" if node else "{")
        elif isinstance(node, list):
            stack.append(("]", None))
            stack.extend((", " if k else "[", item) for k, item in reversed([*enumerate(node)]))
            out.append("" if node else "[")
        elif node is not None:
            out.append(_scalar(node, rng))
    return "".join(out)


def _scalar(text: Any, rng: Random) -> str:
    text = str(text)
    if _PLAIN.fullmatch(text) or rng.random() < 0.03:
        return text
    return json.dumps(text)
