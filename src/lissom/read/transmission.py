"""`<transmission>` of URDF files: gear ratios, which become motors without inertia.

The forms of ROS and ROS 2 (transmissions in `<ros2_control>`) are supported:

    <transmission name="elbow_transmission">
      <joint name="elbow"/>
      <actuator name="elbow_motor"><mechanicalReduction>100</mechanicalReduction></actuator>
    </transmission>

The reduction may be in the joint, in the actuator or beside them, as an element or an attribute, also as mechanical_reduction.
Transmissions without one, between several joints or actuators (differentials, four-bar linkages) and on fixed joints are skipped,
like other parts of URDF files for other programs; mistakes are skipped with a warning.
"""

from __future__ import annotations

from ..model import JointKind, Motor
from ..model.joint import SINGLE_DOF
from ..model.names import unused
from .build import Draft
from .number import parse_number, shown
from .source import Source
from .xml import Element

_REDUCTION = ("mechanicalReduction", "mechanical_reduction")


def read_transmissions(robot: Element, draft: Draft, source: Source) -> None:
    """Add a motor to `draft` for every transmission with a gear ratio."""
    kinds = {joint.name: joint.kind for joint in draft.joints}
    found: dict[str, Motor] = {}
    taken = set(kinds)
    for element in [*robot.all("transmission"), *(t for part in robot.all("ros2_control") for t in part.all("transmission"))]:
        joints, actuators = element.all("joint"), element.all("actuator")
        stated = _stated(element)
        if not stated or len(joints) != 1 or len(actuators) > 1:
            continue
        joint = joints[0].attributes.get("name", "")
        problem = _problem(joint, kinds, stated, source)
        if problem:
            source.warn(f"{_label(element)} is ignored: {problem}", element.line)
            continue
        # a reduction of 1 beside another one has no effect
        ratio = next((value for value in map(parse_number, stated) if value is not None and value != 1.0), 1.0)
        if joint in found and ratio != found[joint].ratio:
            first = f"the gear ratio of joint {joint!r} is {found[joint].ratio:g} already"
            source.warn(f"{_label(element)} is ignored: {first}; a joint has one motor", element.line)
        if joint in found or kinds[joint] is JointKind.FIXED:
            continue
        name = _name(element, actuators, joint, taken)
        taken.add(name)
        source.note("motor", name, element.line)
        found[joint] = Motor(name, joint, ratio=ratio)
    draft.motors.extend(found.values())


def _stated(transmission: Element) -> list[str]:
    """Return the reductions anywhere in a transmission, as texts."""
    texts = []
    for element in transmission.walk():
        texts += [element.attributes[key] for key in _REDUCTION if key in element.attributes]
        texts += [element.text] if element.tag in _REDUCTION else []
    return [text.strip() for text in texts]


def _problem(joint: str, kinds: dict[str, JointKind], stated: list[str], source: Source) -> str | None:
    if joint not in kinds:
        return f"no joint {joint!r}{source.hint(joint, kinds)}"
    if kinds[joint] is not JointKind.FIXED and kinds[joint] not in SINGLE_DOF:
        return f"joint {joint!r} is {kinds[joint].value}; a motor drives one axis"
    values = {parse_number(text) for text in stated}
    if None in values or 0.0 in values:
        wrong = next(text for text in stated if parse_number(text) in (None, 0.0))
        return f"its reduction must be a number other than 0, got {shown(wrong)}"
    if len(values - {1.0}) > 1:
        return f"its reductions differ ({', '.join(stated)})"
    return None


def _label(element: Element) -> str:
    name = element.attributes.get("name", "")
    return f"<transmission> {name!r}" if name.strip() else "<transmission>"


def _name(element: Element, actuators: list[Element], joint: str, taken: set[str]) -> str:
    """Return the actuator's name, or else the transmission's; in many files it is also the joint's."""
    for part in (*actuators, element):
        name = part.attributes.get("name", "")
        if name.strip() and name not in taken:
            return name
    return unused(f"{joint}_motor", taken)
