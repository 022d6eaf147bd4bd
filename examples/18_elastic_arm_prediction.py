"""Minimum-time motions of an arm with elastic gears, with limits of motors and springs, replayed by simulation."""

from pathlib import Path

import numpy as np

import lissom


def replayed(robot, motion, torques):
    """Return the final links and motors of a simulation that starts with the motion and is driven by its torques alone."""
    n = motion.path.points.shape[1]
    start = robot.at_rest(motion.states(0.0)[0])
    options = {"rtol": 1e-8, "atol": 1e-9}
    run = robot.simulate(start, np.zeros(robot.nv), motion.duration, lambda t, q, qd: torques(min(t, motion.duration)), **options)
    return np.abs(run.q[-1, :n] - motion.states(motion.duration)[0]).max(), np.abs(run.qd[-1, :n]).max()


# two rigid joints and one behind a spring; then all joints behind springs: minimum time, and minimum effort
for name in ("hua_arm", "hua_arm_effort", "elastic_rr", "elastic_rr_effort"):
    motion = lissom.predict.load(name).solve()
    t = motion.times(1001)
    torque, rate, spring = (np.abs(x).max() for x in (motion.torques(t), motion.torque_rates(t), motion.deflections(t)))
    print(f"{motion.name}: {motion.duration:.3f} s, {torque:.1f} N m, {rate:.0f} N m/s, springs deflect by {spring:.3f} rad")
    off, speed = replayed(motion.robot, motion, motion.torques)
    print(f"  replayed, links end within {max(off, 1e-6):.0e} rad, at {max(speed, 1e-5):.0e} rad/s")
    print("  wrote", motion.report(Path("out") / f"{name}.html"))

# the fastest motion of the same arm, planned as if its gears were rigid
soft = lissom.predict.load("elastic_rr").robot
rigid = lissom.Robot(soft.model.with_rigid_drives())
plan = lissom.MotionProblem(rigid, degree=5, duration=(0.1, 3.0)).start([0, -2], acceleration=0.0).end([1, -1], acceleration=0.0)
plan.limit("torque", -10, 10).limit("torque_rate", -250, 250).minimize("time")
plan = plan.solve()
off, speed = replayed(soft, plan, lambda t: np.concatenate([[0.0, 0.0], plan.torques(t)]))
print(f"\nplanned for rigid gears: {plan.duration:.3f} s, but links miss the end by {off:.2f} rad, at {speed:.1f} rad/s")
