"""The game protocol: a frozen state with five members, and three more for dice and other players.

Read this first. Any immutable value with the five members of `GameState` is a game. There is
nothing to register and nothing to inherit; the rest of the library uses these members only. A game
with chance, or with other than two players, also has some of the three members of `ChanceState`.
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

from fmcts._arguments import LIST, alike_in_text, amount, as_number, cut, quoted, shown
from fmcts.errors import EndlessGameError, GameError, IllegalMoveError

__all__ = [
    'MAX_PLIES',
    'ChanceState',
    'GameState',
    'Player',
    'chances_of',
    'check_comparable',
    'check_plain',
    'checked_chances',
    'checked_moves',
    'checked_play',
    'checked_player',
    'checked_players',
    'checked_seat',
    'checked_winner',
    'drawn_outcome',
    'endless',
    'equal',
    'given_winner',
    'has_rewards',
    'illegal',
    'is_legal',
    'is_plain',
    'key_of',
    'options_of',
    'players_of',
    'reward',
    'rewards_of',
    'same_move',
    'score',
    'whole_move',
    'winner_of',
]

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
M_co = TypeVar('M_co', covariant=True)


class GameState(Protocol[M]):
    """A position of a two-player game: an immutable, hashable value with five members.

    There is no hidden information, and nothing is drawn inside `play`: playing the same move in
    equal states gives equal states, and a search refuses a game that breaks this. Dice, one player
    or more than two: see `ChanceState`.

    `moves` has a fixed (canonical) order and is empty exactly when the game is `over`. The moves
    differ from one another, each equals itself (so NaN cannot be a move), and every game ends.
    Searches and matches check this as they play, and raise `GameError` if it does not hold. A
    forced pass is a move, so the same player may move twice in a row: the number of plies does not
    tell whose turn it is.
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


class ChanceState(Protocol[M_co]):
    """The optional members of a state, for games with chance or with other than two players.

    A game without these members has two players and no chance. If one state has a member, all have
    it. `player` is one of `players` in every state. Where chance moves, it is the player whose
    statistics the outcomes show, such as the one who rolls.

    A finished game has `rewards`, or a `winner` as in `GameState`: then the winner's reward is 1
    and the others' reward is 0. Without a winner each of n players gets 1/n; a single player gets
    0.

    The game itself draws nothing: the search, the match or the playout draws an outcome from its
    generator, and plays it.
    """

    @property
    def players(self) -> tuple[Any, ...]:
        """All players, the same in every state; without it `(Player.X, Player.O)`.

        Any hashable values that differ from one another, from 1 to 256 of them.
        """

    @property
    def chances(self) -> tuple[tuple[M_co, int], ...]:
        """The outcomes where chance moves, each with its weight, a whole number of at least 1.

        It is `()` where a player moves, and in a finished game. A state with outcomes has no
        `moves` and is not over, and `play(outcome)` returns the state after one.
        """

    @property
    def rewards(self) -> tuple[float, ...]:
        """A number from 0 to 1 for each of `players` in a finished game; `()` before its end."""


S = TypeVar('S', bound=GameState[Any])

_BOTH: Final = (_X, _O)

MOST_PLAYERS: Final = 256  # of a game: digests and logs have one byte for a player
WEIGHTS: Final = 1 << 64  # the largest sum of the weights where chance moves


def _has(state: Any, name: str) -> bool:
    """Return whether the state has this member; raise what a mistake in the member raises."""
    if hasattr(state, name):
        return True
    if hasattr(type(state), name):
        getattr(state, name)  # a mistake in the member, which raises again
    return False


def is_plain(state: GameState[Any]) -> bool:
    """Return whether the game has two players, no chance and a winner: none of `ChanceState`.

    >>> from fmcts.games import tictactoe
    >>> is_plain(tictactoe.start)
    True
    """
    return not (_has(state, 'chances') or _has(state, 'players') or _has(state, 'rewards'))


def check_plain(state: GameState[Any], what: str) -> None:
    """Refuse `what` in a game with chance, rewards or other players.

    :raises GameError: the game has chance, rewards or other players.
    """
    if not is_plain(state):
        raise GameError(
            f'{what} is not supported in a game with chance, rewards or other players, such as '
            f'{type(state).__name__}'
        )


