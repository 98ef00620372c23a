"""Laws as values: each has a name, a sentence that states it, and a check of one case.

Reading order: `law` (what a law is), `items` (what is explored), `exploring` (where laws are
checked), `drawing` (lines that Hypothesis draws and shortens), `elsewhere` (another process). Of
games: `cases` (a position, and what its members say), `members`, `playing`, `snapshots`, `states`,
`described`, `declared` and `rules`, `games` (`check_game`), `same` (`same_game`). Then `bots`,
`recording` (what a bot draws), `statistics` (what holds up to chance), `generators`, `searches`,
`networks`, `simulators`.
"""
