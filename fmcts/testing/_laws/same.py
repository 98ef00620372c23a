"""Check whether two implementations of a game are the same, by playing both in step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self, TypeAlias

from attrs import frozen
from returns.result import Result

from fmcts._arguments import LONGEST, shown, whole_number
from fmcts._promises import checked_chances, gained_of, rewards_of
from fmcts.game import equal, gains, has_rewards, key_of, players_of
from fmcts.rng import Rng, SplitMix
from fmcts.search import Watch, ignore
from fmcts.testing._laws.cases import (
    NOTHING,
    Case,
    Description,
    ask,
    has,
    is_general,
    play,
    same,
)
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import Breach, Law, OtherwiseError, Passed, Raised, few, law

Translate = Callable[[Any], Any]

Compared: TypeAlias = (
    Callable[[Any], object] | tuple[Callable[[Any], object], Callable[[Any], object]]
)


@frozen(eq=False)
class Pair:
    """A position in both games. `theirs` is reached by their moves that correspond to mine."""

    mine: Case
    theirs: Any
    translate: Translate | None
    checked: ClassVar[bool] = True

    @property
    def line(self) -> tuple[Any, ...]:
        """The moves from the start to here, as written in mine."""
        return self.mine.line

    @property
    def options(self) -> Sequence[Any]:
        """The moves to continue with, or the outcomes where chance moves."""
        return self.mine.options

    @property
    def identity(self) -> Any:
        """The key that distinguishes pairs."""
        return self.mine.state, self.theirs

    def step(self, move: Any) -> Self:
        """Return the pair after a move of mine; a law reports where one of them cannot play it."""
        mine = _played('mine', self.mine.state, move)
        theirs = _played('theirs', self.theirs, self.their(move))
        case = Case(self.mine.game, mine, self.mine, (*self.line, move), self.mine.met)
        return type(self)(case, theirs, self.translate)

    def their(self, move: Any) -> Any:
        """Return their move for one of mine."""
        return move if self.translate is None else self.translate(move)


def _played(whose: str, state: Any, move: Any) -> Any:
    """Return the state after a move; in its place, why it could not be played."""
    try:
        return play(state, move)
    except OtherwiseError as error:
        return Raised(f'in {whose}, {error}')


@law('same play', 'Both can play each move.', basic=True)
def _play(pair: Pair) -> str | None:
    reasons = (it.text for it in (pair.mine.state, pair.theirs) if isinstance(it, Raised))
    return '; '.join(reasons) or None


def _unlike(what: str, mine: Any, theirs: Any, longest: int = LONGEST) -> str | None:
    """Return how two values differ, in words, or `None`; both are cut to `longest` characters.

    Of lists that are cut the first place that differs is named, where both have one.
    """
    if same(mine, theirs):
        return None
    where = ''
    if all(isinstance(it, tuple | list) and len(repr(it)) > longest for it in (mine, theirs)):
        differs = (pair for pair in zip(mine, theirs, strict=False) if not same(*pair))
        one, two = next(differs, (None, None))
        where = f' (first {shown(one)} and {shown(two)})' if one is not two else ''
    return f'{what} {shown(mine, longest)} in mine and {shown(theirs, longest)} in theirs{where}'


@law('same player', 'The same side is to move, unless both games are over.', basic=True)
def _player(pair: Pair) -> str | None:
    """Return how the players differ; the side to move of a finished game does not count."""
    both_over = ask(pair.mine.state, 'over') is True is ask(pair.theirs, 'over')
    return None if both_over else _member('player')(pair)


def _member(name: str) -> Callable[[Pair], str | None]:
    """Return a function that describes a difference in a member of the two states."""
    return lambda pair: _unlike(f'{name} is', ask(pair.mine.state, name), ask(pair.theirs, name))


@law(
    'same moves',
    'The moves are equal and in the same order; with `moves=`, in any order.',
    basic=True,
)
def _moves(pair: Pair) -> str | None:
    mine, theirs = ask(pair.mine.state, 'moves'), ask(pair.theirs, 'moves')
    if pair.translate is None:
        return _unlike('moves are', mine, theirs, 80)
    translated = tuple(pair.their(move) for move in mine)
    if _are_the_same(translated, theirs):
        return None
    return (
        f'moves are {shown(translated, 80)} in mine, translated, and {shown(theirs, 80)} in theirs'
    )


@law('same winner', 'Both have the same winner, or none.', basic=True)
def _winner(pair: Pair) -> str | None:
    """Return how the winners differ; a game with rewards needs none."""
    states = pair.mine.state, pair.theirs
    if not any(has(state, 'winner') for state in states) and all(map(has_rewards, states)):
        return None
    return _member('winner')(pair)


@law('same chances', 'Both have the same outcomes with the same weights.', basic=True)
def _chances(pair: Pair) -> str | None:
    mine, theirs = checked_chances(pair.mine.state), checked_chances(pair.theirs)
    translated = tuple((pair.their(outcome), weight) for outcome, weight in mine)
    if pair.translate and _are_the_same(translated, theirs):
        return None
    return _unlike('chances are', translated, theirs, 80)


@law('same rewards', 'On the way and at the end each player gets the same.', basic=True)
def _rewards(pair: Pair) -> str | None:
    """Return how rewards differ, whichever member gives those of a finished game."""
    mine, theirs = (
        gained_of(state, len(players_of(state))) if gains(state) else None
        for state in (pair.mine.state, pair.theirs)
    )
    if mine != theirs:
        return _unlike('gained is', mine, theirs)
    if ask(pair.mine.state, 'over') is not True or ask(pair.theirs, 'over') is not True:
        return None
    return _unlike('the rewards are', rewards_of(pair.mine.state), rewards_of(pair.theirs))


@law('same players', 'Both have the same players, in the same order.', basic=True)
def _players(pair: Pair) -> str | None:
    return _unlike('players are', players_of(pair.mine.state), players_of(pair.theirs))


def _are_the_same(one: Sequence[Any], two: Sequence[Any]) -> bool:
    """Return whether both have the same moves, each as often, in any order."""
    left = list(two)
    for move in one:
        place = next((place for place, other in enumerate(left) if equal(move, other)), None)
        if place is None:
            return False
        del left[place]
    return not left


@law('same keys', 'The keys of the moves are equal.', basic=True)
def same_keys(pair: Pair) -> str | None:
    for move in few(ask(pair.mine.state, 'moves')):
        mine, theirs = key_of(pair.mine.state, move), key_of(pair.theirs, pair.their(move))
        if not equal(mine, theirs):
            return (
                f'the key of {shown(move)} is {shown(mine)} in mine and {shown(theirs)} in theirs'
            )
    return None


CHANCES: Final[tuple[Law[Pair], ...]] = (_players, _chances, _rewards)
"""The laws of two games if one of them has chance, rewards or other players."""

SAME_LAWS: Final[tuple[Law[Pair], ...]] = (
    _play,
    _player,
    _moves,
    Law('same end', 'Both games are over, or neither.', _member('over'), basic=True),
    _winner,
    same_keys,
    *CHANCES,
)
"""All laws of two implementations of a game. Once one is broken, nothing else is checked."""

POSITIONS: Final = 6_000
GAMES: Final = 300
"""The number of random games: a fault in 5 % of them is missed once in 4 million times."""


def _asked_for(name: str, asked: Compared) -> Law[Pair]:
    """Return the law that a value computed by the user's function is equal for both states."""
    both = asked if isinstance(asked, tuple) and len(asked) == 2 else (asked, asked)
    if not all(map(callable, both)):
        raise ValueError(
            f'compare must have functions of a state, or pairs of them, not {shown(asked)}'
        )
    of_mine, of_theirs = both

    def found(pair: Pair) -> str | None:
        return _unlike(f'{name} is', of_mine(pair.mine.state), of_theirs(pair.theirs), 80)

    return Law(f'same {name}', f'{name} is equal.', found, basic=True)


