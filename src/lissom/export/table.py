"""The table of languages."""

from __future__ import annotations

from .c import C
from .cpp import Cpp
from .cuda import Cuda
from .language import Language
from .matlab import Matlab
from .paper import LaTeX, Markdown
from .python import Python
from .wasm import JavaScript

LANGUAGES: dict[str, Language] = {
    "c": C(),
    "cpp": Cpp(),
    "python": Python(),
    "cuda": Cuda(),
    "javascript": JavaScript(),
    "matlab": Matlab(),
    "latex": LaTeX(),
    "markdown": Markdown(),
}
ALIASES = {"c++": "cpp", "octave": "matlab", "numpy": "python", "wasm": "javascript", "tex": "latex", "md": "markdown"}
