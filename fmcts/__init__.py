"""Monte-Carlo tree search with immutable trees and explicit random generators.

`analyse(state, rng, Search(...))` searches a position; `mcts(Search(...))` is a bot, for example
for `play_game`.

Reading order:

- `fmcts.game`: the protocol of games; `fmcts.rng`: generators as values; `fmcts.games`: the games.
- `fmcts.simulation`: random playouts; `fmcts.bots`: functions `(state, rng) -> (move, rng)`.
- `fmcts.search`: descriptions of searches, methods, policies and trees; `analyse` runs them.
- `fmcts.history`: a search with all its versions; `fmcts.solve`: perfect play and its proofs.
- `fmcts.record` and `fmcts.matches`: games and matches; `fmcts.selfplay`: games for networks.
- `fmcts.asking`: searches with slow evaluators, such as language models.
- `fmcts.state`: the `State` container and its `do` blocks; `fmcts.compare`: the designs compared.
- `fmcts.rules`: rules on integers, which let a game be compiled; `fmcts.interop`: other libraries.
- `fmcts.testing`: laws and strategies for tests; `fmcts.conformance`: other implementations.
- `fmcts.view`, `fmcts.explore` and `fmcts.cli`: text, pictures, pages and the command line.

`docs/architecture.md` shows which package imports which.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fmcts._running import (
        agreement as agreement,
        analyse as analyse,
        analyse_for as analyse_for,
        playouts as playouts,
        prepare as prepare,
        trees as trees,
    )
    from fmcts.bots import (
        alphabeta as alphabeta,
        mcts as mcts,
        monte_carlo as monte_carlo,
        perfect as perfect,
        random_bot as random_bot,
    )
    from fmcts.errors import (
        EndlessGameError as EndlessGameError,
        EngineError as EngineError,
        FinishedGameError as FinishedGameError,
        FmctsWarning as FmctsWarning,
        GameError as GameError,
        IllegalMoveError as IllegalMoveError,
        IterationsError as IterationsError,
        MethodError as MethodError,
        NoRoomError as NoRoomError,
    )
    from fmcts.game import (
        GameState as GameState,
        Player as Player,
        checked_play as checked_play,
        reward as reward,
        winner_of as winner_of,
    )
    from fmcts.record import GameRecord as GameRecord, play_game as play_game
    from fmcts.rng import Rng as Rng, SplitMix as SplitMix, StdGen as StdGen
    from fmcts.search import (
        STOP as STOP,
        Analysis as Analysis,
        MoveStats as MoveStats,
        Node as Node,
        Search as Search,
        reroot as reroot,
        walk as walk,
    )
    from fmcts.simulation import (
        playout as playout,
        probabilities as probabilities,
        throw as throw,
    )

__version__ = '0.1.0'

_NAMES = {
    'fmcts._running': ('agreement', 'analyse', 'analyse_for', 'playouts', 'prepare', 'trees'),
    'fmcts.bots': ('alphabeta', 'mcts', 'monte_carlo', 'perfect', 'random_bot'),
    'fmcts.errors': (
        'EndlessGameError',
        'EngineError',
        'FinishedGameError',
        'FmctsWarning',
        'GameError',
        'IllegalMoveError',
        'IterationsError',
        'MethodError',
        'NoRoomError',
    ),
    'fmcts.game': ('GameState', 'Player', 'checked_play', 'reward', 'winner_of'),
    'fmcts.record': ('GameRecord', 'play_game'),
    'fmcts.rng': ('Rng', 'SplitMix', 'StdGen'),
    'fmcts.search': ('Analysis', 'MoveStats', 'Node', 'STOP', 'Search', 'reroot', 'walk'),
    'fmcts.simulation': ('playout', 'probabilities', 'throw'),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}
"""The module of each public name, imported on first use, so that `import fmcts` is fast."""

__all__ = sorted(_HOME)  # noqa: PLE0605 - the keys are names


def __getattr__(name: str) -> Any:
    """Return a public name, importing its module first."""
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted({*globals(), *_HOME})
