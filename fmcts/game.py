"""The game protocol: a frozen state with five members, and four more for dice, players, rewards.

Read this first. Any immutable value with the five members of `GameState` is a game. There is
nothing to register and nothing to inherit; the rest of the library uses these members only. A game
with chance, with rewards, or with other than two players, also has some of the four members of
`ChanceState`.

Functions over any game follow. What searches, playouts and matches check of a game as they play it
is in `fmcts._promises`.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, Final, Protocol, Self, TypeVar

from returns.maybe import Maybe
from returns.result import Failure, Result, Success

from fmcts._arguments import LIST, alike_in_text, amount, cut, quoted
from fmcts.errors import EndlessGameError, IllegalMoveError

MAX_PLIES: Final = 1_000_000
"""The default limit on the plies of a game; a longer game raises `EndlessGameError`."""


class Player(enum.Enum):
    """One of the two players; `X` moves first in every game with two players of this library.

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
        """Return the letter shown on boards."""
        return self.name


_X, _O = Player

M = TypeVar('M')
"""The type of a game's moves."""
_M_co = TypeVar('_M_co', covariant=True)


class GameState(Protocol[M]):
    """A position of a two-player game: an immutable, hashable value with five members.

    There is no hidden information, and nothing is drawn inside `play`: playing the same move in
    equal states gives equal states, and a search refuses a game that breaks this. Dice, one player
    or more than two: see `ChanceState`.

    `moves` has a fixed (canonical) order and is empty exactly when the game is `over`; where moves
    cannot be listed it is always empty, and a search needs `proposals`. The moves differ from one
    another, and every game ends. Searches and matches check this as they play, and raise
    `GameError` if it does not hold. Each move equals itself, so NaN cannot be one. A forced pass is
    a move, so the same player may move twice in a row: the number of plies does not tell whose turn
    it is.
    """

    @property
    def player(self) -> Any:
        """The side to move; in a finished game, the side whose turn it would be."""

    @property
    def moves(self) -> tuple[M, ...]:
        """The legal moves in canonical order; `()` exactly when the game is over."""

    @property
    def over(self) -> bool:
        """True if the game is finished."""

    @property
    def winner(self) -> Any:
        """The winner of a finished game; `None` for a draw, and while the game is not over."""

    def play(self, move: M, /) -> Self:
        """Return the state after `move`; this state does not change.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """


class ChanceState(Protocol[_M_co]):
    """The optional members of a state, for games with chance, rewards or other than two players.

    A game without these members has two players and no chance. If one state has a member, all have
    it. `player` is one of `players` in every state. Where chance moves, it is the player whose
    statistics the outcomes show, such as the one who rolls.

    A finished game has `rewards`, or a `winner` as in `GameState`: then the winner's reward is 1
    and the others' reward is 0. Without a winner each of n players gets 1/n; a single player gets
    0. In a game with rewards on the way (`gained`) only these and `rewards` count.

    The game itself draws nothing: the search, the match or the playout draws an outcome from its
    generator, and plays it.
    """

    @property
    def players(self) -> tuple[Any, ...]:
        """All players, the same in every state; without it `(Player.X, Player.O)`.

        Any hashable values that differ from one another, from 1 to 256 of them.
        """

    @property
    def chances(self) -> tuple[tuple[_M_co, int], ...]:
        """The outcomes where chance moves, each with its weight, a whole number of at least 1.

        It is `()` where a player moves, and in a finished game. A state with outcomes has no
        `moves` and is not over, and `play(outcome)` returns the state after one. Where outcomes
        cannot be listed it is a function `draw(rng) -> (outcome, rng)`, for a search with
        `Proposals(outcomes=...)`.
        """

    @property
    def rewards(self) -> tuple[float, ...]:
        """A number from 0 to 1 for each of `players` in a finished game; `()` before its end.

        In a game with `gained` they are any finite numbers.
        """

    @property
    def gained(self) -> float | tuple[float, ...]:
        """The rewards of the move or outcome that led here: a number for each of `players`.

        A single player's may be the number itself. It is any finite number, also below 0. At the
        state where a search begins it does not count.
        """


S = TypeVar('S', bound=GameState[Any])
"""The type of a game's states."""

_BOTH: Final = (_X, _O)


def has_member(state: Any, name: str) -> bool:
    """Return whether the state has this member; raise what a mistake in the member raises."""
    if hasattr(state, name):
        return True
    if hasattr(type(state), name):
        getattr(state, name)  # a mistake in the member, which raises again
    return False


