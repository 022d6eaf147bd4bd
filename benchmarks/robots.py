"""The robots of the benchmarks, each with its Pinocchio model."""

import importlib.metadata
import re
import warnings
from pathlib import Path

import lissom
from lissom.bench import Pinocchio

# name, file in example-robot-data, base
ROBOTS = (
    ("UR5", "ur5_robot.urdf", "fixed"),
    ("Panda", "panda.urdf", "fixed"),
    ("G1, 29 dof", "g1_29dof_rev_1_0.urdf", "floating"),
    ("Talos, 44 dof", "talos_full_v2.urdf", "floating"),
)


def urdf_files() -> list[Path]:
    """Return every URDF of the package example-robot-data."""
    return sorted(Path(f.locate()) for f in importlib.metadata.files("example-robot-data") if f.name.endswith(".urdf"))


def find(name: str) -> str:
    """Return the path of a URDF of example-robot-data."""
    return str(next(path for path in urdf_files() if path.name == name))


def without_shapes(path: str | Path) -> str:
    """Return the text of a URDF without shapes, whose meshes a reader would look for."""
    return re.sub(r"<(visual|collision|transmission|gazebo)\b.*?</\1>", "", Path(path).read_text(), flags=re.DOTALL)


def open_both(path: str, base: str) -> tuple[lissom.Robot, Pinocchio]:
    """Return a robot in lissom and in Pinocchio: mimic joints independent, no friction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lissom.ModelWarning)
        robot = lissom.load(path, base=base, mimic=False)
    return robot, Pinocchio(path, base, robot)
