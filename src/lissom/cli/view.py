"""`lissom view`: robots and motions in three dimensions, in a browser or in a file."""

from __future__ import annotations

import contextlib
import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError, StateError
from .files import check_ending
from .motion_file import read_motion
from .outputs import Outputs
from .robot_options import RobotOptions
from .simulate_inputs import numbers_of
from .text import complain, say

if TYPE_CHECKING:
    import numpy as np

    from ..closed import ClosedRobot
    from ..predict import MotionProblem
    from ..robot import Robot
    from ..view.scene.build import SceneMotion
    from ..view.scene.frames import Playable


ROUNDING = 1e-9  # of coordinates at their limits
TURNS = 4 * math.pi  # [rad]: an angle beyond two turns was probably meant in degrees


def view_file(
    file: str,
    motions: Sequence[Path],
    how: RobotOptions,
    q: str | None,
    save: Path | None,
    options: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Show a robot or motions: in a browser until Ctrl-C, or in a file.

    Args:
        file: a robot, a problem or a scenario.
        motions: none, one, or two to compare.
        how: options of the robot.
        q: coordinates of the robot without a motion, separated by commas.
        save: file to write.
        options: of `lissom.view.show.ShowOptions`, and whether to show two motions `over` each other; None where not given.
        outputs: writes the file.
    """
    from ..view.scene.sweep import Sweep
    from ..view.show import FILMS, PAGES, PICTURES, expect_options, motion_scene_of, output_options, show

    if len(motions) > 2:
        raise StateError(f"{len(motions)} motions are given; one is shown, or two are compared")
    if motions and q is not None:
        raise StateError("--q is the pose of a robot without a motion; leave it out, or the motion")
    given: Any = {key: value for key, value in options.items() if value is not None}
    over = given.pop("over", False)
    if over and len(motions) != 2:
        raise StateError(f"--over compares two motions, and {len(motions) or 'none'} {'is' if len(motions) < 2 else 'are'} given")
    if save is not None:
        check_ending(save, (*PAGES, *PICTURES, *FILMS), "--save")
        outputs.check([save], [file, *motions])
    expect_options(given, save)
    subject = open_subject(file, how)
    robot = subject.robot
    if subject.title is not None:
        given.setdefault("title", subject.title)
    names = [path.stem for path in map(Path, motions)]  # motions of one robot differ by their files
    names = names if len(set(names)) == len(names) else [path.name for path in map(Path, motions)]
    named = len(set(names)) == 2
    shown: list[Playable] = [
        Surrounded(walk_of(read_motion(path, robot)), subject.around, name if named else "")
        for path, name in zip(motions, names, strict=True)
    ]
    if len(shown) == 2:
        given["over" if over else "beside"] = shown[1]
    live: tuple[Any, Any] = (None, None)
    if not shown:
        pose = Sweep(robot, subject.q if q is None else numbers_of(q, "--q", robot.nq, robot.n_elastic))
        live, shown = (robot, pose.q[0]), [Surrounded(pose, subject.around)]
        for text in doubts_of(robot, pose.q[0]) if q is not None else ():
            complain(f"warning: --q: {text}")
    elif len(shown) == 1 and _is_prediction(shown[0]):
        given.setdefault("ghosts", 2)  # start and end stay visible, as of Prediction.show
    scene = motion_scene_of(shown[0], given)
    if save is not None:
        outputs.draw(save, lambda path: show(scene, path, **output_options(given)), PAGES[0])
        outputs.finish()
        return
    from ..view.live import serve

    with serve(scene, *live, browser=given.get("browser"), port=given.get("port"), say=_say) as view:
        _say("Ctrl-C ends it")
        with contextlib.suppress(KeyboardInterrupt):  # the usual end
            view.wait()


def walk_of(motion: Playable) -> Playable:
    """Return the walk of a step of a person, whose two steps are shown; another motion as it is."""
    from ..predict import Prediction

    if not isinstance(motion, Prediction) or motion.description.ground is None:
        return motion
    from ..gait.step import gait_of, is_step

    return gait_of(motion) if is_step(motion) else motion


def _is_prediction(shown: Any) -> bool:
    from ..predict import Prediction

    return isinstance(shown.motion, Prediction)


def doubts_of(robot: Robot | ClosedRobot, q: np.ndarray) -> list[str]:
    """Return a sentence for each coordinate (nq,) beyond its range, and for angles that look like degrees."""
    found = []
    limits = robot.limits
    for name, unit, x, low, high in zip(
        robot.coordinate_names, robot.coordinate_units, q, limits.lower, limits.upper, strict=True
    ):
        beyond = [f"is beyond its range {low:.4g} .. {high:.4g}"] if not low - ROUNDING <= x <= high + ROUNDING else []
        turns = [f"looks like degrees ({x:g}deg works)"] if unit == "rad" and abs(x) > TURNS else []
        if beyond or turns:
            found.append(f"{name!r} at {x:g} {unit}".rstrip() + f" {' and '.join(beyond + turns)}")
    return found


@dataclass(frozen=True, eq=False)
class Subject:
    """What FILE names: a robot, at coordinates or None, under a title or None, and around it obstacles and targets."""

    robot: Robot | ClosedRobot
    q: Any = None
    title: str | None = None
    around: Mapping[str, Any] = field(default_factory=dict)


class Surrounded:
    """A motion with the obstacles, targets and wrenches of its problem, or the wrenches of its scenario, where it has none."""

    def __init__(self, motion: Playable, around: Mapping[str, Any], name: str = "") -> None:
        self.motion, self.around, self.name = motion, around, name

    def _scene_span(self) -> tuple[float, float]:
        return self.motion._scene_span()

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        found = self.motion._scene_motion(t)
        found = replace(found, name=self.name or found.name)
        return replace(found, **{key: value for key, value in self.around.items() if not getattr(found, key)})


def open_subject(file: str, how: RobotOptions) -> Subject:
    """Return the robot of a file; of a problem and of a scenario at the start."""
    from ..control.builtin import is_scenario
    from ..predict import builtin_problems
    from ..read.document import is_kind
    from ..read.source import exists

    scenario = is_scenario(file)
    problem = not scenario and (is_kind(file, "motion") or (file in builtin_problems() and not exists(Path(file))))
    if (scenario or problem) and how.given():
        what = "scenario" if scenario else "problem"
        raise StateError(f"{how.given()[0]} needs a robot on the command line; {file} is a {what} and has its own")
    if scenario:
        from ..control import load_scenario

        run = load_scenario(file)
        return Subject(run.robot, run.q0, run.name, {"external": run.external} if run.external else {})  # type: ignore[arg-type]
    if problem:
        from ..predict import load
        from ..predict.problem.description import describe

        found = load(file)
        description = describe(found)
        around = {"obstacles": description.obstacles, "targets": description.targets, "external": description.external}
        return Subject(found.robot, _start_of(found), found.name, around)  # type: ignore[arg-type]
    if Path(file).suffix.lower() in (".npz", ".csv"):
        raise FileError(f"a motion needs its robot: lissom view ROBOT {Path(file).name}", file)
    return Subject(how.open(file))


def _start_of(problem: MotionProblem) -> np.ndarray | None:
    """Return the coordinates of the robot (nq,) where a motion starts, at rest; None where the start is free.

    Ends are columns of the path: a floating base has six of them and seven coordinates, motors behind springs have none.
    """
    import numpy as np

    start = problem.ends.get("start", {}).get("position")
    if start is None:
        return None
    rest = [np.zeros_like(start)] * problem.robot.path_order
    return problem.robot.path_state([start, *rest], external=problem.external)[0]


def layers_of(show: Sequence[str] | None, hide: Sequence[str] | None) -> dict[str, bool] | None:
    """Return the layers of --show and --hide, names separated by commas."""
    found = {key: on for texts, on in ((show, True), (hide, False)) for key in names_of(texts) or ()}
    return found or None


def view_of(text: str | None) -> Any:
    """Return a direction of --view: a name, or two angles [deg]."""
    if text is None or not re.match(r"[-+.\d]", text):
        return text
    return tuple(numbers_of(text, "--view", 2).tolist())


def size_of(text: str | None) -> tuple[int, int] | None:
    """Return width and height of --size, as 800x600."""
    if text is None:
        return None
    from ..view.render.image import LARGEST, SMALLEST

    found = re.fullmatch(r"([0-9]{1,9})\s*[x,]\s*([0-9]{1,9})", text.strip())
    sides = (0, 0) if found is None else (int(found[1]), int(found[2]))
    if not all(SMALLEST <= side <= LARGEST for side in sides):
        limits = f"from {SMALLEST} to {LARGEST} each"
        raise StateError(f"--size must be width and height in pixels, such as 800x600, {limits}, got {text!r:.60}")
    return sides


def names_of(texts: Sequence[str] | None) -> list[str] | None:
    """Return names given in several options, or separated by commas in one; None where there are none."""
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()] or None


def _say(text: str) -> None:
    """Print a line at once: a program that reads it waits for the address."""
    say(text)
    sys.stdout.flush()
