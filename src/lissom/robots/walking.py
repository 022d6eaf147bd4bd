"""Walking robots of the package example-robot-data, which has their URDF files and meshes: `pip install example-robot-data`.

Their bases float; soles and feet are where the files have them:
- G1: corners of soles are 5 mm below (-0.05, +-0.025, -0.03) and (0.12, +-0.03, -0.03) m of "left_ankle_roll_link" and its twin.
- Talos: soles are links of their own, "left_sole_link" and "right_sole_link", flat from -0.1 to 0.09 m and 0.12 m wide.
- Go2: feet are links of their own, "FL_foot" and so on, about 23 mm high below their origins.
"""

from __future__ import annotations

import importlib.metadata
import warnings
from pathlib import Path

from ..errors import ModelError, ModelWarning
from ..model import Model
from ..robot import Robot

PACKAGE = "example-robot-data"
VERSION = "5.0.0"  # that lissom is tested with


def g1() -> Robot:
    """Return the Unitree G1 as a Robot; see `g1_model`."""
    return Robot(g1_model())


def g1_model() -> Model:
    """Return the Unitree G1, a humanoid of 33 kg on a floating base: 29 joints (package example-robot-data)."""
    return _borrowed("g1_29dof_rev_1_0.urdf")


def talos() -> Robot:
    """Return Talos as a Robot; see `talos_model`."""
    return Robot(talos_model())


def talos_model() -> Model:
    """Return Talos, a humanoid of 90 kg on a floating base: 32 joints, hands reduced to one (package example-robot-data)."""
    return _borrowed("talos_reduced.urdf")


def go2() -> Robot:
    """Return the Unitree Go2 as a Robot; see `go2_model`."""
    return Robot(go2_model())


def go2_model() -> Model:
    """Return the Unitree Go2, a quadruped of 16 kg on a floating base: 12 joints (package example-robot-data)."""
    return _borrowed("go2.urdf")


def installed() -> bool:
    """Return whether the package with the files of these robots is there."""
    try:
        return bool(importlib.metadata.files(PACKAGE))
    except importlib.metadata.PackageNotFoundError:
        return False


def _borrowed(name: str) -> Model:
    """Return the model of a URDF file of the package, on a floating base."""
    from ..read import load_model

    if not installed():
        raise ModelError(
            f"the file {name} of this robot is in the package {PACKAGE}; install it: pip install {PACKAGE}=={VERSION} "
            "(lissom's extra robots)"
        )
    files = [Path(str(file.locate())) for file in importlib.metadata.files(PACKAGE) or () if file.name == name]
    if not files:
        version = importlib.metadata.version(PACKAGE)
        raise ModelError(f"package {PACKAGE} {version} has no file {name}; lissom was tested with version {VERSION}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # known of these files: moments that are rounded
        return load_model(files[0], base="floating")
