"""Largest difference from Pinocchio over every robot of example-robot-data, with fixed and floating base."""

import numpy as np

import lissom
from lissom.bench import random_states

from .robots import open_both, urdf_files


def main() -> None:
    worst, count, refused = (0.0, ""), 0, []
    for path in urdf_files():
        for base in ("fixed", "floating"):
            try:
                robot, pinocchio = open_both(str(path), base)
            except lissom.FileError as error:
                refused.append(f"{path.name}: {str(error).split(': ', 1)[1]}")
                continue
            count += 1
            if robot.nv == 0:
                continue
            s = random_states(robot, 16)
            expected = pinocchio.forces(s)
            difference = np.abs(robot.inverse_dynamics(s.q, s.qd, s.qdd) - expected).max() / np.abs(expected).max()
            worst = max(worst, (float(difference), f"{path.name}, {base} base"))
    print(f"{count} robots (fixed and floating); largest difference {worst[0]:.1e} of the largest force ({worst[1]})")
    for line in sorted(set(refused)):
        print("refused", line)
