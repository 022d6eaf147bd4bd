"""Completion of command lines in bash, zsh and fish: the shell's script gives the line up to the cursor and gets what may follow.

Nothing heavy is imported: names come from docstrings and file names, and the commands with their options from typer.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from ..loading.builtin import PREFIX, robot_descriptions
from .robot_options import Base
from .text import one_line, say

SCRIPTS = Path(__file__).parent / "shells"
# the folders of `builtin_problems` and `builtin_scenarios`, whose packages take longer to import than a shell should wait
PROBLEMS = Path(__file__).parents[1] / "predict" / "problem_file" / "problems"
SCENARIOS = Path(__file__).parents[1] / "control" / "scenarios"
SHELLS = ("bash", "fish", "zsh")
FILES = ":files"  # the line that asks the shell for names of files too
# options and arguments that take known words alone
CLOSED: dict[str, tuple[str, ...]] = {"base": tuple(base.value for base in Base), "shell": SHELLS, "method": (), "name": ()}
LAYERS = (  # those of `lissom.view.scene.scene`
    *("visual", "collision", "sticks", "axes", "frames", "com", "ground", "obstacles", "targets", "paths", "ghosts", "motors"),
    *("springs", "torques", "wrenches", "reactions", "ground_forces"),
)
# words of one command's options, of modules that take longer to import than a shell should wait
KNOWN: dict[tuple[str, str], tuple[str, ...]] = {
    ("identify", "method"): ("ordinary", "weighted", "robust"),
    ("identify", "filtering"): ("butterworth", "spline", "none"),
    ("excite", "motion"): ("waves", "splines"),
    ("excite", "criterion"): ("determinant", "condition"),
    ("export", "to"): ("c", "cpp", "cuda", "javascript", "latex", "markdown", "matlab", "octave", "python", "wasm"),
    ("export", "precision"): ("double", "single"),
    ("predict", "sex"): ("male", "female"),
    ("view", "shown"): LAYERS,
    ("view", "hidden"): LAYERS,
    ("view", "direction"): ("default", "front", "side", "top", "iso"),
}
NUMBERS = ("HZ", "SECONDS", "METERS", "SHARE", "N", "N,N,..", "M/S", "M", "KG", "YEARS", "WxH")
NOT_FILES = (*NUMBERS, "NAME,..", "LINK", "LINK,..", "JOINT,..", "TEXT", "FUNCTION..", "OPTION=VALUE")

Found = tuple[str, str]  # a word and its description


def print_script(shell: str) -> None:
    """Print the script that makes a shell complete lissom's commands."""
    say((SCRIPTS / f"lissom.{shell}").read_text(encoding="utf-8").rstrip("\n"))


def print_candidates(app: typer.Typer, line: str) -> None:
    """Print the words that may end a command line, one per line with a tab and a description, and FILES where files may too."""
    words, files = candidates(typer.main.get_command(app), line)
    for word, about in words:
        print(one_line(word), one_line(about), sep="\t")
    if files:
        print(FILES)


def candidates(group: Any, line: str) -> tuple[list[Found], bool]:
    """Return the words that may end a command line, and whether a file name may."""
    *before, last = _split(line)
    found, files = _after(group, before[1:], last)
    return sorted({word: about for word, about in found if word.startswith(last)}.items()), files and PREFIX not in last


def _split(line: str) -> list[str]:
    """Return the words of a line as shells do; the last is "" after a space."""
    for end in ("", "'", '"', " "):  # an open quote, or a backslash at the end
        try:
            words = shlex.split(line + end)
        except ValueError:
            continue
        return [*words, ""] if not end and (not words or line[-1].isspace() and not line.endswith("\\ ")) else words or [""]
    return line.split() or [""]


def _after(group: Any, words: list[str], last: str) -> tuple[list[Found], bool]:
    """Return the completions of the last word of a command line, given the words before it."""
    names = [word for word in words if not word.startswith("-")]
    command = group.commands.get(names[0]) if names else None
    if command is None:
        commands = [(name, part.get_short_help_str(100)) for name, part in group.commands.items() if not part.hidden]
        return (commands if not names else []) + _options(group), False
    if hasattr(command, "commands"):
        return _after(command, words[words.index(names[0]) + 1 :], last)
    options = {name: option for option in command.params for name in (*option.opts, *option.secondary_opts)}
    places = [part for part in command.params if part.param_type_name == "argument"]
    waiting: Any = None
    for word in words[words.index(names[0]) + 1 :]:
        if waiting is not None:
            waiting = None  # its value
        elif word in options:
            waiting = None if options[word].is_flag else options[word]
        elif not word.startswith("-") and places and places[0].nargs == 1:  # the last may stand for several
            places.pop(0)
    name, sign, value = last.partition("=")
    if waiting is not None:
        name, sign, value = "", "", last
    elif sign and name in options:
        waiting = options[name]
    if waiting is not None:
        several = value[: value.rfind(",") + 1] if str(waiting.metavar).endswith(",..") else ""
        found = [(f"{name}{sign}{several}{word}", about) for word, about in _values(command, waiting)]
        return found, _takes_file(command, waiting)
    if last.startswith("-"):
        return _options(command), False
    return (list(_values(command, places[0])), _takes_file(command, places[0])) if places else (_options(command), False)


def _options(command: Any) -> list[Found]:
    found = [(name, part.help or "") for part in command.params if part.param_type_name == "option" and not part.hidden
             for name in (*part.opts, *part.secondary_opts)]  # fmt: skip
    return [*found, ("--help", "Show this message and exit."), ("-h", "Show this message and exit.")]


def _takes_file(command: Any, part: Any) -> bool:
    return part.name not in CLOSED and part.metavar not in NOT_FILES and (command.name, part.name) not in KNOWN


def _values(command: Any, part: Any) -> Iterator[Found]:
    """Yield known values of an argument or option."""
    if part.name in ("file", "robot"):
        yield from robot_descriptions().items()
    if part.name == "problem" or (command.name, part.name) == ("view", "file"):
        yield from ((file.stem, "built-in problem") for file in PROBLEMS.glob("*.yaml"))
    if part.name == "problem":
        yield "gait", "how a person walks"
        yield "run", "how a person runs"
    if part.name == "controller" or (command.name, part.name) in (("simulate", "file"), ("view", "file")):
        yield from ((file.stem, "built-in scenario") for file in SCENARIOS.glob("*.yaml"))
    if (command.name, part.name) in KNOWN:
        yield from ((name, "") for name in KNOWN[command.name, part.name])
    if (command.name, part.name) == ("simulate", "method"):
        from ..simulate import METHODS

        yield from ((name, "") for name in METHODS)
    yield from ((name, "") for name in CLOSED.get(part.name, ()))
