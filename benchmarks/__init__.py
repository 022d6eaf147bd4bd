"""Benchmarks: one file for each question, the peer beside us in the same run."""
