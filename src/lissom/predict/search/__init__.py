"""The search for a motion: start, nonlinear program, refinement of instants and knots."""
