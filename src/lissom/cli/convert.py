"""The work of `lissom convert`: a robot in, another format out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_whole
from ..write import check_ending, to_bytes
from .files import is_stream
from .outputs import Outputs

if TYPE_CHECKING:
    from ..robot import Robot


def convert_robot(robot: Robot, out: Path, lossy: bool, outputs: Outputs) -> None:
    """Write a robot; a stream gets YAML."""
    ending = ".yaml" if is_stream(out) else check_ending(out)
    content = to_bytes(robot.model, ending, lossy)
    outputs.save(out, lambda path: write_whole(path, content), ending, f"{out.stem}-kept{ending}")
    outputs.finish()
