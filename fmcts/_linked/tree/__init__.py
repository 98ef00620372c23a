"""Trees of the compiled engine: arrays of numbers, and their nodes for Python."""
