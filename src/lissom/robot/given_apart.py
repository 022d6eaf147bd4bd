"""Given apart: hybrid dynamics of qdd and tau as two arguments, whose known entries the program picks: for arrays on a card."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..compiler.program import Port
from ..compiler.task import Task

Text = Callable[..., Sequence[Sequence[Any]]]


@functools.lru_cache(256)
def given_apart(maker: Callable[..., Task], mask: tuple[bool, ...], merged: bool = False) -> Callable[..., Task]:
    """Return the maker of a task of (q, qd, qdd, tau, loads) for one of (q, qd, given, loads); the same for the same arguments.

    Args:
        maker: of a task whose `given` are torques where the mask says so, accelerations elsewhere.
        mask: whether the torque is known, one for each entry.
        merged: also put its result, the unknown ones, together with the known ones: two results, all of qdd and all of tau.
    """

    def apart(*of: Any, **options: Any) -> Task:
        task = maker(*of, **options)
        q, qd, given, *loads = task.inputs
        inputs = (q, qd, Port("qdd", given.size), Port("tau", given.size), *loads)
        outputs = (Port("qdd", given.size), Port("tau", given.size)) if merged else task.outputs
        texts = [_text(text, mask, merged) for text in task.texts]
        return replace(task, key=f"{task.key} given apart", inputs=inputs, outputs=outputs, texts=texts)

    apart.__name__, apart.__doc__ = maker.__name__, maker.__doc__
    return apart


def _text(text: Text, mask: tuple[bool, ...], merged: bool) -> Text:
    def whole(q: Any, qd: Any, qdd: Any, tau: Any, *loads: Any) -> Any:
        found = text(q, qd, [b if known else a for a, b, known in zip(qdd, tau, mask, strict=True)], *loads)
        if not merged:
            return found
        rows = list(zip(qdd, tau, found[0], mask, strict=True))
        return [[x if known else a for a, _, x, known in rows], [b if known else x for _, b, x, known in rows]]

    return whole
