"""The gait of Barman's thesis, chapter V: 330 unknowns, effort alone; its figures 5.2 to 5.5 from our run, and a page."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import lissom

PANELS = {
    "5.3: angles [deg]": ("hip_flexion", "knee_flexion", "ankle_dorsiflexion"),
    "5.4: forces of the ground over weight": ("lateral_force", "vertical_force", "fore_aft_force"),
    "5.5: internal forces over weight": ("hip", "knee", "ankle"),
}


def figure(walk, norm, path):
    """Draw figures 5.3 to 5.5 over a stride; measured means are dotted."""
    cycle = walk.cycle(201)
    percent = cycle["cycle_percent"]
    cycle |= walk.joint_forces(percent / 50.0 * walk.prediction.duration)
    drawn, axes = plt.subplots(3, 3, figsize=(10, 7), sharex=True, layout="constrained")
    for row, (title, names) in zip(axes, PANELS.items(), strict=True):
        row[0].set_ylabel(title)
        for axis, name in zip(row, names, strict=True):
            axis.plot(percent, cycle[name])
            if f"{name}_mean" in norm:
                axis.plot(norm["cycle_percent"], norm[f"{name}_mean"], ":", color="gray")
            axis.set_title(name.replace("_", " "), fontsize=10)
            axis.grid(alpha=0.3)
    for axis in axes[-1]:
        axis.set_xlabel("stride [%]")
    drawn.savefig(path, dpi=110)
    plt.close(drawn)


def main():
    problem = lissom.predict.load("thesis_gait")
    found = problem.solve(throw=False)
    walk = lissom.gait.gait_of(found)
    print(f"{walk}: {found.iterations} iterations in {found.seconds:.1f} s")
    print(f"{found.solution.x.size - 1} unknowns, {found.solution.constraints.size} rows, effort {found.objective:.4f} s")
    norm = lissom.gait.read_norm(sys.argv[1]) if len(sys.argv) > 1 else {}
    walk.show(save="thesis-5.2.png", ghosts=np.linspace(0.0, 2.0 * found.duration, 9))
    figure(walk, norm, "thesis-5.3-5.5.png")
    walk.report("thesis_gait.html", norm or None)


if __name__ == "__main__":
    main()
