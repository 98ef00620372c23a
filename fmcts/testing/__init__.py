"""Laws, strategies and test machines for games, bots, generators and searches, also your own.

`check_game`, `check_rules`, `same_game`, `check_bot`, `check_rng`, `check_search`, `check_network`,
`check_simulator` and `reach` need no pytest. `game_tests` turns the laws of a game into pytest
tests. The strategies and `game_machine` need Hypothesis, which only they load (extra `testing`).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from fmcts.testing._drawn import Drawn, Graph
from fmcts.testing._grammar import Formula
from fmcts.testing._laws.bots import BOT_LAWS, check_bot
from fmcts.testing._laws.games import CHANCE_LAWS, GAME_LAWS, check_game, game_tests
from fmcts.testing._laws.generators import GENERATOR_LAWS, check_rng
from fmcts.testing._laws.law import Breach, Law, Passed
from fmcts.testing._laws.networks import check_network
from fmcts.testing._laws.rules import check_rules
from fmcts.testing._laws.same import SAME_LAWS, same_game
from fmcts.testing._laws.searches import SEARCH_LAWS, check_search
from fmcts.testing._laws.simulators import SIMULATOR_LAWS, check_simulator
from fmcts.testing._reaching import Reached, Unreached, reach

if TYPE_CHECKING:
    from fmcts.testing._machines import game_machine
    from fmcts.testing._strategies import (
        formulas,
        games,
        generators,
        lines,
        positions,
        searches,
        words,
    )

__all__ = [
    'BOT_LAWS',
    'CHANCE_LAWS',
    'GAME_LAWS',
    'GENERATOR_LAWS',
    'SAME_LAWS',
    'SEARCH_LAWS',
    'SIMULATOR_LAWS',
    'Breach',
    'Drawn',
    'Formula',
    'Graph',
    'Law',
    'Passed',
    'Reached',
    'Unreached',
    'check_bot',
    'check_game',
    'check_network',
    'check_rng',
    'check_rules',
    'check_search',
    'check_simulator',
    'formulas',
    'game_machine',
    'game_tests',
    'games',
    'generators',
    'lines',
    'positions',
    'reach',
    'same_game',
    'searches',
    'words',
]

BY_HYPOTHESIS: Final = {
    **dict.fromkeys(
        ('formulas', 'games', 'generators', 'lines', 'positions', 'searches', 'words'),
        'fmcts.testing._strategies',
    ),
    'game_machine': 'fmcts.testing._machines',
}
"""The modules of the names that need Hypothesis."""


def __getattr__(name: str) -> Any:
    """Return a name that needs Hypothesis, and load it.

    :raises ImportError: hypothesis is not installed.
    """
    if name not in BY_HYPOTHESIS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    try:
        return getattr(importlib.import_module(BY_HYPOTHESIS[name]), name)
    except ModuleNotFoundError as error:
        if error.name != 'hypothesis':
            raise
        raise ImportError(
            f'fmcts.testing.{name} needs hypothesis, which is not installed: '
            "pip install 'fmcts[testing]'"
        ) from error


def __dir__() -> list[str]:
    """Return the public names too."""
    return sorted({*globals(), *BY_HYPOTHESIS})
