"""Joints: one file for each kind, and the table that names them."""
