"""The promises of `GameState` and `ChanceState`, checked as a game is played."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, Final

from fmcts._arguments import as_number, cut, quoted, shown
from fmcts.errors import GameError
from fmcts.game import (
    GameState,
    M,
    Player,
    chances_of,
    drawn_outcome,
    equal,
    gains,
    given_winner,
    has_member,
    is_plain,
    players_of,
)

MOST_PLAYERS: Final = 256  # of a game: digests and logs have one byte for a player
WEIGHTS: Final = 1 << 64  # the largest sum of the weights where chance moves
LARGEST_REWARD: Final = sys.float_info.max

_X, _O = Player


def check_plain(state: GameState[Any], what: str) -> None:
    """Refuse `what` in a game with chance, rewards or other players.

    :raises GameError: the game has chance, rewards or other players.
    """
    if not is_plain(state):
        raise GameError(
            f'{what} is not supported in a game with chance, rewards or other players, such as '
            f'{type(state).__name__}'
        )


def check_hash(state: object, what: str) -> None:
    """Refuse a state that cannot be looked up, as `what` does.

    :raises GameError: it has no hash.
    """
    try:
        hash(state)
    except TypeError as error:
        raise GameError(
            f'the game {type(state).__name__} has states without a hash ({error}): '
            f'{what} finds them by it'
        ) from None


def _broken(state: GameState[Any], how: str) -> GameError:
    return GameError(f'the game {type(state).__name__} has {how}')


def checked_moves(state: GameState[M], *, listed: bool = True) -> tuple[M, ...]:
    """Return the legal moves of `state`, checked against the promises of `GameState`.

    Where chance moves there are none (see `checked_chances`), and there may be none if they need
    not be `listed`.

    :raises GameError: two moves are equal, a finished game has moves, or an unfinished one has
        none.
    """
    moves = state.moves
    wrong = None
    if moves and state.over:
        wrong = f'is over but has moves: {cut(", ".join(map(quoted, moves)))}'
    elif listed and not moves and not state.over and not chances_of(state):
        wrong = 'has no moves but is not over (if they cannot be listed, a search needs proposals)'
    elif (twice := _repeated(moves)) is not None:
        wrong = f'has the move {quoted(twice[0])} twice'
    if wrong is not None:
        raise _broken(
            state,
            f'a state that {wrong}; moves must differ, and there must be none exactly when the '
            'game is over (fmcts.testing.check_game looks for the cause)',
        )
    return moves


def _repeated(moves: tuple[Any, ...]) -> tuple[Any] | None:
    """Return a move that comes twice, in a tuple, or `None`; moves need not be hashable."""
    try:
        if _all_differ(moves):
            return None
    except TypeError:  # `suppress` takes longer
        pass
    for at, move in enumerate(moves):
        if any(equal(move, other) for other in moves[:at]):
            return (move,)
    return None


# Cached: most positions of a game share their moves with others, and a search checks every node.
@functools.lru_cache(maxsize=1 << 12)
def _all_differ(moves: tuple[Any, ...]) -> bool:
    return len(set(moves)) == len(moves)


def checked_chances(state: GameState[M]) -> tuple[tuple[M, int], ...]:
    """Return the outcomes with their weights, checked against the promises of `ChanceState`.

    :raises GameError: they are not a tuple of pairs, two outcomes are equal, a weight is not a
        whole number of at least 1, the weights add up to more than 2**64, or chance moves where a
        player does, or in a finished game.
    """
    chances: Any = chances_of(state)
    if chances == ():
        return ()
    if callable(chances):
        raise _broken(
            state,
            'outcomes that it draws and does not list: say how many a node of a search may have by '
            'Proposals(outcomes=Width())',
        )
    if not isinstance(chances, tuple) or not all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in chances
    ):
        raise _broken(
            state,
            f'the chances {shown(chances)}: accepted is a tuple of pairs, each an outcome and its '
            'weight',
        )
    for outcome, weight in chances:
        if type(weight) is not int or weight < 1:
            raise _broken(
                state,
                f'the weight {shown(weight)} for {quoted(outcome)} among its chances: accepted are '
                'integers (int) of at least 1',
            )
    if (total := sum(weight for _, weight in chances)) > WEIGHTS:
        raise _broken(
            state, f'chances whose weights add up to {shown(total)}: accepted are up to 2**64'
        )
    twice = _repeated(tuple(outcome for outcome, _ in chances))
    if twice is not None:
        raise _broken(
            state, f'a state that has the move {quoted(twice[0])} twice among its chances'
        )
    if state.moves or state.over:
        how = 'with both moves and chances' if state.moves else 'that is over but has chances'
        raise _broken(state, f'a state {how}')
    return chances


def is_drawn(state: GameState[Any]) -> bool:
    """Return whether chance moves in a state; outcomes that are listed are checked."""
    return callable(chances_of(state)) or bool(checked_chances(state))


def rolled(state: Any, chances: tuple[tuple[M, int], ...], draw: Callable[[int], int]) -> M:
    """Draw one of the outcomes of a state where chance moves, by weight.

    :raises GameError: the chances are not as promised.
    """
    weights = [weight for _, weight in chances]
    if min(weights) < 1:
        checked_chances(state)
    return drawn_outcome(chances, draw(sum(weights)))


def checked_players(state: GameState[Any]) -> tuple[Any, ...]:
    """Return the players of the game, checked against the promises of `ChanceState`.

    :raises GameError: they are not a tuple of 1 to 256 different hashable values, or the player of
        the state is not one of them.
    """
    players: Any = players_of(state)
    try:
        right = isinstance(players, tuple) and 1 <= len(players) <= MOST_PLAYERS
        right = right and len(set(players)) == len(players)
    except TypeError:  # without a hash
        right = False
    if not right:
        raise _broken(
            state,
            f'the players {shown(players)}: accepted is a tuple of 1 to {MOST_PLAYERS} different '
            'hashable values',
        )
    checked_seat(state, players)
    return players  # type: ignore[no-any-return] # checked here


def checked_seat(state: GameState[Any], players: tuple[Any, ...]) -> int:
    """Return the number of the state's player among `players`, the players of the first state.

    :raises GameError: this state has other players, or its player is not one of them.
    """
    now = players_of(state)
    if now != players:
        raise _broken(
            state,
            f'the players {shown(players)} and, later, {shown(now)}: all states have the same',
        )
    for number, player in enumerate(players):
        if equal(state.player, player):
            return number
    raise _broken(
        state, f'the player {shown(state.player)}: accepted are {", ".join(map(shown, players))}'
    )


def checked_player(state: GameState[Any]) -> Player:
    """Return the side to move, if it is a `Player` or one of the game's own `players`.

    :raises GameError: it is not.
    """
    player: Any = state.player
    if hasattr(state, 'players'):
        checked_players(state)
    elif player is not _X and player is not _O:
        raise _broken(
            state,
            f'the player {shown(player)}: accepted are Player.X and Player.O, as a game without '
            '`players` has two players',
        )
    return player  # type: ignore[no-any-return] # or another player of a game with `players`


def rewards_of(state: GameState[Any]) -> tuple[float, ...]:
    """Return the reward of each player of a finished game, in the order of `players`.

    In a game with rewards on the way they are what its end gives besides.

    :raises GameError: there is not a number for each player, from 0 to 1 in a game without rewards
        on the way; or, in a game without either, the winner is neither a player nor `None`.
    """
    players = players_of(state)
    count, least, most = len(players), *limits_of(state)
    if has_member(state, 'rewards'):
        given = state.rewards  # type: ignore[attr-defined] # it has them
        numbers = numbers_in(given, count, least, most)
        if numbers is None:
            raise _broken(
                state,
                f'the rewards {shown(given)}: accepted is a tuple of {count} '
                f'{"finite numbers" if most > 1 else "numbers from 0 to 1"}, one for each player',
            )
        return numbers
    # With rewards on the way the end of a game may add nothing to them.
    if most > 1:
        return (0.0,) * count
    winner = given_winner(state)
    if winner is None:
        return (0.0,) if count == 1 else (1.0 / count,) * count
    if not any(equal(winner, player) for player in players):
        raise _broken(
            state,
            f'the winner {shown(winner)}: accepted are {", ".join(map(shown, players))} and, '
            'without a winner, None',
        )
    return tuple(1.0 if player == winner else 0.0 for player in players)


def limits_of(state: GameState[Any]) -> tuple[float, float]:
    """Return the least and the most that a player may get: any finite number, or from 0 to 1."""
    return (-LARGEST_REWARD, LARGEST_REWARD) if gains(state) else (0.0, 1.0)


def numbers_in(
    given: Any, count: int, least: float, most: float, *, alone: bool = False
) -> tuple[float, ...] | None:
    """Return a tuple of `count` numbers within limits as floats; `None` if it is anything else.

    `alone`: whether a single number may replace a tuple of one.
    """
    row: Any = (given,) if alone and count == 1 and not isinstance(given, tuple) else given
    numbers: Any = tuple(map(as_number, row)) if isinstance(row, tuple) else ()
    if len(numbers) == count and all(
        type(each) in (int, float) and least <= each <= most for each in numbers
    ):
        return tuple(map(float, numbers))
    return None


def gained_of(state: GameState[Any], count: int) -> tuple[float, ...]:
    """Return what each of `count` players gained by reaching a state of a game with `gained`.

    :raises GameError: it is not a finite number for each of them.
    """
    given = state.gained  # type: ignore[attr-defined] # it has it
    numbers = numbers_in(given, count, *limits_of(state), alone=True)
    if numbers is None:
        raise _broken(
            state,
            f'the gained {shown(given)}: accepted is a tuple of {count} finite numbers, one for '
            f'each player{", or the number itself" * (count == 1)}',
        )
    return numbers


def added(total: tuple[float, ...], more: tuple[float, ...]) -> tuple[float, ...]:
    """Return the sums of two rows of rewards."""
    return tuple([one + other for one, other in zip(total, more, strict=True)])


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
    raise _broken(
        state,
        f'the winner {shown(winner)}: accepted are Player.X, Player.O and, for a draw, None',
    )


def checked_winner(state: GameState[Any], winner: object) -> Player | None:
    """Return `winner` if it is a player or `None`.

    :raises GameError: `winner` is neither of the players nor `None`.
    """
    score(state, winner)
    return winner  # type: ignore[return-value] # it is one of the three
