"""Closure of a closed robot, as methods: configurations of its tree that close the loops."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Positions, TreePositions
from ..compiler.run import as_array
from ..errors import SingularityError, StateError
from ..manifold import integrate_configuration
from ..memory import FEWER, check_result
from ..model.show import by_shape
from ..spline.check import integer
from .assembly import advice_of_tolerance, assemble, start_configuration
from .base import ClosedBase, Posture
from .constraints import CLOSED, LARGEST
from .newton import MOST_PIECES, PER_UNIT
from .singular import judge

BRANCH_STARTS = 40
AT_TURN = 1e-4  # where two branches meet a pose is found to half of its digits: margins below this are those of a singular one
FAR = 1e9  # [rad or m] of a coordinate: beyond, nothing closes, and the search takes long


@dataclass(frozen=True, eq=False)
class Followed:
    """A motion of the tree.

    Attributes:
        tree_q: its configurations (T, nq of the tree).
        iterations: steps of Newton's method that each sample took (T,).
    """

    tree_q: np.ndarray
    iterations: np.ndarray
    __repr__ = by_shape


class ClosedKinematics(ClosedBase):
    """Configurations of the tree, from coordinates."""

    def closure(self, q: Positions, *, near: TreePositions | None = None) -> np.ndarray:
        """Return the configuration of the tree that closes the loops at coordinates q.

        Args:
            q: coordinates (..., nq).
            near: a configuration of the tree that closes the loops, (nq of the tree,) or one for each sample, on the branch that
                is wanted; None is `home_tree_q()`. Solutions are followed from there to q, on the same branch.

        Returns:
            (..., nq of the tree).

        Raises:
            StateError: the loops cannot be closed there; the message names the loop and its gap.
        """
        if self._on_card((q, near)):  # type: ignore[attr-defined]
            there: np.ndarray = self._settled(q, near, None)  # type: ignore[attr-defined]
            return there
        target = as_array(q, "q", self.nq, self.name)
        lead = target.shape[:-1]
        check_result(math.prod(lead), self.model.nq + self.nq, f"the closure of {self.name!r}", FEWER)
        target = np.ascontiguousarray(target.reshape(-1, self.nq))
        bad = np.argwhere(~np.isfinite(target))
        if len(bad):
            raise StateError(
                f"q has {target[tuple(bad[0])]} for joint {self.coordinate_names[bad[0][1]]!r}; every input must be finite"
            )
        far = np.argwhere(np.abs(target) > FAR)
        if len(far):
            name = self.coordinate_names[far[0][1]]
            raise StateError(f"q has {target[tuple(far[0])]:g} for joint {name!r}, farther than {FAR:g} [rad or m] from zero")
        found = None
        target = self._coordinates.unit(target)
        if near is None:
            found = self._from_home(None, [self._coordinates.facing(target, self.home())], (self.model.nq,))
            if np.isfinite(found).all():
                self._check_redundant(found)
                return found.reshape(*lead, self.model.nq)
        start = self._assembled if near is None else self._closing(near, "near")
        try:
            start = np.array(np.broadcast_to(start, (*lead, self.model.nq))).reshape(-1, self.model.nq)
        except ValueError:
            raise StateError(f"near has leading axes {start.shape[:-1]}, expected none, or those of q, {lead}") from None
        solved = self._newton().from_home(target, self.coordinates(start), start)
        if not solved.good.all():
            k = int(np.flatnonzero(~solved.good)[0])
            where = f" of sample {tuple(int(i) for i in np.unravel_index(k, lead))}" if lead else ""
            raise self._why_not(target[k], start[k], where)
        self._check_redundant(solved.q)
        return solved.q.reshape(*lead, self.model.nq)

    def _check_redundant(self, q: np.ndarray) -> None:
        """Equations that were left out because others imply them have to hold as well."""
        if self.mobility().redundant:
            error = self.constraints.error(q)
            if error.max(initial=0.0) > max(1e-9 * self.constraints.length, self.constraints.tolerance):
                k = int(error.argmax())
                name, gap = max(self.constraints.by_loop(q[k]).items(), key=lambda item: sum(item[1]))
                worst = float(error.max())
                advice = f"; {advice_of_tolerance(worst)}" if worst < 0.9 * LARGEST * self.constraints.length else ""
                raise StateError(
                    f"loop {name!r} stays open by {gap[0]:.3g} m and {gap[1]:.3g} rad: its redundant equations contradict{advice}"
                )

    def _why_not(self, target: np.ndarray, start: np.ndarray, where: str) -> StateError:
        """Return the error to raise: the loops do not close there, or the pose or the path to it is singular."""
        shown = ", ".join(f"{name} = {x:.6g}" for name, x in zip(self.coordinate_names, target, strict=True))
        try:
            place = self._assemble_at(target, start)
        except StateError as error:
            return StateError(f"at {shown}{where}: {error}")
        found = judge(self.constraints, self.plan, place, AT_TURN)
        if found.kind != "none":
            return SingularityError(f"the pose{where} is singular at {shown}: {found}", found)
        if self._coordinates.way(self.coordinates(start), target) > MOST_PIECES / PER_UNIT:
            return StateError(f"{shown}{where} is too far from home to be followed; give near=, a configuration nearby")
        return StateError(
            f"the path from home to {shown}{where} leads through a singular pose, beyond which the loops close on another "
            "branch; give near=, a configuration on the wanted branch (assemble(q) finds one)"
        )

    def assemble(self, q: Positions | None = None, posture: Posture = None) -> np.ndarray:
        """Return a configuration of the tree (nq of the tree,) that closes the loops, from any start.

        Args:
            q: required coordinates (nq,); None leaves them free.
            posture: where to start: {joint: coordinates}, others at zero, or all coordinates of the tree; None begins at home.
        """
        start = self._assembled if posture is None else start_configuration(self.model, posture)
        if q is None:
            return assemble(self.constraints, start)
        return self._assemble_at(self._one(as_array(q, "q", self.nq, self.name)), start)

    def _assemble_at(self, target: np.ndarray, start: np.ndarray) -> np.ndarray:
        target = self._coordinates.unit(target)
        place = assemble(self.constraints, self._coordinates.put(start, target), self.plan.coordinates)
        if self._coordinates.plain and not self.plan.gaps:
            return place
        # a joint of several axes that is held in some directions only has moved a little along these too, and loops that do not
        # close exactly are closed by least squares here, and by the gaps of home elsewhere
        solved = self._newton().solve(target[None], place[None])
        return solved.q[0] if solved.good[0] else place

    def branches(self, q: Positions, *, starts: int = BRANCH_STARTS, seed: int = 0) -> list[np.ndarray]:
        """Return the different configurations of the tree that close the loops at coordinates q (nq,), as far as they are found.

        Searches from `starts` configurations around home; the branch of home comes first where it reaches q.
        """
        target = self._one(as_array(q, "q", self.nq, self.name))
        starts, rng = integer(starts, "starts", 1), np.random.default_rng(integer(seed, "seed", 0))
        found: list[tuple[np.ndarray, np.ndarray]] = []
        scale = self.constraints.column_units
        for k in range(starts):
            start = self._assembled
            if k:
                start = integrate_configuration(self.model, start, rng.uniform(-1.0, 1.0, self.model.nv) * scale * 2.0)
            try:
                place = self.closure(target) if k == 0 else self._assemble_at(target, start)
            except StateError:
                continue
            poses = self.tree.link_poses(place)
            if all(np.abs(poses - other).max() > 1e-6 for _, other in found):
                found.append((place, poses))
        return [place for place, _ in found]

    def follow(self, q: Positions, *, near: TreePositions | None = None) -> Followed:
        """Return the configurations of the tree along a motion of the coordinates.

        Each sample starts from an extrapolation of the last two, so that the branch is kept and one to three steps of Newton's
        method are enough.

        Args:
            q: coordinates (T, nq), one sample after the other.
            near: a configuration of the tree that closes the loops, near the first sample; None is home.
        """
        target = as_array(q, "q", self.nq, self.name)
        if target.ndim != 2:
            raise StateError(f"a motion has shape (T, {self.nq}), got {target.shape}")
        check_result(len(target), 2 * self.model.nq, f"a motion of {self.name!r}", FEWER)
        newton, target = self._newton(), self._coordinates.unit(target)
        tree_q, iterations = np.empty((len(target), self.model.nq)), np.zeros(len(target), dtype=int)
        for k, wanted in enumerate(target):
            if k == 0:
                tree_q[0] = self.closure(wanted, near=near)
                continue
            start = tree_q[k - 1 : k]
            if k > 1:  # quaternions are brought back to length one by the step
                start = start + (start - tree_q[k - 2 : k - 1])
            solved = newton.solve(wanted[None], start)
            if not solved.good[0]:
                solved = newton.from_home(wanted[None], self.coordinates(tree_q[k - 1 : k]), tree_q[k - 1 : k])
            if not solved.good[0]:
                raise self._why_not(wanted, tree_q[k - 1], f" of sample ({k},)")
            tree_q[k], iterations[k] = solved.q[0], solved.iterations
        self._check_redundant(tree_q)
        return Followed(tree_q, iterations)

    def closure_error(self, tree_q: TreePositions) -> np.ndarray:
        """Return the closure residual of configurations of the tree (...,) [m; angles times a length]."""
        return self.constraints.error(as_array(tree_q, "tree_q", self.model.nq, self.name))

    def is_closed(self, tree_q: TreePositions) -> np.ndarray:
        """Return whether configurations of the tree close the loops (...,)."""
        return self.closure_error(tree_q) <= max(1e3 * CLOSED * self.constraints.length, self.constraints.tolerance)

    def closure_residual(
        self, q: Positions | None = None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the gap of the loops (...,) [m; angles times the length of the robot]; without arguments, at home.

        It is zero but for rounding, unless the model has a closure tolerance.
        """
        at_home = q is None and tree_q is None
        return self.closure_error(self._assembled if at_home else self._tree(q, tree_q, near))
