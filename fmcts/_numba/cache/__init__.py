"""Compiling machine code, naming it, and caching it on disk."""
