"""matplotlib for the command line, with its default settings: a picture looks the same in every folder."""

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

    It reads one when imported, that of the current folder first: the owner of that folder could make pictures fail or hang.
    So it is imported from within the folder of its defaults.
    """
    if "matplotlib" in sys.modules:
        return
    spec = importlib.util.find_spec("matplotlib")
    places = list(spec.submodule_search_locations or []) if spec is not None else []
    defaults = next((folder for p in places if ((folder := Path(p) / "mpl-data") / "matplotlibrc").is_file()), None)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns of a read-only home
    with contextlib.ExitStack() as stack:
        stack.enter_context(_inside(defaults or Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        import matplotlib.figure  # noqa: F401


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work in another folder; safe in a command without threads."""
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
