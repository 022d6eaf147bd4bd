"""Scenes in three dimensions: what is drawn, as arrays, whether by a page, a live view or a picture."""
