"""`lissom robots`, `lissom problems` and `lissom scenarios`: what is built in, described by docstrings and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import make_console, make_table
from .json_output import print_json
from .table import NameTable

if TYPE_CHECKING:
    from ..protocol import DrivenRobot


def list_robots(as_json: bool) -> None:
    """Print names, degrees of freedom and descriptions of the built-in robots."""
    from ..errors import ModelError
    from ..loading.builtin import robot_descriptions
    from ..loading.load import load
    from ..robot import Robot

    rows: list[dict[str, Any]] = []
    for name, text in robot_descriptions().items():
        try:
            robot = load(name)
        except ModelError:  # its files are in a package that is not installed, which the description names
            rows.append({"name": name, "degrees_of_freedom": None, "closed": False, "description": text})
            continue
        closed = not isinstance(robot, Robot)
        rows.append({"name": name, "degrees_of_freedom": robot.nv, "closed": closed, "description": text})
    if as_json:
        print_json({"robots": rows})
        return
    table = _table("Built-in robots")
    for row in rows:
        table.add_row(row["name"], str(row["degrees_of_freedom"] or "-"), row["description"])
    make_console().print(table)


def list_problems(as_json: bool) -> None:
    """Print names, degrees of freedom and descriptions of the built-in problems of motion."""
    from ..predict import builtin_problems
    from ..predict.problem_file.read import about, robot_of

    _list_files("problems", builtin_problems(), about, robot_of, as_json)


def list_scenarios(as_json: bool) -> None:
    """Print names, degrees of freedom and descriptions of the built-in scenarios."""
    from ..control import builtin_scenarios
    from ..control.read import about, robot_of

    _list_files("scenarios", builtin_scenarios(), about, robot_of, as_json)


def _list_files(
    what: str,
    files: Mapping[str, Path],
    about: Callable[[Path], tuple[str, str]],
    robot_of: Callable[[Path], DrivenRobot],
    as_json: bool,
) -> None:
    """Print a table of files that come with lissom; `about` returns name and description of one, `robot_of` its robot."""
    from ..errors import ModelError

    rows: list[dict[str, Any]] = []
    for name, file in files.items():
        title, more = about(file)
        row: dict[str, Any] = {
            "name": name,
            "robot": None,
            "degrees_of_freedom": None,
            "title": title,
            "description": more or None,
        }
        try:
            robot = robot_of(file)
            row.update(robot=robot.name, degrees_of_freedom=robot.nv)
        except ModelError:  # of a robot whose package is not installed
            pass
        rows.append(row)
    if as_json:
        print_json({what: rows})
        return
    table = _table(f"Built-in {what}")
    for row in rows:
        text = f"{row['title']}: {row['description']}" if row["description"] else row["title"]
        table.add_row(row["name"], str(row["degrees_of_freedom"] or "-"), text)
    make_console().print(table)


def _table(title: str) -> NameTable:
    return make_table(title, "name", "dof", "description", numbers=("dof",), texts=("description",), whole=("name",))
