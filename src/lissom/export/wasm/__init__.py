"""WebAssembly: functions of a robot for browsers, as a module with its JavaScript."""

from .language import JavaScript

__all__ = ["JavaScript"]
