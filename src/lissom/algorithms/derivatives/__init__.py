"""Derivatives of any function, by state, by parameters, by geometry."""
