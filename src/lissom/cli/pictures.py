"""matplotlib for the command line: with none but its own settings, so that a picture looks the same in every folder."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def load_matplotlib() -> None:
    """Import matplotlib without a matplotlibrc of the current folder, of the environment or of the user.

    It reads one as it is imported, that of the current folder first: whoever made the folder could let pictures fail, or hang.
    So it is imported from the folder of its own defaults, where it finds those.
    """
    if "matplotlib" in sys.modules:
        return
    spec = importlib.util.find_spec("matplotlib")
    places = list(spec.submodule_search_locations or []) if spec is not None else []
    defaults = next((folder for p in places if ((folder := Path(p) / "mpl-data") / "matplotlibrc").is_file()), None)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns of a home that cannot be written
    with contextlib.ExitStack() as stack:
        stack.enter_context(_inside(defaults or Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        import matplotlib.figure  # noqa: F401


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work in another folder, as a command without threads of its own may."""
    here = os.open(".", os.O_RDONLY) if hasattr(os, "fchdir") else os.getcwd()
    try:
        os.chdir(folder)
        yield
    finally:
        if isinstance(here, int):
            os.fchdir(here)
            os.close(here)
        else:
            os.chdir(here)