def players_of(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the players of the game, X and O unless the state says otherwise."""
    return state.players if _has(state, 'players') else _BOTH  # type: ignore[attr-defined] # see above


def chances_of(state: GameState[Any]) -> tuple[tuple[Any, int], ...]:
    """Return the outcomes with their weights where chance moves, else `()`."""
    return state.chances if _has(state, 'chances') else ()  # type: ignore[attr-defined] # it has them


def options_of(state: GameState[M]) -> tuple[M, ...]:
    """Return what can be played: the moves, or the outcomes where chance moves."""
    return tuple(outcome for outcome, _ in chances_of(state)) or state.moves


def given_winner(state: GameState[Any]) -> Any:
    """Return the `winner` of a state; `None` if its game has only `rewards`."""
    return None if _has(state, 'rewards') and not _has(state, 'winner') else state.winner


def has_rewards(state: GameState[Any]) -> bool:
    """Return whether the ends of the game have more than a winner: rewards, or other players."""
    return _has(state, 'rewards') or players_of(state) != _BOTH


def checked_players(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the players of the game, checked against the promises of `ChanceState`.

    :raises GameError: they are not a tuple, there are none or more than 256, two are equal or one
        has no hash; or the player of the state is not one of them.
    """
    players: Any = players_of(state)
    name = type(state).__name__
    if not isinstance(players, tuple) or not 1 <= len(players) <= MOST_PLAYERS:
        raise GameError(
            f'the game {name} has the players {shown(players)}: accepted is a tuple of 1 to '
            f'{MOST_PLAYERS} players'
        )
    try:
        distinct = len(set(players)) == len(players)
    except TypeError:
        raise GameError(
            f'the game {name} has the players {shown(players)}, and one of them has no hash'
        ) from None
    if not distinct:
        raise GameError(f'the game {name} has the players {shown(players)}, and two are equal')
    if not any(equal(state.player, player) for player in players):
        raise GameError(
            f'the game {name} has the player {shown(state.player)}: accepted are '
            f'{", ".join(map(shown, players))}'
        )
    return players


def checked_seat(state: GameState[Any], players: tuple[Any, ...]) -> int:
    """Return the number of the state's player among `players`, the players of the first state.

    :raises GameError: this state has other players, or its player is not one of them.
    """
    now = players_of(state)
    if now != players:
        raise GameError(
            f'the game {type(state).__name__} has the players {shown(players)} and, later, '
            f'{shown(now)}: all states have the same'
        )
    try:
        return players.index(state.player)
    except ValueError:
        checked_players(state)
        raise


def checked_chances(state: GameState[M]) -> tuple[tuple[M, int], ...]:
    """Return the outcomes with their weights, checked against the promises of `ChanceState`.

    :raises GameError: they are not a tuple of pairs, two outcomes are equal, a weight is not a
        whole number of at least 1, the weights add up to more than 2**64, or chance moves where a
        player does, or in a finished game.
    """
    chances: Any = chances_of(state)
    name = type(state).__name__
    if not chances and isinstance(chances, tuple):
        return ()
    if not isinstance(chances, tuple) or not all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in chances
    ):
        raise GameError(
            f'the game {name} has the chances {shown(chances)}: accepted is a tuple of pairs, each '
            'an outcome and its weight'
        )
    for outcome, weight in chances:
        if type(weight) is not int or weight < 1:
            raise GameError(
                f'the game {name} has the weight {shown(weight)} for {quoted(outcome)} among its '
                'chances: accepted are integers (int) of at least 1'
            )
    if (total := sum(weight for _, weight in chances)) > WEIGHTS:
        raise GameError(
            f'the game {name} has chances whose weights add up to {shown(total)}: accepted are up '
            'to 2**64, as one number is drawn below the sum'
        )
    wrong = _wrong_among.__wrapped__(tuple(outcome for outcome, _ in chances))
    if wrong is not None:
        raise GameError(f'the game {name} has a state that {wrong} among its chances')
    if state.moves:
        raise GameError(
            f'the game {name} has a state with both moves and chances: where chance moves, there '
            'are no moves'
        )
    if state.over:
        raise GameError(f'the game {name} has a state that is over but has chances')
    return chances


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


