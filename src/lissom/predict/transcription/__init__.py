"""The nonlinear program of a motion problem: instants along splines, and derivatives by control points and durations."""
