"""The motion that was found: its limits, its files, advice."""
