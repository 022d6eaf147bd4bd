"""Tables of limits, made short: equations that hold are one line, and many entries of one limit are its worst one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...predict.result.prediction import LimitReport

EQUATIONS = 6  # listed one by one, at most
ROWS = 40  # of a table whose entries are all listed, at most
ENTRIES = 3  # of one limit that are listed in a longer table, at most
USUAL = 1e-3  # share of its scale by which a limit may be missed, where no tolerance is known


def folded(limits: Sequence[LimitReport], tolerance: float) -> tuple[list[LimitReport], str]:
    """Return the rows of a table of limits, and a sentence on the equations that are in none; empty where there are none.

    Args:
        limits: as they are shown.
        tolerance: violation allowed, as a share of the scale.
    """
    tolerance = tolerance if math.isfinite(tolerance) else USUAL
    held = [x for x in limits if x.is_equation and x.violation <= tolerance * x.scale]
    rows, said = list(limits), ""
    if len(held) > EQUATIONS:
        some = {id(x) for x in held}
        rows = [x for x in limits if id(x) not in some]
        contacts = sum(bool(x.contact) for x in held)
        of = "" if not contacts else " of contacts" if contacts == len(held) else f", {contacts} of them of contacts,"
        largest = max(x.violation / x.scale for x in held)
        said = f"{len(held)} equations{of} hold; largest violation {largest:.1e} of their scale"
    if len(rows) <= ROWS:
        return rows, said
    groups: dict[tuple[object, ...], list[LimitReport]] = {}
    for x in rows:
        quantity, _ = parted(x.label)
        groups.setdefault((quantity, x.contact, x.unit, x.during, x.shares, x.is_equation), []).append(x)
    return [row for group in groups.values() for row in _worst(group)], said


def parted(label: str) -> tuple[str, str]:
    """Return "torque" and "elbow" of "torque of elbow", and "mine" and "speed" of "mine: speed"."""
    for sign in (" of ", ": "):
        quantity, found, name = label.partition(sign)
        if found:
            return quantity, name
    return label, ""


def _worst(group: Sequence[LimitReport]) -> list[LimitReport]:
    """Return the entries of a limit; of many, the one with the largest violation, or else active for the longest time."""
    if len(group) <= ENTRIES:
        return list(group)
    worst = max(group, key=lambda x: (x.violation / x.scale, x.active))
    quantity, name = parted(worst.label)
    of = f" of {worst.contact}" if worst.contact and not quantity.startswith(worst.contact) else ""
    if worst.violation == 0.0 and worst.active == 0.0:
        label = f"{quantity}{of}, {len(group)} entries"
        same = len({(x.lower, x.upper) for x in group}) == 1
        lower, upper = (worst.lower, worst.upper) if same else (-math.inf, math.inf)  # infinite bounds are not shown
        return [replace(worst, label=label, lower=lower, upper=upper)]
    name = name.removeprefix(f"{worst.contact}.") if worst.contact else name
    return [replace(worst, label=f"{quantity}{of}, worst of {len(group)}: {name}")]
