"""The laws of games with chance, rewards or other players (`fmcts.game.ChanceState`)."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Self

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown, whole_number
from fmcts.errors import FinishedGameError, GameError, IllegalMoveError
from fmcts.game import (
    chances_of,
    checked_chances,
    checked_moves,
    checked_players,
    equal,
    options_of,
    players_of,
    rewards_of,
)
from fmcts.rng import Rng, SplitMix, thaw
from fmcts.search._watch import Watch
from fmcts.testing._laws.cases import few, has, named, same
from fmcts.testing._laws.exploring import Plan, explore, gathered
from fmcts.testing._laws.law import Breach, Law, Passed, known_laws
from fmcts.testing._laws.states import importable, pickles

MEMBERS: Final = ('player', 'moves', 'over', 'play')
OPTIONAL: Final = ('players', 'chances', 'rewards')
SEEN: Final = ('player', 'moves', 'over', 'winner', *OPTIONAL)
NO_OPTIONS: Final = (-1, None, 2**70, 1.5, '', 'no move', ('no', 'move'))
GAMES: Final = 4
PICKLED: Final = 'a state can be pickled'


def is_general(start: Any) -> bool:
    """Return whether a state has one of the members of `ChanceState`."""
    return any(has(start, name) for name in OPTIONAL)


@frozen(eq=False)
class Position:
    """A state, the start, and the moves and outcomes from it to the state."""

    start: Any
    state: Any
    line: tuple[Any, ...]
    max_plies: int
    rng: Rng

    @property
    def options(self) -> Sequence[Any]:
        """The moves or outcomes that can be played; none if the state raises an error."""
        try:
            return options_of(self.state)
        except Exception:  # noqa: BLE001 - the user's code may raise anything
            return ()

    @property
    def identity(self) -> Any:
        """The key that distinguishes positions."""
        return self.state

    def step(self, option: Any) -> Self:
        """Return the position after a move or an outcome."""
        after = self.state.play(option)
        return type(self)(self.start, after, (*self.line, option), self.max_plies, self.rng)


def _complaint(check: Callable[[Any], object]) -> Callable[[Position], str | None]:
    """Return a law's function from a check that raises `GameError`."""

    def found(position: Position) -> str | None:
        try:
            check(position.state)
        except GameError as error:
            return str(error)
        return None

    return found


def _members(position: Position) -> str | None:
    state = position.state
    missing = [name for name in MEMBERS if not has(state, name)]
    if not missing and not (has(state, 'winner') or has(state, 'rewards')):
        missing = ['winner, and no rewards']
    if missing:
        return f'{shown(state)} has no {missing[0]}'
    for name in OPTIONAL:
        if has(state, name) != has(position.start, name):
            return f'{shown(state)} and the start do not both have {name}'
    return None


def _players(position: Position) -> str | None:
    wrong = _complaint(checked_players)(position)
    if wrong is None and not same(players_of(position.state), players_of(position.start)):
        return f'the players are {shown(players_of(position.state))} here'
    return wrong


def _playable(position: Position) -> str | None:
    for option in few(position.options):
        after = position.state.play(option)
        missing = [name for name in MEMBERS if not has(after, name)]
        if missing:
            return f'playing {named(option)} gives {shown(after)}, which has no {missing[0]}'
    return None


def _not_drawn(position: Position) -> str | None:
    state = position.state
    for option in few(position.options):
        one, two = state.play(option), state.play(option)
        for name in SEEN:
            left, right = getattr(one, name, None), getattr(two, name, None)
            if not same(left, right):
                return (
                    f'{named(option)}, played twice, gives {name} {shown(left)} and then '
                    f'{shown(right)}; what is drawn belongs in chances'
                )
        if not equal(one, two):
            return f'{named(option)}, played twice, gives two states that are not equal'
        if hash(one) != hash(two):
            return f'{named(option)}, played twice, gives equal states with different hashes'
    return None


def _unchanged(position: Position) -> str | None:
    state = position.state
    before = [getattr(state, name, None) for name in SEEN]
    for option in few(position.options):
        state.play(option)
    for name, value in zip(SEEN, before, strict=True):
        now = getattr(state, name, None)
        if not same(now, value):
            return f'playing changes {name} of the state itself: {shown(value)}, then {shown(now)}'
    return None


def _ends(position: Position) -> str | None:
    state = position.state
    if state.over:
        return _complaint(rewards_of)(position)
    if has(state, 'rewards'):
        given = state.rewards
        return f'the game is not over, and the rewards are {shown(given)}' if given != () else None
    winner = state.winner
    return None if winner is None else f'the game is not over, and {shown(winner)} is the winner'


