"""Other libraries' games as states of this one, and this library's games and bots in others.

One module a library; each is imported by itself and needs that library (extra `interop`):

- `fmcts.interop.openspiel`: OpenSpiel's games; a bot of ours as OpenSpiel's `Bot`.
- `fmcts.interop.pythonchess`: chess, by python-chess.
- `fmcts.interop.pettingzoo`: PettingZoo's board games; a game of ours as an environment.
- `fmcts.interop.pgx`: pgx's board games (extra `pgx`).

What they give is a frozen state with the members of `fmcts.game.GameState`, so that searches, bots
and laws take it as any other. Two states are equal when the same moves led to them from the same
start: nothing that a library keeps out of sight (repetitions, say) can make that wrong. pgx keeps
nothing out of sight: its states are equal when their arrays are.
"""

from __future__ import annotations
