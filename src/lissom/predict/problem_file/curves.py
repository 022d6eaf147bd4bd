"""Curves in problem files: targets and weights over the motion, written out or in a CSV file beside the problem.

target: 0.5                                # a number for all entries
target: [0.5, 0.1, 0.3]                    # one per entry, or by name
target: [[0.5, 0.1], [0.6, 0.1], ...]      # rows of entries at equal fractions of the duration
target: {file: hand.csv}                   # columns with the names of the entries; with t [s] or s, instants of the rows
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ...read.entry import Entry
from ...read.source import exists
from ...read.table import Table, read_table
from ...read.values import number, numbers_of

MOST = 1_000_000  # rows
INSTANTS = ("s", "t", "time")  # columns that say when a row is
MOTION = {"position": "q", "velocity": "qd", "acceleration": "qdd", "torque": "tau"}  # columns of files of motions begin so


def read_curve(entry: Entry, quantity: str, labels: list[str], angles: bool, folder: Path, weights: bool = False) -> Any:
    """Return a number, numbers, rows or a function of the fraction, as `minimize` takes them.

    Args:
        entry: the entry of the file.
        quantity: its name.
        labels: of the entries.
        angles: whether degrees are allowed.
        folder: of the problem's file, where other files are.
        weights: whether a list of numbers is one over time, and a file's only column is "weight".
    """
    node = entry.node
    if isinstance(node, yaml.SequenceNode):
        items = entry.items()
        if items and isinstance(items[0].node, yaml.SequenceNode):
            return np.array([numbers_of(row, labels, angles) for row in items])
        over_time = weights or len(labels) == 1
        return [number(item, angles) for item in items] if over_time else numbers_of(entry, labels, angles)
    if isinstance(node, yaml.MappingNode) and any(key.value == "file" for key, _ in node.value):
        return _from_file(entry.mapping(("file",))["file"], quantity, labels, folder, weights)
    return number(entry, angles) if weights else numbers_of(entry, labels, angles)


def _from_file(entry: Entry, quantity: str, labels: list[str], folder: Path, weights: bool) -> Any:
    table = read_table(beside(entry, folder))
    when = next((table.header.index(name) for name in INSTANTS if name in table.header), None)
    if weights and "weight" in table.header:
        places = [table.header.index("weight")]
    else:
        places = [_column(table, quantity, label) for label in labels]
    found = table.numbers(places if when is None else [when, *places])
    if len(found) > MOST:
        raise table.error(f"has {len(found)} rows, expected {MOST} at most")
    if when is None:
        return found[:, 0] if weights and len(places) == 1 else found
    s, rows = found[:, 0], found[:, 1:]
    if len(s) < 2 or not (np.diff(s) > 0.0).all():
        raise table.error(f"column {table.header[when]!r} must increase from line to line, two lines at least")
    share = (s - s[0]) / (s[-1] - s[0])
    return lambda at: np.array([np.interp(at, share, column) for column in rows.T])


def beside(entry: Entry, folder: Path) -> Path:
    """Return the file that an entry names, in the folder of the problem or below; any other place is an error."""
    text = entry.text()
    file = folder / text
    home = os.path.realpath(folder)
    if not Path(os.path.realpath(file)).is_relative_to(home):
        raise entry.error(f"file {text!r} is outside the folder of the problem; copy it there")
    if not exists(file) or not file.is_file():
        raise entry.error(f"there is no file {file}; files are searched from the folder of the problem")
    return file


def _column(table: Table, quantity: str, label: str) -> int:
    """Return the column of an entry: its name, or as in files of motions, q_elbow."""
    names = (label, label.rsplit(".", 1)[-1], f"{MOTION.get(quantity, quantity)}_{label}")
    for name in names:
        if name in table.header:
            return table.header.index(name)
    raise table.error(f"no column {label!r} for {quantity}; it has {', '.join(table.header)}", 1)
