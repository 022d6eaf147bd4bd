"""Where to bolt a Panda in a cell for the shortest cycle: a study over places of its base, refined where it changes most."""

import numpy as np

import lissom
from lissom import study

ARM = lissom.robots.panda()
DOWN = np.diag([1.0, -1.0, -1.0])  # the flange looks down
PICK, PLACE = np.array([0.0, -0.45, 0.25]), np.array([0.1, 0.45, 0.45])  # in the cell [m]
READY = np.array([0.0, -0.5, 0.0, -2.2, 0.0, 1.8, 0.8])


def cycle(x, y):
    """Return the fastest motion from pick to place for a base at x, y [m] in the cell."""
    ends = []
    for point in (PICK, PLACE):
        pose = lissom.Pose(DOWN, point - [x, y, 0.0])
        start = ends[-1] if ends else READY
        ends.append(ARM.inverse_kinematics("flange", pose, q0=start, restarts=5, max_iterations=3000).q)  # raises out of reach
    problem = lissom.MotionProblem(ARM, control_points=10, duration=(0.1, 5.0)).limit_by_model().minimize("time")
    return problem.start(ends[0]).end(ends[1]).solve(throw=False, restart=False)


if __name__ == "__main__":
    places = study.Study(
        cycle,
        {"x": study.grid(-0.6, -0.3, 4), "y": study.grid(-0.3, 0.3, 4)},
        ["duration", study.peak("torque", of="joint_2")],
        refine=study.Refinement("duration", count=6, rounds=1),
        name="where to bolt a Panda",
    )
    found = places.run("out/panda_places", workers=2)
    print(found)
    (best,) = found.best("duration")
    print(f"shortest cycle {found.rows[best.id].responses['duration']:.3f} s, base at {best.values}")
    print("wrote", found.report("out/panda_places.html"))
