"""The commands about motions, with their options: torque, simulate and predict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import FileError
from .json_output import JsonOption
from .robot_options import ForceOption, RobotFile, RobotOptions, with_robot_options

WALK = "Walking and running (lissom predict gait, lissom predict run)"


@with_robot_options
def torque(
    file: RobotFile,
    trajectory: Annotated[
        Path, typer.Argument(metavar="TRAJECTORY", help="CSV with columns t, q_*, qd_* and qdd_*, named by joint.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Write the joint torques to this file (.csv, .npz).")],
    how: RobotOptions,
    plot: Annotated[Path | None, typer.Option(help="Plot the joint torques into this file (.png, .svg, .pdf).")] = None,
    wrenches: Annotated[bool, typer.Option("--wrenches", help="Add the reaction force and moment of every joint.")] = False,
    differentiate: Annotated[
        bool, typer.Option("--differentiate", help="Derive missing qd and qdd from q by cubic splines.")
    ] = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Compute the joint torques [N m or N] of a motion."""
    from .outputs import Outputs
    from .torque import torque_of_trajectory

    robot = how.open(file)
    torque_of_trajectory(robot, file, trajectory, out, plot, wrenches, differentiate, Outputs("torque", force, json))


@with_robot_options
def simulate(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Robot or scenario: a file, or a built-in one (`lissom scenarios`)."),
    ],
    how: RobotOptions,
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
    report: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Write a page: verdict, 3-D player, interactive curves, tables.")
    ] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Compute the motion under given joint torques or a controller."""
    from .outputs import Outputs
    from .scenario import choose_scenario, simulate_scenario
    from .simulate import simulate_robot

    outputs = Outputs("simulate", force, json)
    options = {"duration": duration, "method": method, "dt": dt, "rtol": rtol, "atol": atol, "sample": sample}
    scenario = choose_scenario(file, controller, how.given())
    robot = None if scenario == file else how.open(file)
    if scenario is not None:
        taken = {"--q0": q0, "--qd0": qd0, "--state": state, "--torque": torque, "--hold": hold}
        simulate_scenario(scenario, robot, [file], taken, out, plot, report, outputs, **options)
    else:
        assert robot is not None
        simulate_robot(robot, file, out, state, q0, qd0, torque, hold, plot, report, outputs, **options)


def predict(
    problem: Annotated[
        str | None,
        typer.Argument(
            metavar="PROBLEM",
            help="Problem file (.yaml), a built-in problem (`lissom problems`), gait: how a person walks, or run: how one runs.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Write the motion to this file (.npz, .csv).")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Write a page: verdict, 3-D player, curves, tables.")
    ] = None,
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
    listing: Annotated[bool, typer.Option("--list", help="List the built-in problems, as `lissom problems` does.")] = False,
    speed: Annotated[float | None, typer.Option(metavar="M/S", help="Speed (1.3; of a run, 3).", rich_help_panel=WALK)] = None,
    step_length: Annotated[
        float | None, typer.Option(metavar="M", help="Length of a step; by default, usual at this speed.", rich_help_panel=WALK)
    ] = None,
    stature: Annotated[float | None, typer.Option(metavar="M", help="Of the person (1.75).", rich_help_panel=WALK)] = None,
    mass: Annotated[float | None, typer.Option(metavar="KG", help="Of the person (75).", rich_help_panel=WALK)] = None,
    sex: Annotated[str | None, typer.Option(help="male (default) or female.", rich_help_panel=WALK)] = None,
    age: Annotated[float | None, typer.Option(metavar="YEARS", help="Strength falls with it.", rich_help_panel=WALK)] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="NAME=VALUE",
            help="What differs (gait only): slope=0.1, stairs=[0.17,0.29], phases=free, backpack=20, "
            "'weakness={left_ankle: 0.5}', ...",
            rich_help_panel=WALK,
        ),
    ] = None,
    norm: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Measured curves to compare with.", rich_help_panel=WALK)
    ] = None,
    cycle: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Write curves over the gait cycle.", rich_help_panel=WALK)
    ] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Find the optimal motion of a robot within limits, or how a person walks or runs."""
    from .gait import NAMES, predict_gait
    from .lists import list_problems
    from .outputs import Outputs
    from .predict import predict_motion

    if listing:
        list_problems(json)
        return
    if problem is None:
        raise FileError("no problem given; expected a .yaml file, or a name from `lissom problems`")
    targets = {"out": out, "report": report, "plot": plot, "animate": animate}
    walk: dict[str, Any] = {"speed": speed, "step_length": step_length, "stature": stature, "mass": mass, "sex": sex, "age": age}
    of_solver = {"--refine": refine, "--starts": starts, "--limit-tolerance": limit_tolerance, "--start": start, "--robot": robot}
    if problem in NAMES:
        refuse(of_solver, f"does not go with {problem}")
        predict_gait(problem, {**targets, "cycle": cycle}, norm, walk, change or [], Outputs("predict", force, json))
        return
    of_walk = {f"--{name.replace('_', '-')}": x for name, x in walk.items()} | {"--norm": norm, "--cycle": cycle}
    refuse(of_walk, f"goes with {' and '.join(NAMES)} only")
    refuse({"--with": change or None}, "goes with gait only")
    settings = {"refine": refine, "starts": starts, "limit_tolerance": limit_tolerance}
    predict_motion(problem, robot, targets, start, settings, Outputs("predict", force, json))


def refuse(options: dict[str, Any], why: str) -> None:
    """Raise a FileError for options that are given where they mean nothing."""
    for name, value in options.items():
        if value is not None:
            raise FileError(f"{name} {why}")
