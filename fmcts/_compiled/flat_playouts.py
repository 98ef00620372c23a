"""Flat playouts in machine code: the verb `simulate`, repeated from one position."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, cast

from fmcts._compiled.calls import broken_rules, call, make
from fmcts._compiled.simulation import simulation
from fmcts._compiled.structure import Structure
from fmcts._content.remembered import keep
from fmcts._numba.cache.current import current_rules
from fmcts._numba.cache.jit import jit, registered
from fmcts._numba.generators import Generator, exact, generator_of, kind_of, words_of
from fmcts._numba.positions import fields_of, menus_of
from fmcts.game import GameState, Player
from fmcts.rng._protocol import R
from fmcts.rules import DRAW, IntegerRules, O, X, rules_of
from fmcts.search._watch import STOP, Watch, chunks
from fmcts.search.methods import UCB1

UNLIMITED: Final = 1 << 62


PLAYERS: Final = 256  # games whose machine code is kept in a process

_players: Final[dict[tuple[object, ...], Any]] = {}


def _player(rules: IntegerRules, position: Any, generator: Generator, about: str) -> Any:
    """Return the machine code, made once for each game; of many games, the oldest is dropped."""
    key = rules, position, generator
    if key not in _players:
        keep(_players, key, _make_player(rules, position, generator, about), PLAYERS)
    return _players[key]


def _make_player(rules: IntegerRules, position: Any, generator: Generator, about: str) -> Any:
    registered(rules)
    see = menus_of(rules).see
    structure = Structure(UCB1(), 'in-order')
    simulate = simulation(rules, structure)

    def play_out(root_fields: Any, rng_words: Any, times: Any, max_plies: Any) -> Any:  # compiled
        """Return the wins of X, the wins of O, the draws, and the next words of the generator.

        If rules break their promises, the negated status replaces the wins of X.
        """
        root = position(*root_fields)
        rng = generator(*rng_words)
        options = see(root)
        nothing = 0  # moves are not remembered
        for_x = for_o = for_nobody = 0
        for _ in range(times):
            won, rng = simulate(
                root, options, rng, max_plies, nothing, 0, (0,), nothing, nothing, 0
            )
            if won < 0:
                return won, 0, 0, (rng[0], rng[1])
            for_x += won == X
            for_o += won == O
            for_nobody += won == DRAW
        return for_x, for_o, for_nobody, (rng[0], rng[1])

    return jit(play_out, about)


def playouts(
    state: GameState[Any], rng: R, times: int, max_plies: int, watch: Watch
) -> tuple[Counter[Player | None], R]:
    """Return the winners of uniform playouts, and the generator to use next.

    :raises EndlessGameError: a game is not over after `max_plies` plies.
    :raises RulesError: the rules on integers cannot be compiled or break their promises.
    """
    rules = current_rules(cast('IntegerRules', rules_of(state)))  # `unsupported_game` checked this
    position = rules.pack(state)
    kinds: Any = type(position), kind_of(rng)
    fields = fields_of(position)
    play_out = _players.get((rules, *kinds))
    if play_out is None:  # usually it exists, and no lock is needed
        play_out = make(state, _player, rules, *kinds, f'playouts of {type(state).__name__}')
    words = words_of(rng)
    wins_of_x = wins_of_o = draws = done = 0
    for chunk in chunks(times):
        for_x, for_o, for_nobody, words = call(
            state, play_out, fields, exact(words), chunk, min(max_plies, UNLIMITED)
        )
        if for_x < 0:
            raise broken_rules(state, -for_x, max_plies)
        wins_of_x, wins_of_o, draws = wins_of_x + for_x, wins_of_o + for_o, draws + for_nobody
        done += chunk
        if watch(done) is STOP:
            break
    ends = {Player.X: wins_of_x, Player.O: wins_of_o, None: draws}
    # Outcomes that did not happen are left out, as in the interpreted engines.
    return Counter({end: count for end, count in ends.items() if count}), generator_of(rng, words)