def players_of(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the players of the game, X and O unless the state says otherwise."""
    return state.players if has_member(state, 'players') else _BOTH  # type: ignore[attr-defined] # see above


def chances_of(state: GameState[Any]) -> tuple[tuple[Any, int], ...]:
    """Return the outcomes with their weights where chance moves, else `()`."""
    return state.chances if has_member(state, 'chances') else ()  # type: ignore[attr-defined] # it has them


def options_of(state: GameState[M]) -> tuple[M, ...]:
    """Return what can be played: the moves, or the outcomes where chance moves."""
    chances = chances_of(state)
    listed = () if callable(chances) else tuple(outcome for outcome, _ in chances)
    return listed or state.moves


def is_plain(state: GameState[Any]) -> bool:
    """Return whether the game has two players, no chance and a winner: none of `ChanceState`.

    >>> from fmcts.games import tictactoe
    >>> is_plain(tictactoe.start)
    True
    """
    return not any(has_member(state, name) for name in ('chances', 'players', 'rewards', 'gained'))


def given_winner(state: GameState[Any]) -> Any:
    """Return the `winner` of a state; `None` if its game has only rewards."""
    rewarded = has_member(state, 'rewards') or has_member(state, 'gained')
    return None if rewarded and not has_member(state, 'winner') else state.winner


def has_rewards(state: GameState[Any]) -> bool:
    """Return whether the game has more than a winner: rewards, or other players."""
    return gains(state) or has_member(state, 'rewards') or players_of(state) != _BOTH


def gains(state: GameState[Any]) -> bool:
    """Return whether the game has rewards on the way."""
    return has_member(state, 'gained')


def key_of(state: GameState[M], move: M) -> Any:
    """Return the key of a move: a name that means the same move in every position.

    It is `state.key(move)` if the class of the state has that method, else the move itself.
    Statistics by move (AMAF, MAST) treat moves with the same key as one. In Connect
    Four a move is a column, and its key is the cell where the disc lands.

    >>> from fmcts.games import connect4
    >>> key_of(connect4.start, 3), key_of(connect4.start.play(3), 3)
    (21, 22)
    """
    key = getattr(type(state), 'key', None)
    return move if key is None else key(state, move)


def reward(winner: Player | None, player: Player) -> float:
    """Return the reward of `player` at the end of a game: 1 for a win, 1/2 a draw, 0 a loss.

    The rewards of the two players add up to 1, exactly.

    >>> reward(Player.O, Player.X), reward(None, Player.X), reward(Player.X, Player.X)
    (0.0, 0.5, 1.0)
    """
    if winner is None:
        return 0.5
    return 1.0 if winner is player else 0.0


def winner_of(state: GameState[Any]) -> Maybe[Player]:
    """Return `Some(player)` if `state` is a finished game with a winner, else `Nothing`."""
    return Maybe.from_optional(given_winner(state) if state.over else None)


def checked_play(state: S, move: object) -> Result[S, IllegalMoveError]:
    """Return `Success` of the state after `move`, or `Failure` of the error; never raise.

    >>> from fmcts.games import tictactoe
    >>> checked_play(tictactoe.start, 9).failure()
    IllegalMoveError('illegal move 9: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8')
    """
    for legal in options_of(state):
        if equal(move, legal):
            return Success(state.play(legal))
    return Failure(illegal(state, move))


def drawn_outcome(chances: tuple[tuple[M, int], ...], drawn: int) -> M:
    """Return the outcome for a number drawn below the sum of all weights, in their order.

    >>> [drawn_outcome((('head', 1), ('tail', 2)), drawn) for drawn in range(3)]
    ['head', 'tail', 'tail']
    """
    for outcome, weight in chances:
        drawn -= weight
        if drawn < 0:
            return outcome
    raise ValueError('the number drawn is not below the sum of the weights')


def equal(one: object, two: object) -> bool:
    """Return whether two values of any type are equal; arrays, compared by element, never are."""
    try:
        same: Any = one == two
        return isinstance(same, Hashable) and bool(same)
    except Exception:  # noqa: BLE001 - a comparison of any type may raise anything
        return False


def is_legal(move: object, moves: tuple[Any, ...]) -> bool:
    """Return whether `move` is one of `moves`."""
    if type(move) in (int, str):  # the most frequent kinds; equality tells them apart
        return move in moves
    return any(equal(move, legal) for legal in moves)


def whole_move(state: GameState[Any], move: object) -> int:
    """Return a move as an integer, for a game whose moves are integers.

    `True` and 1.0 are refused, although they equal 1.

    :raises IllegalMoveError: `move` is not an integer.
    """
    if not isinstance(move, bool):
        with suppress(TypeError):
            return operator.index(move)  # type: ignore[arg-type] # checked here
    raise illegal(state, move)


def illegal(state: Any, move: object) -> IllegalMoveError:
    """Return the error for an illegal `move`, which lists the legal moves; the caller raises it."""
    given = quoted(move)
    if state.over:
        return IllegalMoveError(f'illegal move {given}: the game is over')
    legal = ', '.join(map(quoted, options_of(state)))
    if not legal:  # it cannot be listed
        return IllegalMoveError(f'illegal move {given}')
    meant = next((quoted(one) for one in options_of(state) if alike_in_text(one, move)), given)
    hint = f' (did you mean {meant}?)' if meant != given else ''
    if chances_of(state):
        outcomes = cut(legal, LIST)
        return IllegalMoveError(f'illegal outcome {given}{hint}: chance moves here, by {outcomes}')
    return IllegalMoveError(f'illegal move {given}{hint}: the legal moves are {legal}')


def endless(state: GameState[Any], max_plies: int) -> EndlessGameError:
    """Return the error for a game that is not over after `max_plies`; the caller raises it."""
    shorter = ', or give the search a horizon' if gains(state) else ''
    return EndlessGameError(
        f'a game of {type(state).__name__} is not over after {amount(max_plies, "ply", "plies")}: '
        f'every game must end; if games can be that long, increase max_plies{shorter}'
    )
