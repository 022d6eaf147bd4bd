"""Operation counts of inverse dynamics, with and without base parameters."""

import lissom

from .robots import find, open_both


def main() -> None:
    robots = [
        ("Stanford arm", lissom.robots.stanford()),
        ("PUMA 560", lissom.Robot(lissom.robots.puma560().model.without_friction())),
        ("UR5", open_both(find("ur5_robot.urdf"), "fixed")[0]),
    ]
    print(f"{'robot':16}{'inertias as given':>24}{'base parameters':>24}")
    for name, robot in robots:
        full, regrouped = (robot.operation_count("inverse_dynamics", regrouped=r) for r in (False, True))
        shown = [f"{n.multiplications} mul {n.additions} add" for n in (full, regrouped)]
        print(f"{name:16}{shown[0]:>24}{shown[1]:>24}")
