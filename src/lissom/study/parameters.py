"""Parameters of a study: values on a grid or a list, which are crossed, and distributions, from which samples are drawn."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import StateError

MOST = 1_000_000  # cases of a study; each takes a kilobyte of memory
Value = float | str


class Parameter:
    """What a parameter can be."""

    random: ClassVar[bool] = False


@dataclass(frozen=True)
class Values(Parameter):
    """A list of numbers or texts, each combined with all values of other parameters."""

    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        _expect(len(self.values) > 0, "a parameter has an empty list of values; give one at least")
        for value in self.values:
            good = isinstance(value, str) or (not isinstance(value, bool) and isinstance(value, (int, float, np.number)))
            _expect(good and (isinstance(value, str) or math.isfinite(value)), f"value {value!r} is no finite number or text")
        plain = tuple(x if isinstance(x, str) else float(x) for x in self.values)
        if len(set(plain)) < len(plain):
            twice = next(x for x, count in Counter(plain).items() if count > 1)
            raise StateError(f"values repeat {twice!r}; each is a case of its own")
        object.__setattr__(self, "values", plain)


class Random(Parameter):
    """A distribution, given by its quantiles."""

    random = True

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Return the values below which shares u (N,) of all lie."""
        raise NotImplementedError

    def _expect_finite(self) -> None:
        with np.errstate(all="ignore"):
            ends = self.quantile(np.array([0.0, 0.5, 1.0 - 2.0**-53]))
        _expect(bool(np.isfinite(ends).all()), "this distribution is so wide that its samples are no finite numbers")


@dataclass(frozen=True)
class Uniform(Random):
    """All values between two bounds are as likely; with `log`, all ratios."""

    lower: float
    upper: float
    log: bool = False

    def __post_init__(self) -> None:
        _ordered(self.lower, self.upper)
        _expect(not self.log or self.lower > 0, f"lower is {self.lower:g}, but a logarithmic range needs positive bounds")
        self._expect_finite()

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Return the values below which shares u (N,) of all lie."""
        if self.log:
            return self.lower * (self.upper / self.lower) ** u  # type: ignore[no-any-return]
        return self.lower + (self.upper - self.lower) * u  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Normal(Random):
    """The normal distribution, cut off at bounds where they are given."""

    mean: float
    deviation: float
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        _expect(math.isfinite(self.mean), f"mean is {self.mean!r}, expected a finite number")
        _expect(0 < self.deviation < math.inf, f"deviation is {self.deviation!r}, expected a positive number")
        _expect(self.lower < self.upper, f"lower {self.lower:g} is not below upper {self.upper:g}")
        low, high = self._ends
        _expect(high > low, f"no values of this normal distribution lie between {self.lower:g} and {self.upper:g}")
        self._expect_finite()

    @property
    def _ends(self) -> tuple[float, float]:
        from scipy.special import ndtr

        return tuple(float(ndtr((x - self.mean) / self.deviation)) for x in (self.lower, self.upper))  # type: ignore[return-value]

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Return the values below which shares u (N,) of all lie."""
        from scipy.special import ndtri

        low, high = self._ends
        # samples of a lattice may be exactly zero
        inside = np.clip(low + (high - low) * u, 2.0**-53, 1.0 - 2.0**-53)
        return np.clip(self.mean + self.deviation * ndtri(inside), self.lower, self.upper)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class LogNormal(Random):
    """Positive values whose logarithm is normal: around `median`, by factors of exp(`deviation`)."""

    median: float
    deviation: float

    def __post_init__(self) -> None:
        _expect(0 < self.median < math.inf, f"median is {self.median!r}, expected a positive number")
        _expect(0 < self.deviation < math.inf, f"deviation is {self.deviation!r}, expected a positive number")
        self._expect_finite()

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Return the values below which shares u (N,) of all lie."""
        return self.median * np.exp(Normal(0.0, self.deviation).quantile(u))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Triangular(Random):
    """Most likely at `mode`, never beyond `lower` and `upper`."""

    lower: float
    mode: float
    upper: float

    def __post_init__(self) -> None:
        _ordered(self.lower, self.upper)
        _expect(self.lower <= self.mode <= self.upper, f"mode {self.mode:g} is not within {self.lower:g} to {self.upper:g}")
        self._expect_finite()

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Return the values below which shares u (N,) of all lie."""
        width = self.upper - self.lower
        rising = self.lower + np.sqrt(u * width * (self.mode - self.lower))
        falling = self.upper - np.sqrt((1.0 - u) * width * (self.upper - self.mode))
        return np.where(u * width < self.mode - self.lower, rising, falling)


@dataclass(frozen=True)
class Choice(Random):
    """One of some numbers or texts, each as likely."""

    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", Values(tuple(self.values)).values)

    def quantile(self, u: np.ndarray) -> np.ndarray:
        """Return the values below which shares u (N,) of all lie."""
        return np.array(self.values, dtype=object)[np.minimum((u * len(self.values)).astype(int), len(self.values) - 1)]


def values(given: Sequence[Value]) -> Values:
    """Return a parameter that takes each of some numbers or texts."""
    return Values(tuple(given))


def grid(lower: float, upper: float, count: int, log: bool = False) -> Values:
    """Return a parameter that takes `count` values from `lower` to `upper`, at equal distances, or with `log` equal ratios."""
    good = isinstance(count, int) and not isinstance(count, bool) and 2 <= count <= MOST
    _expect(good, f"count is {count!r}, expected a whole number from 2 to {MOST}")
    Uniform(lower, upper, log)
    made = np.geomspace(lower, upper, count) if log else np.linspace(lower, upper, count)
    return Values(tuple(float(x) for x in made))


def as_parameter(name: str, given: Any) -> Parameter:
    """Return a parameter; a list of values is one, too."""
    if isinstance(given, Parameter):
        return given
    if isinstance(given, Sequence | np.ndarray) and not isinstance(given, str):
        return values(list(given))
    raise StateError(f"parameter {name!r} is {given!r}, expected a list of values, grid(...), Uniform(...) or Normal(...)")


def _ordered(lower: float, upper: float) -> None:
    _expect(math.isfinite(lower) and math.isfinite(upper), f"bounds {lower!r} and {upper!r} must be finite numbers")
    _expect(lower < upper, f"lower {lower:g} is not below upper {upper:g}")


def _expect(good: bool, message: str) -> None:
    if not good:
        raise StateError(message)
