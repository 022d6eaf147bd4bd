"""The motion that was found: its limits, goals, loads and files."""
