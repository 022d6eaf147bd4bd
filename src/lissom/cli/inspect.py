"""The report of `lissom inspect`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from ..model import Joint, JointKind, Model
from ..model.check import find_problems
from ..model.joint import SINGLE_DOF
from ..model.show import shapes_of
from ..robot import Robot
from ..view.summary import mass_text
from .closed import print_loops
from .console import make_console, make_table
from .costs import print_costs
from .inspect_motors import print_motors
from .json_output import print_json
from .robot_report import robot_report
from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from ..closed import ClosedRobot

DEEPEST = 20  # indented levels of the tree, fewer where the terminal is narrow
INDENT, LABEL = 4, 40  # width of a level, and room for a label


def inspect_robot(robot: Robot | ClosedRobot, with_friction: Model, everything: bool = False, as_json: bool = False) -> None:
    """Print a summary of `robot`: joints, motors, tree, doubtful inertias, loops and operation counts.

    `with_friction` is the same file read with its joint friction, to report friction that was left out; with `everything`, the
    operations of all functions are counted.
    """
    if as_json:
        print_json(robot_report(robot, everything))
        return
    console = make_console()
    model = robot.model
    moving = sum(joint.kind is not JointKind.FIXED for joint in model.joints)
    cut = "" if isinstance(robot, Robot) else " with the loops cut"
    console.print(Text.assemble((one_line(model.name), "bold"), f": nq = {model.nq}, nv = {model.nv}{cut}, {mass_text(model)}"))
    gravity = _vector(model.gravity)
    motors = f", {_count(len(model.motors), 'motor')}" if model.motors else ""
    motors += f", {_count(len(model.force_elements), 'force element')}" if model.force_elements else ""
    motors += f", {shapes_of(model)}" if model.shapes else ""
    console.print(f"{len(model.links)} links, {len(model.joints)} joints ({moving} moving){motors}, gravity {gravity} m/s^2\n")
    _print_joints(console, model, with_friction)
    print_motors(console, model)
    _print_elements(console, model)
    _print_tree(console, model)
    _print_problems(console, model)
    if not isinstance(robot, Robot):
        print_loops(robot, everything)
        return
    print_costs(console, robot, everything)


def _print_joints(console: Console, model: Model, with_friction: Model) -> None:
    springs = any(joint.spring is not None for joint in model.joints)  # a column only for robots that have springs
    table = make_table(
        "Joints",
        *("#", "joint", "kind", "parent", "child", "axis", "range", "speed", "effort", "friction", "rotor"),
        *(["spring"] if springs else []),
        numbers=("#", "speed", "effort", "rotor"),
        texts=("kind", "axis", "range", "friction", "spring"),
    )
    for index, joint in enumerate(model.joints):
        cells = [str(index), joint.name, _kind(joint), joint.parent, joint.child, _axis(joint), *_numbers(joint)]
        table.add_row(*cells, *([_spring(joint)] if springs else []))
    console.print(table)
    units = "range [rad or m], speed [rad/s or m/s], effort [N m or N], friction viscous + Coulomb, rotor [kg m^2 or kg]"
    units += ", spring stiffness from rest + damping" if springs else ""
    console.print(Text(units, style="dim"))
    left_out = sum(a.friction != b.friction for a, b in zip(model.joints, with_friction.joints, strict=True))
    slack = sum(a.friction != b.friction for a, b in zip(model.motors, with_friction.motors, strict=True))
    for count, what in ((left_out, "joints"), (slack, "motors")):
        if count:
            console.print(f"The file gives friction for {count} {what}; it is left out here (--friction uses it).")
    console.print()


def _print_elements(console: Console, model: Model) -> None:
    if not model.force_elements:
        return
    table = make_table("Force elements", "element", "kind", "between", "numbers", texts=("between", "numbers"))
    for element in model.force_elements:
        ends = " and ".join(f"{link} {_vector(point)}" for link, point in element.ends)
        numbers = ", ".join(f"{key} {value:.4g}" for key, value in vars(element).items() if isinstance(value, float))
        table.add_row(element.name, element.kind, ends, numbers)
    console.print(table)
    console.print(Text("points in the frames of the links [m], stiffness [N/m], rest length [m], damping [N s/m]\n", style="dim"))


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _kind(joint: Joint) -> str:
    if joint.coupling is None:
        return joint.kind.value
    return f"{joint.kind.value} = {joint.coupling.ratio:.4g} {joint.coupling.joint} + {joint.coupling.offset:.4g}"


def _axis(joint: Joint) -> str:
    return _vector(joint.axis) if joint.kind.traits.has_axis else ""


def _numbers(joint: Joint) -> list[str]:
    if joint.kind not in SINGLE_DOF:
        return [""] * 5
    limits, friction = joint.limits, joint.friction
    unbounded = math.isinf(limits.lower) and math.isinf(limits.upper)
    return [
        "" if unbounded else f"{limits.lower:.4g} .. {limits.upper:.4g}",
        "" if math.isinf(limits.velocity) else f"{limits.velocity:.4g}",
        "" if math.isinf(limits.effort) else f"{limits.effort:.4g}",
        f"{friction.viscous:.4g} + {friction.coulomb:.4g}" if friction.viscous or friction.coulomb else "",
        f"{joint.rotor_inertia:.4g}" if joint.rotor_inertia else "",
    ]


def _spring(joint: Joint) -> str:
    spring = joint.spring
    if spring is None:
        return ""
    return f"{spring.stiffness:.4g} from {spring.rest:.4g}" + (f" + {spring.damping:.4g}" if spring.damping else "")


def _vector(v: tuple[float, float, float]) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in v) + ")"


def _print_tree(console: Console, model: Model) -> None:
    console.print(Text("Tree", style="bold"))
    root = Tree(Text(one_line(model.base), overflow="fold"))
    deepest = max(2, min(DEEPEST, (console.width - LABEL) // INDENT))
    branches, depth = {model.base: root}, {model.base: 0}
    for joint in model.joints:
        inertia = model.link(joint.child).inertia
        mass = "no mass" if inertia is None else f"{inertia.mass:.4g} kg"
        depth[joint.child] = depth[joint.parent] + 1
        deep = depth[joint.child] > deepest
        where = f", on {one_line(joint.parent)}" if deep else ""
        label = Text.assemble(one_line(joint.child), (f"  {mass}, {joint.kind.value} {one_line(joint.name)}{where}", "dim"))
        # below some depth, links are listed without indentation and name their parents
        branch = branches[joint.parent].add(label)
        branches[joint.child] = branches[joint.parent] if depth[joint.child] >= deepest else branch
    console.print(root)
    console.print()


def _print_problems(console: Console, model: Model) -> None:
    problems = find_problems(model)
    console.print(Text.assemble(("Inertias", "bold"), f": {f'{len(problems)} doubtful' if problems else 'nothing doubtful'}"))
    for problem in problems:
        console.print(f"  {problem.text}")
    console.print()