def rewards_of(state: GameState[Any]) -> tuple[float, ...]:
    """Return the reward of each player of a finished game, in the order of `players`.

    :raises GameError: there is not a number from 0 to 1 for each player; or, in a game without
        `rewards`, the winner is neither a player nor `None`.
    """
    players = players_of(state)
    count, name = len(players), type(state).__name__
    if _has(state, 'rewards'):
        given = state.rewards  # type: ignore[attr-defined] # it has them
        numbers: Any = tuple(map(as_number, given)) if isinstance(given, tuple) else ()
        if len(numbers) != count or not all(
            type(each) in (int, float) and 0 <= each <= 1 for each in numbers
        ):
            raise GameError(
                f'the game {name} has the rewards {shown(given)}: accepted is a tuple of '
                f'{count} numbers from 0 to 1, one for each player'
            )
        return tuple(map(float, numbers))
    winner = given_winner(state)
    if winner is None:
        return (0.0,) if count == 1 else (1.0 / count,) * count
    if not any(equal(winner, player) for player in players):
        raise GameError(
            f'the game {name} has the winner {shown(winner)}: accepted are '
            f'{", ".join(map(shown, players))} and, without a winner, None'
        )
    return tuple(1.0 if player == winner else 0.0 for player in players)


def illegal(state: Any, move: object) -> IllegalMoveError:
    """Return the error for an illegal `move`, which lists the legal moves; the caller raises it."""
    given = quoted(move)
    if state.over:
        return IllegalMoveError(f'illegal move {given}: the game is over')
    legal = ', '.join(map(quoted, options_of(state)))
    meant = next((quoted(one) for one in options_of(state) if alike_in_text(one, move)), given)
    hint = f' (did you mean {meant}?)' if meant != given else ''
    if chances_of(state):
        outcomes = cut(legal, LIST)
        return IllegalMoveError(f'illegal outcome {given}{hint}: chance moves here, by {outcomes}')
    return IllegalMoveError(f'illegal move {given}{hint}: the legal moves are {legal}')


def endless(state: GameState[Any], max_plies: int) -> EndlessGameError:
    """Return the error for a game that is not over after `max_plies`; the caller raises it."""
    return EndlessGameError(
        f'a game of {type(state).__name__} is not over after {amount(max_plies, "ply", "plies")}: '
        'every game must end; if games can be that long, increase max_plies'
    )


def whole_move(state: GameState[Any], move: object) -> int:
    """Return a move as an integer, for a game whose moves are integers.

    `True` and 1.0 are refused, although they equal 1.

    :raises IllegalMoveError: `move` is not an integer.
    """
    if not isinstance(move, bool):
        with suppress(TypeError):
            return operator.index(move)  # type: ignore[arg-type] # checked here
    raise illegal(state, move)


def same_move(move: object, legal: object) -> bool:
    """Return whether `move` is the legal move `legal`.

    They must be equal, and both integers or neither.

    >>> same_move(1, 1), same_move(True, 1), same_move(1.0, 1)
    (True, False, False)
    """
    return equal(move, legal) and _is_whole(move) == _is_whole(legal)


def _is_whole(move: object) -> bool:
    return type(move) is int or (hasattr(move, '__index__') and not isinstance(move, bool))


def is_legal(move: object, moves: tuple[Any, ...]) -> bool:
    """Return whether `move` is one of `moves`, as `same_move` compares them."""
    if type(move) in (int, str):  # the most frequent kinds; equality tells them apart
        return move in moves
    return any(same_move(move, legal) for legal in moves)


def checked_moves(state: GameState[M]) -> tuple[M, ...]:
    """Return the legal moves of `state`, checked against the promises of `GameState`.

    Where chance moves there are none (see `checked_chances`).

    :raises GameError: two moves are equal, a move does not equal itself, a finished game has moves,
        or an unfinished one has none.
    """
    moves = state.moves
    if moves:
        if state.over:
            raise _broken(state, f'is over but has moves: {cut(", ".join(map(quoted, moves)))}')
    elif not state.over and not chances_of(state):
        raise _broken(state, 'has no moves but is not over')
    try:
        wrong = _wrong_among(moves)
    except TypeError:  # moves need not be hashable
        wrong = _wrong_among.__wrapped__(moves)
    if wrong is not None:
        raise _broken(state, wrong)
    return moves


