"""Random trees for hypothesis."""

from hypothesis import strategies as st

from lissom.robots import tree_model
from lissom.robots.tree import KINDS

SINGLE = ["revolute", "continuous", "prismatic"]
EVERY = [kind.value for kind in KINDS]


@st.composite
def trees(draw, every=False, **given):
    """A model of any kinds of joints, fixed or floating, branched or not, coupled, with tails, drives, springs and motors.

    Helical, universal and custom joints are among them where `every` says so: Pinocchio and differences do not know them all.
    """
    arguments = {
        "n": draw(st.integers(1, 7)),
        "branching": draw(st.sampled_from([1, 1.5, 3])),
        "skew": draw(st.sampled_from([0.0, 0.4, 1.57, 3.0])),
        "seed": draw(st.integers(0, 10_000)),
        "kinds": draw(st.sampled_from([None, SINGLE, ["revolute"], *([EVERY] if every else [])])),
        "floating": draw(st.booleans()),
        "fixed": draw(st.sampled_from([0.0, 0.5])),
        "coupled": draw(st.sampled_from([0.0, 0.5])),
        "tails": draw(st.sampled_from([0.0, 0.5])),
        "drives": draw(st.booleans()),
        "springs": draw(st.sampled_from([0.0, 0.5])),
        "motors": draw(st.sampled_from([0.0, 0.4])),
        # what takes no followers takes no rotors of rigid drives: they follow their joints
        "elastic": 1.0 if given.get("coupled") == 0.0 else 0.5,
    }
    return tree_model(**{**arguments, **given})
