"""Cassie, a biped with four closed loops, as an MJCF file without meshes: masses and lengths that Agility Robotics published.

Each leg hangs on a floating pelvis. A rod on a ball joint (achilles) and a spring at the heel make a loop of knee, shin and
tarsus; a crank and a rod (plantar) move the foot. Of every leg five joints are driven, two are on springs, and the achilles rod
may spin about its own axis. The right leg is the mirror image of the left one: z of most frames changes sign, y of the first two.
"""

# name, parent, position, x and y axes, mass, center, inertia (xx yy zz xy xz yz), attributes of the joint; the left leg
PARTS = [
    ("hip-roll", "pelvis", "0.021 0.135 0", "0 0 -1 0 1 0", 1.82, "-0.01793 0.0001 -0.04428",
     "0.003431 0.003793 0.002135 -6.65e-07 -0.00084 3.99e-06", 'damping="1" armature="0.038125"'),
    ("hip-yaw", "hip-roll", "0 0 -0.07", "0 0 1 0 1 0", 1.171, "0 -1e-05 -0.034277",
     "0.002443 0.002803 0.000842 -4e-08 2.462e-07 -2.71e-08", 'damping="1" armature="0.038125"'),
    ("hip-pitch", "hip-yaw", "0 0 -0.09", "0 0 -1 1 0 0", 5.52, "0.05946 5e-05 -0.03581",
     "0.010898 0.029714 0.030257 -0.0002669 -5.721e-05 9.17e-06", 'damping="1" armature="0.09344"'),
    ("achilles-rod", "hip-pitch", "0 0 0.045", "0.7922 -0.60599 -0.072096 0.60349 0.79547 -0.054922", 0.1567, "0.24719 0 0",
     "3.754e-06 0.004487 0.004488 -3.74e-08 -1.61e-08 0", 'type="ball" damping="0.01"'),
    ("knee", "hip-pitch", "0.12 0 0.0045", "0.70711 -0.70711 0 0.70711 0.70711 0", 0.7578, "0.023 0.03207 -0.002181",
     "0.001376 0.0010335 0.0021637 -0.00039744 -4.085e-05 -5.374e-05", 'ref="-45" damping="1" armature="0.09344"'),
    ("shin", "knee", "0.06068 0.04741 0", "1 0 0 0 1 0", 0.577, "0.18338 0.001169 0.0002123",
     "0.00035939 0.014728 0.014707 -0.00020981 2.266e-05 -1.2e-07", 'stiffness="1500" damping="0.1"'),
    ("tarsus", "shin", "0.43476 0.02 0", "0.52992 0.84805 0 -0.84805 0.52992 0", 0.782, "0.11046 -0.03058 -0.00131",
     "0.00039238 0.013595 0.013674 0.00023651 -4.987e-05 -4.82e-06", 'ref="58" damping="0.1"'),
    ("heel-spring", "tarsus", "-0.01269 -0.03059 0.00092", "-0.91211 0.40829 0.036948 -0.40992 -0.90952 -0.068841", 0.126,
     "0.081 0.0022 0", "2.959e-05 0.00022231 0.0002007 7.15e-06 -6e-07 1e-07", 'stiffness="1250"'),
    ("foot-crank", "tarsus", "0.058 -0.034 0.02275", "1 0 0 0 1 0", 0.1261, "0.00493 2e-05 -0.00215",
     "2.6941e-05 4.9621e-05 6.3362e-05 -2.1e-09 -3.9623e-06 -1.09e-08", 'damping="1"'),
    ("plantar-rod", "foot-crank", "0.055 0 -0.00791", "1 0 0 0 1 0", 0.1186, "0.17792 0 0",
     "2.779e-06 0.001774 0.001775 -2.34e-08 -8.1e-09 0", ""),
    ("foot", "tarsus", "0.408 -0.04 0", "1 0 0 0 1 0", 0.1498, "0.00474 0.02748 -0.00014",
     "0.00017388 0.00016793 0.00033261 0.00011814 1.36e-06 -4e-07", 'damping="1" armature="0.01225"'),
]  # fmt: skip
DRIVEN = ("hip-roll", "hip-yaw", "hip-pitch", "knee", "foot")
LEFT = "0.00449956 0 0.497301 0.97861 -0.0164104 0.0177766 -0.204298 -1.1997 0 1.42671 -2.25907e-06 -1.52439 1.50645 -1.59681"
RIGHT = "-0.00449956 0 0.497301 0.97874 0.0038687 -0.0151572 -0.204509 -1.1997 0 1.42671 0 -1.52439 1.50645 -1.59681"
LOOPS = (("plantar-rod", "foot", 0.35012), ("achilles-rod", "heel-spring", 0.5012))


def cassie_mjcf(damped=True, home=True):
    """Return the text of the file; without damping nothing but gravity and springs does work.

    Without the keyframe `home`, legs begin where the feet are at a dead point of their cranks.
    """
    pelvis = '<inertial pos="0.05066 0.000346 0.02841" mass="10.33" '
    pelvis += 'fullinertia="0.085821 0.049222 0.08626 1.276e-05 -0.00016022 -0.000414"/><freejoint name="pelvis"/>'
    equalities = "".join(
        f'<connect name="{s}-{one}-end" body1="{s}-{one}" body2="{s}-{two}" anchor="{x} 0 0"/>'
        for s in ("left", "right")
        for one, two, x in LOOPS
    )
    motors = "".join(f'<motor joint="{s}-{name}"/>' for s in ("left", "right") for name in DRIVEN)
    key = f'<keyframe><key name="home" qpos="0 0 1.0059301 1 0 0 0 {LEFT} {RIGHT}"/></keyframe>' if home else ""
    text = (
        f'<mujoco model="cassie"><worldbody><body name="pelvis" pos="0 0 1.1">{pelvis}{_leg("left", 1)}{_leg("right", -1)}'
        f"</body></worldbody><equality>{equalities}</equality><actuator>{motors}</actuator>{key}</mujoco>"
    )
    return text if damped else _without(text, "damping")


def _leg(side, sign, parent="pelvis"):
    found = ""
    for name, own_parent, pos, axes, mass, com, inertia, joint in PARTS:
        if own_parent != parent:
            continue
        flip = (1, sign, 1) if name in ("hip-roll", "hip-yaw") else (1, 1, sign)  # which axis of the body's frame is mirrored
        at = (1, sign, 1) if parent in ("pelvis", "hip-roll", "hip-yaw") else (1, 1, sign)
        x, y = (_times(axes.split()[3 * k : 3 * k + 3], at) for k in (0, 1))
        if name in ("hip-roll", "hip-yaw"):
            y = [-v for v in y] if sign < 0 else y
        xx, yy, zz, xy, xz, yz = map(float, inertia.split())
        mirrored = (xx, yy, zz, xy * flip[0] * flip[1], xz * flip[0] * flip[2], yz * flip[1] * flip[2])
        found += (
            f'<body name="{side}-{name}" pos="{_text(_times(pos.split(), at))}" xyaxes="{_text([*x, *y])}">'
            f'<inertial pos="{_text(_times(com.split(), flip))}" mass="{mass}" fullinertia="{_text(mirrored)}"/>'
            f'<joint name="{side}-{name}" {joint}/>{_leg(side, sign, name)}</body>'
        )
    return found


def _times(values, signs):
    return [float(v) * s for v, s in zip(values, signs, strict=True)]


def _text(values):
    return " ".join(f"{v:.10g}" for v in values)


def _without(text, attribute):
    import re

    return re.sub(rf'{attribute}="[^"]*"', "", text)