def _refused(position: Position) -> str | None:
    state, legal = position.state, position.options
    for option in NO_OPTIONS:
        if any(equal(option, other) for other in legal):
            continue
        try:
            after = state.play(option)
        except (IllegalMoveError, FinishedGameError):
            continue
        what = f'{named(option)} is played, which is neither a move nor an outcome here'
        return f'{what}, and gives {shown(after)}'
    return None


def _games_end(position: Position) -> str | None:
    if position.line:
        return None
    for number in range(GAMES):
        draws, state, plies = thaw(position.rng.child(number)), position.state, 0
        while options := options_of(state):
            if plies == position.max_plies:
                return f'a random game is not over after {plies:,} plies'
            state, plies = state.play(options[draws.draw(len(options))]), plies + 1
    return None


def _pickled(position: Position) -> str | None:
    again = pickle.loads(pickle.dumps(position.state))  # noqa: S301 - its own
    return None if equal(again, position.state) else f'a pickle gives {shown(again)}'


def _seats(position: Position) -> str | None:
    """Check at the start that on short lines the player to move has a move."""
    state = position.state
    if not chances_of(state) and not state.over and not state.moves:
        return f'it is the turn of {shown(state.player)}, who has no move'
    return None


CHANCE_LAWS: Final[tuple[Law[Position], ...]] = (
    Law(
        'a state has all members',
        'A state has player, moves, over, play, and winner or rewards; players, chances and '
        'rewards are there in every state or in none.',
        _members,
        basic=True,
    ),
    Law(
        'players are the same everywhere',
        'Every state has the same tuple of distinct players, and player is one of them.',
        _players,
        basic=True,
    ),
    Law(
        'chances are outcomes with weights',
        'Chances are pairs of an outcome and a whole number of at least 1, no outcome comes twice, '
        'and where there are any the game is not over and has no moves.',
        _complaint(checked_chances),
        basic=True,
    ),
    Law(
        'who is asked has a move',
        'Where chance does not move and the game is not over, the player has a move.',
        _seats,
        basic=True,
    ),
    Law(
        'moves are unique and end with the game',
        'No two moves are equal, and a finished game has none.',
        _complaint(checked_moves),
        basic=True,
    ),
    Law(
        'every move and outcome can be played',
        'Each of the moves, or of the outcomes, gives a state with all members.',
        _playable,
        basic=True,
    ),
    Law(
        'nothing is drawn inside play',
        'The same move or outcome, played twice, gives equal states with equal hashes.',
        _not_drawn,
    ),
    Law('play changes nothing', 'A state is the same after something was played.', _unchanged),
    Law(
        'ends have rewards',
        'A finished game has a reward from 0 to 1 for each player, or a winner who is a player or '
        'None; before the end there are none.',
        _ends,
    ),
    Law('games end', 'Every game is over after `max_plies` plies at most.', _games_end),
    Law(
        'what cannot be played is refused',
        'What is neither a move nor an outcome raises IllegalMoveError.',
        _refused,
    ),
    Law(PICKLED, 'A pickle of a state gives an equal one.', _pickled),
)
"""All laws of such games, the most important first."""


def check_chance_game(  # noqa: PLR0913 - the options of `check_game`
    start: Any,
    *,
    positions: int,
    games: int,
    rng: Rng | None,
    max_plies: int,
    invariants: Mapping[str, Callable[[Any], object]],
    without: Iterable[str],
    watch: Watch,
) -> Result[Passed, Breach]:
    """Return whether a game with chance, rewards or other players satisfies `CHANCE_LAWS`.

    :raises ValueError: a number is not accepted, or no law has that name.
    """
    laws = (*CHANCE_LAWS, *(_invariant(name, holds) for name, holds in invariants.items()))
    unwanted = known_laws(without, (law.name for law in laws))
    reasons = dict.fromkeys(unwanted, 'it was not asked for')
    kind = type(start)
    if not importable(kind) and not pickles(start):
        reasons[PICKLED] = f'{kind.__qualname__} is not a name in a module, which pickles need'
    chosen = [law for law in laws if law.name not in reasons]
    rng = SplitMix.from_seed(1) if rng is None else rng
    plan = Plan(
        whole_number('positions', positions),
        whole_number('games', games, least=0),
        max_plies,
        rng,
        3,
    )
    first = Position(start, start, (), whole_number('max_plies', max_plies), rng)
    explored = explore(lambda: lambda: first, chosen, plan, watch)
    if explored.breaches:
        return Failure(gathered(explored.breaches, chosen))
    return Success(Passed(explored.cases, tuple(reasons.items()), explored.extent))


def _invariant(name: str, holds: Callable[[Any], object]) -> Law[Position]:
    def found(position: Position) -> str | None:
        given = holds(position.state)
        if given is True or given is None:
            return None
        return given if isinstance(given, str) else f'it gives {shown(given)}'

    return Law(name, f'The invariant {name} holds in every state.', found)
