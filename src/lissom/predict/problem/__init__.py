"""Motion problems: ends, limits and goals, checked when they are given."""
