"""From an algorithm to machine code: trace -> program -> lower -> object file -> call."""
