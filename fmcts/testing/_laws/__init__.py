"""Laws as values: each has a name, a sentence that states it, and a check of one case.

Reading order: `law` (what a law is), `cases` (a position and the line to it), `moves`, `states`,
`playing`, `declared` and `described` (the laws of games), `process` and `games_elsewhere` (another
process), `exploring` (which positions are checked, and how a line is shortened), `games`
(`check_game`), `same` (`same_game`). Of bots and searches: `positions` (where they are checked),
`recording` (what a function draws), `bots` (`check_bot`), `evenness` and `generators`
(`check_rng`), `symmetry`, `strength` and `searches` (`check_search`).
Nothing here needs hypothesis, so the command line can check laws without it.
"""
