"""Walks of people over stature and speed: step length, cadence, and the energy that they use, beside what is measured."""

from lissom import study
from lissom.gait import measured_cost

STATURES, SPEEDS = (1.6, 1.85), (0.7, 1.1, 1.5)

if __name__ == "__main__":
    walks = study.Study(
        study.gait({"speed": "speed", "stature": "stature"}, mass=70),
        {"stature": STATURES, "speed": SPEEDS},
        ["metabolic_cost", "cost_of_transport", "step_length", "cadence", study.peak("torque", of="right_ankle_flexion")],
        neighbors=2,
        name="walks of people",
    )
    found = walks.run("out/walks", workers=2)
    table = found.to_dataframe()
    print(table[["stature", "speed", *found.responses, "status"]].round(3).to_string())
    # the energy that people use per meter is least at some 1.2 m/s (Ralston 1958): slower, standing and holding up the body take
    # longer; faster, joints do more work, of which cost_of_transport knows alone: it grows with the speed all along
    for stature in STATURES:
        own = table[(table.stature == stature) & table.success]
        best = own.loc[own.metabolic_cost.idxmin()]
        print(f"{stature} m tall: least energy at {best.speed} m/s, {best.metabolic_cost:.2f} J/(kg m)")
        over = [cost / measured_cost(speed) for speed, cost in zip(own.speed, own.metabolic_cost, strict=True)]
        print("  over the measured curve:", ", ".join(f"{x:.2f}" for x in over))
    print("wrote", found.report("out/walks.html"))
