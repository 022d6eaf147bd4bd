"""Plan: the steps that some results need, and where their numbers lie in one array (numbers, N)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...locks import lazy_property
from .products import ONE, Products
from .recorded import Recorded
from .tape import Block, Node, Sums, Terms


class Plan:
    """Steps for some results.

    Args:
        recorded: the functions.
        outputs: blocks of the results.

    Attributes:
        nodes: the steps.
        size: of the array, numbers of one problem.
        kept: of this plan, what machines that run it make once.
    """

    def __init__(self, recorded: Recorded, outputs: Sequence[Block]) -> None:
        self.recorded, self.outputs = recorded, list(outputs)
        tape = recorded.tape
        self.nodes = tape.needed(outputs)
        used = {x.number: x for node in self.nodes for x in (node.out, *node.inputs)}
        used |= {x.number: x for x in outputs}
        used.pop(tape.one.number, None)
        self._starts = np.zeros(len(tape.blocks), dtype=np.int64)
        self.size = 0
        for number, block in sorted(used.items()):
            self._starts[number] = self.size
            self.size += block.size
        self.used = frozenset(used)
        self.kept: dict[Any, Any] = {}

    def start(self, block: Block) -> int:
        """Return where a block begins."""
        return int(self._starts[block.number])

    @lazy_property
    def products(self) -> dict[Node, Products]:
        """The sums of products among the steps."""
        return {node: Products(node.out.size, self._placed(node.terms)) for node in self.nodes if isinstance(node, Sums)}

    def _placed(self, terms: Terms) -> Terms:
        """Return terms with addresses in the array."""
        tape = self.recorded.tape
        origin = np.array([x.start for x in tape.blocks], dtype=np.int64)

        def placed(addresses: np.ndarray) -> np.ndarray:
            owner = tape.owner(addresses)
            return np.where(owner == tape.one.number, ONE, addresses - origin[owner] + self._starts[owner])

        return terms._replace(first=placed(terms.first), second=placed(terms.second))