# Cached: most positions of a game share their moves with others, and a search checks every node.
@functools.lru_cache(maxsize=1 << 12)
def _wrong_among(moves: tuple[Any, ...]) -> str | None:
    """Return what is wrong with these moves, in words, or `None`; there may be thousands."""
    hashed, others = set[Any](), list[Any]()
    for index, move in enumerate(moves):
        if not equal(move, move):
            return f'has a move that does not equal itself: {quoted(move)}'
        if _is_found_by_hash(move):
            twice = move in hashed or any(equal(move, other) for other in others)
            hashed.add(move)
        else:
            twice = any(equal(move, other) for other in moves[:index])
            others.append(move)
        if twice:
            return f'has the move {quoted(move)} twice'
    return None


_HASHED: Final = frozenset(
    (kind.__eq__, kind.__hash__) for kind in (object, int, float, str, bytes, tuple)
) | {(object.__eq__, enum.Enum.__hash__)}
"""The ways to compare and hash that are known to give equal values equal hashes."""


def _is_found_by_hash(move: object) -> bool:
    """Return whether a set can find equal moves of this type; a user's class may break that."""
    kind = type(move)
    if (kind.__eq__, kind.__hash__) not in _HASHED:
        return False
    return not isinstance(move, tuple) or all(map(_is_found_by_hash, move))


def _broken(state: GameState[Any], how: str) -> GameError:
    promises = 'no two of the moves are equal, and there are none exactly when the game is over'
    return GameError(
        f'the game {type(state).__name__} has a state that {how}; {promises} '
        '(fmcts.testing.check_game looks for the cause)'
    )


def score(state: GameState[Any], winner: object) -> float:
    """Return the reward for X of a game with this winner: 1, 1/2 or 0; O gets 1 minus that.

    `state` is any state of the game; the error names its class. Players are compared by identity.

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
    """Return `winner` if it is a player or `None`.

    :raises GameError: `winner` is neither of the players nor `None`.
    """
    score(state, winner)
    return winner  # type: ignore[return-value] # it is one of the three


def checked_player(state: GameState[Any]) -> Player:
    """Return the side to move, if it is a `Player` or one of the game's own `players`.

    :raises GameError: it is not.
    """
    player: Player = state.player  # or another player of a game with `players`
    if hasattr(state, 'players'):
        checked_players(state)
        return player
    if player is _X or player is _O:
        return player
    raise GameError(
        f'the game {type(state).__name__} has the player {shown(player)}: '
        'accepted are Player.X and Player.O, as a game without `players` has two players'
    )


def checked_play(state: S, move: object) -> Result[S, IllegalMoveError]:
    """Return `Success` of the state after `move`, or `Failure` of the error; never raise.

    >>> from fmcts.games import tictactoe
    >>> checked_play(tictactoe.start, 9).failure()
    IllegalMoveError('illegal move 9: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8')
    """
    for legal in options_of(state):
        if same_move(move, legal):
            return Success(state.play(legal))
    return Failure(illegal(state, move))


def equal(one: object, two: object) -> bool:
    """Return whether two values of any type are equal; arrays, compared by element, never are."""
    try:
        same: Any = one == two
        return isinstance(same, Hashable) and bool(same)
    except Exception:  # noqa: BLE001 - a comparison of any type may raise anything
        return False


def check_comparable(one: GameState[Any], two: object, why: str) -> None:
    """Raise `GameError` if comparing the two raises an error; `why` says why they are compared.

    :raises GameError: the comparison raises an error.
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


def winner_of(state: GameState[Any]) -> Maybe[Player]:
    """Return `Some(player)` if `state` is a finished game with a winner, else `Nothing`.

    :raises GameError: the winner is not a player.
    """
    return Maybe.from_optional(checked_winner(state, given_winner(state)) if state.over else None)


def reward(winner: Player | None, player: Player) -> float:
    """Return the reward of `player` at the end of a game: 1 for a win, 1/2 a draw, 0 a loss.

    The rewards of the two players add up to 1, exactly.

    >>> reward(Player.O, Player.X), reward(None, Player.X), reward(Player.X, Player.X)
    (0.0, 0.5, 1.0)
    """
    if winner is None:
        return 0.5
    return 1.0 if winner is player else 0.0
