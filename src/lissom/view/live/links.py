"""Links that can be dragged, and the one that is dragged unless another is chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

WHOLE = 6  # directions in which a body can move
STEP = 1e-6  # of differences [rad or m]
SMALL = 1e-4  # [m or rad per rad or m] that count as no motion


def moving_links(model: Any) -> list[str]:
    """Return the names of the links that a joint moves, in the order of the model."""
    moved: set[str] = set()
    for joint in model.joints:  # parents come before children
        if joint.parent in moved or joint.kind.nv:
            moved.add(joint.child)
    return [link.name for link in model.links if link.name in moved]


def freedom(model: Any, link: str) -> int:
    """Return the number of velocities of all joints from the base to a link, floating ones left out."""
    above = {joint.child: joint for joint in model.joints}
    count = 0
    while link in above:
        joint = above[link]
        count, link = count + (joint.kind.nv if joint.kind.nv < WHOLE and joint.coupling is None else 0), joint.parent
    return count


def turns(model: Any, link: str) -> bool:
    """Return whether a joint from the base to a link turns it."""
    above = {joint.child: joint for joint in model.joints}
    while link in above:
        joint = above[link]
        if joint.kind.nv and joint.kind.value != "prismatic":
            return True
        link = joint.parent
    return False


def closed_freedom(robot: Any, tree_q: np.ndarray) -> dict[str, tuple[int, bool]]:
    """Return for each link of a closed robot the number of directions in which it can move, and whether it can turn.

    From differences of all poses along each velocity of the robot: a Jacobian would be compiled for every link.
    """
    tree, G = robot.tree, robot.velocity_matrix(tree_q=tree_q)
    here = tree.link_poses(tree_q)
    there = tree.link_poses(tree.integrate(tree_q, STEP * G.T))  # (nv, links, 4, 4)
    shifts = (there - here)[..., :3, 3] / STEP
    spins = np.swapaxes(here[:, :3, :3], 1, 2) @ there[..., :3, :3]
    rates = np.stack(
        [spins[..., 2, 1] - spins[..., 1, 2], spins[..., 0, 2] - spins[..., 2, 0], spins[..., 1, 0] - spins[..., 0, 1]], -1
    )
    J = np.concatenate([shifts, rates / (2 * STEP)], axis=-1)  # (nv, links, 6)
    found = {}
    for k, name in enumerate(robot.link_names):
        found[name] = int(np.linalg.matrix_rank(J[:, k], tol=SMALL)), bool(np.abs(J[:, k, 3:]).max(initial=0.0) > SMALL)
    return found


def hand(robot: Any) -> str | None:
    """Return the link to drag at first: a platform, or the hand at the end of the longest chain; None where nothing moves.

    A hand is the end of its chain or, where that is a finger, the link that carries the fingers.
    """
    model, links = robot.model, moving_links(robot.model)
    if getattr(robot, "platform", None) in links:
        return str(robot.platform)
    if not links:
        return None
    deepest = max(freedom(model, link) for link in links)
    end = [link for link in links if freedom(model, link) == deepest][-1]
    above = {joint.child: joint.parent for joint in model.joints}
    branches = {name: sum(joint.parent == name and joint.kind.nv > 0 for joint in model.joints) for name in above.values()}
    palm = end
    while palm in above and branches.get(palm, 0) < 2:
        palm = above[palm]
    return palm if branches.get(palm, 0) > 1 and freedom(model, palm) >= WHOLE else end
