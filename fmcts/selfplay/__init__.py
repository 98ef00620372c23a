"""Self-play: games that a search with a network plays against itself, for training.

`self_play` plays many games at the same time, `as_arrays` returns their positions for training, and
`draws` has noise, temperature and Gumbel numbers.
"""

from fmcts.selfplay._games import (
    Arrays,
    Noise,
    Played,
    as_arrays,
    improved_policy,
    root_of,
    self_play,
)

__all__ = [
    'Arrays',
    'Noise',
    'Played',
    'as_arrays',
    'improved_policy',
    'root_of',
    'self_play',
]
