"""Many uniform playouts from one position: games between two random bots, counted."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from fmcts import _linked as linked
from fmcts._arguments import whole_number
from fmcts._promises import check_plain, checked_winner
from fmcts._running.automatic import warn_of_rules
from fmcts._running.registry import ENGINES, check_engine, look_at
from fmcts.errors import EngineError, RulesError
from fmcts.game import MAX_PLIES, GameState, Player, has_rewards
from fmcts.rng import R, thaw
from fmcts.search._watch import STOP, Watch, chunks, ignore
from fmcts.simulation import simulator_of

MANY: Final = 10_000
"""Playouts for which linking pays."""


def playouts(
    state: GameState[Any],
    rng: R,
    times: int,
    *,
    engine: str = 'auto',
    watch: Watch = ignore,
    max_plies: int = MAX_PLIES,
) -> tuple[Counter[Player | None], R]:
    """Return each player's wins (`None`: draws) in `times` playouts, and the next generator.

    The result equals `fmcts.playout` repeated, draw for draw. `engine` is as in `analyse`: only
    `compiled` makes a difference, and only to the speed. `watch` receives the number of playouts
    done, and ends them by returning `STOP`. `max_plies` limits the plies of a game.

    :raises EndlessGameError: a game is not over after `max_plies` plies.
    :raises EngineError: the engine is unknown or does not support the game; or the class of `state`
        declares rules on integers that disagree with it (`auto` and `compiled`).
    :raises GameError: the game breaks a promise of `GameState`.
    :raises ValueError: `times` is not a whole number of at least 0, or `max_plies` of at least 1.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> winners, rng = playouts(tictactoe.start, StdGen(1, 1), 100)
    >>> winners[Player.X], winners[Player.O], winners[None]
    (66, 21, 13)
    """
    whole_number('times', times, least=0)
    whole_number('max_plies', max_plies)
    look_at(state, check_engine(engine))
    if has_rewards(state):
        check_plain(state, 'a count of winners (use fmcts.simulation.chance_playout)')
    simulate = simulator_of(state, max_plies)

    def in_python(rng: Any, number: int) -> tuple[Counter[Player | None], Any]:
        draws = thaw(rng)
        ends = (checked_winner(state, simulate(state, draws.draw)) for _ in range(number))
        return Counter(ends), draws.freeze()

    if engine in ('auto', 'compiled'):
        missing = linked.unsupported_game(state, rng)
        able = [name for name in ENGINES if name != 'compiled']
        if missing is None and (engine == 'compiled' or times >= MANY):
            try:
                run = linked.playouts(state, rng, max_plies, in_python)
                return _counted(run, rng, times, watch)
            except RulesError as error:
                if engine == 'compiled':
                    raise
                warn_of_rules(state, error, able[0])
        elif engine == 'compiled':
            raise EngineError(
                f'the engine compiled does not support {missing}; use one of: {", ".join(able)}'
            )
    return _counted(in_python, rng, times, watch)


def _counted(run: Any, rng: R, times: int, watch: Watch) -> tuple[Counter[Player | None], R]:
    """Return the winners of playouts that `run(rng, number)` makes, and the next generator."""
    winners: Counter[Player | None] = Counter()
    for chunk in chunks(times):
        found, rng = run(rng, chunk)
        winners.update(found)
        if watch(winners.total()) is STOP:
            break
    return winners, rng
