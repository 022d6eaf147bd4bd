"""Which limits hold a motion back, in sentences, and tables of limits that stay short."""

import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from lissom.cli.predict import show_limits
from lissom.predict import LimitReport, load
from lissom.view.report.folded import ENTRIES, EQUATIONS, ROWS, folded
from lissom.view.report.held import held_back
from lissom.view.report.verdict import of_prediction

FREE = LimitReport("torque of elbow", "N m", -1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def walk(*limits):
    phases = (SimpleNamespace(name="shift", start=0.0, end=0.5), SimpleNamespace(name="swing", start=0.5, end=2.0))
    return SimpleNamespace(limits=list(limits), limit_tolerance=1e-3, duration=2.0, phases=phases)


def test_a_limit_of_a_phase_is_weighed_by_its_length():
    short = replace(FREE, label="torque of hip", active=1.0, during=("shift",))
    long = replace(FREE, active=0.5, during=("swing",))
    both = replace(FREE, label="velocity of knee", active=0.2, during=("shift", "swing"))
    always = replace(FREE, label="position of toe", active=0.3)
    found = held_back(walk(), [short, long, both, always])
    assert [x.sentence for x in found] == [
        "elbow at its torque limit 50 % of swing",
        "toe at its position limit 30 % of the time",
        "hip at its torque limit 100 % of shift",
        "knee at its speed limit 20 % of shift and swing",
    ]
    assert [x.whole for x in found] == pytest.approx([0.375, 0.3, 0.25, 0.2])


def test_the_friction_of_a_contact_is_one_statement():
    face = replace(FREE, lower=0.0, upper=math.inf, unit="N", contact="left", during=("swing",))
    faces = [replace(face, label=f"friction of left.{k}.face_1", active=0.1 * k) for k in range(1, 5)]
    normal = [replace(face, label=f"left_force of {k}.n", active=0.05 * k) for k in range(1, 5)]
    equation = replace(face, label="gap of left.x", upper=0.0, active=1.0)
    found = held_back(walk(), [*faces, *normal, equation])
    assert [x.sentence for x in found] == [
        "friction of left at its limit 40 % of swing",
        "a point of left carries nothing 20 % of swing",
    ]


def test_equations_that_hold_are_one_line_of_a_table():
    equation = replace(FREE, label="gap of left.x", lower=0.0, upper=0.0, active=1.0, contact="left", scale=2.0)
    held = [replace(equation, violation=1e-9 * k) for k in range(EQUATIONS + 1)]
    broken = replace(equation, violation=0.1)
    rows, said = folded([*held, broken, FREE], math.inf)
    assert rows == [broken, FREE]
    assert said == f"{EQUATIONS + 1} equations of contacts hold; largest violation {EQUATIONS * 0.5e-9:.1e} of their scale"
    _, said = folded([*held, replace(equation, contact="")], 1e-3)
    assert said.startswith(f"{EQUATIONS + 2} equations, {EQUATIONS + 1} of them of contacts, hold; ")
    assert folded(held[1:], 1e-3) == (held[1:], "")


def test_many_entries_of_one_limit_are_its_worst_one_in_a_long_table():
    joints = [replace(FREE, label=f"torque of joint_{k}", active=0.01 * (k % 7)) for k in range(ROWS)]
    assert folded(joints, 1e-3) == (joints, "")
    faces = [replace(FREE, label=f"friction of left.{k}.face_1", contact="left", during=("swing",)) for k in range(ENTRIES + 1)]
    faces[2] = replace(faces[2], violation=1e-5)
    few = [replace(FREE, label=f"velocity of joint_{k}", unit="rad/s") for k in range(ENTRIES)]
    unused = [replace(FREE, label=f"mine: {k}", lower=-k, unit="") for k in range(ENTRIES + 1)]
    rows, _ = folded([*joints, *faces, *few, *unused], 1e-3)
    assert [x.label for x in rows] == [
        f"torque, worst of {ROWS}: joint_6",
        f"friction of left, worst of {ENTRIES + 1}: 2.face_1",
        *(x.label for x in few),
        f"mine, {ENTRIES + 1} entries",
    ]
    assert (rows[0].active, rows[1].violation, rows[-1].lower) == (0.06, 1e-5, -math.inf)


def test_the_printed_limits_say_when():
    at = replace(FREE, label="clearance of foot", during=("swing",), shares=(0.5,))
    console = Console(width=200, markup=False)
    with console.capture() as seen:
        show_limits(walk(FREE, at), console)
    lines = [" ".join(line.split()) for line in seen.get().splitlines()]
    assert "limit when lower upper unit active violation at [s]" in lines
    assert any(line.startswith("clearance of foot swing, at 0.5 of the duration -1 1") for line in lines)
    with console.capture() as seen:
        show_limits(walk(FREE), console)
    assert " when " not in seen.get() and "share of the time" in seen.get()


@pytest.mark.slow
def test_the_report_of_a_step_is_short_and_true(tmp_path):
    found = load("g1_step").solve()
    said = of_prediction(found)
    assert len(said.more) <= 12 and not any("more limits" in line for line in said.more)
    t = np.linspace(0.9, 1.2, 4) + [1e-9, 0.0, 0.0, -1e-9]  # knots of the last phase, within it
    forces, weight = found.contact_forces(t)["right_ahead"], found.robot.total_mass * 9.81
    slack = 0.7 * np.cos(np.pi / 4) * forces[..., 2] - np.abs(forces[..., 0] + forces[..., 1]) / math.sqrt(2)
    slack = np.minimum(slack, 0.7 * np.cos(np.pi / 4) * forces[..., 2] - np.abs(forces[..., 0] - forces[..., 1]) / math.sqrt(2))
    at = (slack < 1e-4 * weight) & (forces[..., 2] > 0.01 * weight)
    share = [line for line in (said.first, *said.more) if "friction of right_ahead at its limit" in line]
    assert (len(share) == 1) == bool(at.any())
    page = found.report(tmp_path / "a.html").read_text(encoding="utf-8")
    groups = json.loads(re.search('<script type="application/json" id="curves">(.*?)</script>', page)[1])["groups"]
    torques = next(group["panels"] for group in groups if group["title"] == "Torques (29)")
    assert [panel["title"] for panel in torques] == list(found.robot.joint_names[-29:])
    assert not any(group["shown"] for group in groups)
    lines = found._repr_html_()
    assert "equations, 54 of them of contacts, hold" in lines and "left_hip_pitch_joint" not in lines.split("limits")[0]
