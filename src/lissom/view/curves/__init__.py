"""Interactive curves of a page: values on hover, zoom, limits shaded, a cursor tied to the player's time."""
