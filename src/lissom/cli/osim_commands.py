"""`lissom osim`: OpenSim's steps on its own models and files, with their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .json_output import JsonOption
from .robot_options import ForceOption

app = typer.Typer(
    no_args_is_help=True,
    help="OpenSim's steps on its own models and files.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="An .osim file.")]
MotionFile = Annotated[Path, typer.Argument(metavar="MOTION", help="Coordinates over time (.mot, .sto).")]
TimeOption = Annotated[str | None, typer.Option("--time", metavar="N,N,..", help="First and last time in seconds.")]
FilterOption = Annotated[
    float | None, typer.Option("--filter", metavar="HZ", help="Low-pass filter of the coordinates, as OpenSim's.")
]


@app.command()
def info(model: ModelFile, json: JsonOption = False) -> None:
    """Show a model's coordinates, bodies, markers and muscles."""
    from .osim import show_model

    show_model(model, json)


@app.command("id")
def inverse_dynamics(
    model: Annotated[Path | None, typer.Argument(metavar="[MODEL]", help="An .osim file; else the setup's.")] = None,
    motion: Annotated[Path | None, typer.Argument(metavar="[MOTION]", help="Coordinates (.mot, .sto); else the setup's.")] = None,
    setup: Annotated[Path | None, typer.Option("--setup", metavar="XML", help="A setup of InverseDynamicsTool.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="STO", help="Write the torques (.sto, .mot).")] = None,
    loads: Annotated[Path | None, typer.Option("--loads", metavar="XML", help="Forces, such as ground reactions.")] = None,
    data: Annotated[Path | None, typer.Option("--data", metavar="MOT", help="Their data, not the file named there.")] = None,
    cutoff: FilterOption = None,
    time: TimeOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Compute the torques of a measured motion, and the residuals at the ground."""
    from .osim import show_torques
    from .osim_setups import id_inputs
    from .outputs import Outputs

    path, given, loads, cutoff, time = id_inputs(setup, model, motion, loads, cutoff, time)
    show_torques(path, given, (loads, data), cutoff, time, out, Outputs("osim id", force, json))


@app.command("ik")
def inverse_kinematics(
    model: Annotated[Path | None, typer.Argument(metavar="[MODEL]", help="An .osim file; else the setup's.")] = None,
    markers: Annotated[Path | None, typer.Argument(metavar="[MARKERS]", help="Markers (.trc, .c3d); else the setup's.")] = None,
    setup: Annotated[Path | None, typer.Option("--setup", metavar="XML", help="A setup of InverseKinematicsTool.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="MOT", help="Write the coordinates (.mot, .sto).")] = None,
    tasks: Annotated[Path | None, typer.Option("--tasks", metavar="XML", help="Weights, of OpenSim's setup; else one.")] = None,
    time: TimeOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Find the coordinates that bring the model's markers nearest to measured ones."""
    from .osim import show_fit
    from .osim_setups import ik_inputs
    from .outputs import Outputs

    path, given, tasks, time = ik_inputs(setup, model, markers, tasks, time)
    show_fit(path, given, tasks, time, out, Outputs("osim ik", force, json))


@app.command("com")
def center_of_mass(
    model: ModelFile,
    motion: MotionFile,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="STO", help="Write place and velocity (.sto, .mot).")] = None,
    cutoff: FilterOption = None,
    time: TimeOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Compute place and velocity of the center of mass along a motion."""
    from .osim import show_center
    from .outputs import Outputs

    show_center(model, motion, cutoff, time, out, Outputs("osim com", force, json))


@app.command("scale")
def scale(
    setup: Annotated[Path, typer.Argument(metavar="SETUP", help="A setup file of OpenSim's ScaleTool (.xml).")],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="OSIM", help="Write the scaled model (.osim).")] = None,
    pose: Annotated[Path | None, typer.Option("--pose", metavar="STO", help="Write its static pose (.sto, .mot).")] = None,
    model: Annotated[Path | None, typer.Option("--model", metavar="OSIM", help="The generic model, not the setup's.")] = None,
    markers: Annotated[Path | None, typer.Option("--marker-set", metavar="XML", help="Its markers, not the setup's.")] = None,
    static: Annotated[Path | None, typer.Option("--static", metavar="TRC", help="The static trial, not the setup's.")] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Scale a model to a person, and place its markers, as a setup of OpenSim's ScaleTool says."""
    from .osim_scale import show_scaling
    from .outputs import Outputs

    show_scaling(setup, (model, markers, static), out, pose, Outputs("osim scale", force, json))


LoadsOption = Annotated[Path | None, typer.Option("--loads", metavar="XML", help="Forces, such as ground reactions.")]
DataOption = Annotated[Path | None, typer.Option("--data", metavar="MOT", help="Their data, not the file named there.")]
NameOption = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="NAME", help="Write files whose names begin so, then as OpenSim's.")
]
ActuatorsOption = Annotated[
    Path | None, typer.Option("--actuators", metavar="XML", help="Residuals and reserves: a ForceSet of ideal actuators.")
]
MaybeModel = Annotated[Path | None, typer.Argument(metavar="[MODEL]", help="An .osim file; else the setup's.")]
MaybeMotion = Annotated[Path | None, typer.Argument(metavar="[MOTION]", help="Coordinates (.mot, .sto); else the setup's.")]
SetupOption = Annotated[Path | None, typer.Option("--setup", metavar="XML", help="A setup of AnalyzeTool with this analysis.")]
PlotOption = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the result (.png, .svg, .pdf).")]


