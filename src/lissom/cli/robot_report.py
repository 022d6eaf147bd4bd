"""The report of `lissom inspect --json`, as a mapping; docs/usage/cli-json.md lists its keys."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..model import Friction, Inertia, Joint, Model, Spring
from ..model.check import find_problems
from ..model.joint import SINGLE_DOF
from ..robot import Robot
from ..view.summary import total_mass
from .costs import count_operations
from .reports import Report

if TYPE_CHECKING:
    from ..closed import ClosedRobot


def robot_report(robot: Robot | ClosedRobot, everything: bool) -> Report:
    """Return links, joints, motors, loops, doubts and operation counts of a robot."""
    model = robot.model
    report: Report = {"robot": model.name, "closed": not isinstance(robot, Robot), "nq": model.nq, "nv": model.nv}
    report |= {"mass_kg": total_mass(model), "gravity_m_per_s2": model.gravity, "base": model.base}
    report["links"] = [{"name": link.name, **_inertia(link.inertia)} for link in model.links]
    report["joints"] = [_joint(joint) for joint in model.joints]
    report["motors"] = [_motor(motor) for motor in model.motors]
    report["force_elements"] = [
        {"name": element.name, "kind": element.kind}
        | {key: value for key, value in vars(element).items() if isinstance(value, float)}
        | {"ends": [{"link": link, "point_m": point} for link, point in element.ends]}
        for element in model.force_elements
    ]
    report |= _loops(robot, model)
    report["doubtful_inertias"] = [problem.text for problem in find_problems(model)]
    counted = None if report["closed"] and model.active is None else count_operations(robot, everything)
    report["operations"] = {} if counted is None else {name: asdict(count) for name, count in counted.counts.items()}
    return report


def _inertia(inertia: Inertia | None) -> dict[str, Any]:
    if inertia is None:
        return {"mass_kg": 0.0, "com_m": None, "inertia_kg_m2": None}
    return {"mass_kg": inertia.mass, "com_m": inertia.com, "inertia_kg_m2": inertia.tensor}


def _joint(joint: Joint) -> dict[str, Any]:
    traits, limits = joint.kind.traits, joint.limits
    row: dict[str, Any] = {"name": joint.name, "kind": joint.kind, "parent": joint.parent, "child": joint.child}
    row["axis"] = joint.axis if traits.has_axis else None
    coupling = joint.coupling
    row["coupling"] = None if coupling is None else {"joint": coupling.joint, "ratio": coupling.ratio, "offset": coupling.offset}
    if joint.kind not in SINGLE_DOF:
        return row
    row["unit"] = traits.units_of(joint)[0]
    row |= {
        "lower": limits.lower,
        "upper": limits.upper,
        "velocity": limits.velocity,
        "effort": limits.effort,
    }
    return row | _friction(joint.friction) | {"rotor_inertia": joint.rotor_inertia, "spring": _spring(joint.spring)}


def _motor(motor: Any) -> dict[str, Any]:
    row = {"name": motor.name, "joint": motor.joint, "link": motor.link, "ratio": motor.ratio, "rotor": motor.rotor}
    has = motor.inertia is not None
    row |= {"mass_kg": motor.inertia.mass if has else 0.0, "spin_inertia_kg_m2": motor.spin_inertia if has else 0.0}
    return row | _friction(motor.friction) | {"spring": _spring(motor.spring)}


def _friction(friction: Friction) -> dict[str, float]:
    return {"viscous_friction": friction.viscous, "coulomb_friction": friction.coulomb}


def _spring(spring: Spring | None) -> dict[str, float] | None:
    return None if spring is None else {"stiffness": spring.stiffness, "rest": spring.rest, "damping": spring.damping}


def _loops(robot: Robot | ClosedRobot, model: Model) -> dict[str, Any]:
    rows = [{"name": loop.name, "kind": loop.kind, "first": loop.first, "second": loop.second} for loop in model.loops]
    if isinstance(robot, Robot):
        return {"loops": rows, "active": None, "coordinates": robot.coordinate_names}
    if model.active is None:  # its coordinates are not chosen
        return {"loops": rows, "active": None, "coordinates": None}
    home = dict(zip(robot.coordinate_names, robot.home(), strict=True))
    return {"loops": rows, "active": model.active, "coordinates": robot.coordinate_names, "home": home}
