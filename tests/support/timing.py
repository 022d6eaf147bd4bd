"""Small robots whose fastest motions have closed forms."""

import lissom


def cart(mass=2.0, viscous=0.0, coulomb=0.0):
    """A mass on a rail."""
    links = (lissom.Link("rail"), lissom.Link("cart", lissom.Inertia(mass)))
    friction = lissom.Friction(viscous, coulomb)
    slide = lissom.Joint("slide", "prismatic", "rail", "cart", axis=(1.0, 0.0, 0.0), friction=friction)
    return lissom.Robot(lissom.Model("cart", links, (slide,)))


def pendulum(mass=1.5, length=0.7, effort=float("inf")):
    """A point mass on a massless rod that turns about y; at q = 0 it points along x, and positive angles lower it."""
    links = (lissom.Link("wall"), lissom.Link("bob", lissom.Inertia(mass, (length, 0.0, 0.0))))
    limits = lissom.Limits(effort=effort)
    hinge = lissom.Joint("hinge", "revolute", "wall", "bob", axis=(0.0, 1.0, 0.0), limits=limits)
    return lissom.Robot(lissom.Model("pendulum", links, (hinge,)))
