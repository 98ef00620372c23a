"""How a tree lies in memory, and what Python sees of it."""
