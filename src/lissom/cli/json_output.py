"""Reports for programs: with --json a command prints one JSON object on standard output, and nothing else.

Numbers have all their digits. A number that is not finite (a limit that does not exist, a value after a motion diverged) is null.
Letters beyond ASCII and control characters are escaped, so that names are safe on a terminal. Units are part of a key (`time_s`)
or stand beside the number (`unit`). Messages, warnings and progress are on standard error, and exit codes are the usual ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print the report as one JSON object, for programs.")]


def print_json(report: Mapping[str, Any]) -> None:
    """Print a report of texts, numbers, arrays, lists and mappings."""
    print(json.dumps(plain(report), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """Return a value with the types of JSON."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, (str, Path)):
        return str(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, (Sequence, np.ndarray)):
        return [plain(part) for part in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")
