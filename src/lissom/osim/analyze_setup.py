"""Setup files of OpenSim's AnalyzeTool, for one of its analyses: MuscleAnalysis, StaticOptimization or JointReaction."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ..errors import StateError, is_choice, suggest
from ..read.osim.values import Values, title
from ..read.xml import Element
from .named_files import optional_file
from .tool_setups import tool_of

ANALYSES = ("MuscleAnalysis", "StaticOptimization", "JointReaction")


@dataclass(frozen=True)
class AnalyzeSetup:
    """What a setup of AnalyzeTool says for one analysis; None where it says nothing.

    Attributes:
        model, motion, loads, actuators: files in its folder.
        cutoff: frequency of the low-pass filter of coordinates [Hz].
        time: first and last time [s].
        power: of activations, of StaticOptimization.
        forces: of muscles and actuators, of JointReaction: a file in its folder.
        joints: names, of JointReaction; None: all.
        on, seen: on which body, and in whose axes, of JointReaction.
    """

    model: Path | None
    motion: Path | None
    loads: Path | None
    actuators: Path | None
    cutoff: float | None
    time: tuple[float, float] | None
    power: float | None = None
    forces: Path | None = None
    joints: tuple[str, ...] | None = None
    on: str | None = None
    seen: str | None = None


def read_analyze_setup(path: str | os.PathLike[str], analysis: str, given: Collection[str] = ()) -> AnalyzeSetup:
    """Return what a setup of OpenSim's AnalyzeTool says for an analysis that is on.

    Args:
        path: the file.
        analysis: "MuscleAnalysis", "StaticOptimization" or "JointReaction".
        given: which of "model", "motion", "loads", "actuators" and "forces" are given in the call: the setup's are not looked at.

    Raises:
        FileError: the file is no such setup, has no such analysis, asks for what lissom does not do, or names a file outside
            its folder; with the line.
    """
    if not is_choice(analysis, ANALYSES):
        raise StateError(f"no analysis {analysis!r}; {suggest(str(analysis), ANALYSES)}")
    tool, values = tool_of(path, "AnalyzeTool")
    own = _analysis(tool, values, analysis)
    for tag in ("states_file", "speeds_file"):
        if values.text(tool, tag) and "motion" not in given:
            raise values.source.error(
                f"{title(tool)} takes its motion from a <{tag}>; lissom takes a <coordinates_file>", tool.line
            )
    if values.flag(tool, "replace_force_set", False):
        raise values.source.error(f"{title(tool)} replaces the forces of the model; lissom adds to them", tool.line)
    sets = values.words(tool, "force_set_files")
    if len(sets) > 1 and "actuators" not in given:
        raise values.source.error(
            f"{title(tool)} has {len(sets)} <force_set_files>; put them into one, as --actuators", tool.line
        )

    def file(name: str, tag: str, what: str, element: Element = tool) -> Path | None:
        return None if name in given else optional_file(element, tag, values, what)

    cutoff = values.finite(tool, "lowpass_cutoff_frequency_for_coordinates", -1.0)
    return AnalyzeSetup(
        file("model", "model_file", "the model in the call"),
        file("motion", "coordinates_file", "the motion in the call"),
        file("loads", "external_loads_file", "the loads with --loads"),
        file("actuators", "force_set_files", "the actuators with --actuators"),
        cutoff if cutoff > 0.0 else None,
        _time(tool, own, values),
        values.finite(own, "activation_exponent", 2.0) if analysis == "StaticOptimization" else None,
        file("forces", "forces_file", "the forces with --forces", own) if analysis == "JointReaction" else None,
        *(_reaction(own, values) if analysis == "JointReaction" else ()),
    )


def _analysis(tool: Element, values: Values, analysis: str) -> Element:
    every = values.objects(tool, "AnalysisSet")
    found = [element for element in every if element.tag == analysis and values.flag(element, "on", True)]
    if len(found) != 1:
        there = ", ".join(element.tag for element in every) or "none"
        raise values.source.error(f"{title(tool)} needs one <{analysis}> that is on; its analyses: {there}", tool.line)
    own = found[0]
    for tag in ("use_model_force_set", "use_muscle_physiology"):
        if not values.flag(own, tag, True):
            raise values.source.error(f"{title(own)}: <{tag}> is false, which lissom does not do", own.line)
    return own


def _time(tool: Element, own: Element, values: Values) -> tuple[float, float] | None:
    """Return the times of the tool and of its analysis."""
    ends = [values.number(tool, "initial_time", -float("inf")), values.number(tool, "final_time", float("inf"))]
    first = max(ends[0], values.number(own, "start_time", -float("inf")))
    last = min(ends[1], values.number(own, "end_time", float("inf")))
    if first > last:
        raise values.source.error(f"{title(own)} starts at {first:g} s, after its end {last:g} s", own.line)
    return None if first == -float("inf") and last == float("inf") else (first, last)


def _reaction(own: Element, values: Values) -> tuple[tuple[str, ...] | None, str | None, str | None]:
    joints = values.words(own, "joint_names")
    ends = []
    for tag in ("apply_on_bodies", "express_in_frame"):
        words = set(values.words(own, tag))
        if len(words) > 1:
            raise values.source.error(
                f"{title(own)} has several <{tag}>: {', '.join(sorted(words))}; run it once for each", own.line
            )
        ends.append(words.pop() if words else None)
    return None if not joints or "ALL" in map(str.upper, joints) else joints, ends[0], ends[1]
