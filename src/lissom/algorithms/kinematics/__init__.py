"""Kinematics: poses, velocities and accelerations of links, distances, and tasks in space."""
