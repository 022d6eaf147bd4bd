"""lissom: a robot description in, that robot's own equations of motion out."""
