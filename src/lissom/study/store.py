"""The folder of a study: nothing that was computed is lost, and nothing is computed twice.

study.json       what the study is, and what its rows are of
lock             held while a study works here
rows/*.rows      rows as they were found, one file for every start
table.parquet    the same rows in the order of the cases, written when a run ends, however it ends
motions/ab/...   motions, named by what they hold
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import FileError
from ..files import write_whole
from .design import Case
from .folder_lock import FolderLock
from .job import Row
from .log import ENDING, Log, line_of, read_log, sync_folder
from .table import read_rows, write_rows

FORMAT = "lissom study 1"
OWN = {"study.json", "lock", "rows", "table.parquet", "motions", "report.html", "live.html"}


class Store:
    """A folder that is held by one study, from its making to `close`.

    Args:
        folder: made where there is none.

    Raises:
        FileError: it holds something else, or another study works in it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            refuse_others(folder)
            self.lock = FolderLock(folder)
        except OSError as error:
            if isinstance(error, FileError):
                raise
            raise FileError(f"cannot be written: {error.strerror or error}", folder) from None
        try:
            (folder / "rows").mkdir(exist_ok=True)
            self.rows = read_all(folder)
        except BaseException:
            self.lock.release()
            raise
        self.log: Log | None = None
        self.motions: set[str] = set()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def describe(self, words: Mapping[str, Any]) -> None:
        """Write what the study is, and what all rows are of."""
        text = json.dumps({"format": FORMAT, **words}, indent=1, default=str)
        write_whole(self.folder / "study.json", text.encode())

    def put(self, found: Sequence[tuple[Row, bytes]]) -> list[Row]:
        """Store rows and their motions; they are on the disk when this returns.

        Raises:
            OSError: they are not; rows stored before are.
        """
        rows = []
        for row, data in found:
            name = self._keep(data) if data else ""
            earlier = self.rows.get(row.id)
            attempts = row.attempts + (0 if earlier is None else earlier.attempts)
            rows.append(Row(**{**row.plain(), "motion": name, "attempts": attempts}))
        self.add(rows)
        return rows

    def add(self, rows: Sequence[Row]) -> None:
        """Store rows whose motions are there."""
        if self.log is None:
            name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}{ENDING}"
            self.log = Log(self.folder / "rows" / name)
        self.log.append(rows)
        self.rows.update((row.id, row) for row in rows)

    def compact(self, cases: Iterable[Case], parameters: Sequence[str], responses: Sequence[str]) -> None:
        """Write the table, and drop the logs whose rows it has; rows of other cases stay in one log."""
        numbers = {case.id: case.number for case in cases}
        own = sorted((row for row in self.rows.values() if row.id in numbers), key=lambda row: numbers[row.id])
        others = [row for row in self.rows.values() if row.id not in numbers]
        if self.log is not None:
            self.log.close()
            self.log = None
        old = set(logs(self.folder))
        if others:
            kept = self.folder / "rows" / f"others-{secrets.token_hex(4)}{ENDING}"
            write_whole(kept, b"".join(map(line_of, others)))
        write_rows(self.folder / "table.parquet", own, numbers, parameters, responses)
        sync_folder(self.folder)
        for path in old:
            path.unlink()

    def close(self) -> None:
        """Let another study in."""
        if self.log is not None:
            self.log.close()
            self.log = None
        self.lock.release()

    def _keep(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()[:40]
        if name not in self.motions:
            path = motion_path(self.folder, name)
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, data)
                sync_folder(path.parent)
            self.motions.add(name)
        return name


def refuse_others(folder: Path) -> None:
    """Raise a FileError for a folder that holds something else than a study."""
    strange = sorted(set(os.listdir(folder)) - OWN)
    visible = [name for name in strange if not name.startswith(".")]
    if visible and not (folder / "study.json").exists():
        raise FileError(f"holds {visible[0]!r}, and is not the folder of a study; name an empty or a new one", folder)
    if (folder / "study.json").exists() and not description_of(folder):
        raise FileError("holds a study.json that is damaged, or not lissom's; name another folder, or take it out", folder)


def logs(folder: Path) -> list[Path]:
    """Return the logs of a folder, the oldest first."""
    return sorted((folder / "rows").glob(f"*{ENDING}"), key=lambda path: (path.stat().st_mtime, path.name))


def read_all(folder: Path) -> dict[str, Row]:
    """Return the rows of a folder by the names of their cases; of several of a case, that of the most attempts."""
    found: dict[str, Row] = {}
    table = folder / "table.parquet"
    sources: list[Iterable[Row]] = [read_rows(table)] if table.exists() else []
    sources += [read_log(path) for path in logs(folder)]
    for source in sources:
        for row in source:
            known = found.get(row.id)
            if known is None or row.attempts > known.attempts:
                found[row.id] = row
    return found


def description_of(folder: Path) -> dict[str, Any]:
    """Return what `describe` wrote, and nothing where it wrote nothing."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / "study.json").read_bytes())
        if isinstance(found, dict) and found.get("format") == FORMAT:
            return found
    return {}


def read_description(folder: Path) -> dict[str, Any]:
    """Return what `describe` wrote; raise a FileError where the folder is none of a study."""
    if found := description_of(folder):
        return found
    raise FileError("is not the folder of a study: it has no study.json that lissom wrote", folder)


def motion_path(folder: Path, name: str) -> Path:
    """Return the file of a motion."""
    return folder / "motions" / name[:2] / f"{name}.npz"
