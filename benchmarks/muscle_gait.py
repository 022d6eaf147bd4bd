"""Muscle-driven walking: half a gait cycle of gait10dof18musc (10 coordinates, 18 muscles), with the loads on hip and knee.

The foot is a rigid sole with two points; the ground gives what the motion needs, without unknown forces. Torques alone find a
first walk, from a rough one; then activations with dynamics, and forces of elastic tendons. What muscles miss of the torques is
minimized with growing weights, and its largest value at any time is shown. CPU time of all solves, on one thread, "first" with
what is recorded and compiled of the muscles. Contact forces in body weights at the hip and between femur and tibia, with the
pulls of muscles. The model lies in ../shared/reference/osim.
"""

import time
import warnings
from pathlib import Path

import numpy as np
from scipy.interpolate import PchipInterpolator

import lissom
from lissom.gait.periodic import periodic
from lissom.gait.walk import settings
from lissom.muscles import DeGrooteFregly, Muscles, read_muscles
from lissom.predict import Support, Surface

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "reference" / "osim"
MODEL = FOLDER / "gait10dof18musc" / "gait10dof18musc.osim"
ROOT = ("pelvis_tx", "pelvis_ty", "pelvis_tilt")
LEG = ("hip_flexion", "knee_angle", "ankle_angle")
HEEL, BALL = np.array([0.0, -0.02, 0.0]), np.array([0.20, -0.02, 0.0])  # of the sole, in the frame of calcn [m]
LONG = float(BALL[0] - HEEL[0])
SHARES = {"loading": 0.15, "transfer": 0.07, "stance": 0.5, "heel_rise": 0.28}  # of the step
SPANS = {"loading": 4, "transfer": 4, "stance": 8, "heel_rise": 8}
MIDDLE = (0.4, 0.6, 0.8, 1.0)  # of the stance, where the other foot is lifted
RANGES = {  # [rad]
    "hip_flexion": (-0.5, 0.9),
    "knee_angle": (-1.4, 0.0),
    "ankle_angle": (-0.6, 0.4),
    "lumbar_extension": (-0.5, 0.3),
    "pelvis_tilt": (-0.2, 0.2),
}
STRONG = 200.0  # [N m] of the back, which has no muscles
WEIGHTS = (1.0, 10.0, 100.0)  # of what muscles miss, over 10 N m
NEAR = {"bound_push": 1e-4, "bound_frac": 1e-4, "slack_bound_push": 1e-4, "slack_bound_frac": 1e-4, "mu_max": 1e-2}


def main() -> None:
    if not MODEL.exists():
        print(f"{MODEL.name} is not there: nothing to predict")
        return
    warnings.simplefilter("ignore")
    lissom.set_threads(1)
    muscles = read_muscles(MODEL).with_curves(DeGrooteFregly())
    print(
        f"{'tendons':9}{'speed':>9}{'first':>9}{'further':>9}{'iterations':>12}{'missed':>11}{'hip':>8}{'knee':>8}{'effort':>9}"
    )
    for tendons in ("rigid", "elastic"):
        for speed, step in ((1.2, 0.65), (1.0, 0.58), (1.4, 0.72)):
            (_, spent, _), (found, again, count) = walked(muscles, speed, step, tendons), walked(muscles, speed, step, tendons)
            print(f"{tendons:9}{speed:5.1f} m/s{spent:7.1f} s{again:7.1f} s{count:12}{_shown(muscles, found)}", flush=True)


def walked(muscles: Muscles, speed: float, step: float, tendons: str):
    """Return a walk, CPU time and iterations of all solves."""
    own = settings(1e-3, {}, False)
    base = own["options"] | {
        "acceptable_dual_inf_tol": 1e3,
        "acceptable_tol": 1e4,
        "adaptive_mu_globalization": "obj-constr-filter",
    }
    began, count = time.process_time(), 0
    problem = walking(muscles, speed, step)
    found = problem.solve(start=rough(problem, muscles.robot, step), iterations=150, **(own | {"options": base}))
    count, start = found.iterations, found.path
    for weight in WEIGHTS:
        problem = walking(muscles, speed, step, tendons, weight)
        near = {} if weight == WEIGHTS[0] else NEAR
        found = problem.solve(start=start, iterations=200, **(own | {"options": base | near}))
        start, count = found, count + found.iterations
    return found, time.process_time() - began, count