@app.command("muscles")
def muscle_analysis(
    model: MaybeModel = None,
    motion: MaybeMotion = None,
    setup: SetupOption = None,
    out: NameOption = None,
    activations: Annotated[
        str | None,
        typer.Option(
            "--activations", metavar="STO|N", help="Add fibers, tendons and forces at activations: a file, or one for all."
        ),
    ] = None,
    cutoff: FilterOption = None,
    time: TimeOption = None,
    plot: PlotOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Compute lengths, velocities and moment arms of muscles: OpenSim's MuscleAnalysis."""
    from .osim_muscles import show_muscles
    from .osim_setups import AnalyzeInputs
    from .outputs import Outputs

    given = AnalyzeInputs(model, motion, cutoff=cutoff, time=time).with_setup(setup, "MuscleAnalysis")
    show_muscles(*given.needed(setup), activations, (given.cutoff, given.time), (out, plot), Outputs("osim muscles", force, json))


@app.command("so")
def static_optimization(
    model: MaybeModel = None,
    motion: MaybeMotion = None,
    setup: SetupOption = None,
    out: NameOption = None,
    loads: LoadsOption = None,
    data: DataOption = None,
    actuators: ActuatorsOption = None,
    reserve: Annotated[
        float | None, typer.Option("--reserve", metavar="N", help="Strength of reserves where no actuator is [N m, N].")
    ] = None,
    power: Annotated[
        float | None, typer.Option("--power", metavar="N", help="Power of activations that is minimized; 2 if not given.")
    ] = None,
    cutoff: FilterOption = None,
    time: TimeOption = None,
    plot: PlotOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Find the activations of muscles that make a measured motion: OpenSim's StaticOptimization."""
    from .osim_muscles import show_activations
    from .osim_setups import AnalyzeInputs
    from .outputs import Outputs

    given = AnalyzeInputs(model, motion, loads, actuators, cutoff, time, power).with_setup(setup, "StaticOptimization")
    inputs, steps = (given.loads, data, given.actuators), (given.cutoff, given.time)
    options = (reserve, 2.0 if given.power is None else given.power)
    show_activations(*given.needed(setup), inputs, options, steps, (out, plot), Outputs("osim so", force, json))


@app.command("jr")
def joint_reactions(
    model: MaybeModel = None,
    motion: MaybeMotion = None,
    setup: SetupOption = None,
    forces: Annotated[
        Path | None, typer.Option("--forces", metavar="STO", help="Forces of muscles and actuators, as of `so`.")
    ] = None,
    out: NameOption = None,
    loads: LoadsOption = None,
    data: DataOption = None,
    actuators: ActuatorsOption = None,
    joints: Annotated[str | None, typer.Option("--joints", metavar="NAME,..", help="These joints; all if not given.")] = None,
    on: Annotated[str | None, typer.Option("--on", metavar="BODY", help="On which body: child, or parent.")] = None,
    seen: Annotated[
        str | None, typer.Option("--in", metavar="FRAME", help="In whose axes: ground, or child, parent, a body.")
    ] = None,
    cutoff: FilterOption = None,
    time: TimeOption = None,
    plot: PlotOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Compute the forces and moments that joints carry, with those of muscles: OpenSim's JointReaction."""
    from .osim_muscles import show_reactions
    from .osim_setups import AnalyzeInputs, needed_file
    from .outputs import Outputs

    names = None if joints is None else tuple(joints.split(","))
    call = AnalyzeInputs(model, motion, loads, actuators, cutoff, time, None, forces, names, on, seen)
    given = call.with_setup(setup, "JointReaction")
    inputs = (given.loads, data, given.actuators, needed_file(given.forces, "--forces", "forces_file", setup))
    chosen, steps = (given.joints, given.on or "child", given.seen or "ground"), (given.cutoff, given.time)
    show_reactions(*given.needed(setup), inputs, chosen, steps, (out, plot), Outputs("osim jr", force, json))


@app.command("c3d")
def c3d(
    file: Annotated[Path, typer.Argument(metavar="C3D", help="A C3D file.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="TRC", help="Write the markers (.trc).")] = None,
    forces: Annotated[Path | None, typer.Option("--forces", metavar="MOT", help="Write what force plates measured.")] = None,
    loads: Annotated[Path | None, typer.Option("--loads", metavar="XML", help="Write them as loads of `osim id`.")] = None,
    bodies: Annotated[str | None, typer.Option("--bodies", metavar="NAME,..", help="On the plates; - for none.")] = None,
    up: Annotated[str, typer.Option("--up", metavar="AXIS", help="Axis of the laboratory that points up: x, y or z.")] = "z",
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Show a C3D file's markers and force plates, and write them as OpenSim's files."""
    from .osim_c3d import show_c3d
    from .outputs import Outputs

    show_c3d(file, up, bodies, (out, forces, loads), Outputs("osim c3d", force, json))
