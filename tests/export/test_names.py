"""Names in exported code: every function says where its equations are from, and what its symbols mean."""

import pytest

import lissom
from lissom.export import render
from lissom.robot import Robot
from lissom.robot.catalogue import CATALOGUE
from lissom.robots import five_bar, hua_arm_model, rr_model, tree_model


def words_of(robot, name):
    entry = robot.catalogue[name]
    return robot._source(name, entry.example(robot), "double").task.program(robot.name, labelled=True).words


@pytest.mark.parametrize("name", CATALOGUE)
def test_functions_have_sections_and_say_what_their_symbols_mean(name):
    entry = CATALOGUE[name]
    tree = tree_model(3, seed=4, kinds=["revolute", "spherical", "prismatic"], drives=True)
    model = hua_arm_model() if entry.robots else rr_model() if "_dh_" in name else tree
    words = words_of(Robot(model, backend="numpy"), name)
    assert words.sections or name.startswith(("spring_", "elastic_blocks"))
    assert {label.symbol for label in words.labels.values()} <= set(words.meanings)
    assert words.labels or any("automatic differentiation" in str(part) for part in words.sections) or "spring" in name


@pytest.mark.parametrize("name", ["kinetic_energy_derivatives", "inverse_dynamics_hvp", "inverse_dynamics_hessian"])
def test_derivatives_of_programs_keep_the_names_of_values(name):
    robot = lissom.robots.stanford()
    entry = robot.catalogue[name]
    task = robot._source(name, entry.example(robot), "double").task
    program = task.program(robot.name, labelled=True)
    assert any(label.symbol == "w" for label in program.words.labels.values())
    assert not any("neg_neg" in str(label) for label in program.words.labels.values())
    assert program == task.program(robot.name)


@pytest.mark.parametrize("name", ["inverse_dynamics", "torque_rates", "jacobian"])
def test_closed_robots_say_what_their_symbols_mean(name):
    words = words_of(five_bar(), name)
    assert {label.symbol for label in words.labels.values()} <= set(words.meanings)
    assert "q_closed" in words.meanings


def test_equation_numbers_come_with_their_paper():
    text = render(lissom.robots.stanford(), ["inverse_dynamics", "torque_rates"])["stanford.c"]
    assert "body 3 (joint_3), Khalil 2010 (18)-(23) */" in text
    assert "body 3 (joint_3), Guarino Lo Bianco 2009 (14)-(21) */" in text


@pytest.mark.parametrize(
    ("language", "file", "meaning"),
    [
        ("c", "stanford.c", "w angular velocity"),
        ("cpp", "stanford.hpp", "w angular velocity"),
        ("cuda", "stanford.cu", "w angular velocity"),
        ("python", "stanford.py", "w angular velocity"),
        ("matlab", "stanford_bias_torques.m", "w angular velocity"),
        ("latex", "stanford.tex", r"$\omega$: angular velocity"),
        ("markdown", "stanford.md", r"$\omega$: angular velocity"),
    ],
)
def test_symbols_are_explained_unless_values_are_numbered(language, file, meaning):
    robot = lissom.robots.stanford()
    assert meaning in render(robot, "bias_torques", language=language)[file]
    assert meaning not in render(robot, "bias_torques", language=language, names=False)[file]
