"""All readers by their names."""

from __future__ import annotations

from ..reader import Reader
from . import arrays, csv, mesh, mjcf, npz, osim, problem, robot_yaml, scenario, study, text, trouble, urdf

READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        *(urdf.URDF, urdf.TRANSMISSIONS, urdf.LOOPS, mjcf.MJCF),
        *(text.URDF, text.YAML),
        *(robot_yaml.TREE, robot_yaml.DH, robot_yaml.MOTORS, robot_yaml.CLOSED),
        *(csv.MOTION, csv.FORCES, csv.STATE, csv.TRAJECTORY, npz.TRAJECTORY, npz.PREDICTION),
        *(osim.MODEL, osim.MUSCLES, osim.TABLE, osim.MARKERS, osim.SETUP, osim.ACTUATORS, osim.ANALYZE),
        *(study.STUDY, study.TABLE),
        *(problem.PROBLEM, scenario.SCENARIO, arrays.ROBOT, arrays.CLOSED),
        *mesh.MESHES,
    )
}

# for tests of the harness itself
EVERY = {**READERS, trouble.TROUBLE.name: trouble.TROUBLE}
