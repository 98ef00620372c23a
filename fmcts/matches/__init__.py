"""Matches between bots: descriptions in, records out, equal for any number of workers.

>>> from fmcts import Search, SplitMix, mcts, monte_carlo
>>> from fmcts.games import tictactoe
>>> bots = mcts(Search(100)), monte_carlo(50)
>>> result = match(*bots, tictactoe.start, games=20, rng=SplitMix.from_seed(1))
>>> result.wins, result.draws, result.losses
(14, 5, 1)

Reading order of the modules: `_description` (a match), `_game` (one game of it), `_running` (all
games, here, in worker processes or by executors), `_result` with `_tables` and `_statistics`,
`_files` (records on disk), `_replaying` and `_verification` (replay by the rules,
and by the bots), `plots`.
"""

from __future__ import annotations

from fmcts.errors import MoveLimitError
from fmcts.matches._description import Match, content_of_game as content_of_game
from fmcts.matches._files import (
    MatchFile as MatchFile,
    bytes_of as bytes_of,
    made_of as made_of,
    match_of as match_of,
    object_in as object_in,
    read as read,
)
from fmcts.matches._game import PlayedGame, play_number
from fmcts.matches._lines import Replay, follow as follow, in_text as in_text
from fmcts.matches._replaying import NamedBot, load, replay
from fmcts.matches._result import MatchResult
from fmcts.matches._running import (
    UnsentError as UnsentError,
    match,
    play_match,
    players as players,
)
from fmcts.matches._seatings import Seatings, seatings
from fmcts.matches._sprt import Sprt
from fmcts.matches._tables import ResultTable as ResultTable
from fmcts.matches._tournaments import (
    SweepResult,
    TournamentResult as TournamentResult,
    cells_of as cells_of,
    pairings as pairings,
    summary,
    sweep,
    table_of as table_of,
    tournament,
)
from fmcts.matches._verification import verify as verify

__all__ = [
    'Match',
    'MatchResult',
    'MoveLimitError',
    'NamedBot',
    'PlayedGame',
    'Replay',
    'Seatings',
    'Sprt',
    'SweepResult',
    'load',
    'match',
    'play_match',
    'play_number',
    'replay',
    'seatings',
    'summary',
    'sweep',
    'tournament',
]
