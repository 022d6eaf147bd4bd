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


HELP = "lissom: what torques does a motion need, what does each joint bear, and which motion is the best?"

app = typer.Typer(cls=Commands, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=HELP)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"lissom {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that need no command."""


RobotFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A robot (.urdf, .xml, .yaml) or a built-in one: robots:stanford.")
]
BaseOption = Annotated[Base, typer.Option(help="Bolt the base link to the ground, or let it float.")]
MimicOption = Annotated[bool, typer.Option("--mimic/--no-mimic", help="Keep coupled joints coupled, or set each free.")]
FrictionOption = Annotated[
    bool | None,
    typer.Option("--friction/--no-friction", help="Use the friction given in the file, or leave it out.", show_default=False),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Refuse doubtful inertias instead of warning about them.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite files that exist, whoever wrote them.", show_default=False)]
LoopsOption = Annotated[Path | None, typer.Option("--loops", metavar="YAML", help="Loops of a URDF, in a file of their own.")]
ActiveOption = Annotated[
    list[str] | None,
    typer.Option("--active", metavar="JOINT,..", help="Driven joints of a closed robot, instead of the file's."),
]
ToleranceOption = Annotated[
    float | None,
    typer.Option("--closure-tolerance", metavar="METERS", help="Accept loops that stay open by so much (rounded lengths)."),
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
    """Show what a robot is made of: links, joints, doubts about its inertias, and what its equations cost."""
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
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Write the joint torques here (.csv, .npz).")],
    plot: Annotated[Path | None, typer.Option(help="Draw the joint torques into this file (.png, .svg, .pdf).")] = None,
    wrenches: Annotated[bool, typer.Option("--wrenches", help="Add force and moment in every joint.")] = False,
    differentiate: Annotated[
        bool, typer.Option("--differentiate", help="Get missing qd and qdd from q by cubic splines.")
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
    """Compute the joint torques [N m or N] that a motion needs."""
    from .open import open_robot
    from .outputs import Outputs
    from .torque import torque_of_trajectory

    robot = open_robot(file, base.value, mimic, friction, strict, loops, active, closure_tolerance)
    torque_of_trajectory(robot, file, trajectory, out, plot, wrenches, differentiate, Outputs("torque", force))


@app.command()
def simulate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A robot, or a scenario (.yaml, or a built-in one: hua_arm).")],
    controller: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="Let this scenario's controller drive the robot FILE.")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long to simulate; scenarios and --torque know.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="OUT", help="Write the motion here (.csv, .npz).")] = None,
    q0: Annotated[str | None, typer.Option(metavar="N,N,..", help="Coordinates at the start; neutral by default.")] = None,
    qd0: Annotated[str | None, typer.Option(metavar="N,N,..", help="Velocities at the start; zero by default.")] = None,
    state: Annotated[
        Path | None, typer.Option(metavar="CSV", help="First state instead: the first line, columns q_* and qd_* named by joint.")
    ] = None,
    torque: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Joint torques: columns t and tau_*, interpolated between lines.")
    ] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Hold each line of --torque until the next, in steps.")] = False,
    method: Annotated[str | None, typer.Option(help="adaptive (default), implicit (stiff), auto, rk4 or semi_implicit.")] = None,
    dt: Annotated[float | None, typer.Option(metavar="SECONDS", help="Step of rk4 and semi_implicit.")] = None,
    rtol: Annotated[float | None, typer.Option(metavar="N", help="Relative tolerance; 1e-12 by default, implicit 1e-6.")] = None,
    atol: Annotated[float | None, typer.Option(metavar="N", help="Absolute tolerance; 1e-14 by default, implicit 1e-5.")] = None,
    sample: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time between written states.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw coordinates, under control also torques and springs (.png, .svg, .pdf).")
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
    """Compute the motion that joint torques, or a controller, cause."""
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
        str | None, typer.Argument(metavar="PROBLEM", help="A problem's file (.yaml), or the name of a built-in one.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="OUT", help="Write the motion here (.npz, .csv).")] = None,
    report: Annotated[Path | None, typer.Option(metavar="HTML", help="Write a page that stands alone.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw torques and motion (.png, .svg, .pdf).")] = None,
    animate: Annotated[Path | None, typer.Option(metavar="GIF", help="Write the moving robot as a GIF.")] = None,
    refine: Annotated[bool | None, typer.Option("--refine/--no-refine", help="Double the knots until it settles.")] = None,
    starts: Annotated[int | None, typer.Option(metavar="N", help="Search from so many starts.")] = None,
    limit_tolerance: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Share of its scale by which a limit may be passed (0.001).")
    ] = None,
    start: Annotated[Path | None, typer.Option(metavar="NPZ", help="Go on from a motion that -o wrote.")] = None,
    robot: Annotated[str | None, typer.Option(metavar="FILE", help="Another robot in the place of the problem's.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the built-in problems.")] = False,
    force: ForceOption = False,
) -> None:
    """Find the fastest or gentlest motion of a robot within limits."""
    from .outputs import Outputs
    from .predict import list_problems, predict_motion

    if listing:
        list_problems()
        return
    if problem is None:
        raise FileError("give a problem: a .yaml file, or a name that `lissom predict --list` shows")
    targets = {"out": out, "report": report, "plot": plot, "animate": animate}
    settings = {"refine": refine, "starts": starts, "limit_tolerance": limit_tolerance}
    predict_motion(problem, robot, targets, start, settings, Outputs("predict", force))


@app.command()
def convert(
    file: RobotFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its ending (.yaml, .urdf) says in which format.")],
    base: BaseOption = Base.fixed,
    mimic: MimicOption = True,
    friction: FrictionOption = None,
    strict: StrictOption = False,
    loops: LoopsOption = None,
    active: ActiveOption = None,
    closure_tolerance: ToleranceOption = None,
    lossy: Annotated[bool, typer.Option("--lossy", help="Drop what the format cannot express instead of refusing.")] = False,
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
    """Time this robot's inverse dynamics on this machine, beside Pinocchio where that is installed."""
    from .bench import report
    from .console import make_console

    report(file, make_console())


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled programs.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Print only where they are kept.")] = False,
) -> None:
    """Show or clear the compiled programs kept on disk."""
    from .cache import show_cache

    show_cache(clear, path)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for what is written.")] = Path("out"),
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
    except KeyboardInterrupt:  # before a command has begun, which ends by itself
        raise SystemExit(INTERRUPTED) from None
