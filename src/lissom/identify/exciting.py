"""Excite: motions that show parameters best, within limits.

Sums of waves or splines, with the largest determinant of the information (D-optimal) or the smallest condition number
(`information.py`), found by the prediction engine within limits of positions, velocities, torques, distances, or any other
quantity of a `MotionProblem`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..closed import ClosedRobot
from ..errors import IdentificationError, StateError, suggest
from ..nlp import Iterate
from ..predict import MotionProblem
from ..predict.problem.model_limits import model_bounds
from ..robot import Robot
from ..spline.basis import Basis
from .excitation import Excitation
from .information import Information
from .rows import Rows
from .search import Search
from .selection import USUAL, select
from .shapes import DEGREE, Splines, Waves

MOTIONS = ("waves", "splines")
TOLERANCE = 1e-4  # of the conditions of optimality
SLOW = 0.05  # of a usual velocity, over which friction changes its sign
REGULAR = 0.3  # least regularity of closed robots: near singular poses torques say more of errors of geometry than of parameters
DRAWN = 30  # random motions, of which the best one is where a search begins
BEGIN = 0.3  # of limits, up to which motions go at first
Bound = float | Mapping[str, float] | Sequence[float] | None


def excite(
    robot: Robot | ClosedRobot,
    *,
    motion: str = "waves",
    duration: float = 10.0,
    harmonics: int = 5,
    control_points: int = 30,
    criterion: str = "determinant",
    estimate: Sequence[str] | str = USUAL,
    known: Sequence[str] | str = (),
    velocity: Bound = None,
    acceleration: Bound = None,
    torque: Bound = None,
    share: float = 0.95,
    limit: Callable[[MotionProblem], object] | None = None,
    noise: float | Sequence[float] | None = None,
    start: Sequence[float] | None = None,
    starts: int = 2,
    seed: int = 0,
    iterations: int = 150,
    progress: Callable[[Iterate], object] | None = None,
) -> Excitation:
    """Return a motion that shows the parameters of a robot well; it begins and ends at rest, in one place, and can be repeated.

    Args:
        robot: a Robot or ClosedRobot, whose joints have one coordinate each and a drive.
        motion: "waves", sums of sines and cosines (Fourier series), or "splines".
        duration: of one period [s]. The shortest wave is `duration / harmonics` long.
        harmonics: number of waves per joint, two or more.
        control_points: of splines, per joint.
        criterion: "determinant" of the information (D-optimal), or "condition" number, with columns of equal length.
        estimate, known: the parameters, as in `identify`.
        velocity, acceleration, torque: further limits, beside those of the model: a number for all, one each, or by name.
        share: of the limits, that is used.
        limit: a function that adds limits to the `MotionProblem`: `lambda problem: problem.avoid_self()`.
        noise: of the torques [N m or N], one for all or one each; None takes a share of each one's limit, or the same for all.
        start: coordinates where splines begin and end; None for the middle of the ranges.
        starts: number of searches, from random motions; the best one is taken.
        seed: of these.
        iterations: of the solver, at most, in each search.
        progress: called with an `Iterate` of the solver at each of them.

    Raises:
        IdentificationError: no motion was found within the limits, or nothing limits a joint.
        MissingExtraError: the solver is missing; it comes with the extra `predict`.
    """
    _check(robot, motion, starts, share, harmonics)
    rows = Rows(robot, select(robot, estimate, known))
    base = rows.base_parameters()
    shape: Waves | Splines
    if motion == "waves":
        shape = Waves(int(harmonics), float(duration))
    else:
        shape = Splines(Basis(control_points, DEGREE), float(duration))
    basis, A = shape.control_points()
    problem = MotionProblem(robot, control_points=basis.count, degree=DEGREE, duration=float(duration), points_per_span=4)
    most = _limited(problem, share, {"velocity": velocity, "acceleration": acceleration, "torque": torque}, motion == "splines")
    middle = _middle(robot, start)
    if motion == "splines":
        problem.start(middle, 0.0, 0.0).end(middle, 0.0, 0.0)
    if rows.closed:
        problem.limit("regularity", lower=REGULAR)
    if limit is not None:
        limit(problem)
    information = Information(rows, base, _noise(most["torque"], noise, rows), criterion, _slow(most["velocity"]))
    search, rng = Search(problem, shape, A, information), np.random.default_rng(seed)
    best, tries = None, []
    for _ in range(starts):
        drawn = [_first(shape, rng, middle, most) for _ in range(1 if rows.closed else DRAWN)]
        tries.append(search.solve(min(drawn, key=search.value), iterations, TOLERANCE, progress))
        if tries[-1].usable and (best is None or tries[-1].value < best.value):
            best = tries[-1]
    if best is None:
        least = min(tries, key=lambda found: found.missed)
        raise IdentificationError(
            f"no motion was found that keeps the limits: the best one misses them by {100.0 * least.missed:.2g} % of their size. "
            f"{least.message} More starts, a longer duration, fewer harmonics or a smaller share of the limits may help"
        )
    return Excitation(robot, shape, best.z, criterion, base, rows, information, best.missed)


def _check(robot: Any, motion: str, starts: int, share: float, harmonics: int) -> None:
    if motion not in MOTIONS:
        raise StateError(f"no motion {motion!r}; {suggest(str(motion), MOTIONS)}")
    if isinstance(starts, bool) or not isinstance(starts, int) or starts < 1:
        raise StateError(f"starts must be a whole number of 1 or more, got {starts!r}")
    if not 0.0 < share <= 1.0:
        raise StateError(f"share must be more than 0 and 1 at most, got {share!r}")
    if isinstance(harmonics, bool) or not isinstance(harmonics, int) or not 2 <= harmonics <= 50:
        raise StateError(f"harmonics must be a whole number from 2 to 50, got {harmonics!r}")
    if tuple(robot.path_columns) != tuple(robot.coordinate_names) or robot.n_elastic:
        why = "motors behind springs" if robot.n_elastic else "a joint of several coordinates, or a floating base"
        raise IdentificationError(
            f"robot {robot.name!r} has {why}; exciting motions are for joints of one coordinate with a drive each: lock other "
            "joints (robot.locked), or give identify a motion of your own"
        )


def _limited(problem: MotionProblem, share: float, given: Mapping[str, Bound], hull: bool) -> dict[str, np.ndarray]:
    """Add limits of the model and those given to a problem; return their sizes (n,), infinite without, for first motions.

    `hull` bounds control points, which are those of the motion itself where it is a spline: then limits hold at all times.
    """
    robot, most = problem.robot, {}
    names = {"velocity": robot.path_columns, "acceleration": robot.path_columns, "torque": robot.torque_names}
    for quantity, labels in names.items():
        size = _sizes(quantity, given[quantity], labels)
        if quantity != "acceleration":
            _, _, own = model_bounds(robot, quantity, problem.undriven)
            size = np.minimum(size, [own.get(name, np.inf) for name in labels])
        most[quantity] = share * size
        high = {name: x for name, x in zip(labels, most[quantity].tolist(), strict=True) if np.isfinite(x)}
        if high:
            low = {name: -x for name, x in high.items()}
            problem.limit(quantity, low, high, entries=list(high), hull=hull and quantity != "torque")
    which, low, high = model_bounds(robot, "position", problem.undriven)
    half = {name: (high[name] - low[name]) / 2.0 for name in which if np.isfinite(high[name] - low[name])}
    if half:
        cut = {name: (1.0 - share) * x for name, x in half.items()}
        bounds = {k: low[k] + x for k, x in cut.items()}, {k: high[k] - x for k, x in cut.items()}
        problem.limit("position", *bounds, entries=list(half), hull=hull)
    most["position"] = share * np.array([half.get(name, np.inf) for name in robot.path_columns])
    loose = [
        name
        for name, x, v in zip(robot.path_columns, most["position"], most["velocity"], strict=True)
        if not np.isfinite(x) and not np.isfinite(v)
    ]
    if loose:
        raise IdentificationError(
            f"nothing limits joint{'s' if len(loose) > 1 else ''} {', '.join(loose)}: the faster, the more a motion shows; "
            "limit the velocity: velocity=2.0, for example [rad/s or m/s]"
        )
    return most


def _sizes(name: str, given: Bound, labels: Sequence[str]) -> np.ndarray:
    if given is None:
        return np.full(len(labels), np.inf)
    if isinstance(given, Mapping):
        for label in given:
            if label not in labels:
                raise StateError(f"{name}: no entry is called {label!r}; {suggest(str(label), labels)}")
        given = [given.get(label, np.inf) for label in labels]
    try:
        found = np.broadcast_to(np.asarray(given, dtype=float), (len(labels),))
    except (TypeError, ValueError):
        raise StateError(f"{name} is {given!r}, expected a number, or one for each of {', '.join(labels)}") from None
    if not (found > 0).all():
        raise StateError(f"{name} must be positive, got {given!r}")
    return found.copy()


def _middle(robot: Any, start: Sequence[float] | None) -> np.ndarray:
    home = np.asarray(robot.home() if hasattr(robot, "home") else robot.neutral(), dtype=float)
    if start is not None:
        given = np.asarray(start, dtype=float)
        if given.shape != home.shape or not np.isfinite(given).all():
            raise StateError(f"start is {start!r}, expected {len(home)} numbers: {', '.join(robot.coordinate_names)}")
        return given
    limits = robot.limits
    with np.errstate(invalid="ignore"):
        middle = (limits.lower + limits.upper) / 2.0
    return np.where(np.isfinite(middle), middle, home) if middle.shape == home.shape else home


def _noise(torque: np.ndarray, noise: Any, rows: Rows) -> np.ndarray:
    n = len(rows.names)
    if noise is not None:
        found = np.broadcast_to(np.asarray(noise, dtype=float), (n,)).copy()
        if not (np.isfinite(found) & (found > 0)).all():
            raise StateError(f"noise must be positive, got {noise!r}")
        return found
    return torque / torque.max() if len(torque) == n and np.isfinite(torque).all() else np.ones(n)


def _slow(velocity: np.ndarray) -> float:
    known = velocity[np.isfinite(velocity)]
    return SLOW * float(np.median(known)) if len(known) else SLOW


def _first(shape: Waves | Splines, rng: np.random.Generator, middle: np.ndarray, most: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return a random motion (count, n) about the middle, within a part of the limits of positions and velocities."""
    n = len(middle)
    z = rng.normal(size=(shape.count, n))
    t = np.linspace(0.0, shape.duration, 200)
    x, v, _ = shape.matrices(t)
    if isinstance(shape, Waves):
        k = np.arange(2, shape.harmonics + 1)[:, None]
        z[1:] /= np.vstack([k**2, k**3])
        z[0] = 0.0
        z[0] = -(x @ z).mean(axis=0)
    else:
        z[:3] = z[-3:] = 0.0
    with np.errstate(divide="ignore"):
        reach = np.minimum(most["position"] / np.abs(x @ z).max(axis=0), most["velocity"] / np.abs(v @ z).max(axis=0))
    z *= BEGIN * reach
    if isinstance(shape, Waves):
        z[0] += middle
    else:
        z += middle
    return z
