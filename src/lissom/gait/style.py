"""Style: the numbers that make a walk natural, chosen once, at one speed; the body's laws and limits decide the rest.

They were chosen for a man of 1.741 m and 73 kg at 1.325 m/s and steps of 0.755 m (Winter's normal cadence), by a search over
some 200 sets for the nearest to measured curves (Winter 1991; Schwartz and others 2008), those of the pelvis and of hip flexion
then by hand among five, beside steps of 0.6 m at 1.2 m/s, too. Those of accelerations that moments hardly hold, and the spans,
are about the least with which angles hardly change with twice as many spans. Other speeds, step lengths and bodies are
predictions. Moments scale with mass times stature.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MASS, STATURE = 75.0, 1.75  # [kg], [m], of the body that moments belong to


@dataclass(frozen=True)
class Style:
    """Weights and times of a walk.

    Attributes:
        phases: shares of the step: the lead foot's heel is down and the rear foot stands on ball and toes ("loading"); the lead
            foot is flat and the rear one on its toes ("transfer"); the lead foot stands alone, flat ("stance"), then on ball and
            toes ("heel_rise").
        free: how long phases may be, over these shares, where their durations are free.
        spans: of the splines in each.
        front: where under the leading sole its anchor is when the rear toes leave, from heel (0) to ball (1).
        tip: where under the rear toes their anchor is then, from ball (0) to tip (1).
        moments: by which moments of joints are divided in the effort [N m]; others are divided by their strength.
        force_rate, torque_rate: weights of squared rates of forces over weight, and of moments over those of the effort [s^2].
        posture: weight of squared angles [rad], times
        angles: the factor of a joint, by the first part of its name that is in this table.
        rest: angles that posture counts from [rad], by parts of names; others are zero.
        acceleration: weight of squared accelerations [rad/s^2] of light parts, whose moments hardly count, times
        accelerations: the factor of a joint.
        tilt: range of the pelvis' tilt [rad].
        width: between the heels, over stature.
        clearance: of the swinging foot in the middle of its swing [m].
        band: within which points of soles stay where they stand [m].
        strength: factor of isometric strengths: muscles that are stretched are stronger.
    """

    phases: dict[str, float] = field(
        default_factory=lambda: {"loading": 0.15, "transfer": 0.07, "stance": 0.5, "heel_rise": 0.28}
    )
    free: tuple[float, float] = (0.5, 1.6)
    spans: dict[str, int] = field(default_factory=lambda: {"loading": 2, "transfer": 2, "stance": 4, "heel_rise": 4})
    front: float = 0.44
    tip: float = 0.9
    moments: dict[str, float] = field(
        default_factory=lambda: {"ankle_flexion": 650.0, "knee_flexion": 110.0, "hip_flexion": 150.0}
    )
    force_rate: float = 3.6e-3
    torque_rate: float = 1.9e-3
    posture: float = 0.1
    angles: dict[str, float] = field(
        default_factory=lambda: {
            "ankle_flexion": 16.5,
            "ankle_eversion": 3.0,
            "hip_flexion": 6.0,
            "hip_abduction": 10.0,
            "hip_": 3.0,
            "knee_": 0.016,
            "shoulder_": 0.5,
            "elbow_": 0.5,
            "toe_": 1.0,
            "spine_": 3.0,
            "pelvis_rotation": 50.0,
            "pelvis_obliquity": 300.0,
            "pelvis_tilt": 24.0,
        }
    )
    rest: dict[str, float] = field(default_factory=lambda: {"ankle_flexion": -0.08})
    acceleration: float = 5e-5
    accelerations: dict[str, float] = field(
        default_factory=lambda: {
            "ankle_flexion": 0.75,
            "ankle_eversion": 0.1,
            "toe_extension": 0.1,
            "hip_rotation": 0.1,
            "spine_": 0.2,
            "shoulder_": 0.2,
            "elbow_": 0.2,
        }
    )
    tilt: tuple[float, float] = (-0.13, 0.01)
    width: float = 0.068
    clearance: float = 0.033
    band: float = 0.002
    strength: float = 1.3
