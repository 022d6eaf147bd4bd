"""From home: the closure and a function of it in one program, with the user's coordinates as its input.

Newton's method begins at home, a constant, so that its first step folds into a matrix of numbers; a few more steps, unrolled,
reach the last digit unless the coordinates are far from home, or from a configuration nearby that is one more input. The size of
the last step shows whether they did, that of the first whether the branch of home may have been left: where either is too large
the results are NaN, and the caller takes another
method.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.labels import label, legend, section
from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, guard, mul, sub
from .closure import Plan, slides
from .kinematics import newton_step

STEPS = 4
SMALL = 2e-7  # after a step of this size, in lengths and radians, the error is below 1e-13: each step squares it
FAR = 0.5  # a first step longer than this may lead to another branch


def from_home(
    model: Model,
    plan: Plan,
    home: tuple[float, ...] | None,
    of: Callable[..., Task] | None = None,
    small: float = SMALL,
    **options: Any,
) -> Task:
    """A task of the configuration of the tree, as a task of coordinates; without `of`, the configuration itself.

    Without `home`, a configuration near the wanted one is the second argument.
    """
    newton = newton_step(model, plan, plan.coordinates)
    task = None if of is None else of(model, plan, **options)
    near = [Port("near", model.nq)] if home is None else []
    inputs = [Port("q", newton.inputs[1].size), *near, *(() if task is None else task.inputs[1:])]
    outputs = (Port("tree", model.nq),) if task is None else task.outputs
    units = [plan.length if slide else 1.0 for slide in slides(model)]

    step_text, rest = newton.text(), None if task is None else task.text()

    def text(*arguments: Sequence[Scalar]) -> list[list[Scalar]]:
        q: Sequence[Scalar] = list(arguments[1] if home is None else home)
        sizes = []
        legend(q_closed="coordinates of the tree after a step of the closure")
        for k in range(STEPS):
            section(f"closure: step {k + 1} of Newton's method from home")
            (found,) = step_text(q, arguments[0])
            q, step = found[: model.nq], found[model.nq :]
            total: Scalar = 0.0
            for x, unit in zip(step, units, strict=True):
                x = mul(1.0 / unit, x)
                total = add(total, mul(x, x))
            sizes.append(total)
            label("q_closed", -1, list(q), f"step{k + 1}")
        section("the function at the closed configuration")
        results = [list(q)] if rest is None else [list(values) for values in rest(q, *arguments[1 + len(near) :])]
        section("not a number where Newton's method has left the neighborhood of its start, or has not converged")
        one: Scalar = 1.0
        for size, limit in ((sizes[0], FAR**2), (sizes[-1], small**2)):
            left = guard(sub(limit, size), 0.0)
            one = mul(one, left / left)
        return [[mul(one, x) for x in values] for values in results]

    name = "tree" if task is None else task.key
    name += "" if small == SMALL else f" within {small!r}"
    start = "near" if home is None else f"home {home!r}"
    return Task(f"from {start}: {name} of {plan!r}", tuple(inputs), outputs, [text])
