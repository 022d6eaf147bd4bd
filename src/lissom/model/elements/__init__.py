"""Force elements: forces between points of links that follow from where the points are and how they move."""
