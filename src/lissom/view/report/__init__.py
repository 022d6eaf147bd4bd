"""Reports of results as pages: a verdict in words, the motion in 3-D, interactive curves, and folded details."""
