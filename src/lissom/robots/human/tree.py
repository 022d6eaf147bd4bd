"""The tree of a person: 6 global joints to the pelvis, spine 4 x 3, neck 5, arms 2 x 9, legs 2 x 7: 55 degrees of freedom.

World: x ahead, y left, z up, the ground at z = 0. With all coordinates zero the person stands upright on the soles, arms hanging,
thumbs ahead. All link frames are then parallel to the world's. Joints of several axes are chains with links without mass between
them; the last link of a chain has the body's part, in a frame at the joint. Positive are flexion, abduction, inward rotation and
so on, as joints are called, on both sides: a mirrored motion has the same numbers in the limbs, with left and right exchanged.
"""

from __future__ import annotations

from ...model import Inertia, Joint, JointKind, Limits, Link, Model, Pose
from ...model.pose import Vector3
from .body import Body, share
from .inertias import bar, box, cut, hanging, lying, standing, without
from .shapes import shapes_of
from .strength import drive

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FORWARD = (0.0, -1.0, 0.0)  # turns what hangs down forward, and what points forward up
GLOBAL = ("pelvis_x", "pelvis_y", "pelvis_z", "pelvis_rotation", "pelvis_obliquity", "pelvis_tilt")
# angles that change their sign in the mirror: those of the middle about x and z
ODD = ("pelvis_y", "pelvis_rotation", "pelvis_obliquity", "_bending", "_torsion")
Axes = tuple[tuple[str, Vector3], ...]


class _Tree:
    """Links and joints while they are added."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.links = [Link("ground")]
        self.joints: list[Joint] = []

    def add(self, name: str, axes: Axes, parent: str, child: str, place: Vector3, inertia: Inertia) -> None:
        """Add a joint of several axes, one after the other, from `place` in the parent's frame to the child link."""
        for number, (suffix, axis) in enumerate(axes, 1):
            joint, last = f"{name}_{suffix}", number == len(axes)
            link = child if last else f"{name}_{number}"
            can = drive(self.body, joint)
            limits = Limits(can.lower, can.upper, effort=can.effort)
            self.links.append(Link(link, inertia if last else None))
            self.joints.append(Joint(joint, JointKind.REVOLUTE, parent, link, Pose(translation=place), axis, limits=limits))
            parent, place = link, (0.0, 0.0, 0.0)


def full_model(body: Body) -> Model:
    """Return the person with all 55 joints."""
    tree = _Tree(body)
    _pelvis(tree)
    top = _spine(tree)
    _head(tree, top)
    for side, out in (("right", -1.0), ("left", 1.0)):
        _leg(tree, side, out)
        _arm(tree, side, out)
    return Model("human", tuple(tree.links), tuple(tree.joints), shapes=shapes_of(body))


def mirror_sign(joint: str) -> float:
    """Return the sign of a joint's coordinate in the mirror image, where left and right joints are exchanged."""
    return -1.0 if joint.endswith(ODD) else 1.0


def mirror_partner(joint: str) -> str:
    """Return the joint on the other side; itself, if it is in the middle."""
    side, _, rest = joint.partition("_")
    return {"left": f"right_{rest}", "right": f"left_{rest}"}.get(side, joint)


def _pelvis(tree: _Tree) -> None:
    """Three slides, then turns about z, x and y: rotation, obliquity and tilt of the pelvis, in the order of gait analysis."""
    parent, place = "ground", (0.0, 0.0, tree.body.hip_height)
    kinds = (JointKind.PRISMATIC,) * 3 + (JointKind.REVOLUTE,) * 3
    for joint, kind, axis in zip(GLOBAL, kinds, (X, Y, Z, Z, X, Y), strict=True):
        last = joint == GLOBAL[-1]
        link = "pelvis" if last else f"{joint}_link"
        tree.links.append(Link(link, standing(tree.body.segments["lower_trunk"]) if last else None))
        tree.joints.append(Joint(joint, kind, parent, link, Pose(translation=place), axis))
        parent, place = link, (0.0, 0.0, 0.0)


def _spine(tree: _Tree) -> float:
    """Add four joints, at the navel, in the middle trunk, at the xiphion and in the upper trunk; return the length above."""
    segments = tree.body.segments
    middle, upper = segments["middle_trunk"], segments["upper_trunk"]
    low, high = share("middle_trunk"), share("upper_trunk")
    abdomen, chest = cut(middle, low), cut(upper, high)
    top = (1 - high) * upper.length
    above = chest[1]
    for out in (-1.0, 1.0):
        inner, end = girdle(tree.body, out)
        above = without(above, _clavicle(tree.body, end), inner)
    lengths = (segments["lower_trunk"].length, low * middle.length, (1 - low) * middle.length, high * upper.length)
    links, inertias = ("lower_abdomen", "upper_abdomen", "lower_chest", "upper_chest"), (*abdomen, chest[0], above)
    parent = "pelvis"
    for number, (link, inertia, below) in enumerate(zip(links, inertias, lengths, strict=True), 1):
        axes = (("flexion", Y), ("bending", X), ("torsion", Z))
        tree.add(f"spine_{number}", axes, parent, link, (0.0, 0.0, below), inertia)
        parent = link
    return top


