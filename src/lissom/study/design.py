"""The cases of a study: which values its parameters take, and the name and the seed of every case.

A case is named by what it depends on, so that the same case is found again after a stop, with other workers, or in a study that
was extended; its number is only its place in the table.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import MissingExtraError, StateError, suggest
from .expression import Expression
from .parameters import MOST, Parameter, Random, Value, Values

LOOKED = 5000  # cases that are looked at before a run
RULES, NAMES, LARGEST = 50, 1000, 20_000_000  # constraints, parameters and sampled numbers at most
METHODS = ("random", "latin", "sobol", "halton", "sensitivity")


@dataclass(frozen=True)
class Start:
    """What a case begins with.

    Attributes:
        values: of the parameters of another case.
        motion: of that case, the content of a file (.npz).
    """

    values: Mapping[str, Value]
    motion: bytes


@dataclass(frozen=True)
class Case:
    """One case.

    Attributes:
        number: its place in the study, from 0.
        id: its name, 32 hexadecimal digits.
        values: of the parameters.
        seed: for what is random in the case itself, below 2**63.
        start: what it begins with; None for nothing.
        motion: its own, the content of a file (.npz), where only its responses are to be computed; else b"".
    """

    number: int
    id: str
    values: Mapping[str, Value]
    seed: int
    start: Start | None = None
    motion: bytes = field(default=b"", repr=False)


def digest(*parts: Any) -> str:
    """Return 32 hexadecimal digits that name some texts, numbers, lists and mappings; floats count with all their digits."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def name_case(number: int, values: Mapping[str, Value], seed: int, base: str) -> Case:
    """Return the case with these values: `base` names all else that it depends on."""
    own = digest("seed", seed, dict(values))
    return Case(number, digest(base, seed, dict(values)), dict(values), int(own[:16], 16) >> 1)


def begun_name(own: str, first: str) -> str:
    """Return the name of a case that begins with the motion of another, from its own name and that one's."""
    return digest(own, "from", first)


