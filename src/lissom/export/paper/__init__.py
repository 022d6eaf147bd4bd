"""Listings for papers: the customized model in Khalil's form, as LaTeX or Markdown, with the base parameters."""

from .language import LaTeX, Markdown

__all__ = ["LaTeX", "Markdown"]
