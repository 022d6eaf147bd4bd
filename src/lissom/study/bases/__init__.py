"""What a study runs: documents with places for parameters, or functions."""
