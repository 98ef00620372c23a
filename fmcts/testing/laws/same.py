"""Whether two implementations of a game are the same: both are walked in step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts.arguments import shown, whole_number
from fmcts.game import equal, key_of
from fmcts.rng import Rng, SplitMix
from fmcts.search.watch import Watch, ignore
from fmcts.testing.laws.cases import Case, Told, ask, few, named, play, same
from fmcts.testing.laws.exploring import Plan, explore
from fmcts.testing.laws.law import Breach, Law, Passed

__all__ = ['SAME_LAWS', 'Pair', 'same_game']

Translate = Callable[[Any], Any]


@frozen(eq=False)
class Pair:
    """A position in both games. `theirs` is reached by their own moves for those of `mine`."""

    mine: Case
    theirs: Any
    translate: Translate | None

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here, as mine are written."""
        return self.mine.line

    @property
    def options(self) -> Sequence[Any]:
        """The moves to go on with."""
        return self.mine.options

    @property
    def identity(self) -> Any:
        """What tells pairs apart."""
        return self.mine.state, self.theirs

    def step(self, move: Any) -> Self:
        """The pair after a move of mine."""
        after = play(self.theirs, self.their(move))
        return type(self)(self.mine.step(move), after, self.translate)

    def their(self, move: Any) -> Any:
        """Their move for one of mine."""
        return move if self.translate is None else self.translate(move)


def _member(name: str) -> Callable[[Pair], str | None]:
    """What tells a member of my state and of theirs apart."""

    def found(pair: Pair) -> str | None:
        mine, theirs = ask(pair.mine.state, name), ask(pair.theirs, name)
        if same(mine, theirs):
            return None
        return f'{name} is {shown(mine)} of mine and {shown(theirs)} of theirs'

    return found


def _moves(pair: Pair) -> str | None:
    mine, theirs = ask(pair.mine.state, 'moves'), ask(pair.theirs, 'moves')
    if pair.translate is None:
        if same(mine, theirs):
            return None
        return f'moves are {shown(mine, 80)} of mine and {shown(theirs, 80)} of theirs'
    translated = tuple(pair.their(move) for move in mine)
    if _are_the_same(translated, theirs):
        return None
    return (
        f'my moves are {shown(translated, 80)} as theirs are written, '
        f'and theirs are {shown(theirs, 80)}'
    )


def _are_the_same(one: Sequence[Any], two: Sequence[Any]) -> bool:
    """Whether the same moves are in both, each as often, in whatever order."""
    left = list(two)
    for move in one:
        place = next((place for place, other in enumerate(left) if equal(move, other)), None)
        if place is None:
            return False
        del left[place]
    return not left


def _keys(pair: Pair) -> str | None:
    for move in few(ask(pair.mine.state, 'moves')):
        mine, theirs = key_of(pair.mine.state, move), key_of(pair.theirs, pair.their(move))
        if not equal(mine, theirs):
            return (
                f'the key of {named(move)} is {shown(mine)} of mine and {shown(theirs)} of theirs'
            )
    return None


KEYS: Final = Law[Pair]('same keys', 'The keys of the moves are equal.', _keys)

SAME_LAWS: Final[tuple[Law[Pair], ...]] = (
    Law('same player', 'The same side is to move.', _member('player')),
    Law(
        'same moves',
        'The moves are equal and in the same order; or, where moves are told apart, the same.',
        _moves,
    ),
    Law('same end', 'Both games are over, or neither.', _member('over')),
    Law('same winner', 'Both have the same winner, or none.', _member('winner')),
    KEYS,
)
"""All laws of two implementations of one game."""


def same_game(  # noqa: PLR0913 - each is something that one may tell of the two
    mine: Any,
    theirs: Any,
    *,
    moves: Callable[[Any], Any] | Mapping[Any, Any] | None = None,
    keys: bool = False,
    positions: int = 6_000,
    games: int = 20,
    rng: Rng | None = None,
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Whether two implementations of a game, from these starts, are the same in all they say.

    Both are walked in step, a breach being told with the shortest line of my moves at which they
    differ. A pair of positions that was there before is not gone on from, so small games are looked
    at whole; of others the shortest lines, and random games.

    :param moves: their move for one of mine, as a function or a mapping, where moves are written in
        another way; then their order does not count.
    :param keys: whether the keys of moves are to be the same too.
    :raises ValueError: a number is none.

    >>> from fmcts.games import tictactoe
    >>> same_game(tictactoe.start, tictactoe.start, games=0).map(lambda passed: passed.total)
    <Success: 21912>
    """
    whole_number('positions', positions)
    whole_number('games', games, least=0)
    generator = SplitMix.from_seed(1) if rng is None else rng
    translate = moves.__getitem__ if isinstance(moves, Mapping) else moves
    ours, other = Told(mine, generator), Told(theirs, generator)
    explored = explore(
        lambda: lambda: Pair(Case(ours, ours.fresh()), other.fresh(), translate),
        [law for law in SAME_LAWS if keys or law is not KEYS],
        Plan(positions, games, ours.max_plies, generator, games, merged=True),
        watch,
    )
    if explored.breach is not None:
        return Failure(explored.breach)
    left_out = () if keys else ((KEYS.name, 'it was not asked for'),)
    return Success(Passed(explored.cases, left_out))