def walking(muscles: Muscles, speed: float, step: float, tendons: str | None = None, weight: float = 1.0) -> lissom.MotionProblem:
    """Return the problem of a step from the right heel's strike to the left one's, by torques (None) or by muscles."""
    robot, T = muscles.robot, step / speed
    names = [joint.name for joint in robot.model.independent_joints]
    turns = [name for name in names if name not in ROOT[:2]]
    problem = lissom.MotionProblem(robot, duration=T, undriven=ROOT)
    problem.phases({name: share * T for name, share in SHARES.items()}, spans=SPANS)
    stand(problem, step)
    low, high = ([RANGES[_kind(name)][side] for name in turns] for side in (0, 1))
    problem.limit("position", low, high, entries=turns, hull=True)
    problem.same_at_both_ends(pairs=[(_other(name), name, 1.0) for name in names], shift={"pelvis_tx": step})
    if tendons is None:
        problem.minimize("integral", 1.0 / T, "torque", scale=100.0).minimize("integral", 2e-3 / T, "torque_rate", scale=100.0)
    else:
        problem.drive_by(muscles, tendons=tendons, reserves={"lumbar_extension": STRONG}, balanced=False)
        for channel in ("activation", *(("tendon_force",) if tendons == "elastic" else ())):
            problem.same_channel_at_both_ends(channel, [(_other(name), name) for name in muscles.names])
        problem.minimize("integral", weight / T, "muscle_balance", scale=10.0)
        problem.minimize("integral", 1.0 / T, "activation").minimize("integral", 0.05 / T, "excitation")
        problem.minimize("integral", 1.0 / T, "reserve")
    for link in ("calcn_r", "calcn_l"):
        problem.minimize("integral", 3.6e-3 / T, "contact_force_rate", contact=link, scale=robot.total_mass * 9.81)
    problem.minimize("integral", 1e-5 / T, "acceleration", entries=turns)
    return problem.minimize("integral", 2.0 / T, "position", entries=["pelvis_tilt", "lumbar_extension"], target=[0.0, -0.1])


def stand(problem: lissom.MotionProblem, step: float) -> None:
    """Add the ground and the soles on it: the right heel is at x = 0."""
    ground = Surface(normal=(0, 1, 0), along=(1, 0, 0))
    share = SHARES["loading"] / (SHARES["loading"] + SHARES["transfer"])
    tip, places = tuple(BALL), [tuple(HEEL + (BALL - HEEL) * 0.44 * x) for x in (0.0, share, 1.0)]
    double = {
        name: (Support("calcn_l", tip, tip), Support("calcn_r", places[k], places[k + 1]))
        for k, name in enumerate(("loading", "transfer"))
    }
    problem.split_ground({**double, "stance": "calcn_r", "heel_rise": "calcn_r"}, internal=True, surface=ground)

    def hold(link, point, at, during):
        low, high = ([x + sign * 0.002 for x in at.values()] for sign in (-1, 1))
        entries = [f"{link}.{axis}" for axis in at]
        problem.limit("link_position", low, high, entries=entries, scale=0.01, link=link, point=tuple(point), during=during)

    def clear(link, point, during, lower=0.0, at=None):
        own = {"link": link, "points": [tuple(point)], "surface": ground, "during": during, "at": at}
        problem.limit("clearance", lower=lower, scale=0.01, **own)

    hold("calcn_r", HEEL, {"x": 0.0, "y": 0.0}, ["loading", "transfer", "stance"])
    hold("calcn_r", BALL, {"y": 0.0}, ["transfer", "stance"])
    hold("calcn_r", BALL, {"x": LONG, "y": 0.0}, ["heel_rise"])
    hold("calcn_l", BALL, {"x": LONG - step, "y": 0.0}, ["loading", "transfer"])
    clear("calcn_r", BALL, ["loading"])
    clear("calcn_r", HEEL, ["heel_rise"])
    clear("calcn_l", BALL, ["stance", "heel_rise"])
    clear("calcn_l", HEEL, list(SHARES))
    for point in (HEEL, BALL):
        clear("calcn_l", point, ["stance"], 0.02, MIDDLE)
    weight = problem.robot.total_mass * 9.81
    problem.limit("pressure_point", 0.0, 0.95 * LONG, entries="x", during="stance", scale=0.1)
    for u in (0.0, 0.25, 0.5, 0.75, 1.0):
        problem.limit("pressure_point", 0.8 * u * LONG, LONG + 0.03, entries="x", during="heel_rise", at=u, scale=0.1)
    problem.limit("ground_share", 0.0, 0.01, entries="share", scale=1.0, at=0.0, during="loading")
    problem.limit("ground_force", 0.2 * weight, 2.0 * weight, entries="n", scale=weight)


