"""Figure: matplotlib's, which notebooks show below the cell that returns it, without pyplot and magic commands."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.figure import Figure as Plain

SHARP = 144  # pixels per inch in the picture
INCH = 96  # pixels per inch on the screen
MOST = 8000  # pixels along the longer side


class Figure(Plain):
    """A matplotlib Figure with a picture for notebooks. Where pyplot is in use, its settings hold instead."""

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        width, height = self.get_size_inches()
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=min(SHARP, MOST / max(width, height)))
        return file.getvalue(), {"width": round(INCH * width)}
