"""Force elements: forces between points of links that depend on the motion of the points."""
