"""Results: the rows of a study, in the order of its cases."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, MissingExtraError, NameLookupError, StateError
from .design import Case
from .job import Row
from .responses import names_of
from .store import motion_path, read_all, read_description, refuse_others
from .table import columns_of

if TYPE_CHECKING:
    import pandas

    from .sensitivity import Sensitivity
    from .study import Study


@dataclass(frozen=True, eq=False)
class Results(Sequence[Row]):
    """The rows of a study, in the order of its cases; cases that were not run yet have none.

    Attributes:
        study: the study.
        folder: where they are kept.
        cases: all cases.
        rows: by the names of cases.
        responses: names of the responses.
    """

    study: Study
    folder: Path
    cases: tuple[Case, ...]
    rows: dict[str, Row]
    responses: tuple[str, ...]

    @classmethod
    def of(cls, study: Study, folder: Path) -> Results:
        """Return what a folder has of a study; raise a FileError where it is the folder of none."""
        read_description(folder)
        refuse_others(folder)
        rows = read_all(folder)
        cases = study.cases()
        if study.refine is not None:
            for _ in range(study.refine.rounds):
                cases += [case for case in study.more(cases, rows)[0] if case.id in rows]
        names = names_of(study.responses, (rows[case.id].responses for case in cases if case.id in rows))
        return cls(study, folder, tuple(cases), rows, names)

    @property
    def done(self) -> list[Case]:
        """The cases that have a row."""
        return [case for case in self.cases if case.id in self.rows]

    @property
    def counts(self) -> dict[str, int]:
        """How many cases ended how, the most frequent first."""
        return dict(Counter(row.status for row in self).most_common())

    def __len__(self) -> int:
        return len(self.done)

    def __getitem__(self, number: Any) -> Any:
        """Return a row, or several."""
        rows = [self.rows[case.id] for case in self.done]
        return rows[number]

    def __iter__(self) -> Iterator[Row]:
        return (self.rows[case.id] for case in self.done)

    def __repr__(self) -> str:
        ended = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in self.counts.items())
        left = len(self.cases) - len(self)
        return f"<Results of {self.study.name!r}: {ended or 'no case'}{f', {left} not run' if left else ''}>"

    def columns(self) -> dict[str, list[Any]]:
        """Return all columns by name: "case", parameters, responses, and what became of the cases."""
        return columns_of(self, {case.id: case.number for case in self.cases}, self.study.parameters, self.responses)

    def column(self, name: str) -> np.ndarray:
        """Return a column; raise NameLookupError where there is none of that name."""
        columns = self.columns()
        if name not in columns:
            raise NameLookupError("column", name, columns)
        return np.array(columns[name])

    def to_dataframe(self) -> pandas.DataFrame:
        """Return the rows as a pandas DataFrame, whose index is the number of the case; needs pandas."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("pandas", "cluster", "a study as a DataFrame") from None
        return pandas.DataFrame(self.columns()).set_index("case")

    def best(self, response: str, count: int = 1, largest: bool = False) -> list[Case]:
        """Return the cases with the smallest values of a response, or the largest ones; failed cases are none of them."""
        values = self.column(response).astype(float)
        order = np.argsort(-values if largest else values, kind="stable")
        return [self.done[k] for k in order[:count] if np.isfinite(values[k])]

    def motion_file(self, case: Case | int) -> Path:
        """Return the file of a case's motion; raise StateError where it has none."""
        own = self._case(case)
        row = self.rows.get(own.id)
        if row is None or not row.motion:
            why = "was not run yet" if row is None else "has no motion" if row.success else f"has no motion: {row.reason}"
            raise StateError(f"case {own.number} {why}")
        return motion_path(self.folder, row.motion)

    def motion(self, case: Case | int, robot: Any = None) -> Any:
        """Return the motion of a case, a Prediction or a Trajectory.

        Args:
            case: the case, or its number.
            robot: that it is a motion of; needed where the study runs a function.
        """
        from ..npz import read_npz

        own = self._case(case)
        path = self.motion_file(own)
        of = self.study.base.robot(own.values) if robot is None else robot
        found, _ = read_npz(path, ("format",))
        if str(found.get("format")) == "lissom prediction 1":
            from ..predict import Prediction

            return Prediction.load(path, of)
        from ..simulate.trajectory import trajectory_kind

        return trajectory_kind(of).load(path, of)

    def sensitivity(self, response: str) -> Sensitivity:
        """Return Sobol indices: which share of the variance of a response each parameter causes; see `Sensitivity`."""
        from .sensitivity import sensitivity

        return sensitivity(self, response)

    def front(self, responses: Sequence[str], largest: Sequence[str] = ()) -> list[Case]:
        """Return the cases that no other one beats in all of some responses, of which small values are better.

        Args:
            responses: their names.
            largest: those of which large values are better.
        """
        values = np.stack([self.column(name).astype(float) * (-1.0 if name in largest else 1.0) for name in responses], axis=1)
        found = []
        for k, own in enumerate(values):
            if np.isfinite(own).all() and not ((values <= own).all(axis=1) & (values < own).any(axis=1)).any():
                found.append(self.done[k])
        return found

    def report(self, path: str | os.PathLike[str] | None = None, largest: bool = False) -> Path:
        """Write a page: responses over parameters, parallel coordinates, the Pareto front, sensitivities, the best motions.

        Args:
            path: file to write (.html); None for report.html in the study's folder.
            largest: whether large values of the first response are better.
        """
        from ..view.report.study import report_study

        return report_study(self, self.folder / "report.html" if path is None else path, largest)

    def _case(self, case: Case | int) -> Case:
        if isinstance(case, Case):
            return case
        found = next((each for each in self.cases if each.number == case), None)
        if found is None:
            raise StateError(f"no case {case!r}; expected a number from 0 to {len(self.cases) - 1}")
        return found


def load_rows(folder: str | os.PathLike[str]) -> list[Row]:
    """Return all rows of a folder, those of earlier forms of its study too, without the study."""
    where = Path(folder)
    if not where.is_dir():
        raise FileError("is not the folder of a study", where)
    read_description(where)
    return list(read_all(where).values())
