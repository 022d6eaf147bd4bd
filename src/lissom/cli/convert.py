"""`lissom convert`: write a robot in another format."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_whole
from ..read.xml import Element, read_xml
from ..write import check_ending, to_bytes, urdf_losses
from .files import is_stream
from .outputs import Outputs
from .text import complain

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot

XML = (".urdf", ".xml", ".mjcf")
# elements that lissom reads from a URDF, by parent element; a transmission is read whole
KEPT = {
    "robot": ("link", "joint", "transmission", "material"),
    "link": ("inertial", "visual", "collision"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
}
LISTED = 20  # losses named in a warning
LOST = ("hfield", "skin", "texture", "site", "camera", "light")  # of MJCF


def convert_robot(robot: Robot | ClosedRobot, file: str, out: Path, lossy: bool, outputs: Outputs) -> None:
    """Write a robot, and report what is lost from its file; a stream gets YAML."""
    ending = ".yaml" if is_stream(out) else check_ending(out)
    content = to_bytes(robot.model, ending, lossy, None if is_stream(out) else out)
    lost = left_out(file)
    if lost:
        shown = ", ".join(f"{count} <{tag}>" for tag, count in lost.items())
        complain(f"warning: {file}: left out, because lissom keeps kinematics, inertias and shapes: {shown}")
    dropped = urdf_losses(robot.model, written=True) if ending == ".urdf" else []
    if dropped:
        more = f"; and {len(dropped) - LISTED} more (--json lists all)" if len(dropped) > LISTED else ""
        complain(f"warning: {out}: URDF cannot express, so left out or changed: {'; '.join(dropped[:LISTED])}{more}")
    outputs.report = {"robot": robot.name, "format": ending.removeprefix("."), "left_out": lost, "dropped": dropped}
    outputs.save(out, lambda path: write_whole(path, content), ending, f"{out.stem}-kept{ending}")
    outputs.finish()


def left_out(file: str) -> Counter[str]:
    """Return the number of elements per tag of an XML file that a model does not contain."""
    if Path(file).suffix.lower() not in XML or is_stream(Path(file)):
        return Counter()
    root = read_xml(file)
    if root.tag == "mujoco":
        return Counter(element.tag for element in root.walk() if element.tag in LOST and element.attributes)
    return sum((_unused(element) for element in (root, *root.children)), Counter())


def _unused(element: Element) -> Counter[str]:
    kept = KEPT.get(element.tag)
    return Counter() if kept is None else Counter(child.tag for child in element.children if child.tag not in kept)
