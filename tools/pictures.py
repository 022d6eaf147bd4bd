"""Pictures of the README and the gallery, made by lissom: python tools/pictures.py [FOLDER], by default docs/pictures.

Meshes are those of example-robot-data (extra `robots`); motions are predicted (extra `predict`).
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import numpy as np

import lissom
import lissom.gait
import lissom.tasks
from lissom.view.camera import camera
from lissom.view.render import write_film, write_picture
from lissom.view.scene.build import motion_scene, robot_scene
from lissom.view.scene.scene import Scene

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
START, END = [-1.3, 0.6, 0, -1.7, 0, 2.3, 0.8, 0.03], [1.1, -0.3, 0, -2.2, 0, 2.4, 0.8, 0.03]


def main(folder: Path = PICTURES) -> None:
    """Write all pictures."""
    panda(folder)
    talos(folder)
    human(folder)
    stewart(folder)
    steps(folder)
    walk(folder)
    tasks(folder)
    for path in sorted(folder.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def panda(folder: Path) -> None:
    """The fastest motion of a Panda within its limits: as a strobe picture and as a film."""
    robot = lissom.load(ROBOTS / "panda_description/urdf/panda.urdf")
    problem = lissom.MotionProblem(robot, control_points=12, duration=(0.1, 3.0)).start(START).end(END)
    motion = problem.limit_by_model().minimize("time").solve()
    t = motion.times(61)
    q = motion.coordinates(t)[0]
    tip = [("panda_hand", (0.0, 0.0, 0.1))]
    strobe = motion_scene(robot, t, q, title="", ghosts=4, paths=tip)
    size = (1200, 640)
    write_picture(strobe, folder / "panda.png", size=size, time=motion.duration, view=nearer(strobe, size, 0.7), text=False)
    size = (480, 320)
    film = motion_scene(robot, t, q, title="", paths=tip)
    write_film(film, folder / "panda.gif", size=size, view=nearer(film, size), fps=15, speed=0.4, hold=1.0)


def talos(folder: Path) -> None:
    """A humanoid."""
    robot = lissom.load(ROBOTS / "talos_data/robots/talos_reduced.urdf")
    scene = robot_scene(robot, robot.neutral(), title="")
    write_picture(scene, folder / "talos.png", size=(480, 640), text=False)


def human(folder: Path) -> None:
    """A man at heel strike, and a woman beside him."""
    man, woman = lissom.robots.human(), lissom.robots.human(1.65, 60.0, "female")
    angles = {"hip": (28, -14), "knee": (6, 26), "ankle": (0, -6), "shoulder": (-18, 24), "elbow": (12, 26)}
    q = man.neutral()
    for joint, (right, left) in angles.items():
        for side, angle in (("right", right), ("left", left)):
            q[man.joint_names.index(f"{side}_{joint}_flexion")] = np.radians(angle)
    q[man.joint_names.index("left_toe_extension")] = np.radians(28)
    q[2] -= min(man.point_position(q, point)[2] for point in man.points)
    man.show(q, save=folder / "human.png", title="", size=(640, 640), beside=woman, view=(60, 12))


def stewart(folder: Path) -> None:
    """The fastest motion of a Gough-Stewart platform with bounded forces of its legs, which are drawn."""
    robot = lissom.robots.gough_stewart()
    way = np.array([0.3, 0.25, -0.1, 0.1, 0.3, 0.35])
    problem = lissom.MotionProblem(robot, control_points=10, duration=(0.1, 3.0))
    problem.start(robot.home() - 0.6 * way).end(robot.home() + way)
    motion = problem.limit("torque", -15000, 15000).minimize("time").solve()
    layers = {"torques": True, "ghosts": False}
    motion.show(save=folder / "stewart.gif", title="", size=(480, 320), fps=15, speed=0.125, layers=layers)


def steps(folder: Path) -> None:
    """A humanoid's step as a film, and a quadruped's trot, with the forces of the ground."""
    step, trot = (lissom.predict.load(name).solve() for name in ("g1_step", "go2_trot"))
    step.show(save=folder / "g1.gif", title="", size=(400, 420), fps=15, speed=0.5, view=(60, 10), ghosts=0, paths=False)
    trot.show(save=folder / "go2.png", title="", size=(640, 480), time=0.1, view=(60, 12), ghosts=0)


def walk(folder: Path) -> None:
    """Two steps of a person at 1.3 m/s, with the forces of the ground."""
    found = lissom.gait.predict(1.3)
    found.show(save=folder / "walk.gif", title="", size=(520, 360), fps=15, speed=0.5, view=(75, 8), paths=False)


def tasks(folder: Path) -> None:
    """A person lifts a box, stands up and reaches."""
    made = {
        "lift": (lissom.tasks.lift(10.5, (0.4, 0.05), (0.4, 1.2)), [0.0, 0.6, 1.0]),
        "stand-up": (lissom.tasks.stand_up(), [0.0, 0.9, 1.4]),
        "reach": (lissom.tasks.reach((0.6, 0.1, 0.4)), [0.0, 0.5, 0.8]),
    }
    for name, (task, ghosts) in made.items():
        path = folder / f"{name}.png"
        task.show(save=path, title="", size=(400, 440), view=(60, 10), time=task.duration, ghosts=ghosts, paths=False)


def nearer(scene: Scene, size: tuple[int, int], share: float = 0.8) -> np.ndarray:
    """Return the pose of a camera that looks from the usual place, but from a share of its distance."""
    seen = camera(scene, size)
    pose = seen.pose.copy()
    pose[:3, 3] -= (1 - share) * seen.distance * pose[:3, 2]
    return pose


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
