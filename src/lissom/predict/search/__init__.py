"""The search for a motion: first motions, the solver and its checks, refinement, and several problems at once."""
