"""Laws as values: each has a name, a sentence that states it, and a check of one case.

Reading order: `law` (what a law is, and what it is checked at), `exploring` (one runner for all
laws), `drawing` (lines that Hypothesis draws and shortens), `elsewhere` (another process),
`watching` (what a call must leave alone). Of games: `cases` (a position, and what its members say),
`members`, `states`, `declared` and `rules`, `games` (`check_game`), `coverage`, `same`
(`same_game`). Then `bots`, `statistics` (what holds up to chance), `generators`, `networks`,
`searches`, `simulators`.
"""
