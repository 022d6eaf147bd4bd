"""Mutations of bytes, for files of any format."""

from __future__ import annotations

import re
from random import Random

from .values import PIECES, number

_NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:e[-+]?\d+)?", re.IGNORECASE)


def mutate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return `data` with one to four changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        data = rng.choice(CHANGES)(rng, data, others)
    return data


def _flip(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _cut(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 2, 5, 20, 100, 1000)) :]


def _truncate(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _insert(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(PIECES) + data[at:]


def _repeat(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    piece = data[at : at + rng.choice((1, 10, 50, 200))]
    return data[:at] + piece * rng.choice((2, 3, 10, 100)) + data[at:]


def _splice(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _number(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.start()] + number(rng).encode() + data[match.end() :]


def _lines(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    change = rng.randrange(3)
    if change == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif change == 1:
        lines.insert(one, lines[two])
    else:
        del lines[one]
    return b"".join(lines)


CHANGES = (_flip, _cut, _truncate, _insert, _repeat, _splice, _number, _number, _number, _lines, _lines)
