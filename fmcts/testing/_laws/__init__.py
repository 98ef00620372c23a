"""Laws as values: each has a name, a sentence that states it, and a check of one case.

Reading order: `law` (what a law is), `cases` (a position and the line to it), `moves`, `states`,
`playing`, `declared` and `described` (the laws of games), `process` and `games_elsewhere` (another
process), `exploring` (which positions are checked, and how a line is shortened), `games`
(`check_game`), `same` (`same_game`). Of bots and searches: `positions` (where they are checked),
`functions_elsewhere` (another process). Of bots: `recording` (a generator that keeps a record),
`botcase`, `bot_laws`, `bots` (`check_bot`); of generators: `evenness`, `generator_laws`,
`generators` (`check_rng`); of searches: `searchcase`, `search_laws`, `symmetry`, `strength`,
`searches` (`check_search`). Nothing here needs hypothesis, so the command line can check laws
without it.
"""
