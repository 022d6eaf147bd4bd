"""Gear ratios of a five-bar robot: the fastest motion over ratio and motor, whose speed, torque and inertia it transforms."""

from dataclasses import replace

import lissom
from lissom import study
from lissom.robots import five_bar_model

MOTORS = {"small": (0.35, 400.0, 1.5e-5), "large": (0.8, 300.0, 8e-5)}  # torque [N m], speed [rad/s], inertia [kg m^2]; assumed


def move(ratio, motor):
    """Return the fastest motion between two poses with this gear and motor on both drives."""
    torque, speed, inertia = MOTORS[motor]
    model = five_bar_model()
    driven = [replace(j, rotor_inertia=inertia * ratio**2) if j.name in model.active else j for j in model.joints]
    robot = lissom.ClosedRobot(model.replace(joints=tuple(driven)))
    problem = lissom.MotionProblem(robot, control_points=12, duration=(0.03, 2.0))
    problem.start(robot.home()).end(robot.home() + [0.5, 0.4]).minimize("time")
    problem.limit("torque", -torque * ratio, torque * ratio).limit("velocity", -speed / ratio, speed / ratio)
    return problem.limit("regularity", lower=0.05).solve(throw=False)


if __name__ == "__main__":
    gears = study.Study(
        move,
        {"ratio": study.grid(5, 80, 5, log=True), "motor": study.values(list(MOTORS))},
        ["duration", study.peak("velocity"), study.peak("power")],
        name="gear ratios of a five-bar",
    )
    found = gears.run("out/gears", workers=2)
    table = found.to_dataframe()
    print(table[["ratio", "motor", "duration", "peak power", "status"]].round(3).to_string())
    for motor, own in table[table.success].groupby("motor"):
        best = own.loc[own.duration.idxmin()]
        print(f"{motor} motor: fastest in {best.duration:.3f} s with a ratio of {best.ratio:.0f}")
    print("wrote", found.report("out/gears.html"))