@dataclass(frozen=True)
class Design:
    """How the parameters of a study are combined.

    Values of grids and lists are crossed with each other, with the rows of `table` and with the samples of distributions.

    Attributes:
        parameters: by name.
        count: of samples; with "sensitivity" the size of a sample, of which there are as many as parameters, and two.
        method: how samples are drawn.
        seed: of the samples, and of the cases' own seeds.
        table: rows of values of further parameters.
        where: formulas that must be true; other cases are left out.
        repeats: of every case, each with a seed of its own.
    """

    parameters: Mapping[str, Parameter]
    count: int | None = None
    method: str = "sobol"
    seed: int = 0
    table: Sequence[Mapping[str, Value]] = ()
    where: tuple[Expression, ...] = ()
    repeats: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise StateError(f"no method {self.method!r} to draw samples; {suggest(str(self.method), METHODS)}")
        for name, value, least, most in (("seed", self.seed, 0, 2**63 - 1), ("repeats", self.repeats, 1, MOST)):
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise StateError(f"{name} is {value!r}, expected a whole number from {least} to {most}")
        drawn = self.random
        if drawn and self.count is None:
            raise StateError(
                f"no count says how many samples of {', '.join(drawn)} to draw; in a file, 'samples: {{count: 100}}'"
            )
        if drawn and (isinstance(self.count, bool) or not isinstance(self.count, int) or not 1 <= self.count <= MOST):
            raise StateError(f"count is {self.count!r}, expected how many samples of {', '.join(drawn)} to draw, 1 to {MOST}")
        if self.count is not None and not drawn:
            raise StateError(
                f"count is {self.count}, but no parameter has a distribution; leave it out, or give one, such as Uniform"
            )
        if self.method == "sensitivity" and (set(drawn) != set(self.parameters) or self.table or self.where or self.repeats > 1):
            raise StateError("sensitivity needs samples of distributions alone: no grids, lists, tables, constraints or repeats")
        if len(self.where) > RULES:
            raise StateError(f"the study has {len(self.where)} constraints, expected {RULES} at most; join them by 'and'")
        if len(self.parameters) > NAMES:
            raise StateError(f"the study has {len(self.parameters)} parameters, expected {NAMES} at most")
        if self.drawn * len(drawn) > LARGEST:
            raise StateError(
                f"the samples are {_rounded(self.drawn * len(drawn))} numbers, expected {LARGEST} at most; take fewer"
            )
        if self.size > MOST:
            raise StateError(f"the study has {_rounded(self.size)} cases, expected {MOST} at most")

    @property
    def random(self) -> tuple[str, ...]:
        """Names of the parameters with distributions."""
        return tuple(name for name, each in self.parameters.items() if isinstance(each, Random))

    @property
    def drawn(self) -> int:
        """Number of samples; 1 where no parameter has a distribution."""
        return (self.count or 1) * (len(self.random) + 2 if self.random and self.method == "sensitivity" else 1)

    @property
    def size(self) -> int:
        """Number of cases before constraints."""
        crossed = [len(each.values) for each in self.parameters.values() if isinstance(each, Values)]
        total = self.drawn * max(len(self.table), 1) * self.repeats
        for many in crossed:
            total *= many
        return total

    def cases(self, base: str) -> list[Case]:
        """Return all cases that keep the constraints, in their order: the last parameter changes first.

        Raises:
            StateError: no case keeps them.
        """
        found: list[Case] = []
        seen: set[str] = set()
        for chosen in self._each():
            if all(rule(chosen) for rule in self.where):
                case = name_case(len(found), chosen, self.seed, base)
                if case.id not in seen:  # a table may repeat a row
                    seen.add(case.id)
                    found.append(case)
        if not found:
            raise self._none()
        return found

    def expect_some(self) -> None:
        """Raise StateError where no case keeps the constraints; of very many cases the first ones are looked at."""
        first = itertools.islice(self._each(), LOOKED if self.where else 0)
        if self.where and self.size <= LOOKED and not any(all(rule(chosen) for rule in self.where) for chosen in first):
            raise self._none()

    def _none(self) -> StateError:
        texts = ", ".join(repr(rule.text) for rule in self.where)
        return StateError(f"none of {self.size} cases keeps the constraints {texts}")

    def _each(self) -> Iterator[dict[str, Value]]:
        """Yield the values of all cases, constraints apart, one at a time: there may be a million."""
        crossed = {name: each.values for name, each in self.parameters.items() if isinstance(each, Values)}
        columns = self.samples()
        again = range(self.repeats)
        for row in self.table or ({},):
            for own in itertools.product(*crossed.values()):
                for sample in zip(*columns.values(), strict=True) if columns else ((),):
                    chosen = {**row, **dict(zip(crossed, own, strict=True)), **dict(zip(columns, sample, strict=True))}
                    for k in again:
                        yield {**chosen, "repeat": float(k)} if self.repeats > 1 else chosen

    def samples(self) -> dict[str, list[Value]]:
        """Return the samples of each parameter with a distribution."""
        drawn, columns = self.random, {}
        u = unit_samples(self.method, self.count or 1, len(drawn), self.seed) if drawn else np.empty((0, 0))
        for name, own in zip(drawn, u.T, strict=True):
            each = self.parameters[name]
            assert isinstance(each, Random)
            columns[name] = [x if isinstance(x, str) else float(x) for x in each.quantile(own)]
        return columns


def _rounded(number: int) -> str:
    """Return a number that may be larger than any float."""
    return f"{number}" if number < 100 * MOST else f"some 1e{round(math.log10(number))}"


def unit_samples(method: str, count: int, size: int, seed: int) -> np.ndarray:
    """Return points (N, size) of the unit cube; N is `count`, for "sensitivity" (size + 2) times that."""
    if method == "sensitivity":
        return _saltelli(count, size, seed)
    if method == "random":
        return np.random.default_rng(seed).random((count, size))
    from scipy.stats import qmc

    if method == "latin":
        return qmc.LatinHypercube(size, seed=np.random.default_rng(seed)).random(count)  # type: ignore[no-any-return]
    if method == "halton":
        return qmc.Halton(size, seed=np.random.default_rng(seed)).random(count)  # type: ignore[no-any-return]
    whole = 1 << (count - 1).bit_length()  # the first of a balanced number
    return qmc.Sobol(size, seed=np.random.default_rng(seed)).random(whole)[:count]  # type: ignore[no-any-return]


def _saltelli(count: int, size: int, seed: int) -> np.ndarray:
    try:
        from SALib.sample import sobol
    except ImportError:
        raise MissingExtraError("SALib", "cluster", "a study of sensitivities") from None
    if count & (count - 1):
        raise StateError(f"count is {count}, expected a power of two for sensitivities, such as {1 << count.bit_length()}")
    problem = {"num_vars": size, "names": [f"x{k}" for k in range(size)], "bounds": [[0.0, 1.0]] * size}
    return sobol.sample(problem, count, calc_second_order=False, seed=seed)  # type: ignore[no-any-return]
