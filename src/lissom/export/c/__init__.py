"""C99: a header, a source without memory of its own, a test program, and a CMakeLists."""

from .language import C

__all__ = ["C"]
