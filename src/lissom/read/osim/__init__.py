"""OpenSim's models: .osim files of versions 2 to 4 (`file.py` reads their parts)."""
