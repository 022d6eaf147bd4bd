"""Exporting: functions of a robot as source code in other languages."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Positions
from ..errors import StateError
from ..export.gather import Source
from ..export.meanings import of_function
from .functions import Functions
from .options import Chosen


class Exporting(Functions):
    """Source code of the functions of a robot."""

    @property
    def _exportable(self) -> tuple[str, ...]:
        """Names of the functions that `export` takes."""
        return self.functions

    def export(
        self,
        functions: str | Sequence[str],
        path: str | os.PathLike[str],
        *,
        language: str = "c",
        precision: str | None = None,
        batch: bool = False,
        names: bool = True,
        name: str | None = None,
        overwrite: bool = True,
        **options: Any,
    ) -> tuple[Path, ...]:
        """Write functions as source code that needs no lissom, with a program that checks it at stored states.

        Args:
            functions: one of `functions`, or several, which go into one library.
            path: the folder for the files; it is made if missing.
            language: "c", "cpp", "python", "matlab" (or "octave"), "cuda", "javascript" (or "wasm"), "latex" or "markdown".
            precision: "double" or "single"; None is that of the language, double where it has both.
            batch: also write functions of many states.
            names: names from the recursion (`w3_x`, `F4_y`); with False values are numbered.
            name: of the library, with which all names in the code begin; None is made from the robot's name.
            overwrite: whether files may be replaced.
            **options: of the functions, as in their methods (link=, axes=, external=, ...), each for those that have it; of
                arrays and wrenches only the structure counts, as their numbers are arguments of the code. And options of the
                language: `sine="libm"` in C.

        Returns:
            The files.

        Raises:
            NameLookupError: there is no such function.
            StateError: an option is wrong or missing; the message says which.
            FileError: a file cannot be written.
        """
        from ..export import export

        return export(
            self,
            functions,
            path,
            language=language,
            precision=precision,
            batch=batch,
            names=names,
            name=name,
            overwrite=overwrite,
            **options,
        )

    def web_demo(self, path: str | os.PathLike[str], q: Positions | None = None, *, simd: bool = True) -> Path:
        """Write a page that simulates the robot in a browser, by WebAssembly, with a slider for each joint; return the file.

        The page opens from disk and needs no server and no network. Torques bring the robot to the sliders' pose; without them it
        falls.

        Args:
            path: the file, ending in .html.
            q: coordinates (nq,) at the start; None is neutral.
            simd: whether the module computes with vectors, which browsers before 2023 may lack.

        Raises:
            StateError: a joint has several axes, or is driven through a spring.
            FileError: the file has another ending, or cannot be written.
        """
        from ..export.wasm.demo import write_demo

        return write_demo(self, path, q, simd=simd)

    def _sources(
        self, names: Sequence[str], values: Mapping[str, Any], precision: str
    ) -> dict[str, tuple[Source, Mapping[str, Any]]]:
        """Return functions for export, with the options that each of them has."""
        known = {name: [o.name for o in self.catalogue[name].options] for name in names if name in self.catalogue}
        for option in values:
            if not any(option in own for own in known.values()):
                every = sorted({o for own in known.values() for o in own})
                raise StateError(f"{' and '.join(names)}: no option {option!r}; known are {', '.join(every) or 'none'}")
        found: dict[str, tuple[Source, Mapping[str, Any]]] = {}
        for name in names:
            own = {key: value for key, value in values.items() if key in known.get(name, ())}
            found[name] = self._source(name, own, precision), own
        return found

    def _source(self, name: str, values: Mapping[str, Any], precision: str) -> Source:
        """Return one function for export."""
        entry = self._entry(name)
        chosen: Chosen = entry.choose(self, {**entry.assumed(self), **values})
        options = chosen.options
        shape = None if entry.shape is None else entry.shape(self, options)
        where = None if entry.places is None else entry.places(self, options)[1]
        meaning, remarks = of_function(self, name, entry.maker), []
        if name == "inverse_dynamics_hessian":
            meaning = "One column of the second derivatives of weights . tau, along the direction: call it once per velocity."
        if entry.path and self.model.elastic_motors:
            remarks.append("The motion is that of the joints, without the motors behind springs.")

        def configurations(rng: np.random.Generator, n: int) -> np.ndarray:
            if not (entry.path and self.model.elastic_motors):
                return self.random_configuration(rng, size=n)  # type: ignore[attr-defined,no-any-return]
            found = rng.normal(size=(n, self.nq - len(self.model.elastic_motors)))
            for _, where in self.model.layout.quaternions:
                found[:, where] /= np.linalg.norm(found[:, where], axis=1, keepdims=True)
            return found

        return Source(self._task(entry, options), options, shape, where, meaning, tuple(remarks), configurations)
