"""A thousand simulations: where a double pendulum that starts uncertainly is after a second, by a Latin hypercube."""

import numpy as np

import lissom
from lissom import study
from lissom.robots import planar_two_link


def swing(first, second, speed):
    """Return energy and place after a second, from two angles [rad] and a speed of the second link [rad/s]."""
    robot = planar_two_link()
    run = robot.simulate([first, second], [0.0, speed], duration=1.0, method="rk4", dt=2e-3)
    return {"tip": float(run.end.q.sum()), "speed_at_end": float(np.abs(run.end.qd).max()), "drift": float(np.ptp(run.energy))}


if __name__ == "__main__":
    swings = study.Study(
        swing,
        {"first": study.Normal(0.5, 0.1), "second": study.Uniform(-0.5, 0.5), "speed": study.Triangular(-1.0, 0.0, 1.0)},
        count=1000,
        method="latin",
        seed=1,
        name="thousand simulations",
    )
    found = swings.run("out/swings", workers=2)
    print(found, lissom.__version__)
    tip = found.column("tip")
    print(f"both angles together after a second: {tip.mean():.2f} +- {tip.std():.2f} rad")
    print(f"energy drifts by {found.column('drift').max():.0e} J at most")
    print("wrote", found.report("out/swings.html"))
