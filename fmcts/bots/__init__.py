"""Bots: pure functions `(state, rng) -> (move, rng)`.

The library's own bots are frozen values that can be called, compared, hashed and pickled; any
function of this shape is a bot as well. `RECIPES` has the named ones, `parse_bot` reads bots from
text such as `mcts:1000,c=0.5`, and `printed` runs the source texts' programs with their faults.
What is imported here `as` itself is for other rooms of the library.
"""

from fmcts._running import lacks_rounds
from fmcts.bots._bot import (
    AnalysingBot,
    Bot,
    check_unfinished as check_unfinished,
    checked_answer as checked_answer,
    of_side as of_side,
    random_bot,
)
from fmcts.bots._levels import (
    AtTemperature,
    Level,
    by_visits as by_visits,
    check_temperature as check_temperature,
    shares as shares,
)
from fmcts.bots._presets import RECIPES, AnyBot as AnyBot, Human as Human, Recipe
from fmcts.bots._root_parallel import ParallelBot, parallel
from fmcts.bots._solving import AlphaBetaBot, alphabeta, perfect, playing as playing
from fmcts.bots._spec import (
    DEFAULT_BOT as DEFAULT_BOT,
    budget as budget,
    choices as choices,
    parse_bot,
    with_number as with_number,
)
from fmcts.bots._treesearch import (
    LimitedBot as LimitedBot,
    Made as Made,
    MctsBot,
    limited as limited,
    mcts,
)
from fmcts.bots.montecarlo import MonteCarlo, article_mc_pure, article_mc_state, monte_carlo

__all__ = [
    'RECIPES',
    'AlphaBetaBot',
    'AnalysingBot',
    'AtTemperature',
    'Bot',
    'Level',
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
    'parse_bot',
    'perfect',
    'random_bot',
]
