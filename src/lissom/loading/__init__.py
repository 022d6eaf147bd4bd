"""Loading robots: from files, text, built-in names, and the robot section of problem and scenario files."""
