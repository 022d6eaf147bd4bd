"""The table of languages."""

from __future__ import annotations

from .c import C
from .language import Language

LANGUAGES: dict[str, Language] = {"c": C()}
