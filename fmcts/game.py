"""What a game is: two players, and a frozen state with five members.

Read this first. A game is any immutable value with the five members of `GameState`; there is
nothing to register and nothing to inherit. Everything else in the library is written against them.
"""

from __future__ import annotations

import enum
import functools
import operator
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, Final, Protocol, Self, TypeVar

from returns.maybe import Maybe
from returns.result import Failure, Result, Success

from fmcts.arguments import cut, shown

__all__ = [
    'MAX_PLIES',
    'EndlessGameError',
    'FinishedGameError',
    'GameError',
    'GameState',
    'IllegalMoveError',
    'Player',
    'check_comparable',
    'checked_moves',
    'checked_play',
    'checked_player',
    'checked_winner',
    'endless',
    'equal',
    'illegal',
    'is_legal',
    'key_of',
    'reward',
    'same_move',
    'score',
    'whole_move',
    'winner_of',
]

MAX_PLIES: Final = 1_000_000
"""How many plies a game may have unless more are allowed; one that has more is taken for endless.
"""


class Player(enum.Enum):
    """One of the two players; `X` begins in every game of this library.

    >>> Player.X.other
    <Player.O: 'O'>
    """

    X = 'X'
    O = 'O'  # noqa: E741 - the player's name, as every board prints it

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.O if self is Player.X else Player.X

    def __str__(self) -> str:
        """The letter that stands on the boards."""
        return self.name


_X, _O = Player

M = TypeVar('M')


class GameState(Protocol[M]):
    """A position of a two-player game: an immutable, hashable value with five members.

    There is no chance in it and nothing hidden: `play` gives the same state whenever the same move
    is played, and a search refuses a game where it does not. A game for one has another who never
    moves.

    `moves` stands in a fixed (canonical) order and is empty exactly when the game is `over`. No two
    of them are equal, each equals itself (so NaN is none), and every game ends. Searches and games
    look at this as they go, and raise `GameError` where it does not hold. A forced pass is a move,
    so the same player may be on turn twice in a row: nothing may be inferred from the number of
    plies.
    """

    @property
    def player(self) -> Player:
        """The side to move (in a finished game, the side whose turn it would be)."""

    @property
    def moves(self) -> tuple[M, ...]:
        """The legal moves in canonical order; `()` exactly when the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game is finished."""

    @property
    def winner(self) -> Player | None:
        """The winner of a finished game; `None` for a draw and while the game goes on."""

    def play(self, move: M, /) -> Self:
        """The state after `move`; this state stays as it is.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """


S = TypeVar('S', bound=GameState[Any])


class IllegalMoveError(ValueError):
    """A move that is not legal in the state it was to be played in."""


class FinishedGameError(ValueError):
    """A move or a search was asked for in a game that is over."""


class GameError(ValueError):
    """A game that does not keep a promise of `GameState`, which is found out while it is played."""


class EndlessGameError(GameError):
    """A game that is not over after as many plies as were allowed."""


def illegal(state: GameState[Any], move: object) -> IllegalMoveError:
    """The error that names an illegal `move` and the legal ones; the caller raises it."""
    given = _named(move)
    if state.over:
        return IllegalMoveError(f'illegal move {given}: the game is over')
    legal = ', '.join(map(str, state.moves))
    return IllegalMoveError(f'illegal move {given}: the legal moves are {legal}')


def _named(move: object) -> str:
    """A move as it prints, when that is something to see on one line; else as Python writes it."""
    try:
        text = str(move)
    except Exception:  # noqa: BLE001 - of any type
        return shown(move)
    if isinstance(move, str) and not (text.isprintable() and text.strip()):
        return shown(move)
    return cut(text)


def endless(state: GameState[Any], max_plies: int) -> EndlessGameError:
    """The error for a game of that class which is not over in time; the caller raises it."""
    return EndlessGameError(
        f'a game of {type(state).__name__} is not over after {max_plies:,} plies: '
        'every game must end; where games may be that long, give a higher max_plies'
    )


def whole_move(state: GameState[Any], move: object) -> int:
    """Return the integer that a move is, for a game whose moves are integers.

    `True` and 1.0 equal the integer 1, and are not it.

    :raises IllegalMoveError: `move` is not an integer.
    """
    if not isinstance(move, bool):
        with suppress(TypeError):
            return operator.index(move)  # type: ignore[arg-type] # that is the question
    raise illegal(state, move)


def same_move(move: object, legal: object) -> bool:
    """Return whether `move` is that legal move.

    They must be equal, and integers both or neither.

    >>> same_move(1, 1), same_move(True, 1), same_move(1.0, 1)
    (True, False, False)
    """
    return equal(move, legal) and _is_whole(move) == _is_whole(legal)


def _is_whole(move: object) -> bool:
    return type(move) is int or (hasattr(move, '__index__') and not isinstance(move, bool))


def is_legal(move: object, moves: tuple[Any, ...]) -> bool:
    """Return whether `move` is one of `moves`, as `same_move` compares them."""
    if type(move) in (int, str):  # the most frequent kinds, which are told apart by equality
        return move in moves
    return any(same_move(move, legal) for legal in moves)


def checked_moves(state: GameState[M]) -> tuple[M, ...]:
    """The legal moves of `state`, when they are what `GameState` promises.

    :raises GameError: two of them are equal, one does not equal itself, or there are some although
        the game is over, or none although it is not.
    """
    moves = state.moves
    if moves:
        if state.over:
            raise _broken(
                state, f'is over, and yet has moves: {cut(", ".join(map(_named, moves)))}'
            )
    elif not state.over:
        raise _broken(state, 'has no moves, and yet is not over')
    try:
        wrong = _wrong_among(moves)
    except TypeError:  # moves need not be hashable
        wrong = _wrong_among.__wrapped__(moves)
    if wrong is not None:
        raise _broken(state, wrong)
    return moves


