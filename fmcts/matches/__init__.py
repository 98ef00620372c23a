"""Matches between bots: descriptions in, records out, equal for any number of workers.

>>> from fmcts import Search, SplitMix, mcts, monte_carlo
>>> from fmcts.games import tictactoe
>>> bots = mcts(Search(100)), monte_carlo(50)
>>> result = match(*bots, tictactoe.start, games=20, rng=SplitMix.from_seed(1))
>>> result.wins, result.draws, result.losses
(14, 5, 1)

Read the private files in this order: `_description` (what a match is), `_game` (one game of it),
`_state` (when it is over), `_running` (all of them, by whoever plays), `_batches`, `_processes` and
`_limits` (by executors, by processes of our own, and with a limit of time for each move), `_result`
(what comes of it) with `_tables` and `_statistics`, `_content` (what bots and games are made of),
`_files` and `_writing` (records that last), `_replaying` and `_verification` (their games again, by
the rules and by bots).
"""

from __future__ import annotations

from fmcts.errors import MoveLimitError
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, play_number
from fmcts.matches._replaying import Replay, replay
from fmcts.matches._result import MatchResult
from fmcts.matches._running import match, play_match
from fmcts.matches._seatings import Seatings, seatings
from fmcts.matches._sprt import Sprt
from fmcts.matches._sweeps import SweepResult, sweep
from fmcts.matches._tournaments import curve, tournament

__all__ = [
    'Match',
    'MatchResult',
    'MoveLimitError',
    'PlayedGame',
    'Replay',
    'Seatings',
    'Sprt',
    'SweepResult',
    'curve',
    'match',
    'play_match',
    'play_number',
    'replay',
    'seatings',
    'sweep',
    'tournament',
]
