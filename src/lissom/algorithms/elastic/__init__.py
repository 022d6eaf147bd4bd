"""Robots with elastic drives."""
