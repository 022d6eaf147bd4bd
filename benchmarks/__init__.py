"""Benchmarks: one file per question, with peers in the same run."""
