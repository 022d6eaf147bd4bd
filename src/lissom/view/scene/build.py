"""Scenes of robots and of their motions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import StateError, suggest
from .arrows import Force, draw_ground_forces, draw_reactions, draw_torques, draw_wrenches
from .axes import draw_axes
from .ground import ground
from .marks import draw_centers_of_mass, draw_frames, draw_motors
from .paths import Paths, draw_ghosts, draw_paths
from .scene import LAYERS, Scene
from .shapes import draw_shapes
from .springs import draw_springs
from .stage import Stage
from .sticks import draw_sticks
from .world import Obstacle, Target, draw_obstacles, draw_targets

if TYPE_CHECKING:
    from ...protocol import DrivenRobot

Layers = Sequence[str] | Set[str] | Mapping[str, bool]


@dataclass(frozen=True, eq=False)
class SceneMotion:
    """A robot along a motion, in K poses.

    Attributes:
        robot: Robot or ClosedRobot.
        t: (K,) [s].
        q: coordinates (K, nq).
        qd, qdd: velocities and accelerations (K, nv), for joint reactions; None: unknown.
        tau: torques of drives (K, n), in the order of `robot.torque_names`; None: unknown.
        external: wrenches on links, {link: Wrench}.
        obstacles, targets: see `world.py`.
        events: (time [s], text).
        tree_q: of a closed robot, all joints of its tree (K, nq of the tree); None: they follow from q, on the branch of home.
        name: title of the scene, and the beginning of names where two motions are shown together; "" is the robot's name.
        ground_forces: forces of the ground.
        loads: all wrenches on links, {link: Wrench}, for joint reactions; None: `external`, which are drawn.
    """

    robot: DrivenRobot
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray | None = None
    qdd: np.ndarray | None = None
    tau: np.ndarray | None = None
    external: Mapping[str, Any] | None = None
    obstacles: Sequence[Obstacle] = ()
    targets: Sequence[Target] = ()
    events: tuple[tuple[float, str], ...] = ()
    tree_q: np.ndarray | None = None
    name: str = ""
    ground_forces: Sequence[Force] = ()
    loads: Mapping[str, Any] | None = None

    @property
    def fixed(self) -> bool:
        """Whether the base is fixed in the world."""
        model = self.robot.model
        return not any(joint.kind.traits.loose and joint.parent == model.base for joint in model.joints)

    def poses(self) -> np.ndarray:
        """Return the poses of all links (K, n_links, 4, 4)."""
        return self.robot.poses_along(self.q) if self.tree_q is None else self.robot.tree.link_poses(self.tree_q)  # type: ignore[attr-defined]

    def reactions(self) -> np.ndarray:
        """Return force and moment through every joint, along the world's axes (K, n, 6)."""
        more = {} if self.tree_q is None else {"tree_q": self.tree_q}
        q = self.q if self.tree_q is None else None
        loads = self.external if self.loads is None else self.loads
        return self.robot.joint_wrenches(q, self.qd, self.qdd, external=loads, axes="world", **more)  # type: ignore[arg-type]


def robot_scene(robot: DrivenRobot, q: Any, **options: Any) -> Scene:
    """Return the scene of a robot at coordinates q (nq,); options as in `scene_of`."""
    q = np.asarray(q, dtype=float)
    return motion_scene(robot, np.zeros(1), q.reshape(1, -1), **options)


def motion_scene(robot: DrivenRobot, t: np.ndarray, q: np.ndarray, **options: Any) -> Scene:
    """Return the scene of a motion: times t (K,) [s] and coordinates q (K, nq); options as in `scene_of`."""
    t, q = np.asarray(t, dtype=float), np.asarray(q, dtype=float)
    if q.ndim != 2 or t.shape != q.shape[:1] or not len(t):
        raise StateError(f"t has shape {t.shape} and q {q.shape}; expected (K,) and (K, {robot.nq})")
    return scene_of(SceneMotion(robot, t, q), **options)


def scene_of(
    motion: SceneMotion,
    *,
    title: str | None = None,
    layers: Layers | None = None,
    paths: Paths | bool | None = None,
    ghosts: int | Sequence[float] | None = None,
) -> Scene:
    """Return the scene of a motion.

    Args:
        motion: the motion.
        title: of the scene; None is the motion's name, or the robot's.
        layers: keys of the layers that are visible at first, instead of the usual ones; or {key: visible} to change only some.
            Joint reactions are computed only if "reactions" is among them.
        paths, ghosts: see `paths.py`.
    """
    robot = motion.robot
    shown = visible(layers)
    stage = Stage(robot.model, motion.t, motion.poses())
    draw_shapes(stage)
    draw_sticks(stage)
    draw_axes(stage)
    draw_frames(stage)
    draw_centers_of_mass(stage)
    draw_motors(stage)
    draw_springs(stage)
    draw_paths(stage, paths)
    draw_ghosts(stage, ghosts)
    draw_obstacles(stage, motion.obstacles)
    draw_targets(stage, motion.targets)
    if motion.tau is not None:
        draw_torques(stage, robot.torque_names, motion.tau)
    draw_wrenches(stage, motion.external)
    draw_ground_forces(stage, motion.ground_forces)
    if "reactions" in shown and motion.qd is not None:
        draw_reactions(stage, robot.wrench_names, motion.reactions())
    if layers is None and not any(part.layer == "visual" for part in stage.parts):
        shown |= {"sticks"}
    scene = stage.scene(title or motion.name or robot.name, motion.events, shown)
    return replace(scene, parts=(*scene.parts, ground(scene, motion.fixed)))


def visible(layers: Layers | None) -> frozenset[str]:
    """Return the keys of the layers that are visible at first; raise a StateError for unknown ones."""
    usual = {layer.key: layer.shown for layer in LAYERS}
    if isinstance(layers, (str, bytes)) or not (layers is None or isinstance(layers, (Mapping, Sequence, Set))):
        raise StateError(f"layers is {layers!r}, expected a list of layers, or {{layer: True or False}}; write layers=[...]")
    for key in () if layers is None else layers:
        if not isinstance(key, str) or key not in usual:
            raise StateError(f"no layer {key!r}; {suggest(str(key), usual)}")
    if isinstance(layers, Mapping):
        for key, on in layers.items():
            if not isinstance(on, (bool, np.bool_)):
                raise StateError(f"layers has {on!r:.60} for {key!r}, expected True or False")
        layers = [key for key, on in {**usual, **layers}.items() if on]
    return frozenset(key for key, on in usual.items() if on) if layers is None else frozenset(layers)
