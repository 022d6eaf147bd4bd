"""The commands and their options; the work is in the modules beside this one."""

from __future__ import annotations

import warnings
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import FileError, ModelWarning
from ..version import VERSION
from .exit_codes import INTERRUPTED
from .group import Commands
from .text import say


class Base(str, Enum):
    """How the base link is held."""

    fixed = "fixed"
    floating = "floating"


HELP = "Robot dynamics: torques and joint loads of a motion, simulation, and optimal motions."

app = typer.Typer(cls=Commands, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=HELP)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"lissom {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Handle the options without a command."""


RobotFile = Annotated[
    str, typer.Argument(metavar="FILE", help="Robot file (.urdf, .xml, .yaml) or built-in robot: robots:stanford.")
]
BaseOption = Annotated[Base, typer.Option(help="Fix the base link to the world, or let it float.")]
MimicOption = Annotated[bool, typer.Option("--mimic/--no-mimic", help="Keep coupled joints coupled, or make them independent.")]
FrictionOption = Annotated[
    bool | None,
    typer.Option("--friction/--no-friction", help="Use the friction given in the file, or leave it out.", show_default=False),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Reject doubtful inertias instead of warning about them.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite existing files.", show_default=False)]
LoopsOption = Annotated[Path | None, typer.Option("--loops", metavar="YAML", help="File with the loops of a URDF robot.")]
ActiveOption = Annotated[
    list[str] | None,
    typer.Option("--active", metavar="JOINT,..", help="Active joints of a closed robot, instead of the file's."),
]
ToleranceOption = Annotated[
    float | None,
    typer.Option(
        "--closure-tolerance", metavar="METERS", help="Accept loops that do not close by up to this distance (rounded lengths)."
    ),
]


@app.command()
def inspect(
    file: RobotFile,
    base: BaseOption = Base.fixed,
    mimic: MimicOption = True,
    friction: FrictionOption = None,
    strict: StrictOption = False,
    loops: LoopsOption = None,
    active: ActiveOption = None,
    closure_tolerance: ToleranceOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Count the operations of all functions; may take a minute.")] = False,
) -> None:
    """Show a robot's links, joints, doubtful inertias and operation counts."""
    from .inspect import inspect_robot
    from .open import open_robot

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the report lists them
        robot = open_robot(file, base.value, mimic, friction, strict, loops, active, closure_tolerance)
        with_friction = open_robot(file, base.value, mimic, True, strict, loops, active, closure_tolerance)
        inspect_robot(robot, with_friction.model, everything)


@app.command()
def torque(
    file: RobotFile,
    trajectory: Annotated[
        Path, typer.Argument(metavar="TRAJECTORY", help="CSV with columns t, q_*, qd_* and qdd_*, named by joint.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Write the joint torques to this file (.csv, .npz).")],
    plot: Annotated[Path | None, typer.Option(help="Plot the joint torques into this file (.png, .svg, .pdf).")] = None,
    wrenches: Annotated[bool, typer.Option("--wrenches", help="Add the reaction force and moment of every joint.")] = False,
    differentiate: Annotated[
        bool, typer.Option("--differentiate", help="Derive missing qd and qdd from q by cubic splines.")
    ] = False,
    base: BaseOption = Base.fixed,
    mimic: MimicOption = True,
    friction: FrictionOption = None,
    strict: StrictOption = False,
    loops: LoopsOption = None,
    active: ActiveOption = None,
    closure_tolerance: ToleranceOption = None,
    force: ForceOption = False,
) -> None:
    """Compute the joint torques [N m or N] of a motion."""
    from .open import open_robot
    from .outputs import Outputs
    from .torque import torque_of_trajectory

    robot = open_robot(file, base.value, mimic, friction, strict, loops, active, closure_tolerance)
    torque_of_trajectory(robot, file, trajectory, out, plot, wrenches, differentiate, Outputs("torque", force))


@app.command()
def simulate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Robot, or scenario (.yaml, or a built-in one: hua_arm).")],
    controller: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="Control the robot FILE with this scenario's controller.")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Simulated time; by default that of the scenario or of --torque.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Write the motion to this file (.csv, .npz).")
    ] = None,
    q0: Annotated[str | None, typer.Option(metavar="N,N,..", help="Initial coordinates; neutral by default.")] = None,
    qd0: Annotated[str | None, typer.Option(metavar="N,N,..", help="Initial velocities; zero by default.")] = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="Initial state from the first line of a CSV: columns q_* and qd_*, named by joint."),
    ] = None,
    torque: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Joint torques: columns t and tau_*, interpolated between lines.")
    ] = None,
    hold: Annotated[
        bool, typer.Option("--hold", help="Hold each line of --torque until the next, without interpolation.")
    ] = False,
    method: Annotated[str | None, typer.Option(help="adaptive (default), implicit (stiff), auto, rk4 or semi_implicit.")] = None,
    dt: Annotated[float | None, typer.Option(metavar="SECONDS", help="Step of rk4 and semi_implicit.")] = None,
    rtol: Annotated[float | None, typer.Option(metavar="N", help="Relative tolerance; 1e-12 by default, implicit 1e-6.")] = None,
    atol: Annotated[float | None, typer.Option(metavar="N", help="Absolute tolerance; 1e-14 by default, implicit 1e-5.")] = None,
    sample: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time between written states.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Plot the coordinates; with a controller, also torques and springs (.png, .svg, .pdf).")
    ] = None,
    base: BaseOption = Base.fixed,
    mimic: MimicOption = True,
    friction: FrictionOption = None,
    strict: StrictOption = False,
    loops: LoopsOption = None,
    active: ActiveOption = None,
    closure_tolerance: ToleranceOption = None,
    force: ForceOption = False,
) -> None:
    """Compute the motion under given joint torques or a controller."""
    from .open import open_robot
    from .outputs import Outputs
    from .scenario import choose_scenario, simulate_scenario
    from .simulate import simulate_robot

    outputs = Outputs("simulate", force)
    options = {"duration": duration, "method": method, "dt": dt, "rtol": rtol, "atol": atol, "sample": sample}
    of_robot = {"--base": base is not Base.fixed, "--no-mimic": not mimic, "--friction": friction is not None, "--strict": strict}
    of_robot |= {"--loops": loops is not None, "--active": bool(active), "--closure-tolerance": closure_tolerance is not None}
    scenario = choose_scenario(file, controller, of_robot)
    robot = None if scenario == file else open_robot(file, base.value, mimic, friction, strict, loops, active, closure_tolerance)
    if scenario is not None:
        taken = {"--q0": q0, "--qd0": qd0, "--state": state, "--torque": torque, "--hold": hold}
        simulate_scenario(scenario, robot, [file], taken, out, plot, outputs, **options)
    else:
        assert robot is not None
        simulate_robot(robot, file, out, state, q0, qd0, torque, hold, plot, outputs, **options)


