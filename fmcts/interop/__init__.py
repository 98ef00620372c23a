"""Other libraries' games as states of this one, and this library's games and bots in others.

`fmcts.interop.commands` has games of programs in any language, and needs no library. For the others
there is one module per library; each is imported separately and needs that library (extra
`interop`):

- `fmcts.interop.openspiel`: OpenSpiel's games; a bot as OpenSpiel's `Bot`.
- `fmcts.interop.pythonchess`: chess, by python-chess.
- `fmcts.interop.pettingzoo`: PettingZoo's board games; a game of this library as an environment.
- `fmcts.interop.gymnasium`: Gymnasium's environments, for one player.
- `fmcts.interop.pgx`: pgx's board games (extra `pgx`).

Each makes a frozen state with the members of `fmcts.game.GameState`, for searches, bots and laws.
Two states are equal if the same moves led to them from the same start, so state that a library does
not show (repetitions, for example) cannot make equality wrong. pgx's states are equal if their
arrays are, because these contain everything; those of some games of OpenSpiel if their texts are.
"""

from __future__ import annotations
