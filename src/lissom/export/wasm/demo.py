"""Demo: one page that simulates a robot in the browser, by its WebAssembly module, with a slider for each joint."""

from __future__ import annotations

import base64
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import StateError
from ...files import write_whole
from ...model import JointKind
from ...version import VERSION
from ...view.live.controls import Controls
from ...view.page import check_ending, data_block, policy, text
from ...view.player.page import player_part, player_script, player_style
from ...view.scene.build import robot_scene
from ...view.scene.data import seven
from .javascript import described, script
from .module import wasm_module

FUNCTIONS = ("semi_implicit_step", "inverse_dynamics", "link_poses", "kinetic_energy", "potential_energy")


def demo_html(robot: Any, q: Any = None, *, simd: bool = True) -> str:
    """Return the page; it opens from disk and needs no server and no network.

    Args:
        robot: a tree whose joints have one axis each, without elastic drives.
        q: coordinates (nq,) at the start; None is neutral.
        simd: whether the module uses vectors.

    Raises:
        StateError: a joint of the robot cannot be driven by a slider.
    """
    _check(robot)
    start = np.asarray(robot.neutral() if q is None else q, dtype=float)
    programs = {name: robot._program(name, {}) for name in FUNCTIONS}
    scene = robot_scene(robot, start)
    data = {
        "title": robot.name,
        "about": f"Simulated in this page by WebAssembly that lissom {VERSION} made of the robot: {robot.nv} degrees of freedom, "
        "steps of 1 ms.",
        "wasm": base64.b64encode(wasm_module(programs, simd=simd)).decode("ascii"),
        "functions": [described(name, p.inputs, p.outputs) for name, p in programs.items()],
        "joints": _joints(robot),
        "links": len(robot.model.links),
        "q": start.tolist(),
        "poses": seven(scene.poses[0]).tolist(),
    }
    # runtime and demo as one script, after the player's
    own = f'(() => {{\n"use strict";\n{script("runtime")}\n{script("demo")}}})();\n'
    scripts = [player_script(), own]
    rules = policy(scripts).replace("script-src ", "script-src 'wasm-unsafe-eval' ", 1)
    style = f"{player_style()}\n{(files(__package__) / 'demo.css').read_text(encoding='utf-8')}"
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{text(rules)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(robot.name)}</title><style>{style}</style>"
    )
    panel = '<aside class="demo-panel" aria-label="joints"></aside>'
    body = f'<div class="demo">{player_part(scene, whole=True)}{panel}</div>\n{data_block("demo-data", data)}'
    page = "\n".join(f"<script>{each}</script>" for each in scripts)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n{page}\n</body></html>\n'


def write_demo(robot: Any, path: str | os.PathLike[str], q: Any = None, *, simd: bool = True) -> Path:
    """Write the page of `demo_html`; raise FileError if the file does not end in .html, or cannot be written."""
    path = check_ending(path)
    return write_whole(path, demo_html(robot, q, simd=simd).encode("utf-8", "xmlcharrefreplace"), folders=True)


def _check(robot: Any) -> None:
    if robot.model.loops:
        raise StateError(
            f"the demo page simulates trees, and robot {robot.name!r} has closed loops; "
            "export its functions with language='javascript'"
        )
    for joint in robot.model.independent_joints:
        if joint.kind.nq != joint.kind.nv or joint.kind.nv != 1:
            fixed = joint.kind is JointKind.FLOATING and joint.parent == robot.model.base
            fix = "load the robot with base='fixed'" if fixed else "export its functions with language='javascript'"
            what = f"joint {joint.name!r} is {joint.kind.value}"
            raise StateError(f"the demo page has a slider for each joint, but {what} and has several axes; {fix}")
    if robot.n_elastic:
        raise StateError("the demo page drives joints directly, but motors of this robot drive through springs")


def _joints(robot: Any) -> list[dict[str, Any]]:
    """Return what the page needs of every joint; a limit that is not there is None."""
    effort = np.asarray(robot.limits.effort)
    found = []
    for k, control in enumerate(Controls(robot).every):
        low, high = control.ends
        most = float(effort[k]) if np.isfinite(effort[k]) else None
        more = {"effort": most, "force": robot.torque_units[k]}
        found.append({"name": control.name, "unit": control.unit, "low": low, "high": high, **more})
    return found
