"""Tables of rows in Parquet files, through pyarrow: one column for each parameter, each response, and what became of the case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from ..errors import FileError, MissingExtraError, StateError
from ..files import write_whole
from .job import Row

BEFORE = ("case",)
AFTER = ("success", "status", "reason", "seconds", "attempts", "seed", "motion", "worker", "id")
RESERVED = (*BEFORE, *AFTER, "repeat")
MARK = b"lissom"  # of the schema: names of parameters and responses


def pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return pyarrow and its Parquet; raise MissingExtraError without them."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "cluster", "the table of a study") from None
    return arrow, parquet


def check_names(parameters: Sequence[str], responses: Sequence[str]) -> None:
    """Raise StateError for names that two columns would have."""
    seen: set[str] = set(RESERVED)
    for kind, names in (("parameter", parameters), ("response", responses)):
        for name in names:
            if name in seen and not (name == "repeat" and kind == "parameter"):
                why = "is a column of every study" if name in RESERVED else "is given twice"
                raise StateError(f"{kind} {name!r} {why}; give it another name")
            seen.add(name)


def columns_of(
    rows: Iterable[Row], numbers: Mapping[str, int], parameters: Sequence[str], responses: Sequence[str]
) -> dict[str, list[Any]]:
    """Return rows as columns by name, in their order."""
    table = [(numbers[row.id], row) for row in rows]
    found: dict[str, list[Any]] = {"case": [number for number, _ in table]}
    for name in parameters:
        column = [row.values.get(name) for _, row in table]
        texts = any(isinstance(value, str) for value in column)
        found[name] = [None if x is None else str(x) if texts and not isinstance(x, str) else x for x in column]
    nothing = float("nan")
    found |= {name: [row.responses.get(name, nothing) for _, row in table] for name in responses}
    return found | {name: [getattr(row, name) for _, row in table] for name in AFTER}


def write_rows(
    path: Path, rows: Sequence[Row], numbers: Mapping[str, int], parameters: Sequence[str], responses: Sequence[str]
) -> None:
    """Write rows in their order, completely or not at all."""
    arrow, parquet = pyarrow()
    columns = columns_of(rows, numbers, parameters, responses)
    kinds = {"case": arrow.int64(), "success": arrow.bool_(), "attempts": arrow.int64(), "seed": arrow.int64()}
    kinds |= {name: arrow.float64() for name in (*responses, "seconds")}
    kinds |= {name: arrow.string() for name in ("status", "reason", "motion", "worker", "id")}
    for name in parameters:
        kinds[name] = arrow.string() if any(isinstance(x, str) for x in columns[name]) else arrow.float64()
    fields = [arrow.field(name, kinds[name]) for name in columns]
    mark = "\n".join((f"{len(parameters)}", *parameters, *responses)).encode()
    schema = arrow.schema(fields, metadata={MARK: mark})
    made = arrow.table({name: arrow.array(column, kinds[name]) for name, column in columns.items()}, schema=schema)

    def write(file: IO[bytes]) -> None:
        parquet.write_table(made, file, compression="zstd")

    write_whole(path, write)


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a table that `write_rows` wrote."""
    arrow, parquet = pyarrow()
    try:
        table = parquet.read_table(path)
        count, *names = (table.schema.metadata or {})[MARK].decode().split("\n")
    except (arrow.ArrowException, OSError, KeyError) as error:
        raise FileError(f"is not a table of a study, or is damaged: {str(error)[:200]}", path) from None
    parameters, responses = names[: int(count)], names[int(count) :]
    for each in table.to_pylist():
        own = {name: each[name] for name in parameters if each[name] is not None}
        found = {name: each[name] for name in responses}
        yield Row(values=own, responses=found, **{name: each[name] for name in AFTER})
