"""WithMuscles: motions that muscles make, with activations, excitations and forces of tendons as channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from ...errors import StateError, suggest
from ...model.fingerprint import full_text
from ...muscles.activation import STEEPNESS
from ...muscles.degroote import DeGrooteFregly
from ...muscles.muscles import Muscles
from ...robot.check import as_flag
from ...spline.basis import Basis
from ..data.channels import Channel
from ..data.joints import path_names
from ..data.part import AnyBasis
from ..quantities.muscles import ACTIVATION, DYNAMICS, EXCITATION, LINEAR, NONE, RESERVE, SMOOTH, TENDON, MuscleQuantities
from ..quantities.quantity import Quantity
from ..quantities.total import Total
from .parts import Equation, Limit
from .with_ground import WithGround

TENDONS = ("rigid", "elastic")
FIRST = 0.1  # activations and forces of tendons from which a search begins
STRONGEST = 3.0  # force of a tendon over the maximum isometric one, at most
WEAKEST = 0.001  # force of a tendon, at least: slack ones do not pull
QUICK = 1.0 / 0.015  # [1/s] scale of rates of activations
SAMPLES = 32  # postures at which moment arms are compared
SHARE = 0.1  # of the torque of all muscles of a joint, that is a notable change


class WithMuscles(WithGround):
    """The muscles of a motion problem."""

    muscles: MuscleQuantities | None = None
    alike: tuple[tuple[str, int, int], ...] = ()  # channel, entry at the start, entry at the end that is equal

    def drive_by(
        self,
        muscles: Muscles,
        *,
        tendons: str = "rigid",
        dynamics: str = SMOOTH,
        reserves: Mapping[str, float] | None = None,
        balanced: bool = True,
        least: float = 0.01,
        steepness: float = STEEPNESS,
    ) -> Self:
        """Let muscles make the torques, instead of drives; give it after loads, contacts, the ground and phases.

        Channels "activation" and "excitation", within 0 and 1, have one entry per muscle; "tendon_force", over the maximum
        isometric one, with elastic tendons; "reserve", within -1 and 1, one per reserve. Where muscles and reserves do not make
        the torque that the motion needs, rows of "muscle_balance" say so, at as many instants as accelerations have freedom;
        activations follow excitations ("activation_balance") and fibers carry their tendons ("fiber_balance") there, too.

        Further quantities: "muscle_force" [N] and "muscle_power" [W] of every muscle, "muscle_torque" of every column,
        "muscle_balance", the torque that they miss, "fiber_length" over the optimal one, "metabolic_power" [W] (slow=0.5, the
        share of slow fibers), and "muscle_effort", the activations to a power (power=3.0, volume=False).

        Args:
            muscles: of the problem's robot: `MotionProblem(muscles.robot, ...)`.
            tendons: "rigid", or "elastic", whose forces are unknown, too.
            dynamics: of activations: "smooth", which follow excitations as De Groote and Fregly 2016 say; "linear", whose rates
                are within those of excitations from 0 to 1, without these (De Groote and others 2009), which is easier to solve;
                "none" leaves them free.
            reserves: drives beside the muscles by coordinates, with their largest torques [N m or N].
            balanced: False leaves out the equations of "muscle_balance", for problems that minimize it: with many muscles, such
                as those of walking, that is solved sooner, above all with hessian="gauss-newton".
            least: least activation, above 0.
            steepness: of the blend between the time constants of rise and fall, see `lissom.muscles.activation_rate`.

        Raises:
            StateError: muscles of another robot, a coordinate that nothing moves, elastic tendons without smooth curves.
        """
        self._expect_muscles(muscles, tendons, dynamics, least)
        strengths = self._reserves(reserves or {})
        elastic, changing = tendons == TENDONS[1], dynamics != NONE
        found = MuscleQuantities.shared(self.robot, muscles, elastic, dynamics, strengths, float(steepness))
        quantities, names, usual = self.quantities, muscles.names, max(1, self.basis.degree - 2)
        made = [Channel(ACTIVATION, names, ("",) * len(names), usual + changing, bounds=(float(least), 1.0), first=FIRST)]
        if found.follows:
            made.append(Channel(EXCITATION, names, ("",) * len(names), usual, bounds=(0.0, 1.0), first=FIRST))
        if elastic:
            made.append(Channel(TENDON, names, ("",) * len(names), usual + 1, bounds=(WEAKEST, STRONGEST), first=FIRST))
        if strengths:
            made.append(Channel(RESERVE, tuple(strengths), ("",) * len(strengths), usual, bounds=(-1.0, 1.0)))
        for channel in made:
            if taken := [name for name in (channel.name, f"{channel.name}_rate") if name in quantities.names]:
                raise StateError(f"there is a quantity {taken[0]!r} already; call drive_by before")
            quantities = quantities.with_channel(channel, ())
        self.quantities, self.muscles = quantities.with_makers(found.makers()), found
        self._equal("activation_balance", QUICK)
        self._equal("fiber_balance", 1.0)
        if dynamics == LINEAR:
            self._add(self.quantities.get("activation_room"), np.arange(2 * len(names)), np.ones(2 * len(names)), np.inf)
        self._balance_torques(found, as_flag(balanced, "balanced"))
        return self

    def same_channel_at_both_ends(self, name: str, pairs: Iterable[tuple[str, str]] | None = None) -> Self:
        """Make entries of a channel at the end equal to those at the start, for motions that repeat.

        Args:
            name: of a channel that lives all the time.
            pairs: (entry at the start, entry at the end), for motions that repeat mirrored; None for each with itself.
        """
        channel = self.quantities.channels.get(name)
        if channel is None:
            raise StateError(f"no channel {name!r}; {suggest(name, self.quantities.channels)}")
        if channel.part:
            raise StateError(
                f"channel {name!r} does not live all the time, or is constant; its ends are no unknowns of their own"
            )
        found = []
        for start, end in ((x, x) for x in channel.labels) if pairs is None else pairs:
            for label in (start, end):
                if label not in channel.labels:
                    raise StateError(f"channel {name!r} has no entry {label!r}; {suggest(str(label), channel.labels)}")
            found.append((name, channel.labels.index(start), channel.labels.index(end)))
        self.alike = (*self.alike, *found)
        return self

    def mirrored(self, every: Sequence[AnyBasis]) -> list[Equation]:
        """Return the equations of channels that are alike at both ends: of first and last control points."""
        starts = np.cumsum([0, *(b.count * n for b, n in zip(every, self.columns.sizes, strict=True))])
        numbers = {name: k + 1 for k, name in enumerate(self.quantities.channels)}
        found = []
        for name, start, end in self.alike:
            k = numbers[name]
            basis, n, first = every[k], self.columns.sizes[k], int(starts[k])
            assert isinstance(basis, Basis)
            places = np.array([first + start, first + (basis.count - 1) * n + end])
            labels = self.quantities.channels[name].labels
            label = f"{name} of {labels[start]} at the start and of {labels[end]} at the end"
            found.append(Equation(places, np.array([1.0, -1.0]), 0.0, 0.0, label))
        return found

    def _expect_muscles(self, muscles: Any, tendons: str, dynamics: str, least: float) -> None:
        if not isinstance(muscles, Muscles):
            raise StateError(f"drive_by needs lissom.muscles.Muscles, got {type(muscles).__name__}")
        if self.muscles is not None:
            raise StateError("the problem has muscles already")
        if muscles.robot is not self.robot and full_text(muscles.robot.model) != full_text(self.robot.model):
            raise StateError(
                f"the muscles are those of another robot than {self.robot.name!r}; MotionProblem(muscles.robot, ...)"
            )
        if self.robot.n_elastic or muscles.robot.nq != len(path_names(self.robot)):
            raise StateError(f"robot {self.robot.name!r} has quaternions or motors behind springs, which muscles cannot drive")
        if tendons not in TENDONS:
            raise StateError(f"tendons are {tendons!r}; {suggest(str(tendons), TENDONS)}")
        if dynamics not in DYNAMICS:
            raise StateError(f"dynamics are {dynamics!r}; {suggest(str(dynamics), DYNAMICS)}")
        stiff = [x.name for x in muscles.muscles if not isinstance(x.curves, DeGrooteFregly)]
        if tendons == TENDONS[1] and stiff:
            raise StateError(
                f"muscle {stiff[0]!r} has other curves than DeGrooteFregly, whose tendon can be inverted; use rigid tendons, or "
                "muscles.with_curves(DeGrooteFregly())"
            )
        if isinstance(least, bool) or not isinstance(least, int | float) or not 0.0 < least < 1.0:
            raise StateError(f"least is {least!r}, expected the least activation, above 0 and below 1")

    def _reserves(self, reserves: Mapping[str, float]) -> dict[str, float]:
        names, found = path_names(self.robot), {}
        for name, strength in reserves.items():
            if name not in names or names.index(name) in self.undriven:
                driven = [own for k, own in enumerate(names) if k not in self.undriven]
                raise StateError(f"reserves: no coordinate {name!r} with a drive; {suggest(str(name), driven)}")
            if isinstance(strength, bool) or not isinstance(strength, int | float) or not 0.0 < strength < np.inf:
                raise StateError(f"the reserve of {name!r} is {strength!r}, expected its largest torque, above 0")
            found[name] = float(strength)
        return found

    def _balance_torques(self, found: MuscleQuantities, balanced: bool) -> None:
        """Add the torque that muscles and reserves miss, and the rows that say that it is zero."""
        names = path_names(self.robot)
        which = [k for k in range(len(names)) if k not in self.undriven]
        strength = self._strengths(found)
        for k in which:
            if not strength[k]:
                raise StateError(
                    f"no muscle and no reserve moves {names[k]!r}; give a reserve, reserves={{{names[k]!r}: 100.0}}, or name its "
                    "joint in undriven="
                )
        torque = self.quantities.get("torque")
        total = Total("muscle_balance", torque, self.quantities.get("muscle_torque"), -1.0, self.columns)
        self.quantities = self.quantities.with_makers({total.name: lambda: total})
        self.parts.others.append(total)
        if balanced:
            self._add(total, np.array(which), SHARE * strength[which])

    def _strengths(self, found: MuscleQuantities) -> np.ndarray:
        """Return the largest torques of all muscles and reserves of every coordinate, at some postures [N m or N]."""
        robot = found.muscles.robot
        rng = np.random.default_rng(0)
        q = np.array([robot.neutral(), *(rng.uniform(-0.5, 0.5, robot.nq) + robot.neutral() for _ in range(SAMPLES))])
        arms = np.abs(found.muscles.moment_arms(q)).max(axis=0)
        arms[arms < 1e-9] = 0.0
        strength = np.array([muscle.max_isometric_force for muscle in found.muscles.muscles]) @ arms
        for name, own in found.reserves.items():
            strength[path_names(self.robot).index(name)] += own
        return np.asarray(strength)

    def _equal(self, name: str, scale: float) -> None:
        if name in self.quantities.names:
            quantity = self.quantities.get(name)
            self._add(quantity, np.arange(quantity.size), np.full(quantity.size, scale))

    def _add(self, quantity: Quantity, which: np.ndarray, scale: np.ndarray, upper: float = 0.0) -> None:
        zero = np.zeros(len(which))
        self.parts.limits.append(Limit(quantity, which, zero, zero + upper, scale, knots=True))
