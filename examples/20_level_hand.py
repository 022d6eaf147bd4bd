"""A Panda carries a full cup: its hand stays level and slow, and the motion is as fast as that permits.

Three motions between the same poses: free, with a limited speed of the flange, and level at that speed.
"""

import numpy as np

import lissom

SPEED = 0.8  # [m/s]
LEVEL = 0.01  # 2 sin(angle / 2), close to the angle in rad
START, END = np.deg2rad([[-60, -10, 0, -150, 0, 140, 45], [40, 60, 0, -70, 0, 130, 45]])


def problem(speed: bool, level: bool) -> lissom.MotionProblem:
    """Return the problem with or without the two limits of task space."""
    found = lissom.MotionProblem(lissom.robots.panda(), control_points=14, duration=(0.5, 8.0)).start(START).end(END)
    found.limit_by_model().minimize("time").minimize("integral", 1e-4, "acceleration")
    if speed:
        found.limit("speed_squared", upper=SPEED**2, link="flange")
    if level:
        found.limit("tilt", -LEVEL, LEVEL, link="flange", direction=(0, 0, -1))
    return found


def main() -> None:
    """Solve and print the three motions."""
    panda = lissom.robots.panda()
    for name, speed, level in (("free", False, False), ("slow", True, False), ("slow and level", True, True)):
        motion = problem(speed, level).solve()
        q, qd = motion.states(motion.times(1000))[:2]
        fastest = np.linalg.norm(panda.link_velocity(q, qd, "flange")[:, :3], axis=1).max()
        leaning = np.rad2deg(np.arccos(np.clip(-panda.link_pose(q, "flange")[:, 2, 2], -1, 1))).max()
        print(f"{name}: {motion.duration:.2f} s, at most {fastest:.2f} m/s, at most {leaning:.1f} degrees from level")


if __name__ == "__main__":
    main()
