"""The table of languages."""

from __future__ import annotations

from .c import C
from .language import Language
from .wasm import JavaScript

LANGUAGES: dict[str, Language] = {"c": C(), "javascript": JavaScript()}
