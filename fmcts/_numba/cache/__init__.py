"""The compilation, names and disk cache of machine code."""
