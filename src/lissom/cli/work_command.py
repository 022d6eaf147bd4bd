"""The command `work`, with its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .json_output import JsonOption
from .robot_options import ForceOption


def work(
    file: Annotated[
        str, typer.Argument(metavar="JOB", help="Tasks of lifting and carrying, who does them, designs: a YAML file.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a page, a file ending in .html.")] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Assess work: lifting indices, loads of the spine, strengths, and the dose of a shift."""
    from .outputs import Outputs
    from .work import assess_job

    assess_job(file, out, Outputs("work", force, json))
