"""Derivatives: a set of named arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .errors import suggest


class Derivatives:
    """Derivatives of one quantity with respect to several others: `d.dq`, `d.dqd`, ...; also `dq, dqd = d`.

    dq is along velocities: column k is the derivative along velocity k, also for joints with quaternions. The set of arrays
    cannot be changed; the arrays themselves are the caller's.

    Args:
        arrays: by name, in order.

    Example:
        >>> import numpy as np
        >>> d = Derivatives(dq=np.zeros((6, 7)), dqd=np.ones((6, 7)))
        >>> d
        Derivatives(dq=(6, 7), dqd=(6, 7))
        >>> dq, dqd = d
        >>> dqd is d.dqd
        True
    """

    __slots__ = ("_arrays",)
    _arrays: dict[str, np.ndarray]

    def __init__(self, **arrays: np.ndarray) -> None:
        object.__setattr__(self, "_arrays", arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):  # copy and pickle ask before _arrays exists
            raise AttributeError(name)
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(f"these derivatives have no {name!r}; {suggest(name, self._arrays)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"derivatives cannot be changed: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"derivatives cannot be changed: {name!r} cannot be deleted")

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter(self._arrays.values())

    def __len__(self) -> int:
        return len(self._arrays)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        return f"Derivatives({', '.join(f'{name}={np.shape(x)}' for name, x in self._arrays.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._arrays,)


def _restore(arrays: dict[str, np.ndarray]) -> Derivatives:
    return Derivatives(**arrays)
