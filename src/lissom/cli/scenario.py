"""`lissom simulate` with a controller: run a scenario, report the motion and the tracking errors."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, StateError
from ..simulate import Status
from .console import make_console, make_table
from .outputs import Outputs
from .reports import scenario_report
from .simulate import check_targets, ending, run_and_save
from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from ..closed import ClosedRobot
    from ..control import Scenario, Tracking
    from ..robot import Robot
    from ..simulate import Trajectory

RISE = 0.01  # share of its largest value by which V has to rise to be reported: more than integration errors cause


def choose_scenario(file: str, controller: str | None, of_robot: list[str]) -> str | None:
    """Return the scenario that a command line names: FILE itself, --controller beside a robot FILE, or None.

    Args:
        file, controller: arguments of the command line.
        of_robot: options for robots that are given; they do not apply to a scenario's own robot.
    """
    from ..control.builtin import is_scenario

    own = is_scenario(file)
    if controller is None:
        if own and of_robot:
            raise StateError(f"{of_robot[0]} needs a robot on the command line: lissom simulate ROBOT --controller {file}")
        return file if own else None
    if own:
        raise StateError(f"{file} is a scenario, and --controller names another; give a robot instead of {file}")
    from ..control.read_controller import CONTROLLERS

    if controller in CONTROLLERS:
        raise FileError(
            f"--controller expects a scenario file with the gains and reference of {controller!r}, got the name of a controller; "
            "hua_arm is a built-in scenario"
        )
    return controller


def simulate_scenario(
    file: str,
    robot: Robot | ClosedRobot | None,
    sources: list[str],
    taken: dict[str, Any],
    out: Path | None,
    plot: Path | None,
    report: Path | None,
    outputs: Outputs,
    **options: Any,
) -> None:
    """Run a scenario, write, plot and report the motion if asked, and print assumptions and tracking errors.

    Args:
        file: the scenario.
        robot: replaces the scenario's robot, or None.
        sources: further input files, not to be overwritten.
        taken: options of the command line that a scenario sets itself, by name; none may have a value.
        out, plot, report: files to write.
        outputs: writes them.
        options: of `Robot.simulate`, replacing the scenario's; None keeps the scenario's.
    """
    from ..control import load_scenario

    for name, value in taken.items():
        if value:
            raise StateError(f"{name} is set by the scenario; change it in {file}, or leave {name} out")
    scenario = load_scenario(file, robot)
    check_targets(outputs, out, plot, report, [*scenario.sources, *sources])
    trajectory = run_and_save(partial(scenario.run, **options), out, Path(file.split(":")[-1]).stem, outputs)
    tracking = scenario.tracking(trajectory) if len(trajectory) else None
    if tracking is not None and plot is not None:
        outputs.draw(plot, tracking.plot, ".png")
    if tracking is not None and report is not None:
        outputs.draw(report, partial(scenario.report, trajectory), ".html")
    if outputs.as_json:
        outputs.report = scenario_report(scenario, trajectory, tracking)
    else:
        console = make_console()
        _print_scenario(console, scenario, trajectory, scenario.settings(**options))
        if tracking is not None:
            print_tracking(console, tracking)
            _print_lyapunov(console, scenario, tracking)
    outputs.finish(ending(trajectory))


def print_tracking(console: Console, tracking: Tracking) -> None:
    """Print errors, torques and deflections of every joint, and torques beyond their limits."""
    limited = bool(np.isfinite(tracking.limits).any())
    headings = ["joint", "RMS error", "largest", "at [s]", "unit", "largest torque", *["limit"] * limited, "unit "]
    headings += ["largest deflection", "unit  "] if tracking.drives else []
    table = make_table("\nTracking", *headings, numbers=tuple(h for h in headings[1:] if not h.startswith("unit")))
    over = []
    for k, name in enumerate(tracking.joints):
        error, torque = np.abs(tracking.errors[:, k]), np.abs(tracking.torques[:, k])
        unit, force, limit = tracking.units[k], tracking.torque_units[k], tracking.limits[k]
        row = [name, f"{tracking.rms[k]:.4g}", f"{error.max():.4g}", f"{tracking.t[error.argmax()]:.4g}", unit]
        row += [f"{torque.max():.4g}", *[f"{limit:g}" if np.isfinite(limit) else ""] * limited, force]
        springs = [tracking.deflections[:, e] for e, joint in enumerate(tracking.drives) if joint == k]
        row += [f"{np.abs(springs).max():.4g}", unit] if springs else [""] * (2 * bool(tracking.drives))
        table.add_row(*row)
        if torque.max() > limit:
            first = tracking.t[int(np.argmax(torque > limit))]
            over.append(f"{one_line(name)} (first at {first:.4g} s)")
    console.print(table)
    if over:
        console.print(f"torque limit exceeded: {', '.join(over)}; limits do not saturate torques")


def _print_scenario(console: Console, scenario: Scenario, trajectory: Trajectory, settings: dict[str, Any]) -> None:
    """Print the run: assumptions, method, controller, gains and stability."""
    from ..control.summary import gains_of, stability

    last = trajectory.end.t if len(trajectory) else 0.0
    what = f"{one_line(scenario.name)}: {one_line(scenario.robot.name)}"
    console.print(f"{what}, {last:g} s, {len(trajectory)} samples, {trajectory.status.value}")
    for line in scenario.assumed:
        console.print(f"assumed: {line}")
    why = f": {trajectory.choice}" if trajectory.choice else ""
    console.print(f"method {trajectory.method}{why}")
    console.print(f"{type(scenario.controller).__name__}, to {scenario.task}")
    bounded = trajectory.status in (Status.FINISHED, Status.INTERRUPTED)  # no inertia where the motion diverged
    console.print(stability(scenario.controller, trajectory.q if bounded else None))
    every = settings.get("hold") or settings.get("dt")
    doubts = [f"it is evaluated every {every:g} s, and its torques are held"] if every else []
    doubts += [f"it ignores the wrench on {link}" for link in scenario.unknown]
    if doubts:
        console.print(f"this does not cover the present case: {', '.join(doubts)}")
    gains = gains_of(scenario.controller)
    table = make_table("\nGains", "joint", *gains, numbers=tuple(gains))
    for name, *row in zip(scenario.robot.joint_names, *gains.values(), strict=False):
        table.add_row(name, *row)
    console.print(table)


def _print_lyapunov(console: Console, scenario: Scenario, tracking: Tracking) -> None:
    from ..control import MixedControl, PDGravity

    V = tracking.lyapunov
    if V is None:
        console.print("Lyapunov function: none for this case")
        return
    unit = " J" if isinstance(scenario.controller, MixedControl | PDGravity) else ""
    text = f"Lyapunov function: {V[0]:.4g}{unit} at the start, {V[-1]:.4g}{unit} at the end"
    rise = V - np.minimum.accumulate(V)
    if rise.max() > RISE * V.max():
        text += f"; it rises in between, by up to {rise.max():.3g}{unit}"
    console.print(text)
