"""Algebra of rigid motion over any scalar: floats, batches of floats, symbols of a trace."""
