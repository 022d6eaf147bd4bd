"""People who differ: loads, slopes, stairs, stiff and weak joints, an orthosis, a prosthesis, a crouch; pictures and numbers.

`python examples/21_people_differ.py backpack crouch` predicts those two beside a usual walk; without names, all.
"""

import sys
from pathlib import Path

import numpy as np

import lissom

SPEED, STEP, OUT = 1.2, 0.62, Path("out/people")  # [m/s], [m]; on stairs 95 steps per minute
PEOPLE = {
    "usual": {},
    "backpack": {"backpack": 20.0},
    "one hand": {"hand_load": {"right": 10.0}},
    "uphill": {"slope": 0.15},
    "downhill": {"slope": -0.15},
    "upstairs": {"stairs": (0.17, 0.29)},
    "downstairs": {"stairs": (-0.17, 0.29)},
    "stiff knee": {"stiff": {"left_knee": (200.0, 0.1)}},
    "fused knee": {"fused": {"left_knee_flexion": 0.1}},
    "weak calf": {"weakness": {"left_plantarflexors": 0.8}},
    "weak abductors": {"weakness": {"left_hip_abductors": 0.9}},
    "orthosis": {"orthosis": {"left_ankle_flexion": {"stiffness": 800.0, "angle": 0.0, "mass": 0.5}}},
    "prosthesis": {"prosthesis": {"left": 400.0}},
    "crouch": {"crouch": 0.52},
}
FROM_AHEAD = {"one hand": 0.55, "stiff knee": 0.55, "fused knee": 0.55, "weak abductors": 1.55}  # pictures, at times in steps


def numbers(walk, side):
    """Return numbers of a side, with their units."""
    c, t = walk.cycle(201, side), np.linspace(0.0, 2.0 * walk.step_time, 201)
    return {
        "hip flexion at strike [deg]": c["hip_flexion"][0],
        "hip abduction in swing [deg]": -c["hip_adduction"][120:].min(),
        "hip extension moment [N m/kg]": c["hip_extension_moment"].max(),
        "hip abduction moment [N m/kg]": c["hip_abduction_moment"].max(),
        "knee flexion under the load [deg]": c["knee_flexion"][:60].max(),
        "knee flexion in swing [deg]": c["knee_flexion"][110:].max(),
        "knee extension moment [N m/kg]": c["knee_extension_moment"][:120].max(),
        "largest plantarflexion [deg]": -c["ankle_dorsiflexion"].min(),
        "ankle moment [N m/kg]": c["ankle_plantarflexion_moment"].max(),
        "ankle power [W/kg]": walk.joint_powers(t + (side == "left") * walk.step_time, side)["ankle"].max(),
        "side of the pelvis in swing, up [deg]": c["pelvis_obliquity"][120:180].max(),
        "trunk ahead, mean [deg]": c["trunk_tilt"].mean(),
        "trunk to the other side, mean [deg]": c["trunk_obliquity"].mean(),
        "trunk to the other side, in stance [deg]": c["trunk_obliquity"][20:80].mean(),
        "vertical force, over weight": c["vertical_force"].max(),
    }


def picture(name, walk):
    """Draw a leg's swing from ahead, or two steps from beside."""
    T, path = walk.step_time, OUT / f"{name.replace(' ', '-')}.png"
    if name in FROM_AHEAD:
        walk.show(save=path, time=FROM_AHEAD[name] * T, view="front", size=(300, 420), paths=False)
    else:
        ghosts = [0.0, *np.linspace(0.55, 2.0, 4) * T]
        walk.show(save=path, time=0.28 * T, view="side", size=(560, 420), paths=False, ghosts=ghosts)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or PEOPLE:
        where = {} if "stairs" in PEOPLE[name] else {"speed": SPEED, "step_length": STEP}
        walk = lissom.gait.predict(**where, **PEOPLE[name], throw=False)
        print(f"{name}: {walk.prediction.status.value}, cost of transport {walk.cost_of_transport:.3f}")
        sides = [numbers(walk, side) for side in ("left", "right")]
        for label in sides[0]:
            print(f"  {label:42}" + "".join(f"{side[label]:8.2f}" for side in sides))
        picture(name, walk)
        walk.report(OUT / f"{name.replace(' ', '-')}.html")


if __name__ == "__main__":
    main()