def girdle(body: Body, out: float) -> tuple[Vector3, Vector3]:
    """Return the inner end of a clavicle in the upper chest's frame, and the shoulder joint from there; `out`: +1 is left."""
    upper, below = body.segments["upper_trunk"], ("lower_trunk", "middle_trunk")
    base = sum(body.segments[name].length for name in below) + share("upper_trunk") * upper.length
    inner = (0.0, out * body.part("half_sternum"), body.length("suprasternale") - base)
    wide = body.part("half_shoulder") - body.part("half_sternum")
    return inner, (0.0, out * wide, body.length("shoulder") - body.length("suprasternale"))


def _clavicle(body: Body, end: Vector3) -> Inertia:
    return bar(share("clavicle_mass") * body.segments["upper_trunk"].mass, end, body.part("clavicle_radius"))


def _head(tree: _Tree, top: float) -> None:
    """Add the neck and the head: the neck is a cylinder, the head what is left of the source's segment."""
    head = tree.body.segments["head"]
    long = share("neck_length") * head.length
    neck = bar(share("neck_mass") * head.mass, (0.0, 0.0, long), tree.body.part("neck_radius"))
    rest = without(standing(head), neck)
    x, y, z = rest.com
    rest = Inertia(rest.mass, (x, y, z - long), rest.tensor)
    tree.add("lower_neck", (("flexion", Y), ("bending", X), ("torsion", Z)), "upper_chest", "neck", (0.0, 0.0, top), neck)
    tree.add("upper_neck", (("flexion", Y), ("torsion", Z)), "neck", "head", (0.0, 0.0, long), rest)


def _leg(tree: _Tree, side: str, out: float) -> None:
    segments, ankle = tree.body.segments, tree.body.part("ankle_height")
    thigh, shank, foot = segments["thigh"], segments["shank"], segments["foot"]
    outward, inward = (out, 0.0, 0.0), (0.0, 0.0, -out)
    ahead, long = (share("ball") - share("ankle")) * foot.length, (1 - share("ball")) * foot.length
    height = (share("foot_center") - 1) * ankle
    # the toes turn about a line at the height of the sole, and are as high as it is possible for a wedge
    mass, center = share("toe_mass") * foot.mass, (share("toe_center") * long, 0.0, ankle / 5)
    wide = tree.body.part("foot_breadth")
    toes = Inertia(mass, center, box(mass, long, wide, ankle / 3))
    rest = without(lying(foot, share("ankle") * foot.length, height), toes, (ahead, 0.0, -ankle))
    hip = (0.0, out * tree.body.part("half_hip"), 0.0)
    axes: Axes = (("flexion", FORWARD), ("abduction", outward), ("rotation", inward))
    tree.add(f"{side}_hip", axes, "pelvis", f"{side}_thigh", hip, hanging(thigh))
    tree.add(f"{side}_knee", (("flexion", Y),), f"{side}_thigh", f"{side}_shank", (0.0, 0.0, -thigh.length), hanging(shank))
    axes = (("flexion", FORWARD), ("eversion", outward))
    tree.add(f"{side}_ankle", axes, f"{side}_shank", f"{side}_foot", (0.0, 0.0, -shank.length), rest)
    tree.add(f"{side}_toe", (("extension", FORWARD),), f"{side}_foot", f"{side}_toes", (ahead, 0.0, -ankle), toes)


def _arm(tree: _Tree, side: str, out: float) -> None:
    segments = tree.body.segments
    upper, forearm, hand = segments["upper_arm"], segments["forearm"], segments["hand"]
    outward, inward = (out, 0.0, 0.0), (0.0, 0.0, -out)
    inner, end = girdle(tree.body, out)
    axes: Axes = (("elevation", outward), ("protraction", inward))
    tree.add(f"{side}_clavicle", axes, "upper_chest", f"{side}_clavicle", inner, _clavicle(tree.body, end))
    axes = (("flexion", FORWARD), ("abduction", outward), ("rotation", inward))
    tree.add(f"{side}_shoulder", axes, f"{side}_clavicle", f"{side}_upper_arm", end, hanging(upper))
    axes = (("flexion", FORWARD), ("pronation", inward))
    tree.add(f"{side}_elbow", axes, f"{side}_upper_arm", f"{side}_forearm", (0.0, 0.0, -upper.length), hanging(forearm))
    # thumbs ahead: palms flex inward, about the axis from back to front, and deviate to the thumb, ahead
    axes = (("flexion", (-out, 0.0, 0.0)), ("deviation", FORWARD))
    tree.add(f"{side}_wrist", axes, f"{side}_forearm", f"{side}_hand", (0.0, 0.0, -forearm.length), hanging(hand, turned=True))
