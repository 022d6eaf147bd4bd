"""Robots as the command line names them: a file, or robots:<name> for a built-in one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, NameLookupError

if TYPE_CHECKING:
    from ..robot import Robot

PREFIX = "robots:"


def open_robot(
    file: str,
    base: str = "fixed",
    mimic: bool = True,
    friction: bool | None = None,
    strict: bool = False,
    loops: Path | None = None,
    active: list[str] | None = None,
    closure_tolerance: float | None = None,
) -> Robot:
    """Return the robot that `file` names; the options are those of `lissom.load`."""
    from ..loading.load import load

    if not file.startswith(PREFIX):
        names = [name.strip() for text in active or () for name in text.split(",")] or None
        given: dict[str, Any] = {"loops": loops, "active": names, "closure_tolerance": closure_tolerance}
        return load(file, base=base, mimic=mimic, friction=friction, strict=strict, **given)  # type: ignore[return-value]
    for option, value in (("--loops", loops), ("--active", active), ("--closure-tolerance", closure_tolerance)):
        if value is not None and value != []:
            raise ModelError(f"{option} is for files; {file!r} is built in")
    return _open_builtin(file.removeprefix(PREFIX), base, friction, strict)


def _open_builtin(name: str, base: str, friction: bool | None, strict: bool) -> Robot:
    from .. import robots
    from ..model.check import find_problems
    from ..robot import Robot
    from ..robots import BUILTIN, CLOSED

    if name in CLOSED and base == "fixed":
        return getattr(robots, name)()  # type: ignore[no-any-return]
    if name not in BUILTIN:
        raise NameLookupError("built-in robot", name, (*BUILTIN, *CLOSED))
    if base != "fixed":
        raise ModelError(f"the built-in robot {name!r} stands on the ground; --base floating is for files")
    model = BUILTIN[name]()
    problems = find_problems(model)
    if strict and problems:
        raise ModelError(f"model {model.name!r}: {problems[0].text}")
    return Robot(model.without_friction() if friction is False else model)
