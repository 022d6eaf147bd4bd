"""Law: a control law as a text, so that the program of a step computes it too, without a call of Python for each step.

A controller has it as a method `law()`, which returns None where its law is no text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..compiler.program import Port
from ..compiler.task import Task
from ..model import Model
from .inputs import Asked, Given

Text = Callable[..., Sequence[Sequence[Any]]]


@dataclass(frozen=True, eq=False)
class Law:
    """A control law.

    Attributes:
        model: of the robot that the controller knows.
        task: of q, qd and further numbers; its first result begins with the torques (nv).
        numbers: what these are at a time [s]: gains, a reference, loads, each (size,) or (*lead, size).
    """

    model: Model
    task: Task
    numbers: Callable[[float], Sequence[np.ndarray]]


def law_of(given: Given, model: Model) -> Law | None:
    """Return the law of an input that is a controller of such a robot, asked at every step, or None."""
    if not isinstance(given, Asked) or given.hold is not None or given.name != "torque":
        return None
    controller = getattr(given.function, "__self__", None)
    law = getattr(controller, "law", None)
    found = law() if callable(law) else None
    fits = isinstance(found, Law) and (found.model.nq, found.model.nv) == (model.nq, model.nv)
    return found if fits else None


@functools.lru_cache(64)
def under(maker: Callable[..., Task], law: Law) -> Callable[..., Task]:
    """Return the maker of a step under a law: (q, qd, numbers, dt, loads) in the place of (q, qd, given, dt, loads)."""

    def controlled(model: Model, **options: Any) -> Task:
        step, control = maker(model, **options), law.task.text()
        q, qd, given, *rest = step.inputs
        numbers = [Port(f"law_{port.name}", port.size) for port in law.task.inputs[2:]]

        def text_of(text: Text) -> Text:
            def whole(q: Any, qd: Any, *more: Any) -> Any:
                torques = control(q, qd, *more[: len(numbers)])[0][: given.size]
                return text(q, qd, torques, *more[len(numbers) :])

            return whole

        key = f"{step.key} under {law.task.key} of {law.model.fingerprint}"
        return replace(step, key=key, inputs=(q, qd, *numbers, *rest), texts=[text_of(text) for text in step.texts])

    controlled.__name__, controlled.__doc__ = maker.__name__, maker.__doc__
    return controlled


@functools.lru_cache(64)
def alone(maker: Callable[..., Task]) -> Callable[..., Task]:
    """Return the maker of a step whose results are the next state alone, without qdd and tau."""

    def state(model: Model, **options: Any) -> Task:
        step = maker(model, **options)

        def text_of(text: Text) -> Text:
            return lambda *arguments: text(*arguments)[:2]

        texts = [text_of(text) for text in step.texts]
        return replace(step, key=f"{step.key} alone", outputs=step.outputs[:2], texts=texts)

    state.__name__, state.__doc__ = maker.__name__, maker.__doc__
    return state
