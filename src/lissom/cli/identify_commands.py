"""The commands about parameters, with their options: excite and identify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .json_output import JsonOption
from .robot_options import ForceOption, RobotFile, RobotOptions, with_robot_options

PARAMETERS = "Parameters"
FILTERS = "Filters"
LIMITS = "Limits (the robot's apply, too)"

EstimateOption = Annotated[
    list[str] | None,
    typer.Option(
        "--estimate",
        metavar="NAME,..",
        help="links, rotors, friction, springs, offsets, or patterns such as link_3.*; all but offsets by default.",
        rich_help_panel=PARAMETERS,
    ),
]
KnownOption = Annotated[
    list[str] | None,
    typer.Option("--known", metavar="NAME,..", help="Hold these at the values of the model.", rich_help_panel=PARAMETERS),
]


@with_robot_options
def excite(
    file: RobotFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="CSV", help="Write the motion: t, q_*, qd_*, qdd_*.")],
    how: RobotOptions,
    motion: Annotated[str, typer.Option(help="waves (Fourier series) or splines.")] = "waves",
    duration: Annotated[float, typer.Option(metavar="SECONDS", help="Of one period.")] = 10.0,
    harmonics: Annotated[int, typer.Option(metavar="N", help="Waves per joint.")] = 5,
    control_points: Annotated[int, typer.Option("--control-points", metavar="N", help="Of splines, per joint.")] = 30,
    criterion: Annotated[str, typer.Option(help="determinant (D-optimal) or condition.")] = "determinant",
    estimate: EstimateOption = None,
    known: KnownOption = None,
    velocity: Annotated[float | None, typer.Option(metavar="N", help="Of all joints.", rich_help_panel=LIMITS)] = None,
    acceleration: Annotated[float | None, typer.Option(metavar="N", help="Of all joints.", rich_help_panel=LIMITS)] = None,
    torque: Annotated[float | None, typer.Option(metavar="N", help="Of all joints.", rich_help_panel=LIMITS)] = None,
    share: Annotated[float, typer.Option(metavar="SHARE", help="Share of all limits to use.", rich_help_panel=LIMITS)] = 0.95,
    avoid_self: Annotated[
        bool, typer.Option("--avoid-self", help="Keep links away from each other.", rich_help_panel=LIMITS)
    ] = False,
    start: Annotated[str | None, typer.Option(metavar="N,N,..", help="Where splines begin and end.")] = None,
    starts: Annotated[int, typer.Option(metavar="N", help="Search from N random motions.")] = 2,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the random motions.")] = 0,
    rate: Annotated[float, typer.Option(metavar="N", help="Samples per second of the file.")] = 100.0,
    periods: Annotated[int, typer.Option(metavar="N", help="How often the file repeats the motion.")] = 1,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Find a motion that shows a robot's parameters well, within its limits."""
    from .excite import excite_robot
    from .outputs import Outputs

    limits = {"velocity": velocity, "acceleration": acceleration, "torque": torque}
    shape = {"motion": motion, "duration": duration, "harmonics": harmonics, "control_points": control_points}
    options = {**shape, **limits, "criterion": criterion, "share": share, "starts": starts, "seed": seed}
    excite_robot(
        how.open(file), file, out, options, (estimate, known), start, avoid_self, (rate, periods), Outputs("excite", force, json)
    )


@with_robot_options
def identify(
    file: RobotFile,
    measured: Annotated[
        list[Path],
        typer.Argument(metavar="MEASURED..", help="CSV files: t, q_* and tau_*, named by joint; qd_*, qdd_* if measured."),
    ],
    how: RobotOptions,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Write the robot with what was found (.yaml, .urdf).")
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="HTML", help="Write a page: verdict, curves, residuals, tables.")] = None,
    method: Annotated[str, typer.Option(help="Least squares: ordinary, weighted or robust.")] = "weighted",
    estimate: EstimateOption = None,
    known: KnownOption = None,
    payload: Annotated[
        str | None,
        typer.Option(
            metavar="LINK", help="Find the body that this link carries; the robot is known.", rich_help_panel=PARAMETERS
        ),
    ] = None,
    consistent: Annotated[
        bool,
        typer.Option(
            "--consistent/--no-consistent",
            help="Find bodies that can exist, or only base parameters.",
            rich_help_panel=PARAMETERS,
        ),
    ] = True,
    spread: Annotated[
        float,
        typer.Option(metavar="N", help="Expected deviations from the model, relative to its values.", rich_help_panel=PARAMETERS),
    ] = 10.0,
    filtering: Annotated[
        str, typer.Option("--filter", help="butterworth, spline, or none.", rich_help_panel=FILTERS)
    ] = "butterworth",
    cutoff: Annotated[
        float | None, typer.Option(metavar="HZ", help="Of positions; by default from the motion.", rich_help_panel=FILTERS)
    ] = None,
    torque_cutoff: Annotated[
        float | None, typer.Option("--torque-cutoff", metavar="HZ", help="Of torques; 0 for none.", rich_help_panel=FILTERS)
    ] = None,
    order: Annotated[int, typer.Option(metavar="N", help="Of Butterworth filters.", rich_help_panel=FILTERS)] = 4,
    split: Annotated[
        bool, typer.Option("--split", help="Begin another recording after a gap in time.", rich_help_panel=FILTERS)
    ] = False,
    check_units: Annotated[
        bool,
        typer.Option("--check-units/--no-check-units", help="Compare numbers with what is possible.", rich_help_panel=FILTERS),
    ] = True,
    validate: Annotated[Path | None, typer.Option(metavar="CSV", help="Predict the torques of this motion, too.")] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Find a robot's masses, inertias and friction from measured torques."""
    from .identify import identify_robot
    from .outputs import Outputs

    filters = {"method": filtering, "cutoff": cutoff, "torque_cutoff": torque_cutoff, "order": order}
    reading = {"split": split, "check_units": check_units}
    options = {"method": method, "spread": spread, "consistent": consistent}
    identify_robot(
        how.open(file),
        file,
        [*measured, *([] if validate is None else [validate])],
        validate is not None,
        (out, report),
        (estimate, known, payload),
        options,
        filters,
        reading,
        Outputs("identify", force, json),
    )
