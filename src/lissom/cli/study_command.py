"""The command `lissom study` with its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .json_output import JsonOption


def study(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (.yaml).")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Folder of the study; one that was stopped is continued.")
    ],
    workers: Annotated[int | None, typer.Option(metavar="N", help="Processes on this machine; by default one per core.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Address of a Dask scheduler, such as tcp://host:8786 or tls://host:8786.")
    ] = None,
    limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time that a case may take; beyond it its process is ended.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Run cases again that failed.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Take the folder of another study; its rows stay in it.")] = False,
    allow_python: Annotated[
        bool, typer.Option("--allow-python", help="Let the file name a Python function, which can do anything.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Write a page: responses, sensitivities, the best motions.")
    ] = None,
    live: Annotated[bool, typer.Option("--live", help="Write DIR/live.html while running, a page that reloads itself.")] = False,
    json: JsonOption = False,
) -> None:
    """Run a study: one problem with many values of its parameters, none of which is lost or run twice."""
    from .outputs import Outputs
    from .study import run_study

    options = {"workers": workers, "scheduler": scheduler, "limit": limit, "retry": retry, "live": live, "replace": replace}
    run_study(file, out, options, allow_python, report, Outputs("study", as_json=json))
