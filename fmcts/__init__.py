"""Monte-Carlo tree search as a value.

Reading order: `fmcts.game` (what a game is), `fmcts.rng` (generators that are passed and returned),
`fmcts.games` (three games), `fmcts.simulation` (a random game to its end), `fmcts.bots` (functions
from state and generator to move and generator), `fmcts.search` (descriptions, trees, engines),
`fmcts.history` (a search with all its versions), `fmcts.solve` (perfect play and its proofs),
`fmcts.record` (whole games), `fmcts.state` (the `State` container and its `do` blocks),
`fmcts.rules` (what lets a game be compiled), `fmcts.compare` (the designs side by side),
`fmcts.testing` (laws and strategies for tests), `fmcts.view` and `fmcts.cli` (what a person sees).
"""

from fmcts import starting  # noqa: F401 - comes first, before all that takes a while to load
from fmcts.bots import alphabeta, mcts, monte_carlo, perfect, random_bot
from fmcts.game import (
    EndlessGameError,
    FinishedGameError,
    GameError,
    GameState,
    IllegalMoveError,
    Player,
    checked_play,
    reward,
    winner_of,
)
from fmcts.record import GameRecord, play_game
from fmcts.rng import Rng, SplitMix, StdGen
from fmcts.search.analysis import Analysis, MoveStats
from fmcts.search.automatic import prepare
from fmcts.search.description import Search
from fmcts.search.entry_points import analyse, trees
from fmcts.search.errors import EngineError, IterationsError, MethodError, NoRoomError
from fmcts.search.notices import FmctsWarning
from fmcts.search.timed import analyse_for
from fmcts.search.tree import Node, reroot, walk
from fmcts.search.watch import STOP
from fmcts.simulation import playout, probabilities

__version__ = '0.1.0'

__all__ = [
    'STOP',
    'Analysis',
    'EndlessGameError',
    'EngineError',
    'FinishedGameError',
    'FmctsWarning',
    'GameError',
    'GameRecord',
    'GameState',
    'IllegalMoveError',
    'IterationsError',
    'MethodError',
    'MoveStats',
    'NoRoomError',
    'Node',
    'Player',
    'Rng',
    'Search',
    'SplitMix',
    'StdGen',
    'alphabeta',
    'analyse',
    'analyse_for',
    'checked_play',
    'mcts',
    'monte_carlo',
    'perfect',
    'play_game',
    'playout',
    'prepare',
    'probabilities',
    'random_bot',
    'reroot',
    'reward',
    'trees',
    'walk',
    'winner_of',
]
