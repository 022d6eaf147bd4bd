"""Contacts: forces of the ground and of channels on links, gaps and slip of points, and how the ground shares its reaction."""
