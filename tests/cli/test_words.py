"""Messages on the command line name its own options, not arguments of Python."""

import importlib
import inspect
import re

import pytest

from lissom.cli.words import in_options
from lissom.predict.search import advice
from lissom.simulate import problem, status


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("try starts=5, a wider limit", "try --starts 5, a wider limit"),
        ("go on from here: solve(start=prediction)", "go on from here: --start with a file that -o wrote"),
        ("try refine=True, or more points_per_span.", "try --refine, or more points_per_span."),
        ("use method='rk4' with a step, dt=1e-3 for example", "use --method rk4 with a step, --dt 1e-3 for example"),
        ("limit_tolerance=0.01.", "--limit-tolerance 0.01."),
        ("minimize('integral', 1e-5, 'acceleration')", "minimize: {goal: integral, weight: 1e-5, quantity: acceleration}"),
        ("q=[1, 2] is not known", "q=[1, 2] is not known"),
    ],
)
def test_arguments_become_options(python, shell):
    assert in_options(python) == shell


def test_every_option_that_is_named_exists():
    commands, shared = (importlib.import_module(f"lissom.cli.{name}") for name in ("motion_commands", "robot_options"))
    known = set(re.findall(r'["/](--[a-z-]+)', inspect.getsource(commands) + inspect.getsource(shared)))
    for command in (commands.predict, commands.simulate):
        known |= {f"--{name.replace('_', '-')}" for name in inspect.signature(command).parameters}
    texts = in_options("".join(inspect.getsource(module) for module in (advice, problem, status)))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", texts))
    assert {"--starts", "--refine", "--method", "--dt", "--start"} <= named <= known
