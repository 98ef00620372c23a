"""Bots: pure functions `(state, rng) -> (move, rng)`.

The library's own bots are frozen values that can be called, compared, hashed and pickled; any
function of this shape is a bot as well. `RECIPES` has the named ones, `parse_bot` reads bots from
text such as `mcts:1000,c=0.5`, and `printed` runs the source texts' programs with their faults.
"""

from fmcts._running.rounds import lacks_rounds
from fmcts.bots._bot import AnalysingBot, Bot, random_bot
from fmcts.bots._presets import RECIPES, AnyBot, Human, Recipe
from fmcts.bots._root_parallel import ParallelBot, parallel
from fmcts.bots._solving import AlphaBetaBot, alphabeta, perfect
from fmcts.bots._spec import parse_bot
from fmcts.bots._treesearch import MctsBot, TimedBot, mcts
from fmcts.bots.montecarlo import MonteCarlo, article_mc_pure, article_mc_state, monte_carlo

__all__ = [
    'RECIPES',
    'AlphaBetaBot',
    'AnalysingBot',
    'AnyBot',
    'Bot',
    'Human',
    'MctsBot',
    'MonteCarlo',
    'ParallelBot',
    'Recipe',
    'TimedBot',
    'alphabeta',
    'article_mc_pure',
    'article_mc_state',
    'lacks_rounds',
    'mcts',
    'monte_carlo',
    'parallel',
    'parse_bot',
    'perfect',
    'random_bot',
]
