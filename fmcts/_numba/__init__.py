"""What numba is registered: instructions, words, lanes, and the library's plain functions."""
