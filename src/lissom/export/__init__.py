"""Export: functions of a robot as source code in other languages, readable, and without lissom."""

from .export import export, render
from .language import Language
from .library import Argument, Function, Library
from .table import LANGUAGES

__all__ = ["LANGUAGES", "Argument", "Function", "Language", "Library", "export", "render"]
