"""Time derivatives of forces and wrenches."""
