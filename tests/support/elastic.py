"""Models with elastic drives of which a motion of the links tells what the motors do."""

from dataclasses import replace

from hypothesis import strategies as st

from lissom.model import Friction, JointKind, Model
from support.motors import single_axis_trees


def untangled(model: Model) -> Model:
    """Return the model with reflected rotors where they would spin behind other springs, without damping of springs.

    Friction is viscous alone, so that forces are smooth.
    """
    driven = {motor.joint for motor in model.elastic_motors}
    above = {joint.child: joint for joint in model.joints}

    def change(motor):
        link, behind = motor.link, False
        while link in above:
            joint = above[link]
            behind |= joint.name in driven and joint.kind is not JointKind.PRISMATIC
            link = joint.parent
        spring = None if motor.spring is None else replace(motor.spring, damping=0.0)
        rotor = "reflected" if behind and motor.elastic else motor.rotor
        return replace(motor, spring=spring, rotor=rotor, friction=Friction(motor.friction.viscous))

    smooth = model.with_joints(lambda j: replace(j, friction=Friction(j.friction.viscous)))
    return smooth.with_motors(change) if model.motors else smooth


RATIOS = (1.0, -1.0, 0.3, -4.5, 30.0)


@st.composite
def elastic_trees(draw, **given):
    """A random tree of single-axis joints, motors of every kind anywhere, most of them behind springs."""
    arguments = {"share": 0.9, "elastic": 0.7, "rotor": ("full", "full", "reflected"), "ratios": RATIOS}
    return untangled(draw(single_axis_trees(arguments, **{"coupled": 0.0, **given})))
