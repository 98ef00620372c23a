"""Bots: pure functions `(state, rng) -> (move, rng)`.

The library's own bots are frozen values that can be called, compared, hashed and pickled; any
function of this shape is a bot as well. `stateful` has the article's bots as `State` actions,
`presets` the named ones, and `spec` reads bots from text such as `mcts:1000,c=0.5`.
"""

from fmcts._running.rounds import lacks_rounds
from fmcts.bots._bot import AnalysingBot, Bot
from fmcts.bots._presets import RECIPES, Recipe
from fmcts.bots._random import random_bot
from fmcts.bots._root_parallel import ParallelBot, parallel
from fmcts.bots._solving import AlphaBetaBot, alphabeta, perfect
from fmcts.bots._treesearch import MctsBot, mcts
from fmcts.bots.montecarlo import MonteCarlo, article_mc_pure, article_mc_state, monte_carlo

__all__ = [
    'RECIPES',
    'AlphaBetaBot',
    'AnalysingBot',
    'Bot',
    'MctsBot',
    'MonteCarlo',
    'ParallelBot',
    'Recipe',
    'alphabeta',
    'article_mc_pure',
    'article_mc_state',
    'lacks_rounds',
    'mcts',
    'monte_carlo',
    'parallel',
    'perfect',
    'random_bot',
]
