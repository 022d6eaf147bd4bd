"""One run of a study in the folder that it holds: first cases that begin from nothing, then others, then refinement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ..errors import FileError, Interrupted
from ..interrupt import Interrupt
from .design import Case, Start
from .earlier import Earlier, expect_own, forms_of
from .job import Job, Row
from .neighbors import split
from .progress import Progress
from .responses import names_of
from .results import Results
from .runners.runner import Found, Put, Runner, Stop
from .store import Store, description_of, motion_path

if TYPE_CHECKING:
    from .study import Study

Report = Callable[[Progress], Any]
TOGETHER = 200  # cases whose motions are in memory at a time


class Run:
    """A run of a study in a folder that it holds."""

    def __init__(self, study: Study, store: Store, runner: Runner, retry: bool, live: bool, replace: bool) -> None:
        self.study, self.store, self.runner, self.retry, self.live = study, store, runner, retry, live
        self.job = Job(study.base, study.responses, study.motions)
        self.starts: dict[str, Case] = {}  # by the names of cases: those with whose motions they begin
        self.earlier = self.owned(replace)

    def owned(self, replace: bool) -> Earlier:
        """Make the folder that of the study, and return what it has of earlier forms; raise a FileError where it is another's."""
        study, store = self.study, self.store
        found, mine = description_of(store.folder), study.form
        if not replace:
            expect_own(store.folder, found, mine, study.parameters, len(store.rows))
        forms = [form for form in forms_of(store.folder, found) if form.key != mine.key]
        store.describe({**study.describe(), "forms": [form.plain() for form in (*forms, mine)]})
        return Earlier(forms, mine, study.responses, study.design.seed, store.rows)

    def all(self, progress: Report | bool | None) -> Results:
        """Run all cases without a row, and return the rows."""
        from ..predict.search.progress import reporting
        from .live import Live

        study, store = self.study, self.store
        cases, self.starts = study.plan()
        self.adopt(cases)
        line = Progress(study.name, len(cases), 0, 0, began=perf_counter())
        self.tell(line, cases)
        page = Live(store.folder) if self.live else None
        if page is not None:
            page.write(line, store.rows.values())
        with Interrupt() as interrupt, reporting(progress, line) as report:  # type: ignore[arg-type]

            def put(found: Found) -> bool:
                ended = False
                known = [store.rows.get(row.id) for row, _ in found]
                for row, earlier in zip(self.stored(found), known, strict=True):
                    line.add(row, earlier)
                    ended = bool(report is not None and report(line)) or ended
                if page is not None:
                    page.write(line, store.rows.values())
                return ended

            stopped = False

            def until(found: Found) -> bool:
                nonlocal stopped
                stopped = put(found) or stopped
                return stopped

            def stop() -> bool:
                return stopped or bool(interrupt.asked)

            try:
                for part in split(cases, self.starts):
                    self.go(part, until, stop)
                cases = self.refined(cases, line, until, stop)
            except KeyboardInterrupt:
                interrupt.asked += 1
            except BaseException:
                with suppress(OSError, FileError):  # what stopped it is what is said
                    self.finish(cases)
                raise
            finally:
                if page is not None:
                    page.write(line, store.rows.values(), last=True)
            results = self.finish(cases)
        if interrupt.asked:
            raise Interrupted(f"stopped from the keyboard; {line.done} of {line.total} cases are stored", results)
        return results

    def stored(self, found: Found) -> list[Row]:
        """Store rows; raise a FileError where they cannot be, as on a full disk."""
        try:
            return self.store.put(found)
        except (OSError, FileError) as error:
            many = f"{len(self.store.rows)} rows are stored"
            raise FileError(f"{error}; {many}: make room, and the same command continues", self.store.folder) from None

    def tell(self, line: Progress, cases: Iterable[Case]) -> None:
        """Count what the folder has."""
        known = [self.store.rows[case.id] for case in cases if case.id in self.store.rows]
        line.total, line.done = len(list(cases)), len(known)
        line.failed = sum(not row.success for row in known)

    def todo(self, cases: Iterable[Case]) -> list[Case]:
        """Return the cases without a row, and with `retry` those that failed."""
        rows = self.store.rows
        return [case for case in cases if case.id not in rows or (self.retry and not rows[case.id].success)]

    def adopt(self, cases: Iterable[Case]) -> None:
        """Take over rows of earlier forms of the study that have all that is asked for."""
        rows = [self.earlier.adopted(case, self.starts) for case in cases if case.id not in self.store.rows]
        if found := [row for row in rows if row is not None]:
            self.store.add(found)

    def go(self, cases: Iterable[Case], put: Put, stop: Stop) -> None:
        """Run cases without a row; those whose motion is known are asked for their responses alone, some at a time."""
        todo = self.begun(self.todo(cases))
        known = [case for case in todo if case.id not in self.store.rows and self.earlier.motion(case, self.starts)]
        for k in range(0, len(known), TOGETHER):
            if not stop():
                self.runner.run(self.job, [self.measured(case) for case in known[k : k + TOGETHER]], put, stop)
        names = {case.id for case in known}
        if not stop():
            self.runner.run(self.job, [case for case in todo if case.id not in names], put, stop)

    def measured(self, case: Case) -> Case:
        """Return a case with its motion; without, where the file is gone."""
        path = motion_path(self.store.folder, self.earlier.motion(case, self.starts))
        return replace(case, motion=path.read_bytes()) if path.exists() else case

    def begun(self, cases: Sequence[Case]) -> list[Case]:
        """Return cases with the motions that they begin with; those whose neighbor failed begin from nothing."""
        firsts = {first.id: first for case in cases if (first := self.starts.get(case.id)) is not None}
        known: dict[str, Start] = {}
        for first in firsts.values():
            row = self.store.rows.get(first.id)
            if row is not None and row.success and row.motion:
                known[first.id] = Start(first.values, motion_path(self.store.folder, row.motion).read_bytes())
        return [replace(case, start=known.get(self.starts[case.id].id)) if case.id in self.starts else case for case in cases]

    def refined(self, cases: list[Case], line: Progress, put: Put, stop: Stop) -> list[Case]:
        """Run rounds of refinement, and return all cases."""
        refine = self.study.refine
        for _ in range(refine.rounds if refine is not None else 0):
            if stop():
                break
            more, starts = self.study.more(cases, self.store.rows)
            if not more:
                break
            self.starts.update(starts)
            cases = [*cases, *more]
            self.adopt(more)
            self.tell(line, cases)
            self.go(more, put, stop)
        return cases

    def finish(self, cases: list[Case]) -> Results:
        """Write the table, and return the rows."""
        study, rows = self.study, self.store.rows
        names = names_of(study.responses, (rows[case.id].responses for case in cases if case.id in rows))
        self.store.compact(cases, study.parameters, names)
        study._results = Results(study, self.store.folder, tuple(cases), dict(rows), names)
        return study._results
