"""Motion problems in YAML files."""
