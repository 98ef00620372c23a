"""The layout of a tree in memory, and its nodes for Python."""
