"""Machine code in general, which knows nothing of search.

Intrinsics, words, lanes and the library's plain functions as numba is told of them; `cache` names
machine code and keeps it on disk.
"""
