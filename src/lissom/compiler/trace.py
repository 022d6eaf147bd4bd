"""Trace: run an algorithm on symbols, and keep the needed operations in an order with few values alive."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .labels import Notes, listening
from .program import LEAVES, UNARY, Instruction, Port, Program, Words, verify
from .schedule import schedule
from .symbol import Graph, Symbol

Text = Callable[..., Sequence[Sequence[Any]]]  # an algorithm over any scalar: a list for each argument in, for each result out


def trace(name: str, inputs: Sequence[Port], outputs: Sequence[Port], algorithm: Text, labelled: bool = False) -> Program:
    """Return the program of `algorithm`.

    Args:
        name: for reports.
        inputs: arguments; the algorithm is called with one list of scalars for each.
        outputs: results; the algorithm returns one list of scalars for each.
        algorithm: function over any scalar.
        labelled: whether the program keeps what the algorithm calls its values; see `labels.py`.
    """
    graph = Graph()
    arguments = [[graph.input(i, k) for k in range(port.size)] for i, port in enumerate(inputs)]
    notes = Notes(graph) if labelled else None
    token = listening.set(notes)
    try:
        results = [[graph.as_symbol(x) for x in values] for values in algorithm(*arguments)]
    finally:
        listening.reset(token)
    order = schedule(graph, [x for values in results for x in values])
    position = {node.index: k for k, node in enumerate(order)}
    code = tuple(_instruction(graph, node, position) for node in order)
    found = tuple(tuple(position[x.index] for x in values) for values in results)
    words = None if notes is None else _words(notes, [node.index for node in order])
    return verify(Program(name, tuple(inputs), tuple(outputs), code, found, words))


def _words(notes: Notes, order: Sequence[int]) -> Words:
    """Return labels and sections by position in the program."""
    labels = {k: notes.labels[index] for k, index in enumerate(order) if index in notes.labels}
    starts = [start for start, _ in notes.sections]
    places = tuple(bisect_right(starts, index) - 1 for index in order)
    used = {label.symbol for label in labels.values()}
    meanings = {symbol: meaning for symbol, meaning in notes.meanings.items() if symbol in used}
    rates = sorted(symbol for symbol in used - set(meanings) if _is_rate(symbol, notes.meanings))
    meanings |= {symbol: f"rate of {symbol[1:]}" for symbol in rates}  # of a recursion over series
    return Words(labels, tuple(part for _, part in notes.sections), places, meanings)


def _is_rate(symbol: str, known: Mapping[str, str]) -> bool:
    """Return whether a symbol is a known one with a d, or several, before it."""
    return any(symbol[k:] in known for k in range(1, 1 + len(symbol) - len(symbol.lstrip("d"))))


def _instruction(graph: Graph, node: Symbol, position: dict[int, int]) -> Instruction:
    op, *operands = graph.nodes[node.index]
    if op in LEAVES:
        return op, *operands  # type: ignore[return-value]
    found = [position[x.index] for x in operands if x is not None]
    return (op, found[0], None) if op in UNARY else (op, *found)  # type: ignore[return-value]
