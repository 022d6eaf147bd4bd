"""Posing: answers of a live view, as JSON: the robot with its sliders at given values, or with a link dragged to a target.

A request has what it starts from, so that several pages may show one robot in poses of their own. Answers:

    {"q": [nq], "tree_q": [nq of the tree] | null, "values": [n], "sides": [n of -1, 0, 1], "poses": [[7] for each body],
     "moved": bool, "reached": bool, "settled": bool, "message": str}

`values` and `sides` are those of the sliders (`controls.py`), a pose is x y z, then the quaternion x y z w.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import LissomError, NameLookupError, StateError
from ..scene.scene import Scene
from .controls import Controls
from .frames import Frames
from .held_base import HeldBase
from .links import WHOLE, closed_freedom, freedom, hand, moving_links, turns
from .nearest import nearest

TOLERANCE = 1e-6  # [m and rad] that count as reached: far less than a pixel
ITERATIONS = 30  # of a search in one answer; where they are not enough, the page asks again
NEARBY = 1e-5  # [m]
SEEN = 1e-6  # [rad or m] by which a value has been changed
SHORT_SEARCH = 10  # for closed robots, before the nearest pose is sought another way


class Posing:
    """A robot whose pose is changed from a page.

    Args:
        robot: a Robot or ClosedRobot.
        q: coordinates at first (nq,); None is `robot.neutral()`.
        scene: of the robot in that pose, whose bodies the answers place; None for the links alone.

    Attributes:
        q: coordinates of the last answer (nq,).
        tree_q: for a closed robot, all coordinates of its tree in that answer; None for others.
    """

    def __init__(self, robot: Any, q: Any = None, scene: Scene | None = None) -> None:
        self.robot, self.controls, self.closed = robot, Controls(robot), bool(robot.model.loops)
        self._frames, self._held_base = Frames(robot.model, scene), HeldBase.of(robot)
        first = np.asarray(robot.neutral() if q is None else q, dtype=float)
        if first.shape != (robot.nq,):
            raise StateError(f"q of {robot.name!r} must be {robot.nq} numbers, got shape {first.shape}")
        self.q, self.tree_q = first, np.asarray(robot.closure(first)) if self.closed else None

    def data(self) -> dict[str, Any]:
        """Return the data of the robot that the page needs, with its first pose."""
        links, model = moving_links(self.robot.model), self.robot.model
        if self.closed:
            free = closed_freedom(self.robot, self.tree_q)  # type: ignore[arg-type]
        else:
            free = {name: (freedom(model, name), turns(model, name)) for name in links}
        return {
            "links": links,
            "link": hand(self.robot),
            "whole": [free[name][0] >= WHOLE for name in links],
            "turns": [free[name][1] for name in links],
            "controls": [control.data() for control in self.controls.every],
            "names": list(self.robot.coordinate_names),
            "now": self._answer(self.q, self.tree_q),
        }

    def answer(self, kind: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request.

        Args:
            kind: "slide": {"values": [n], "tree_q": ...}; "drag": {"q": ..., "tree_q": ..., "link": name, "position": [3] [m],
                "orientation": [x, y, z, w] | null}; "neutral" or "random": {}.
            request: the data; `q` and `tree_q` are those of the last answer, or missing for the first pose.

        Raises:
            LissomError: the request is wrong; nothing has moved.
        """
        work = {"slide": self._slide, "drag": self._drag, "neutral": self._neutral, "random": self._random}
        found = work[kind](request)
        self.q, self.tree_q = np.array(found["q"]), None if found["tree_q"] is None else np.array(found["tree_q"])
        return found

    def prepare(self) -> None:
        """Compile what the first drag needs, so that it does not wait for it."""
        link = hand(self.robot)
        if link is not None:
            pose = self._answer(self.q, self.tree_q)["poses"][1 + self.robot.link_names.index(link)]
            with contextlib.suppress(LissomError):  # a pose without a Jacobian: said where it is dragged
                self._drag({"link": link, "position": [pose[0], pose[1], pose[2] + NEARBY], "orientation": None})

    def _slide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        q = self.controls.coordinates(_numbers(request, "values", None))
        if not self.closed:
            return self._answer(q, None)
        near = self._tree(request)
        try:
            return self._answer(q, self.robot.closure(q, near=near))
        except StateError:  # the loops do not close there, or only beyond a singular pose
            here = self.robot.coordinates(near)
            return self._answer(
                here, near, moved=False, message=self._refusal(self.controls.values(here), self.controls.values(q))
            )

    def _refusal(self, here: np.ndarray, wanted: np.ndarray) -> str:
        """Return why a closed robot does not move from values of its sliders (n,) to others."""
        changed = [
            f"{control.name} cannot be {_shown(new, control.unit)}"
            for control, old, new in zip(self.controls.every, here, wanted, strict=True)
            if abs(new - old) > SEEN
        ]
        others = " while the others stay" if 0 < len(changed) < len(here) else ""
        what = " and ".join(changed) or "the robot cannot move there"
        return f"{what}{others}: the loops do not close, or only beyond a singular pose"

    def _neutral(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return self._answer(self.robot.neutral(), self.robot.home_tree_q() if self.closed else None)

    def _random(self, request: Mapping[str, Any]) -> dict[str, Any]:
        q = self.robot.random_configuration()
        return self._answer(q, self.robot.closure(q) if self.closed else None)

    def _drag(self, request: Mapping[str, Any]) -> dict[str, Any]:
        link = str(request.get("link"))
        if link not in self.robot.link_names:
            raise NameLookupError("link", link, self.robot.link_names)
        position, turned = _numbers(request, "position", 3), request.get("orientation") is not None
        orientation = _numbers(request, "orientation", 4) if turned else None
        q = self.q if request.get("q") is None else _numbers(request, "q", self.robot.nq)
        target = {"position": position, "orientation": orientation}
        options = {"tolerance": TOLERANCE, "restarts": 0, "throw": False}
        if not self.closed:
            held = self._held_base is not None and link != self._held_base.link
            solver: Any = self._held_base if held else self.robot
            found = solver.inverse_kinematics(link, q0=q, max_iterations=ITERATIONS, **target, **options)
            return self._reply(self.controls.whole(found.q), None, found)
        near = self._tree(request)
        found = self.robot.inverse_kinematics(link, q0=q, near=near, max_iterations=SHORT_SEARCH, **target, **options)
        tree_q = found.tree_q
        if not found.reached:  # its loops are open, a little or wide: the nearest pose that closes them
            tree_q, found = nearest(self.robot, link, near, position, orientation, TOLERANCE)
        return self._reply(self.robot.coordinates(tree_q), tree_q, found)

    def _reply(self, q: np.ndarray, tree_q: np.ndarray | None, found: Any) -> dict[str, Any]:
        status = str(getattr(found.status, "value", found.status))
        if found.reached:
            return self._answer(q, tree_q)
        far = [
            f"{float(x):.2g} {unit}"
            for x, unit in ((found.position_error, "m"), (found.orientation_error, "rad"))
            if x > TOLERANCE
        ]
        text = f"out of reach; the link is {' and '.join(far)} from the target" if far else ""
        if found.limited_joints:
            text += f", held by the limit of {', '.join(found.limited_joints)}"
        return self._answer(q, tree_q, reached=False, settled=status != "out of iterations", message=text)

    def _answer(self, q: np.ndarray, tree_q: np.ndarray | None, **more: Any) -> dict[str, Any]:
        values = self.controls.values(q)
        poses = self.robot.link_poses(q, tree_q=tree_q) if self.closed else self.robot.link_poses(q)
        return {
            "q": np.asarray(q).tolist(),
            "tree_q": None if tree_q is None else np.asarray(tree_q).tolist(),
            "values": values.tolist(),
            "sides": self.controls.sides(values),
            "poses": self._frames.bodies(poses),
            "moved": True,
            "reached": True,
            "settled": True,
            "message": "",
            **more,
        }

    def _tree(self, request: Mapping[str, Any]) -> np.ndarray:
        """Return the tree that a request starts from: its own, or that of the last answer."""
        if request.get("tree_q") is None:
            assert self.tree_q is not None
            return self.tree_q
        return _numbers(request, "tree_q", self.robot.model.nq)


def _shown(value: float, unit: str) -> str:
    """Return a value for people; angles in degrees as well."""
    return f"{value:.4g} rad ({np.degrees(value):.4g}°)" if unit == "rad" else f"{value:.4g} {unit}"


def _numbers(request: Mapping[str, Any], name: str, size: int | None) -> np.ndarray:
    """Return the numbers of a request by their name, `size` of them unless that is None."""
    value = request.get(name)
    if not isinstance(value, list) or not all(isinstance(x, int | float) and not isinstance(x, bool) for x in value):
        raise StateError(f"{name} must be a list of numbers")
    try:
        found = np.array(value, dtype=float)
    except OverflowError:
        raise StateError(f"{name} has a number that is too large") from None
    if size is not None and found.shape != (size,):
        raise StateError(f"{name} must be {size} numbers, got {len(value)}")
    if not np.isfinite(found).all():
        raise StateError(f"{name} must be finite numbers")
    return found