def same_game(  # noqa: PLR0913 - each describes the two games
    mine: Any,
    theirs: Any,
    *,
    moves: Callable[[Any], Any] | Mapping[Any, Any] | None = None,
    keys: bool = False,
    compare: Mapping[str, Compared] = NOTHING,
    without: Iterable[str] = (),
    positions: int = POSITIONS,
    games: int = GAMES,
    rng: Rng | None = None,
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Return whether two implementations of a game agree, or the first difference.

    Both are walked in step: all positions near the start, the nearest first, up to `positions`, and
    then whole random `games`. The breach has a line of my moves at which they differ, the shortest
    of all if it is near the start (see `check_game`). A pair of positions that was reached before
    is not continued from, so small games are compared completely; `Passed.extent` says how much of
    the game was compared. Where chance moves, the lines continue with the outcomes.

    :param moves: translates my move (or outcome) to theirs, as a function or a mapping, if they
        are written differently; then their order does not matter.
    :param keys: whether the keys of moves must be the same too.
    :param compare: what else must be equal, by name: a function of a state of either game, or a
        pair of functions, of my state and of theirs.
    :param without: names of laws to skip.
    :raises ValueError: a number is not accepted, or no law has that name.

    >>> from fmcts.games import tictactoe
    >>> passed = same_game(tictactoe.start, tictactoe.start, games=0).unwrap()
    >>> passed.total, passed.extent
    (27390, '5,478 positions (all) and 0 in 0 longer games')
    """
    whole_number('positions', positions)
    whole_number('games', games, least=0)
    generator = SplitMix.from_seed(1) if rng is None else rng
    translate = moves.__getitem__ if isinstance(moves, Mapping) else moves
    ours, other = Description(mine, generator), Description(theirs, generator)
    general = is_general(mine) or is_general(theirs)
    laws = (
        *(it for it in SAME_LAWS if general or it not in CHANCES),
        *(_asked_for(name, asked) for name, asked in compare.items()),
    )
    with exploring(
        lambda: Pair(Case(ours, ours.fresh()), other.fresh(), translate),
        laws,
        watch,
        (*without, *(() if keys else (same_keys.name,))),
    ) as run:
        run.look_near(positions, merged=True)
        run.look_far(games, generator, whole=1, most=ours.max_plies)
    return run.result()
