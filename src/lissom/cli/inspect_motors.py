"""The part of `lissom inspect` about motors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ..model import Model, Motor
from .console import make_table

if TYPE_CHECKING:
    from rich.console import Console


def print_motors(console: Console, model: Model) -> None:
    """Print the motors with their joints, and the coordinates that elastic drives add."""
    if not model.motors:
        return
    table = make_table(
        "Motors",
        *("motor", "joint", "link", "ratio", "mass", "spin", "reflected", "rotor", "drive", "friction", "q"),
        numbers=("ratio", "mass", "spin", "reflected", "q"),
        texts=("drive", "friction"),
    )
    first = model.nq - len(model.elastic_motors)
    places = {motor.name: str(first + k) for k, motor in enumerate(model.elastic_motors)}
    for motor in model.motors:
        names = motor.name, motor.joint, str(motor.link)
        table.add_row(*names, *_rotor(motor), _drive(motor), _friction(motor), places.get(motor.name, ""))
    console.print(table)
    units = "ratio rotor to joint, mass [kg], inertia of the spin [kg m^2], the same at the joint, elastic: stiffness from rest"
    units += " + damping, friction of the rotor" + (", q: index of the coordinate, rotor angle / ratio" if places else "")
    console.print(Text(units, style="dim"))
    console.print()


def _rotor(motor: Motor) -> list[str]:
    if motor.inertia is None:
        return [f"{motor.ratio:.4g}", "", "", "", ""]
    numbers = motor.ratio, motor.inertia.mass, motor.spin_inertia, motor.reflected_inertia
    return [*(f"{x:.4g}" for x in numbers), motor.rotor]


def _drive(motor: Motor) -> str:
    spring = motor.spring
    if spring is None:
        return "rigid"
    return f"elastic {spring.stiffness:.4g} from {spring.rest:.4g}" + (f" + {spring.damping:.4g}" if spring.damping else "")


def _friction(motor: Motor) -> str:
    friction = motor.friction
    return f"{friction.viscous:.4g} + {friction.coulomb:.4g}" if friction.viscous or friction.coulomb else ""