@app.command()
def predict(
    problem: Annotated[
        str | None, typer.Argument(metavar="PROBLEM", help="Problem file (.yaml), or the name of a built-in problem.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Write the motion to this file (.npz, .csv).")
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="HTML", help="Write a self-contained report.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Plot torques and motion (.png, .svg, .pdf).")] = None,
    animate: Annotated[Path | None, typer.Option(metavar="GIF", help="Write an animation of the robot (.gif).")] = None,
    refine: Annotated[
        bool | None, typer.Option("--refine/--no-refine", help="Double the knots until the objective settles.")
    ] = None,
    starts: Annotated[int | None, typer.Option(metavar="N", help="Search from N initial guesses.")] = None,
    limit_tolerance: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Allowed violation of a limit, relative to its scale (0.001).")
    ] = None,
    start: Annotated[Path | None, typer.Option(metavar="NPZ", help="Start from a motion written with -o.")] = None,
    robot: Annotated[str | None, typer.Option(metavar="FILE", help="Use this robot instead of the problem's.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the built-in problems.")] = False,
    force: ForceOption = False,
) -> None:
    """Find the optimal motion of a robot within limits."""
    from .outputs import Outputs
    from .predict import list_problems, predict_motion

    if listing:
        list_problems()
        return
    if problem is None:
        raise FileError("no problem given; expected a .yaml file, or a name from `lissom predict --list`")
    targets = {"out": out, "report": report, "plot": plot, "animate": animate}
    settings = {"refine": refine, "starts": starts, "limit_tolerance": limit_tolerance}
    predict_motion(problem, robot, targets, start, settings, Outputs("predict", force))


@app.command()
def convert(
    file: RobotFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its ending (.yaml, .urdf) selects the format.")],
    base: BaseOption = Base.fixed,
    mimic: MimicOption = True,
    friction: FrictionOption = None,
    strict: StrictOption = False,
    loops: LoopsOption = None,
    active: ActiveOption = None,
    closure_tolerance: ToleranceOption = None,
    lossy: Annotated[bool, typer.Option("--lossy", help="Drop what the format cannot express instead of failing.")] = False,
    force: ForceOption = False,
) -> None:
    """Write a robot in another format."""
    from .convert import convert_robot
    from .open import open_robot
    from .outputs import Outputs

    outputs = Outputs("convert", force)
    outputs.check([out], [file])
    robot = open_robot(file, base.value, mimic, friction, strict, loops, active, closure_tolerance)
    convert_robot(robot, file, out, lossy, outputs)


@app.command()
def bench(file: RobotFile = "robots:stanford") -> None:
    """Time a robot's inverse dynamics on this machine, beside Pinocchio where it is installed."""
    from .bench import report
    from .console import make_console

    report(file, make_console())


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled programs.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Print only the folder.")] = False,
) -> None:
    """Show or clear the compiled programs kept on disk."""
    from .cache import show_cache

    show_cache(clear, path)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("out"),
    force: ForceOption = False,
) -> None:
    """Show torques and joint loads of a given motion, and the fastest motions of two arms."""
    from .demo import run_demo
    from .outputs import Outputs

    run_demo(out, Outputs("demo", force))


def main() -> None:
    """Run the command line."""
    try:
        app()
    except KeyboardInterrupt:  # before a command has begun; commands handle it themselves
        raise SystemExit(INTERRUPTED) from None
