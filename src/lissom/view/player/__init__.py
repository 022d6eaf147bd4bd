"""The player of scenes in pages: WebGL 2 and plain JavaScript, inline, without requests."""