def rough(problem: lissom.MotionProblem, robot: lissom.Robot, step: float) -> lissom.SplinePath:
    """Return a path near to a walk: angles by a few points, at constant speed, feet on the ground."""
    names, u = [joint.name for joint in robot.model.independent_joints], np.linspace(0.0, 1.0, 201)
    q = np.zeros((len(u), len(names)))
    for name, at, degrees in (
        ("hip_flexion_r", (0, 0.5, 1), (25, 3, -15)),
        ("knee_angle_r", (0, 0.2, 0.6, 1), (-5, -18, -8, -25)),
        ("ankle_angle_r", (0, 0.15, 0.7, 1), (0, -5, 10, -2)),
        ("hip_flexion_l", (0, 0.25, 0.8, 1), (-15, -5, 28, 25)),
        ("knee_angle_l", (0, 0.2, 0.5, 0.95, 1), (-25, -48, -62, -6, -5)),
        ("ankle_angle_l", (0, 0.2, 0.5, 1), (-2, -18, -3, 0)),
    ):
        q[:, names.index(name)] = np.deg2rad(PchipInterpolator(at, degrees)(u))
    q[:, names.index("lumbar_extension")] = -0.1
    pose = robot.link_pose(q, "calcn_r")
    heel, ball = ((pose @ np.append(point, 1.0))[:, :3] for point in (HEEL, BALL))
    stands = np.where(u < SHARES["loading"] + SHARES["transfer"] + SHARES["stance"], -heel[:, 0], LONG - ball[:, 0])
    q[:, names.index("pelvis_tx")] = stands.mean() + (u - 0.5) * step
    q[:, names.index("pelvis_ty")] = -np.minimum(heel[:, 1], ball[:, 1])
    return periodic(problem, u, q)


def _shown(muscles: Muscles, found) -> str:
    t = np.linspace(0.0, found.duration, 401)
    missed = np.abs(found.of_muscles("muscle_torque", t) - found.torques(t))[:, 3:].max()
    force = np.linalg.norm(found.joint_reactions(t)[..., :3], axis=-1) / (muscles.robot.total_mass * 9.81)
    names = list(muscles.robot.wrench_names)
    hip, knee = (max(force[:, names.index(f"{name}_{side}")].max() for side in "rl") for name in ("hip_flexion", "knee_angle"))
    effort = (found.channel("activation", t) ** 2).sum(axis=1).mean()
    return f"{missed:8.2f} Nm{hip:5.2f} BW{knee:5.2f} BW{effort:9.3f}"


def _kind(name: str) -> str:
    return name.removesuffix("_r").removesuffix("_l")


def _other(name: str) -> str:
    return {"_r": name[:-2] + "_l", "_l": name[:-2] + "_r"}.get(name[-2:], name)
