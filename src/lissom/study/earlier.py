"""What a folder has of a study already: whose folder it is, and rows of earlier forms of the study, which count for it, too.

A folder belongs to one study: a name, a base and names of parameters. Values, samples, constraints and responses may change.
A case under another list of responses has another name; its row is taken over where it has the numbers, and where it has a
motion, they are computed from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import FileError
from .design import Case, begun_name, digest, name_case
from .job import Row
from .responses import Response

AGAIN = ("failed", "lost", "late")  # status of rows that may be due to a response, or to the machine


@dataclass(frozen=True)
class Form:
    """What names of cases depend on beside their values.

    Attributes:
        name: of the study.
        base: names the base.
        key: names base and responses.
        responses: what names each response, by its name.
        motions: whether motions are kept.
    """

    name: str
    base: str
    key: str
    responses: Mapping[str, str]
    motions: bool

    def plain(self) -> dict[str, Any]:
        """Return its fields."""
        return {**vars(self), "responses": dict(self.responses)}


def form_of(name: str, base: Any, key: str, responses: Sequence[Response], motions: bool) -> Form:
    """Return the form of a study whose base has this digest."""
    return Form(name, digest(base), key, {each.name: digest(each.digest()) for each in responses}, motions)


def expect_own(folder: Path, found: Mapping[str, Any], mine: Form, columns: Sequence[str], rows: int) -> None:
    """Raise a FileError where a folder with rows belongs to another study.

    Args:
        folder: of the study.
        found: what it says that it is; nothing for a new one.
        mine, columns: the form of the study that is to work in it, and names of its parameters.
        rows: how many it has.
    """
    if not rows or not found:
        return
    theirs = [str(name) for name in found.get("columns", ()) if name != "repeat"]
    own = [name for name in columns if name != "repeat"]
    if found.get("name") != mine.name:
        why = f"and not of {mine.name!r}"
    elif set(theirs) != set(own):
        why = f"whose parameters are {', '.join(theirs)}, not {', '.join(own)}"
    elif found.get("key") != mine.key and mine.base not in {form.base for form in forms_of(folder, found)[-1:]}:
        why = "whose base was another: what it runs, or where its parameters go, has changed"
    else:
        return
    raise FileError(
        f"is the folder of the study {found.get('name')!r}, with {rows} rows, {why}; name another folder, or give this one to "
        "the study by --replace (from Python: replace=True): rows that are there stay in it, and count when theirs comes back",
        folder,
    )


def forms_of(folder: Path, found: Mapping[str, Any]) -> list[Form]:
    """Return the forms of studies whose rows a folder has, the newest last; raise a FileError where study.json is damaged."""
    try:
        return [Form(**each) for each in found.get("forms", ())]
    except TypeError:
        raise FileError("'forms' of study.json is damaged; take it out: rows of the same study still count", folder) from None


class Earlier:
    """Rows of earlier forms of a study.

    Args:
        forms: of all rows of the folder, the newest last.
        mine: that of the study.
        responses: of the study.
        seed: of the study.
        rows: of the folder by the names of cases.
    """

    def __init__(
        self, forms: Sequence[Form], mine: Form, responses: Sequence[Response], seed: int, rows: Mapping[str, Row]
    ) -> None:
        self.forms = [form for form in forms if form.base == mine.base and form.key != mine.key]
        self.mine, self.responses, self.seed, self.rows = mine, tuple(responses), seed, rows

    def adopted(self, case: Case, starts: Mapping[str, Case]) -> Row | None:
        """Return the row of a case where an earlier one has all of it, under its present name."""
        for form, row in self._found(case, starts):
            if self.mine.motions and not form.motions:
                continue
            found = {each.name: self._value(each, form, row) for each in self.responses}
            if None in found.values() or (not self.responses and form.responses):
                continue
            numbers = {name: x for name, x in found.items() if x is not None} if self.responses else dict(row.responses)
            return replace(row, id=case.id, responses=numbers, motion=row.motion if self.mine.motions else "")
        return None

    def motion(self, case: Case, starts: Mapping[str, Case]) -> str:
        """Return the name of the motion of a case under an earlier form, "" where there is none."""
        return next((row.motion for _, row in self._found(case, starts) if row.success and row.motion), "")

    def _found(self, case: Case, starts: Mapping[str, Case]) -> Iterator[tuple[Form, Row]]:
        for form in reversed(self.forms):
            row = self.rows.get(self._name(case, starts, form.key))
            if row is not None and row.status not in AGAIN:
                yield form, row

    def _name(self, case: Case, starts: Mapping[str, Case], key: str) -> str:
        own, first = name_case(case.number, case.values, self.seed, key).id, starts.get(case.id)
        return own if first is None else begun_name(own, self._name(first, starts, key))

    def _value(self, response: Response, form: Form, row: Row) -> float | None:
        """Return a response of a row; None where it is not known."""
        if not row.success:
            return float("nan")
        if form.responses.get(response.name) == self.mine.responses[response.name]:
            return row.responses.get(response.name)
        if not form.responses and not response.quantity:  # all numbers that a function returned
            return row.responses.get(response.what)
        return None
