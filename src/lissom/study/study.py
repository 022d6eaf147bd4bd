"""Study: one base run with many values of its parameters, on this machine or on many, without losing anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StateError
from ..version import VERSION
from .bases.base import Base
from .bases.function import Function
from .design import Case, Design, digest
from .earlier import Form, form_of
from .expression import RESERVED, Expression
from .job import Row
from .neighbors import begin_between, check_neighbors, plan
from .parameters import Value, as_parameter
from .refine import Refinement
from .responses import Response, as_response, expect_known
from .results import Results
from .run import Report, Run
from .runners.local import Local
from .runners.runner import Runner
from .store import Store
from .table import check_names, pyarrow

if TYPE_CHECKING:
    import pandas


class Study:
    """A study: what is run, its parameters and its responses.

    Args:
        base: a function of the parameters by name, or a base that `lissom.study.motion`, `scenario`, `gait` or `torque` made.
        parameters: by name: a list of values, `grid(...)`, or a distribution such as `Uniform(0, 1)`. Lists and grids are
            crossed with each other and with the samples of the distributions.
        responses: names of numbers, such as "duration", or `peak("torque")`; may be empty for a function that returns numbers.
        count: of samples of the distributions.
        method: how they are drawn: "sobol", "latin", "halton", "random", or "sensitivity" for `Results.sensitivity`.
        seed: of the samples, and of the seeds of cases.
        table: rows of values of further parameters, crossed with the others.
        where: constraints, formulas such as "a + b < 2"; cases that break one are left out.
        repeats: of every case, each with a seed of its own; a column "repeat" counts them.
        refine: more cases where a response changes most, in rounds.
        motions: whether motions are kept.
        neighbors: how many cases are solved first; each other one begins with the motion of the nearest of them. For motion
            problems and walks. None for cases that all begin from nothing.
        name: of the study.

    Raises:
        StateError: something in it does not fit; the text says what.
    """

    def __init__(
        self,
        base: Base | Callable[..., Any],
        parameters: Mapping[str, Any] | None = None,
        responses: Sequence[Response | str] = (),
        *,
        count: int | None = None,
        method: str = "sobol",
        seed: int = 0,
        table: Sequence[Mapping[str, Value]] = (),
        where: Sequence[str] = (),
        repeats: int = 1,
        refine: Refinement | None = None,
        motions: bool = True,
        neighbors: int | None = None,
        name: str = "study",
    ) -> None:
        self.base = base if isinstance(base, Base) else Function(base)
        made = {key: as_parameter(key, value) for key, value in (parameters or {}).items()}
        columns = tuple(dict.fromkeys(key for row in table for key in row))
        for key in (*made, *columns):
            if not key.isidentifier() or key in RESERVED:
                raise StateError(
                    f"parameter {key!r} cannot have this name; expected letters, digits and _, and no function's name"
                )
        if both := set(made) & set(columns):
            raise StateError(f"parameter {min(both)!r} is given twice: with values of its own, and in the table")
        if any(set(row) != set(columns) for row in table):
            raise StateError(f"rows of the table have different columns; expected {', '.join(columns)} in each")
        if not made and not columns and repeats == 1:
            raise StateError("the study has no parameters; give values of one at least")
        rows = tuple({key: x if isinstance(x, str) else float(x) for key, x in row.items()} for row in table)
        names = (*columns, *made)
        rules = tuple(Expression(text, names) for text in where)
        self.design = Design(made, count, method, seed, rows, rules, repeats)
        self.parameters = (*names, *(("repeat",) if repeats > 1 else ()))
        self.responses = tuple(as_response(each) for each in responses)
        if not self.responses and not isinstance(self.base, Function):
            raise StateError("the study has no responses; name one at least, such as 'duration' or peak('torque')")
        expect_known(self.responses, self.base.kind)
        check_names(self.parameters, [each.name for each in self.responses])
        self.refine, self.motions, self.name = refine, motions, name
        if refine is not None:
            refine.check(made, [each.name for each in self.responses])
        self.neighbors = neighbors
        self.base.check(self.parameters)
        if neighbors is not None:
            check_neighbors(neighbors, self.base.kind, self.base.starts, motions)
        self.base.check_responses(self.responses)
        self._results: Results | None = None

    def __repr__(self) -> str:
        return f"<Study {self.name!r}: {len(self.cases())} cases of {', '.join(self.parameters)}>"

    @property
    def key(self) -> str:
        """What names of cases depend on beside their values: the base and the responses."""
        return digest(self.base.digest(), [each.digest() for each in self.responses], self.motions)

    def cases(self) -> list[Case]:
        """Return all cases in their order, those of refinement apart."""
        return self.plan()[0]

    def plan(self) -> tuple[list[Case], dict[str, Case]]:
        """Return all cases, and by the names of those that begin with another's motion, that other one."""
        cases = self.design.cases(self.key)
        return (cases, {}) if self.neighbors is None else plan(cases, self.neighbors)

    def more(self, cases: Sequence[Case], rows: Mapping[str, Row]) -> tuple[list[Case], dict[str, Case]]:
        """Return the cases of the next round of refinement, and what they begin with, as `plan` does."""
        found = [] if self.refine is None else self.refine.more(self.design, cases, rows, self.key)
        return begin_between(found, rows) if self.neighbors is not None else ([new.case for new in found], {})

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        workers: int | None = None,
        scheduler: Any = None,
        limit: float | None = None,
        retry: bool = False,
        progress: Report | bool | None = None,
        live: bool = False,
        replace: bool = False,
        runner: Runner | None = None,
    ) -> Results:
        """Run all cases that have no row in a folder yet.

        Args:
            folder: of the study; made where there is none. One that a study was stopped in is continued.
            workers: processes on this machine; None for as many as there are cores. 1 runs cases in this process.
            scheduler: of Dask: an address, a Client or a cluster; needs the extra `cluster`.
            limit: time that a case may take [s]; beyond it its process is ended.
            retry: whether cases that failed are run again.
            progress: called with the `Progress` after every row; a true result stops. True shows a line.
            live: whether to write DIR/live.html every few seconds, a page that reloads itself.
            replace: whether the folder of another study becomes that of this one: its table is replaced, its rows stay in rows/.
            runner: another way to run cases.

        Returns:
            Results: the rows.

        Raises:
            Interrupted: Ctrl-C; its `result` are the rows so far, all on the disk.
            FileError: the folder holds something else or belongs to another study, or one works in it; or the disk is full: rows
                so far are stored.
        """
        pyarrow()  # before hours of work
        if scheduler is not None and workers is not None:
            raise StateError("workers are processes on this machine, and scheduler names others; give one of them")
        if runner is None and scheduler is not None:
            from .runners.on_dask import OnDask

            runner = OnDask(scheduler, limit)
        chosen = Local(workers, limit) if runner is None else runner
        with Store(Path(folder)) as store:
            return Run(self, store, chosen, retry, live, replace).all(progress)

    def results(self, folder: str | os.PathLike[str]) -> Results:
        """Return the rows that a folder has of this study; nothing is run."""
        return Results.of(self, Path(folder))

    def to_dataframe(self) -> pandas.DataFrame:
        """Return the rows of the last run as a pandas DataFrame."""
        if self._results is None:
            raise StateError("the study was not run yet; run it, or read a folder: study.results(folder).to_dataframe()")
        return self._results.to_dataframe()

    def describe(self) -> dict[str, Any]:
        """Return what the study is, for its folder."""
        return {
            "name": self.name,
            "base": self.base.kind,
            "key": self.key,
            "parameters": {key: {"kind": type(p).__name__, **asdict(p)} for key, p in self.design.parameters.items()},  # type: ignore[call-overload]
            "columns": self.parameters,
            "responses": [each.name for each in self.responses],
            "where": [rule.text for rule in self.design.where],
            "method": self.design.method,
            "count": self.design.count,
            "seed": self.design.seed,
            "repeats": self.design.repeats,
            "neighbors": self.neighbors,
            "version": VERSION,
        }

    @property
    def form(self) -> Form:
        """What its rows are of."""
        return form_of(self.name, self.base.digest(), self.key, self.responses, self.motions)
