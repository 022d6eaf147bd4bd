"""Random force elements, and what they do by poses and complex steps alone: nothing of lissom's recursions is used."""

import numpy as np
from hypothesis import strategies as st

from lissom import PointSpring
from support.complex_step import H
from support.kinematics import link_poses, rate_of_coordinates
from support.trees import trees


def with_point_springs(model, seed=0, count=3):
    """Return the model with springs between random links: with and without rest length, stiffness and damping."""
    rng = np.random.default_rng((seed, 7))
    names = [link.name for link in model.links]
    springs = []
    for k in range(count):
        a, b = rng.choice(len(names), 2, replace=False)
        stiffness, rest, damping = rng.uniform(50, 300), rng.uniform(0.1, 0.6), rng.uniform(1, 5)
        springs.append(
            PointSpring(
                f"spring_{k}",
                names[a],
                rng.uniform(-0.4, 0.4, 3),
                names[b],
                rng.uniform(-0.4, 0.4, 3),
                stiffness if k % 4 != 3 else 0.0,
                rest if k % 3 != 2 else 0.0,
                damping if k % 2 == 0 or k % 4 == 3 else 0.0,
            )
        )
    return model.replace(force_elements=tuple(springs))


@st.composite
def sprung_trees(draw, **given):
    """A random tree with force elements."""
    return with_point_springs(draw(trees(**given)), draw(st.integers(0, 1000)), draw(st.integers(1, 4)))


def length(model, element, q):
    """Return the length of a spring at coordinates that may be complex."""
    poses = link_poses(model, q)[0]
    (Ra, pa), (Rb, pb) = poses[element.link_a], poses[element.link_b]
    d = pb + Rb @ np.array(element.point_b) - pa - Ra @ np.array(element.point_a)
    return np.sqrt(d @ d)


def slope(model, element, q):
    """Return dL/dq by velocities (nv,)."""
    along = [rate_of_coordinates(model, q, v) for v in np.eye(model.nv)]
    return np.array([np.imag(length(model, element, q + 1j * H * dq)) / H for dq in along])


def element_torques(model, q, qd):
    """Return what drives need against all springs (nv,): (K (L - rest) + D L') dL/dq."""
    total = np.zeros(model.nv)
    for element in model.force_elements:
        J = slope(model, element, q)
        total += (element.stiffness * (length(model, element, q) - element.rest) + element.damping * (J @ qd)) * J
    return total


def element_energy(model, q):
    """Return the energy of all springs."""
    return sum(0.5 * e.stiffness * (length(model, e, q) - e.rest) ** 2 for e in model.force_elements)
