"""Many motion problems: solved on all cores, with code that is compiled once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from ...compiler.threads import get_threads
from ...errors import Interrupted, StateError, suggest
from ...interrupt import Interrupt
from ...nlp.status import Status
from ...spline.check import integer
from ..problem.problem import MotionProblem
from ..result.outcomes import Outcome, Outcomes
from .progress import Count, reporting
from .run import Run
from .solve import solve
from .starts import straight
from .workers import Workers, start_method

MOST_WORKERS = 1000
OWN = ("problem", "progress", "throw")  # arguments of `solve` that are not those of one problem here

Change = Callable[[MotionProblem, Any], MotionProblem | None]


def solve_many(
    problems: MotionProblem | Iterable[MotionProblem],
    items: Iterable[Any] | None = None,
    change: Change | None = None,
    *,
    workers: int | None = None,
    method: str | None = None,
    progress: Callable[[Outcome], Any] | bool | None = None,
    **options: Any,
) -> Outcomes:
    """Solve many problems; one that fails does not end the others.

    Args:
        problems: motion problems; or one, of which there is a changed copy for every item.
        items: of one problem: pairs of positions (start, end) [rad or m] for motions from rest to rest; or whatever `change`
            takes.
        change: `change(copy, item)` makes the problem of an item from a copy of the problem.
        workers: number of processes; None for as many as there are cores, or LISSOM_THREADS. 1 solves in this process.
        method: how processes start: "fork", "spawn" or "forkserver"; None forks on Linux, and spawns elsewhere. Spawned
            processes get the problems pickled, and their script needs `if __name__ == "__main__":`.
        progress: called with the outcome of every problem when it ends; a true result stops. True shows a line below the cell
            of a notebook, or on the standard error, where that is a terminal.
        options: see `lissom.predict.SolveOptions`, all but progress and throw, the same for all problems; those of a problem
            file hold unless given.

    Returns:
        Outcomes in the order of the problems, with status and message of each.

    Raises:
        Interrupted: Ctrl-C. Its `result` are the outcomes; those of problems that were not solved have the status INTERRUPTED.
    """
    _check_options(options)
    made, found = _problems(problems, items, change)
    method = start_method(method)
    workers = get_threads() if workers is None else integer(workers, "workers", 1, most=MOST_WORKERS)
    todo = [number for number, outcome in enumerate(found) if outcome is None]
    workers = max(1, min(workers, len(todo)))
    began = perf_counter()
    name = made[0].name if made and made[0] is not None else "problems"
    with reporting(progress, Count(name, len(found), found)) as report, Interrupt() as interrupt:

        def done(number: int, outcome: Outcome) -> bool:
            outcome = found[number] = replace(outcome, problem=made[number])
            return bool(report is not None and report(outcome))

        def lost(number: int, why: str) -> bool:
            return done(number, Outcome(number, Status.FAILED, why))

        job, interrupted = Job(made, options), False
        try:
            if workers == 1:
                for number in todo:
                    if interrupt.asked or done(number, job(number)):
                        break
            else:
                _prepare(made, todo)
                Workers(job, workers, method).run(todo, done, lost, lambda: bool(interrupt.asked))
        except KeyboardInterrupt:  # the second Ctrl-C, or one before the first iteration
            interrupted = True
    interrupted = interrupted or bool(interrupt.asked)
    ended = Status.INTERRUPTED if interrupted else Status.STOPPED
    every = (o or Outcome(k, ended, ended.meaning, problem=made[k]) for k, o in enumerate(found))
    outcomes = Outcomes(tuple(every), perf_counter() - began, workers)
    if interrupted:
        count = sum(outcome.status is not Status.INTERRUPTED for outcome in outcomes)
        raise Interrupted(f"stopped from the keyboard; {count} of {len(outcomes)} problems are done", outcomes)
    return outcomes


@dataclass(frozen=True)
class Job:
    """Solves one of some problems, by its number."""

    problems: list[MotionProblem | None]
    options: Mapping[str, Any]

    def __call__(self, number: int) -> Outcome:
        """Return the outcome, whatever happens."""
        problem = self.problems[number]
        assert problem is not None
        try:
            return Outcome.of(number, problem.solve(**{**self.options, "throw": False}))
        except Interrupted as stop:
            return Outcome(number, Status.INTERRUPTED, str(stop)) if stop.result is None else Outcome.of(number, stop.result)
        except Exception as error:
            return _failed(number, error)


def _failed(number: int, error: Exception) -> Outcome:
    return Outcome(number, Status.FAILED, f"{type(error).__name__}: {error}", error)


def _problems(
    problems: Any, items: Iterable[Any] | None, change: Change | None
) -> tuple[list[MotionProblem | None], list[Outcome | None]]:
    """Return the problems, and outcomes of those that could not be made."""
    if not isinstance(problems, MotionProblem):
        if items is not None or change is not None:
            raise StateError("items and change belong to one problem; of many problems, make each before they are solved")
        try:
            made = list(problems)
        except TypeError:
            raise StateError(f"problems is {problems!r}, expected motion problems, or one and items") from None
        for number, problem in enumerate(made):
            if not isinstance(problem, MotionProblem):
                raise StateError(f"problem {number} is {type(problem).__name__}, expected a MotionProblem")
        return made, [None] * len(made)
    if items is None:
        raise StateError("one problem needs items: pairs of positions (start, end), or what change= takes")
    pair = (2, problems.robot.nq)
    if change is None and isinstance(items, np.ndarray) and items.shape[1:] != pair:
        raise StateError(f"items have shape {items.shape}, expected (N, {pair[0]}, {pair[1]}): pairs of positions (start, end)")
    of_items: list[MotionProblem | None] = []
    outcomes: list[Outcome | None] = []
    for number, item in enumerate(items):
        copy = problems.copy()
        try:
            changed = (change or _from_to)(copy, item)
            of_items.append(copy if changed is None else changed)
            outcomes.append(None)
        except Exception as error:
            of_items.append(None)
            outcomes.append(_failed(number, error))
        if of_items[-1] is not None and not isinstance(of_items[-1], MotionProblem):
            raise StateError(
                f"change returned {type(of_items[-1]).__name__}, expected the problem, or None if it changed the copy"
            )
    return of_items, outcomes


def _from_to(problem: MotionProblem, item: Any) -> MotionProblem:
    try:
        start, end = item
    except (TypeError, ValueError):
        raise StateError(f"item is {item!r}, expected a pair (start, end); other items need change=") from None
    return problem.start(start).end(end)


def _check_options(options: Mapping[str, Any]) -> None:
    known = [name for name in inspect.signature(solve).parameters if name not in OWN]
    for name in options:
        if name == "throw":
            raise StateError("solve_many has no throw: the outcome of every problem has its status and message")
        if name not in known:
            raise StateError(f"solve has no option {name!r}; {suggest(name, known)}")


def _prepare(problems: list[MotionProblem | None], todo: list[int]) -> None:
    """Compile for every kind of problem before processes start: forked ones have the code, others read it from the cache."""
    seen = set()
    for number in todo:
        problem = problems[number]
        assert problem is not None
        kind = (id(problem.robot), problem.basis.degree, *sorted(quantity.name for quantity in problem.parts.quantities))
        if kind not in seen:
            seen.add(kind)
            try:
                Run(problem, "ipopt", 1e-8, 0, {}, None).prepare(straight(problem))
            except Exception:
                continue  # its outcome says it
