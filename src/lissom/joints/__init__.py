"""Joints: one file per kind, and the table of their names."""
