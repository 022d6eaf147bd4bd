"""Two muscles lift a forearm: least effort and least metabolic energy, with elastic tendons, and what the elbow carries."""

import numpy as np

import lissom
from lissom.muscles import Muscle, Muscles, Path, Point, Surface, Wrap

MASS, DURATION = 1.5, 0.8  # [kg], [s]


def forearm() -> Muscles:
    """Return a flexor, and an extensor that slides around the end of the humerus."""
    inertia = lissom.Inertia(MASS, (0.12, 0, 0), np.diag([0.001, 0.02, 0.02]))
    links = (lissom.Link("upper"), lissom.Link("lower", inertia))
    elbow = lissom.Joint("elbow", "revolute", "upper", "lower", lissom.Pose(translation=(0.3, 0, 0)), axis=(0, 0, 1))
    arm = lissom.Robot(lissom.Model("forearm", links, (elbow,), gravity=(0, -9.81, 0)))
    bone = Surface("humerus", "cylinder", "upper", lissom.Pose(translation=(0.3, 0, 0)), (0.02, 0.1), side="-y")
    flexor = Path((Point("upper", (0.05, 0.02, 0)), Point("lower", (0.04, 0.02, 0))))
    extensor = Path((Point("upper", (0.05, -0.03, 0)), Point("lower", (0.05, -0.01, 0))), (Wrap(bone, exact=True),))
    return Muscles(arm, (Muscle("flexor", flexor, 900.0, 0.12, 0.15), Muscle("extensor", extensor, 700.0, 0.1, 0.2)))


if __name__ == "__main__":
    muscles = forearm()
    t = np.linspace(0.0, DURATION, 401)
    for goal in ("muscle_effort", "metabolic_power"):
        problem = lissom.MotionProblem(muscles.robot, control_points=60, duration=DURATION).start([0.3]).end([1.2])
        problem.drive_by(muscles, tendons="elastic").limit("activation", upper=0.06, at=0.0)
        problem.minimize("integral", 1e-2, "excitation")
        found = problem.minimize("integral", 1.0, goal, square=False).solve()
        power, work = (found.of_muscles(name, t).sum(axis=1) for name in ("metabolic_power", "muscle_power"))
        spent, done = (float(np.sum((x[1:] + x[:-1]) / 2 * np.diff(t))) for x in (power, work))
        load = np.linalg.norm(found.joint_reactions(t)[:, 0, :3], axis=1).max()
        peak = dict(zip(muscles.names, found.channel("activation", t).max(axis=0).round(2).tolist(), strict=True))
        print(f"least {goal}: {spent:.1f} J spent for {done:.2f} J of work, elbow {load:.0f} N at most, activations {peak}")
