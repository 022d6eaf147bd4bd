"""Experiments of papers, redone with lissom."""
