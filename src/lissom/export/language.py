"""Language: what an emitter of source code has to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from .library import Library

Files = Mapping[str, str | bytes]  # content by path in the folder, "/" between parts; text is written as UTF-8


@runtime_checkable
class Language(Protocol):
    """Writes a Library in one language; an object without state, named in `table.py`.

    Attributes:
        title: the language, in words.
        precisions: that it can write, the default first.
        batch: whether it writes functions of many states where asked.
        options: of its own: name, and the values it may have, the default first.
    """

    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def precisions(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def batch(self) -> bool: ...  # noqa: D102
    @property
    def options(self) -> Mapping[str, Sequence[str]]: ...  # noqa: D102

    def files(self, library: Library) -> Files:
        """Return the files of a library; the same library gives the same text."""
