"""Arguments that are not what a function of a robot expects, made from good ones."""

from __future__ import annotations

import decimal
import fractions
from random import Random
from typing import Any

import numpy as np

EXTREMES = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e200, 1e155, 1e17, 1e9, -1e6, 1e-320, 0.0, -0.0)
TYPES = ("f4", "f2", "i8", "i1", "u8", "?", "c16", "O", "U5", "S3", "g", ">f8", "M8[s]", "m8[s]", "i4,f8", "V3")
TEXTS = ("", "nothing", "world", "link", "q", "é", "a" * 1000, "\x00", "com", "aba", "rk4", "../x", "%s")
NO_TEXTS = (None, 3, 1.5, True, [], ["a"], {}, np.zeros(2), np.array("link"), b"link", object, ..., float("nan"))


def odd_array(rng: Random, good: np.ndarray) -> Any:
    """Return something in the place of a good array."""
    change = rng.choice((_content, _content, _content, _shape, _shape, _type, _layout, _layout, _object, _object))
    return change(rng, np.array(good))


def _content(rng: Random, good: np.ndarray) -> Any:
    good = good.astype(float)
    if good.size:
        good[np.unravel_index(rng.randrange(good.size), good.shape)] = rng.choice(EXTREMES)
    return np.full(good.shape, rng.choice(EXTREMES)) if rng.random() < 0.2 else good


def _shape(rng: Random, good: np.ndarray) -> Any:
    rank = good.ndim
    shapes = (
        *(lambda: good[..., :-1] if rank else good[None],),
        *(lambda: np.append(good, 1.0), lambda: good[None], lambda: good[..., None]),
        *(lambda: np.tile(good, (3,) + (1,) * rank), lambda: np.zeros((0, *good.shape)), lambda: np.zeros((*good.shape, 0))),
        *(lambda: np.float64(1.0), lambda: np.zeros(0), lambda: np.zeros((2, 0, 3))),
        *(lambda: np.tile(good, (3, 1, 2) + (1,) * rank),),
        *(lambda: np.tile(good, (4,) + (1,) * rank).T,),
        *(lambda: np.ones((1,) * 31 + good.shape[-1:]), lambda: np.zeros((2, 3, 4, 5))),
        *(lambda: np.broadcast_to(good, (10**12, *good.shape)), lambda: np.broadcast_to(good, (3, *good.shape))),
    )
    return rng.choice(shapes)()


def _type(rng: Random, good: np.ndarray) -> Any:
    kind = rng.choice(TYPES)
    try:
        return good.astype(kind)
    except (TypeError, ValueError):
        return np.zeros(good.shape, kind)


def _layout(rng: Random, good: np.ndarray) -> Any:
    good = np.atleast_1d(good.astype(float))
    way = rng.randrange(8)
    if way == 0:
        return np.repeat(good, 2, axis=-1)[..., ::2]
    if way == 1:
        return good[..., ::-1][..., ::-1]
    if way == 2:
        return np.frombuffer(b"\0" + good.tobytes(), dtype=np.uint8)[1:].view("f8").reshape(good.shape)  # misaligned
    if way == 3:
        good.flags.writeable = False
        return good
    if way == 4:
        return np.asfortranarray(np.tile(good, (5,) + (1,) * good.ndim))
    if way == 5:
        return np.ma.masked_array(good, mask=rng.random() < 0.5)
    if way == 6:
        return np.lib.stride_tricks.as_strided(good, (4, *good.shape), (0, *good.strides))
    return good.tolist()


def _object(rng: Random, good: np.ndarray) -> Any:
    n = max(1, good.shape[-1] if good.ndim else 1)
    deep: Any = 1.0
    for _ in range(rng.choice((3, 33, 70, 500))):
        deep = [deep]
    return rng.choice(
        (
            *([[1.0] * n, [1.0] * (n + 1)], [[1.0] * n, 2.0], [1.0] * (n - 1) + [[1.0]]),
            *([None] * n, ["1"] * n, [1j] * n, [10**400] * n),
            *(None, "text", b"text", {}, {1: 2}, set(), object(), ..., True),
            *(range(n), (x for x in range(n)), deep, [], [[]], [[], []]),
            *([fractions.Fraction(1, 3)] * n, [decimal.Decimal(1)] * n, [np.zeros(2)] * n, [np.zeros(0)] * n, bytearray(8 * n)),
            *(memoryview(np.zeros(n)), np.array([1.0] * n, dtype=object)),
            *(np.zeros(n).view(np.recarray), float("nan"), 10**400, int),
        )
    )


def odd_text(rng: Random, known: list[str]) -> Any:
    """Return a text in the place of a name, or no text at all."""
    return rng.choice(known) if known and rng.random() < 0.3 else rng.choice(TEXTS + NO_TEXTS)
