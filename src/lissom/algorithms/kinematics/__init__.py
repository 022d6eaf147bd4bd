"""Where links are and how they move."""
