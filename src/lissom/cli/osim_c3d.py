"""The report of `lissom osim c3d`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError
from .console import make_console, make_table
from .files import check_ending
from .osim import TABLES
from .outputs import Outputs
from .text import one_line, say


def show_c3d(
    path: Path, up: str, bodies: str | None, outs: tuple[Path | None, Path | None, Path | None], outputs: Outputs
) -> None:
    """Show what a C3D file has, and write its markers, forces and loads as OpenSim's files, whose y axis points up.

    Args:
        path: the file.
        up: the axis of the laboratory that points up.
        bodies: on the force plates, with commas, "-" for none.
        outs: where markers, forces and loads are written.
        outputs: of the command.
    """
    from ..osim import read_c3d, read_force_plates, write_loads, write_table, write_trc
    from ..osim.force_plates import UP

    trc, forces, loads = outs
    for out, endings, option in ((trc, (".trc",), "-o"), (forces, TABLES, "--forces"), (loads, (".xml",), "--loads")):
        if out is not None:
            check_ending(out, endings, option)
    if up not in UP:
        raise FileError(f"--up {up!r}: expected x, y or z")
    if loads is not None and (bodies is None or forces is None):
        raise FileError("--loads needs --bodies, which stand on the plates, and --forces, the file of the data", loads)
    outputs.check([*outs], [path])
    markers = read_c3d(path)
    markers = replace(markers, places=markers.places[..., list(UP[up])])
    seen = np.isfinite(markers.places).all(axis=2).mean(axis=0)
    outputs.report = {"frames": len(markers), "rate_hz": markers.rate, "time_s": [markers.times[0], markers.times[-1]]}
    outputs.report |= {"markers": [{"name": n, "seen": s} for n, s in zip(markers.names, seen.tolist(), strict=True)]}
    plates = read_force_plates(path).turned(up) if forces is not None else None
    rows: list[dict[str, Any]] = []
    if plates is not None:
        for k in range(plates.forces.shape[1]):
            sizes = np.linalg.norm(plates.forces[:, k], axis=1)
            rows.append({"plate": k + 1, "largest_n": float(sizes.max()), "time_s": float(plates.times[int(sizes.argmax())])})
        outputs.report["plates"] = rows
    if trc is not None:
        outputs.save(trc, lambda file: write_trc(markers, file), ".trc", f"{trc.stem}-kept.trc")
    if plates is not None and forces is not None and loads is None:
        outputs.save(forces, lambda file: write_table(plates.table, file), ".mot", f"{forces.stem}-kept.mot")
    if plates is not None and forces is not None and loads is not None and bodies is not None:
        names = [None if name.strip() in ("", "-") else name.strip() for name in bodies.split(",")]
        given = plates.loads(names)
        outputs.save(loads, lambda file: write_loads(given, file, file.with_name(forces.name)), ".xml", f"{loads.stem}-kept.xml")
        outputs.written.append(forces)
    if not outputs.as_json:
        _tell(markers.names, seen, rows)
        say(f"{len(markers)} frames at {markers.rate:g} per second, {len(markers.names)} markers")
    outputs.finish()


def _tell(names: tuple[str, ...], seen: np.ndarray, rows: list[dict[str, Any]]) -> None:
    gaps = [f"{one_line(name)} ({100 * s:.3g}%)" for name, s in zip(names, seen.tolist(), strict=True) if s < 1.0]
    if gaps:
        say(f"markers with gaps, and how often they were seen: {', '.join(gaps)}")
    if rows:
        numeric = ("plate", "largest force [N]", "at [s]")
        table = make_table("Force plates", *numeric, numbers=numeric)
        for row in rows:
            table.add_row(str(row["plate"]), f"{row['largest_n']:.4g}", f"{row['time_s']:.4g}")
        make_console().print(table)
