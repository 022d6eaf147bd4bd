"""Listings for papers: each value has a symbol of its own, equations stand in order, and texts from files stay texts."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

import lissom
from lissom.compiler.statements import listing
from lissom.export import render
from lissom.export.paper.notation import Notation
from lissom.robot.catalogue import CATALOGUE

EVIL = r"a_1} \input{/etc/passwd} $x$ | <script> `rm` %"


@pytest.fixture(scope="module")
def page():
    return render(lissom.robots.stanford(), "inverse_dynamics", language="markdown")["stanford.md"]


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "forward_dynamics"])
def test_no_two_values_share_a_symbol(name):
    robot = lissom.robots.stanford()
    program = CATALOGUE[name].maker(robot.model).program(robot.name, labelled=True)
    found = listing(program)
    symbols = Notation(program.inputs, found).symbols
    assert len(set(symbols.values())) == len(symbols)


def test_equations_use_only_what_stands_before_them(page):
    known = set()
    for line in page.splitlines():
        for left, right in re.findall(r"(\S+(?: \S+)?) &?= (.*?)(?:, \\quad |\\\\|$)", line):
            for symbol in re.findall(r"(?:\\d*dot )?(?:\\omega|[A-Zt])_\{[^}]*\}(?:\^\{[^}]*\})?", right):
                if not symbol.startswith((r"\dot q", r"\ddot q")):
                    assert symbol in known, (symbol, line)
            known.add(left.strip())
    assert len(known) > 100


def test_base_parameters_are_listed_with_their_composition(page):
    robot = lissom.robots.stanford()
    base = robot.base_parameters()
    assert page.count("link\\_") and f"| {len(base)} |" in page
    assert "Base parameters" not in render(robot, "gravity_torques", language="markdown", parameters="off")["stanford.md"]


def test_names_from_a_file_stay_texts():
    model = lissom.robots.planar_two_link().model
    joints = [replace(joint, name=joint.name + EVIL) for joint in model.joints]
    robot = lissom.Robot(model.replace(name=EVIL, joints=joints), backend="numpy")
    for language in ("latex", "markdown"):
        (text,) = render(robot, "inverse_dynamics", language=language, name="arm").values()
        assert "\\input{" not in text and "<script>" not in text and " $x$" not in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed: LaTeX is not compiled")
@pytest.mark.slow
def test_latex_compiles(tmp_path):
    lissom.robots.five_bar().export("inverse_dynamics", tmp_path, language="latex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "five_bar.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120).returncode == 0
