"""Live views: a page served to this machine alone, on which joints are moved by sliders and links by hand."""

from ..notebook import in_notebook as in_notebook
from .notebook import show_inline as show_inline
from .serve import serve as serve
from .view import LiveView as LiveView
