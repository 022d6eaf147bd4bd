"""Dynamics of trees: inverse and forward dynamics, mass and Coriolis matrices, energy and momentum."""
