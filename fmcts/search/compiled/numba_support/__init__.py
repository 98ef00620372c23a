"""What numba is taught: instructions, words, lanes, and the library's plain functions."""
