"""Small robots with undriven joints and moving bases, for motion problems."""

import numpy as np

from lissom import Inertia, Joint, Link, Model, Robot


def cart_pole(cart=1.0, pole=0.3, length=0.5):
    """Kelly 2017: a cart along x, and a point mass on a rod that hangs at angle zero and turns as his q2 does."""
    links = (Link("ground"), Link("cart", Inertia(cart)), Link("pole", Inertia(pole, com=(0.0, 0.0, -length))))
    slide = Joint("cart", "prismatic", "ground", "cart", axis=(1.0, 0.0, 0.0))
    swing = Joint("pole", "revolute", "cart", "pole", axis=(0.0, -1.0, 0.0))
    return Robot(Model("cart_pole", links, (slide, swing)))


def free_body(kind="floating", mass=2.0, com=(0.0, 0.0, 0.0), tensor=(0.02, 0.05, 0.06), gravity=(0.0, 0.0, -9.81)):
    """One body on a joint to the ground."""
    links = (Link("ground"), Link("body", Inertia(mass, com=com, tensor=np.diag(tensor))))
    return Robot(Model("body", links, (Joint("base", kind, "ground", "body"),), gravity=gravity))


def hopper():
    """A floating body with a leg: 6 + 1 velocities."""
    links = (
        Link("ground"),
        Link("body", Inertia(3.0, com=(0.02, 0.0, 0.1), tensor=np.diag((0.05, 0.04, 0.03)))),
        Link("leg", Inertia(1.0, com=(0.0, 0.0, -0.2), tensor=np.diag((0.02, 0.02, 0.003)))),
    )
    joints = (Joint("base", "floating", "ground", "body"), Joint("knee", "revolute", "body", "leg", axis=(0.0, 1.0, 0.0)))
    return Robot(Model("hopper", links, joints))
