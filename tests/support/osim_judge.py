"""OpenSim as judge: places, mass matrix and inverse dynamics of a model at states given by names of coordinates."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile

import numpy as np
import pytest


def judge():
    """Return the package opensim, silent and without the log file that it writes where it is imported; skip without it.

    It has a library of casadi's name and another version inside: a process can load one of the two. Tests of motion problems load
    casadi where they are collected, so that these tests run where they are chosen alone (`pytest tests/osim tests/muscles`).
    """
    if "casadi" in sys.modules:
        pytest.skip("casadi is loaded in this process, and opensim cannot be beside it: run these tests alone")
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            opensim = pytest.importorskip("opensim")
            opensim.Logger.removeFileSink()
        finally:
            os.chdir(here)
    opensim.Logger.setLevelString("Off")
    return opensim


@contextlib.contextmanager
def in_folder(folder):
    """Let OpenSim's tools write into a folder."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


class Judged:
    """An OpenSim model; q, u and udot are dicts by names of coordinates, in rad and m."""

    def __init__(self, path):
        self.opensim = judge()
        self.model = self.opensim.Model(str(path))
        self.model.finalizeFromProperties()
        self.state = self.model.initSystem()
        every = self.model.getCoordinateSet()
        self.coordinates = {every.get(k).getName(): every.get(k) for k in range(every.getSize())}
        forces = self.model.getForceSet()
        for k in range(forces.getSize()):
            forces.get(k).setAppliesForce(self.state, False)
        self.speeds = {name: self._index(coordinate) for name, coordinate in self.coordinates.items()}

    def _index(self, coordinate):
        """Return the index of a coordinate's speed in u."""
        self.state.updU().setToZero()
        coordinate.setSpeedValue(self.state, 1.0)
        u = self.state.getU()
        return next(k for k in range(u.size()) if u.get(k) == 1.0)

    def order(self, names):
        """Return the indices in u of coordinates."""
        return [self.speeds[name] for name in names]

    def at(self, q, u=None):
        """Set the state, without assembling constraints, and realize it."""
        for coordinate in self.coordinates.values():
            coordinate.setLocked(self.state, False)
        for name, value in q.items():
            self.coordinates[name].setValue(self.state, value, False)
        for name, value in (u or {}).items():
            self.coordinates[name].setSpeedValue(self.state, value)
        self.model.realizeVelocity(self.state)

    def pose(self, body):
        """Return rotation (3, 3) and place (3,) of a body in the ground."""
        X = self.model.getBodySet().get(body).getTransformInGround(self.state)
        R, p = X.R(), X.p()
        return np.array([[R.get(i, j) for j in range(3)] for i in range(3)]), np.array([p.get(k) for k in range(3)])

    def velocity(self, body):
        """Return the velocity of a body's origin and its angular velocity, in the ground."""
        V = self.model.getBodySet().get(body).getVelocityInGround(self.state)
        return np.array([[V.get(k).get(i) for i in range(3)] for k in (1, 0)])

    def markers(self):
        """Return the places of the markers by their names."""
        found = self.model.getMarkerSet()
        marks = [found.get(k) for k in range(found.getSize())]
        return {m.getName(): np.array([m.getLocationInGround(self.state).get(i) for i in range(3)]) for m in marks}

    def speed_map(self, q, names):
        """Return the matrix (nu, n) that takes rates of named coordinates at q to OpenSim's speeds.

        They differ for ball, free and ellipsoid joints: the first three speeds are an angular velocity in the parent's axes.
        """
        found = np.zeros((len(self.speeds), len(names)), np.asarray(q).dtype)
        at = dict(zip(names, q, strict=True))
        for name in names:
            found[self.speeds[name], names.index(name)] = 1.0
        joints = self.model.getJointSet()
        for k in range(joints.getSize()):
            joint = joints.get(k)
            if joint.getConcreteClassName() not in ("BallJoint", "FreeJoint", "EllipsoidJoint", "ScapulothoracicJoint"):
                continue
            three = [joint.get_coordinates(i).getName() for i in range(3)]
            a, b = at[three[0]], at[three[1]]
            ca, sa, cb, sb = np.cos(a), np.sin(a), np.cos(b), np.sin(b)
            E = np.array([[1, 0, sb], [0, ca, -sa * cb], [0, sa, ca * cb]])
            found[np.ix_(self.order(three), [names.index(name) for name in three])] = E
        return found

    def mass_matrix(self):
        """Return the mass matrix, in the order of the speeds."""
        M = self.opensim.Matrix()
        self.model.getMatterSubsystem().calcM(self.state, M)
        return np.array([[M.get(i, j) for j in range(M.ncol())] for i in range(M.nrow())])

    def inverse_dynamics(self, udot):
        """Return the generalized forces for accelerations in the order of the speeds, gravity included, without other forces."""
        opensim = self.opensim
        vector = opensim.Vector(len(udot), 0.0)
        for k, value in enumerate(udot):
            vector.set(k, float(value))
        found = opensim.InverseDynamicsSolver(self.model).solve(self.state, vector)
        return np.array([found.get(k) for k in range(found.size())])
