"""Walks of people over stature and speed: step length, cadence, and the work of joints per weight and distance."""

from lissom import study

if __name__ == "__main__":
    walks = study.Study(
        study.gait({"speed": "speed", "stature": "stature"}, mass=70),
        {"stature": [1.6, 1.85], "speed": [0.8, 1.3, 1.8]},
        ["cost_of_transport", "step_length", "cadence", study.peak("torque", of="right_ankle_flexion")],
        name="walks of people",
    )
    found = walks.run("out/walks", workers=2)
    print(found.to_dataframe()[["stature", "speed", *found.responses, "status"]].round(3).to_string())
    # energy that people use per meter is least at some 1.3 m/s (Ralston 1958): they use some at rest, too, and muscles for force
    # without work, which counts more in slow walks. The work of joints has neither: it grows with the speed all along
    for stature in (1.6, 1.85):
        slow, *_, fast = (row.responses["cost_of_transport"] for row in found if row.values["stature"] == stature)
        print(f"{stature} m tall: work per weight and distance grows {fast / slow:.1f} times from 0.8 to 1.8 m/s")
    print("wrote", found.report("out/walks.html"))
