"""Quantities that a motion problem can limit or minimize."""
