"""Quantities of a problem's muscles: forces, torques, and equations of activation and of elastic tendons.

    activation   a' = f(e, a)                                            e excitation, a activation; or, linear,
                 -a / fall <= a' <= (1 - a) / rise                       what excitations from 0 to 1 allow
    fiber        F0 (a fl(l) fv(v) + fp(l) + b v) cos  =  F0 ft          of an elastic tendon, whose force F0 ft is a channel
    tendon       its length follows from ft, and its rate from ft', so that the fiber has what is left of length and rate
A rigid tendon keeps its length, and the fiber's force is that of the muscle. Every formula is recorded once; its first and second
derivatives follow from the record.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...errors import StateError
from ...muscles.activation import activation_rate
from ...muscles.degroote import DeGrooteFregly
from ...muscles.energy import umberger
from ...muscles.formula import Along, paths_along
from ...muscles.hill import Fiber, active_force, passive_force, rigid_fiber
from ...muscles.muscle import Muscle
from ...muscles.muscles import Muscles
from ...protocol import DrivenRobot
from ...spatial.scalar import Scalar, exp, log, sqrt
from ...spatial.series import Series, terms_of
from ..data.joints import joint_units, path_names
from .compiled import Compiled
from .function import quantity
from .quantity import Quantity
from .value import Value

ACTIVATION, EXCITATION, TENDON, RESERVE = "activation", "excitation", "tendon_force", "reserve"
TENDON_RATE = f"{TENDON}_rate"
DYNAMICS = SMOOTH, LINEAR, NONE = ("smooth", "linear", "none")
WHOLE = 16  # powers up to here are products
ROUNDING = 0.01  # of the metabolic power's corners


class Driving(NamedTuple):
    """What the channels of muscles are in a formula, as plain scalars.

    Attributes:
        along: paths.
        activations: of the muscles;
        excitations: these too, where activations have no dynamics.
        tendons, tendon_rates: normalized forces and rates of elastic tendons; empty for rigid ones.
    """

    along: Along
    activations: Sequence[Scalar]
    excitations: Sequence[Scalar]
    tendons: Sequence[Scalar]
    tendon_rates: Sequence[Scalar]


class MuscleQuantities:
    """Quantities of muscles that drive a robot, by name.

    Args:
        robot: of the problem.
        muscles: its muscles.
        elastic: whether tendons are.
        dynamics: how activations change: one of DYNAMICS.
        reserves: torques of ideal drives beside the muscles at a reserve of one, by coordinates [N m or N].
        steepness: of the blend of the activation's two time constants.
    """

    def __init__(
        self,
        robot: DrivenRobot,
        muscles: Muscles,
        elastic: bool,
        dynamics: str,
        reserves: Mapping[str, float],
        steepness: float,
    ) -> None:
        self.robot, self.muscles, self.elastic, self.dynamics = robot, muscles, elastic, dynamics
        self.reserves, self.steepness = dict(reserves), steepness
        self._kept: dict[Any, Quantity] = {}

    @classmethod
    def shared(cls, robot: DrivenRobot, muscles: Muscles, *chosen: Any) -> MuscleQuantities:
        """Return the quantities of muscles, the same ones for the same choices: all problems then share what was recorded."""
        key = (id(robot), repr(chosen))
        if key not in muscles.driving:
            muscles.driving[key] = cls(robot, muscles, *chosen)
        return muscles.driving[key]  # type: ignore[no-any-return]

    @property
    def follows(self) -> bool:
        """Whether activations follow excitations, which are channels."""
        return self.dynamics == SMOOTH

    def makers(self) -> dict[str, Callable[..., Quantity]]:
        """Return the makers of quantities by their names."""
        found: dict[str, Callable[..., Quantity]] = {
            "muscle_torque": self.torque,
            "muscle_force": self.force,
            "muscle_power": self.power,
            "fiber_length": self.fiber_length,
            "metabolic_power": self.metabolic_power,
            "muscle_effort": self.effort,
        }
        if self.follows:
            found["activation_balance"] = self.activation_balance
        if self.dynamics == LINEAR:
            found["activation_room"] = self.activation_room
        if self.elastic:
            found["fiber_balance"] = self.fiber_balance
        return {name: self._once(maker) for name, maker in found.items()}

    def _once(self, maker: Callable[..., Quantity]) -> Callable[..., Quantity]:
        """Return a maker that makes a quantity once for the same options."""

        @functools.wraps(maker)
        def once(**options: Any) -> Quantity:
            key = (maker.__name__, *sorted(options.items()))
            if key not in self._kept:
                self._kept[key] = maker(**options)
            return self._kept[key]

        return once

    def torque(self) -> Quantity:
        """Torques of muscles and reserves along the columns of the path."""
        names = path_names(self.robot)

        def text(driving: Driving, reserve: Sequence[Scalar]) -> list[Scalar]:
            found = driving.along.torques([self._force(k, driving) for k in range(len(self.muscles))])
            for (name, strength), own in zip(self.reserves.items(), reserve, strict=True):
                place = names.index(name)
                found[place] = found[place] + own * strength
            return found

        takes = (*self._pull, *((RESERVE,) if self.reserves else ()))
        made = self._made("muscle_torque", text, names, joint_units(self.robot, force=True), takes)
        linear = self.elastic or all(muscle.curves.linear for muscle in self.muscles.muscles)
        made.linear = linear  # type: ignore[attr-defined]
        return made

    def force(self) -> Quantity:
        """Forces of muscles along their tendons [N]."""
        return self._each("muscle_force", self._force, "N", self._pull)

    def power(self) -> Quantity:
        """Power that muscles give to the joints: force times rate of shortening [W]."""
        return self._each("muscle_power", lambda k, x: -self._force(k, x) * x.along.rates[k], "W", self._pull)

    def fiber_length(self) -> Quantity:
        """Lengths of fibers over the optimal ones."""
        return self._each("fiber_length", lambda k, x: self._fiber(k, x).length, "", self._stretch[:1])

    def metabolic_power(self, slow: float = 0.5, rounding: float = ROUNDING) -> Quantity:
        """Metabolic power of the muscles [W] after Umberger 2010, with rounded corners."""

        def one(k: int, x: Driving) -> Scalar:
            muscle, fiber = self.muscles.muscles[k], self._fiber(k, x)
            active = (
                x.activations[k] * muscle.curves.active(fiber.length) * muscle.curves.velocity(fiber.velocity, x.activations[k])
            )
            force = active * muscle.max_isometric_force
            options: dict[str, Any] = {"slow": slow, "rounding": rounding, "negative_work": False}
            return umberger(muscle, x.excitations[k], x.activations[k], fiber.length, fiber.velocity, force, **options)

        takes = (ACTIVATION, *((EXCITATION,) if self.follows else ()), *self._stretch)
        return self._each("metabolic_power", one, "W", takes)

    def effort(self, power: float = 3.0, volume: bool = False) -> Quantity:
        """Activations to a power, of all muscles alike, or by their share of the volume."""
        if isinstance(power, bool) or not isinstance(power, int | float) or not 1.0 <= power <= 20.0:
            raise StateError(f"power of muscle_effort is {power!r}, expected a number from 1 to 20")
        sizes = [muscle.max_isometric_force * muscle.optimal_fiber_length for muscle in self.muscles.muscles]
        mean = sum(sizes) / len(sizes)
        shares = [size / mean if volume else 1.0 for size in sizes]

        def text(robot: Any, q: Any, qd: Any, qdd: Any, activation: Sequence[Value]) -> list[Value]:
            whole = float(power).is_integer() and power <= WHOLE
            powers = [a ** int(power) if whole else Value(exp(log(a.x) * power)) for a in activation]
            return [own * share for own, share in zip(powers, shares, strict=True)]

        channels = {ACTIVATION: len(self.muscles)}
        return quantity(self.robot, text, self.muscles.names, "", "muscle_effort", channels)

    def activation_balance(self) -> Quantity:
        """Rates of activation without those that follow from excitations [1/s]."""

        def text(
            robot: Any, q: Any, qd: Any, qdd: Any, activation: Sequence[Value], activation_rate: Sequence[Value], excitation: Any
        ) -> list[Value]:
            every = zip(self.muscles.muscles, activation, activation_rate, excitation, strict=True)
            return [Value(rate.x - self._rate(muscle, e.x, a.x)) for muscle, a, rate, e in every]

        channels = {ACTIVATION: len(self.muscles), EXCITATION: len(self.muscles)}
        return quantity(self.robot, text, self.muscles.names, "1/s", "activation_balance", channels)

    def activation_room(self) -> Quantity:
        """How far rates of activation are from those of excitations of 0 and of 1, times their time constants, in turn."""

        def text(robot: Any, q: Any, qd: Any, qdd: Any, activation: Any, activation_rate: Any) -> list[Value]:
            every = list(zip(self.muscles.muscles, activation, activation_rate, strict=True))
            falling = [a + muscle.fall * rate for muscle, a, rate in every]
            return [*falling, *(1.0 - a - muscle.rise * rate for muscle, a, rate in every)]

        labels = [f"{name}.{way}" for way in ("fall", "rise") for name in self.muscles.names]
        return quantity(self.robot, text, labels, "", "activation_room", {ACTIVATION: len(self.muscles)})

    def fiber_balance(self) -> Quantity:
        """Forces of fibers along elastic tendons without those of the tendons, over the maximum isometric ones."""

        def one(k: int, x: Driving) -> Scalar:
            muscle, fiber = self.muscles.muscles[k], self._fiber(k, x)
            force = (
                x.activations[k] * muscle.curves.active(fiber.length) * muscle.curves.velocity(fiber.velocity, x.activations[k])
            )
            force = force + muscle.curves.passive(fiber.length) + fiber.velocity * muscle.curves.damping
            return force * fiber.cosine - x.tendons[k]

        return self._each("fiber_balance", one, "", (ACTIVATION, *self._stretch))

    def _rate(self, muscle: Muscle, excitation: Scalar, activation: Scalar) -> Scalar:
        return activation_rate(excitation, activation, muscle.rise, muscle.fall, self.steepness)

    def _force(self, k: int, x: Driving) -> Scalar:
        muscle = self.muscles.muscles[k]
        if self.elastic:
            return x.tendons[k] * muscle.max_isometric_force
        fiber = rigid_fiber(muscle, x.along.lengths[k], x.along.rates[k])
        return active_force(muscle, x.activations[k], fiber) + passive_force(muscle, fiber)

    def _fiber(self, k: int, x: Driving) -> Fiber:
        """Return the fiber of a muscle: with an elastic tendon, of what the tendon leaves of length and rate."""
        muscle = self.muscles.muscles[k]
        if not self.elastic:
            return rigid_fiber(muscle, x.along.lengths[k], x.along.rates[k])
        curves = muscle.curves
        assert isinstance(curves, DeGrooteFregly)
        rate = x.tendon_rates[k] if x.tendon_rates else 0.0
        tendon, stretching = terms_of(curves.inverse_tendon(Series([x.tendons[k], rate])), 2)
        optimal, slack = muscle.optimal_fiber_length, muscle.tendon_slack_length
        along = (x.along.lengths[k] - tendon * slack) * (1.0 / optimal)
        speed = (x.along.rates[k] - stretching * slack) * (1.0 / (optimal * muscle.max_velocity))
        h = muscle.thickness / optimal
        length = sqrt(along * along + h * h) if h else along
        cosine = along / length if h else 1.0
        return Fiber(length, cosine, speed * cosine)

    @property
    def _pull(self) -> tuple[str, ...]:
        """What forces along the paths depend on."""
        return (TENDON,) if self.elastic else (ACTIVATION,)

    @property
    def _stretch(self) -> tuple[str, ...]:
        """What lengths and velocities of fibers depend on, beside the path."""
        return (TENDON, TENDON_RATE) if self.elastic else ()

    def _each(self, name: str, one: Callable[[int, Driving], Scalar], unit: str, takes: Sequence[str]) -> Compiled:
        """Return a quantity of every muscle."""

        def text(driving: Driving, reserve: Sequence[Scalar]) -> list[Scalar]:
            return [one(k, driving) for k in range(len(self.muscles))]

        return self._made(name, text, self.muscles.names, unit, takes)

    def _made(
        self,
        name: str,
        text: Callable[[Driving, Sequence[Scalar]], list[Scalar]],
        labels: Sequence[str],
        unit: str | Sequence[str],
        takes: Sequence[str],
    ) -> Compiled:
        """Return a quantity of the path and of channels, or of their rates, by their names."""

        def formula(robot: Any, q: Any, qd: Any, qdd: Any, **given: Sequence[Value]) -> list[Value]:
            plain = {key: [value.x for value in values] for key, values in given.items()}
            along = paths_along(self.muscles, [x.x for x in q], [x.x for x in qd])
            a = plain.get(ACTIVATION, ())
            driving = Driving(along, a, plain.get(EXCITATION, a), plain.get(TENDON, ()), plain.get(TENDON_RATE, ()))
            return [Value(x) for x in text(driving, plain.get(RESERVE, ()))]

        names = ("robot", "q", "qd", "qdd", *takes)
        own = [inspect.Parameter(x, inspect.Parameter.POSITIONAL_OR_KEYWORD) for x in names]
        formula.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
        n = len(self.muscles)
        sizes = {ACTIVATION: n, TENDON: n, EXCITATION: n, RESERVE: len(self.reserves)}
        channels = {key: sizes[key] for key in takes if key in sizes}
        wrapped = any(muscle.path.wraps for muscle in self.muscles.muscles)
        return quantity(self.robot, formula, tuple(labels), unit, name, channels, forward=wrapped)


def _active(muscle: Muscle, activation: Scalar, fiber: Fiber) -> Scalar:
    """Return the active force along the fiber over the maximum isometric one."""
    return activation * muscle.curves.active(fiber.length) * muscle.curves.velocity(fiber.velocity, activation)
