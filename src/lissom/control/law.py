"""The law of a controller as a text, for steps on a card: made once, and not pickled."""

from __future__ import annotations

from typing import Any

from ..locks import lazy_property
from ..simulate.law import Law


class WithLaw:
    """A controller whose law is made by `_new_law`, which gives None for robots that cannot be stepped on a card."""

    def law(self) -> Law | None:
        """Return the law as a text, for steps on a card; None for a closed robot."""
        return self._law

    @lazy_property
    def _law(self) -> Law | None:
        return self._new_law()

    def _new_law(self) -> Law | None:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_law"}
