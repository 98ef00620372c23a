"""Alpha-beta compiled for a game's rules on integers.

In reading order: `fields` (positions in arrays), `table` (what is remembered of a position), `loop`
(the search), `engine` (as Python calls it). It uses `fmcts._compiled`, and is loaded
when used, as it loads numba.
"""