# A pure function, remembered: most positions of a game share their moves with others, and a search
# looks at those of every node.
@functools.lru_cache(maxsize=1 << 12)
def _wrong_among(moves: tuple[Any, ...]) -> str | None:
    """What is wrong with these moves, in words, if anything is; there may be thousands."""
    hashed, others = set[Any](), list[Any]()
    for index, move in enumerate(moves):
        if not equal(move, move):
            return f'has a move that does not equal itself: {_named(move)}'
        if _told_by_hash(move):
            twice = move in hashed or any(equal(move, other) for other in others)
            hashed.add(move)
        else:
            twice = any(equal(move, other) for other in moves[:index])
            others.append(move)
        if twice:
            return f'has the move {_named(move)} twice'
    return None


_HASHED: Final = frozenset(
    (kind.__eq__, kind.__hash__) for kind in (object, int, float, str, bytes, tuple)
) | {(object.__eq__, enum.Enum.__hash__)}
"""How values are compared and hashed of which those that are equal have one hash, certainly."""


def _told_by_hash(move: object) -> bool:
    """Whether a set knows which of such moves are equal. A class of one's own may break that."""
    kind = type(move)
    if (kind.__eq__, kind.__hash__) not in _HASHED:
        return False
    return not isinstance(move, tuple) or all(map(_told_by_hash, move))


def _broken(state: GameState[Any], how: str) -> GameError:
    promises = 'no two of the moves are equal, and there are none exactly when the game is over'
    return GameError(f'the game {type(state).__name__} has a state that {how}; {promises}')


def score(state: GameState[Any], winner: object) -> float:
    """What a game that ended so is worth to X, as `reward` has it; O gets the rest of 1.

    `state` is any state of the game: its class is named when the winner is none. Players are told
    apart by identity, as everywhere.

    :raises GameError: `winner` is neither of the players nor `None`.
    """
    if winner is None:
        return 0.5
    if winner is _X:
        return 1.0
    if winner is _O:
        return 0.0
    raise GameError(
        f'the game {type(state).__name__} has the winner {shown(winner)}: '
        'accepted are Player.X, Player.O and, for a draw, None'
    )


def checked_winner(state: GameState[Any], winner: object) -> Player | None:
    """The winner itself, when `score` knows what it is worth.

    :raises GameError: `winner` is neither of the players nor `None`.
    """
    score(state, winner)
    return winner  # type: ignore[return-value] # it is one of the three


def checked_player(state: GameState[Any]) -> Player:
    """Return the side to move, if it is a `Player`.

    :raises GameError: it is not: a game has two players.
    """
    player = state.player
    if player is _X or player is _O:
        return player
    raise GameError(
        f'the game {type(state).__name__} has the player {shown(player)}: '
        'accepted are Player.X and Player.O, as a game has two players'
    )


def checked_play(state: S, move: object) -> Result[S, IllegalMoveError]:
    """The state after `move`, or why it may not be played. Never raises.

    >>> from fmcts.games import tictactoe
    >>> checked_play(tictactoe.start, 9).failure()
    IllegalMoveError('illegal move 9: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8')
    """
    for legal in state.moves:
        if same_move(move, legal):
            return Success(state.play(legal))
    return Failure(illegal(state, move))


def equal(one: object, two: object) -> bool:
    """Whether two values are equal, `one` being anything; arrays, compared one by one, are not."""
    try:
        same: Any = one == two
        return isinstance(same, Hashable) and bool(same)
    except Exception:  # noqa: BLE001 - a comparison of any type may raise anything
        return False


def check_comparable(one: GameState[Any], two: object, why: str) -> None:
    """Raise `GameError` if comparing these two raises an error; `why` says what for they are.

    :raises GameError: it does.
    """
    try:
        bool(one == two)
    except Exception as error:
        text = cut(str(error))
        raise GameError(
            f'the game {type(one).__name__} has states that cannot be compared: == raised '
            f'{type(error).__name__}{": " * bool(text)}{text}; {why}'
        ) from error


def key_of(state: GameState[M], move: M) -> Any:
    """What names a move of `state` in every position.

    It is what the state gives by `key(move)`, if its class has that, else the move itself. Two
    moves with the same key are the same for statistics that are kept by move, whatever the
    position: a cell, say, where a move is a column and the cell depends on the discs in it.

    >>> from fmcts.games import connect4
    >>> key_of(connect4.start, 3), key_of(connect4.start.play(3), 3)
    (21, 22)
    """
    key = getattr(type(state), 'key', None)
    return move if key is None else key(state, move)


def winner_of(state: GameState[Any]) -> Maybe[Player]:
    """`Some(player)` when `state` is a finished game that somebody won, else `Nothing`.

    :raises GameError: the winner is no player.
    """
    return Maybe.from_optional(checked_winner(state, state.winner) if state.over else None)


def reward(winner: Player | None, player: Player) -> float:
    """What the end of a game is worth to `player`: 1 for a win, 1/2 for a draw, 0 for a loss.

    The rewards of the two players add to 1, and sums of halves are exact in binary.

    >>> reward(Player.O, Player.X), reward(None, Player.X), reward(Player.X, Player.X)
    (0.0, 0.5, 1.0)
    """
    if winner is None:
        return 0.5
    return 1.0 if winner is player else 0.0
