"""Catalogue: every function of a robot, with the maker of its task, its state, the shape of its result and its options.

An entry is all that a function needs: machine code, `jvp`, `vjp` and `derivatives`, `program`, `operation_count` and a row in
`lissom inspect` follow from it. The method of the same name has the same arguments, and their documentation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ..algorithms.derivatives import directional, geometry_tasks, regressor, second
from ..algorithms.derivatives import tasks as derivatives
from ..algorithms.dynamics import coriolis, energy, forward_dynamics, generalized_momentum, integrate, inverse_dynamics, momentum
from ..algorithms.dynamics.motor_wrenches import motor_wrenches
from ..algorithms.elastic import blocks as elastic_blocks
from ..algorithms.elastic import motors as elastic
from ..algorithms.kinematics import felt_wrench, jacobian, kinematics
from ..algorithms.rates import tasks as rates
from . import options as o
from .check import check_mass
from .entry import Entry, Shape
from .scatter import Places


def _of(*shape: int) -> Shape:
    return lambda robot, options: shape


def _torques(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (robot.nv,)


def _square(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (robot.nv, robot.nv)


def _columns(rows: int) -> Shape:
    return lambda robot, options: (rows, robot.nv)


def _wrenches(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (len(robot.moving_joint_names), 6)


def _mass_matrix(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (len(robot.mass_matrix_entries[0]),) if "packed" in options else (robot.nv, robot.nv)


def _tables(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (3, len(robot.derivatives_entries[0])) if "packed" in options else (3, robot.nv, robot.nv)


def _wrench_tables(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    joints = options.get("joints", robot.moving_joint_names)
    return (3, len(joints), len(options.get("components", derivatives.SIX)), robot.nv)


def _blocks(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (sum(map(math.prod, elastic_blocks.block_shapes(robot.model).values())),)


def _motors(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    return (len(robot.model.motors), 6)


def _regressor(robot: Any, options: Mapping[str, Any]) -> Places:
    return robot._regressor_places[options.get("drives", True)]  # type: ignore[no-any-return]


def _geometry(robot: Any, options: Mapping[str, Any]) -> Places:
    return robot._geometry_places(6)  # type: ignore[no-any-return]


def _table_rows(robot: Any, options: Mapping[str, Any]) -> Places:
    return robot._geometry_places(4)  # type: ignore[no-any-return]


def _spread(places: Callable[[Any, Mapping[str, Any]], Places]) -> Shape:
    return lambda robot, options: places(robot, options)[0]


def with_mass(robot: Any, options: Mapping[str, Any]) -> None:
    """Raise ModelError where a function needs a center of mass, and nothing that moves has mass."""
    if "point" not in options:  # of the momentum, if not about the center of mass
        check_mass(robot)


def _always(robot: Any) -> bool:
    return True


def _coupled(robot: Any) -> bool:
    return bool(forward_dynamics.followers(robot.model))


LOADS = (o.EXTERNAL, o.BASE_MOTION)
LOADS_WITH_RATES = (o.EXTERNAL, o.EXTERNAL_RATES, o.BASE_MOTION_WITH_JERK)
OF_LINK = (o.LINK, o.LINK_AXES, o.POINT)
Q, QD, QDD, QDDD, TAU = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "qdd", "qddd"), ("q", "qd", "tau")
GIVEN = ("q", "qd", "given")  # torques or accelerations
STEP = (*GIVEN, "dt")

ENTRIES = (
    # torques of a motion
    Entry("inverse_dynamics", inverse_dynamics.inverse_dynamics, QDD, _torques, (*LOADS, o.REGROUPED), basic=True),
    Entry("gravity_torques", inverse_dynamics.gravity_torques, Q, _torques, (*LOADS, o.REGROUPED), basic=True),
    Entry("bias_torques", inverse_dynamics.bias_torques, QD, _torques, (*LOADS, o.REGROUPED), basic=True),
    Entry("joint_wrenches", inverse_dynamics.joint_wrenches, QDD, _wrenches, (*LOADS, o.JOINT_AXES), basic=True),
    # accelerations
    Entry("forward_dynamics", forward_dynamics.forward_dynamics, TAU, _torques, (*LOADS, o.METHOD), basic=True, grows=_coupled),
    Entry("mass_matrix", forward_dynamics.mass_matrix, Q, _mass_matrix, (o.PACKED,), basic=True, grows=_always),
    Entry("hybrid_dynamics", forward_dynamics.hybrid_dynamics, GIVEN, _torques, (*LOADS, o.KNOWN)),
    Entry("hybrid_wrenches", forward_dynamics.hybrid_wrenches, GIVEN, _wrenches, (*LOADS, o.KNOWN, o.JOINT_AXES), method=False),
    Entry("coriolis_matrix", coriolis.coriolis_matrix, QD, _square, grows=_always),
    # rates of torques and wrenches
    Entry("torque_rates", rates.joint_torque_rates, QDDD, _torques, (*LOADS_WITH_RATES, o.REGROUPED)),
    Entry("torques_and_rates", rates.torques_and_rates, QDDD, _columns(2), (*LOADS_WITH_RATES, o.REGROUPED)),
    Entry("joint_wrench_rates", rates.joint_wrench_rates, QDDD, _wrenches, (*LOADS_WITH_RATES, o.JOINT_AXES)),
    # links
    Entry("link_pose", kinematics.link_pose, Q, _of(4, 4), (o.LINK,)),
    Entry("link_poses", kinematics.link_poses, Q, lambda robot, options: (len(robot.link_names), 4, 4)),
    Entry("link_velocity", kinematics.link_velocity, QD, _of(6), OF_LINK),
    Entry("link_acceleration", kinematics.link_acceleration, QDD, _of(6), (*OF_LINK, o.CLASSICAL)),
    Entry("link_jerk", rates.link_jerk, QDDD, _of(6), OF_LINK),
    Entry("jacobian", jacobian.jacobian, Q, _columns(6), OF_LINK),
    Entry("jacobian_rate_product", jacobian.jacobian_rate_product, QD, _of(6), OF_LINK),
    # the robot as a whole
    Entry("kinetic_energy", energy.kinetic_energy, QD, _of()),
    Entry("potential_energy", energy.potential_energy, Q, _of()),
    Entry("spring_energy", energy.spring_energy, Q, _of()),
    Entry("center_of_mass", momentum.center_of_mass, Q, _of(3), check=with_mass),
    Entry("center_of_mass_jacobian", momentum.center_of_mass_jacobian, Q, _columns(3), check=with_mass),
    Entry("momentum", momentum.momentum, QD, _of(6), (o.MOMENTUM_POINT,), check=with_mass),
    Entry("centroidal_momentum_matrix", momentum.centroidal_momentum_matrix, Q, _columns(6), check=with_mass),
    # torques from outside, from measured ones
    Entry("generalized_momentum", generalized_momentum.generalized_momentum, QD, _torques),
    Entry("momentum_bias", generalized_momentum.momentum_bias, QD, _torques, (o.EXTERNAL,)),
    Entry(
        "momentum_observer",
        generalized_momentum.momentum_observer,
        TAU,
        _columns(2),
        (o.INTEGRAL, o.GAIN, o.EXTERNAL),
    ),
    Entry("felt_wrench", felt_wrench.felt_wrench, ("q", "tau"), _of(6), OF_LINK),
    # derivatives by recursions of their own
    Entry(
        "inverse_dynamics_derivatives",
        derivatives.inverse_dynamics_derivatives,
        QDD,
        _tables,
        (*LOADS, o.PACKED),
        grows=_always,
    ),
    Entry("forward_dynamics_derivatives", derivatives.forward_dynamics_derivatives, TAU, _tables, LOADS, grows=_always),
    Entry(
        "joint_wrench_derivatives",
        derivatives.joint_wrench_derivatives,
        QDD,
        _wrench_tables,
        (*LOADS, o.JOINT_AXES, o.JOINTS, o.COMPONENTS),
        grows=_always,
    ),
    Entry(
        "inverse_dynamics_regressor",
        regressor.inverse_dynamics_regressor,
        QDD,
        _spread(_regressor),
        (o.DRIVES, o.BASE_MOTION),
        places=_regressor,
        grows=_always,
    ),
    Entry(
        "inverse_dynamics_geometry_derivatives",
        geometry_tasks.inverse_dynamics_geometry_derivatives,
        QDD,
        _spread(_geometry),
        (o.PART, o.BASE_MOTION),
        places=_geometry,
        grows=_always,
    ),
    Entry(
        "inverse_dynamics_dh_derivatives",
        geometry_tasks.inverse_dynamics_dh_derivatives,
        QDD,
        _spread(_table_rows),
        (o.CONVENTION, o.BASE_MOTION),
        places=_table_rows,
        grows=_always,
    ),
    Entry(
        "inverse_dynamics_hvp",
        second.inverse_dynamics_hvp,
        QDD,
        lambda robot, options: (3, robot.nv),
        (o.WEIGHTS, o.TANGENTS, *LOADS),
        smooth=False,
    ),
    Entry(
        "inverse_dynamics_hessian",
        second.inverse_dynamics_hessian,
        QDD,
        None,
        (o.WEIGHTS, *LOADS),
        smooth=False,
        runs=lambda robot: robot.nv,
        grows=_always,
    ),
    # motors
    Entry("motor_wrenches", motor_wrenches, QDD, _motors, LOADS, robots="motors"),
    Entry("elastic_blocks", elastic_blocks.elastic_blocks, QD, _blocks, robots="motors", grows=_always),
    Entry(
        "elastic_inverse_dynamics",
        elastic.elastic_inverse_dynamics,
        elastic.PATH[:5],
        lambda robot, options: (3 * robot.n_elastic + robot.nv,),  # theta, its two rates, tau
        (o.EXTERNAL,),
        robots="elastic drives",
        path=True,
    ),
    Entry(
        "elastic_torque_rates",
        elastic.elastic_torque_rates,
        elastic.PATH[:6],
        _torques,
        (o.EXTERNAL,),
        robots="elastic drives",
        path=True,
    ),
    Entry(
        "drive_deflections",
        elastic.drive_deflections,
        elastic.PATH[:3],
        lambda robot, options: (robot.n_elastic,),
        (o.EXTERNAL,),
        robots="elastic drives",
        path=True,
    ),
    Entry("spring_torques", elastic.spring_torques, QD, lambda robot, options: (robot.n_elastic,), robots="elastic drives"),
    # steps of simulations
    Entry("state_rates", integrate.state_rates, GIVEN, None, (o.EXTERNAL, o.SOME_KNOWN), method=False),
    Entry("rk4_step", integrate.rk4_step, STEP, None, (o.EXTERNAL, o.SOME_KNOWN), method=False),
    Entry("semi_implicit_step", integrate.semi_implicit_step, STEP, None, (o.EXTERNAL, o.SOME_KNOWN), method=False),
)
DERIVED = (  # their derivatives are methods, too
    *("kinetic_energy", "potential_energy", "spring_energy", "center_of_mass", "momentum"),
    *("link_velocity", "link_acceleration", "elastic_blocks"),
)


def _derivatives(of: Entry) -> Entry:
    """Return the entry of all derivatives of a function."""

    def shape(robot: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
        assert of.shape is not None
        return (len(of.state), *of.shape(robot, options), of.width(robot))

    maker = directional.all_derivatives(of.maker)
    name = f"{of.name}_derivatives"
    return Entry(name, maker, of.state, shape, of.options, of.robots, of.check, grows=_always)


CATALOGUE: Mapping[str, Entry] = {
    entry.name: entry for entry in (*ENTRIES, *(_derivatives(entry) for entry in ENTRIES if entry.name in DERIVED))
}
