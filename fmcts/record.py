"""Play a whole game between two bots, and record it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from attrs import frozen

from fmcts._arguments import check_bot, check_start, whole_number
from fmcts._declared import shown_by
from fmcts._promises import (
    added,
    checked_moves,
    checked_player,
    checked_players,
    checked_seat,
    checked_winner,
    gained_of,
    is_drawn,
    rewards_of,
)
from fmcts.bots import Bot, checked_answer, of_side
from fmcts.errors import GameError
from fmcts.game import (
    MAX_PLIES,
    GameState,
    Player,
    endless,
    gains,
    given_winner,
    is_plain,
    players_of,
)
from fmcts.rng import Rng
from fmcts.simulation import throw

S = TypeVar('S', bound=GameState[Any])
M = TypeVar('M')
R = TypeVar('R', bound=Rng)


@frozen
class GameRecord(Generic[S, M, R]):
    """The record of a game: enough to replay it and to check every move.

    `start` and `final` are states, `moves` the moves between them, with the outcomes where chance
    moved; `winner` is `None` for a draw.
    `rng_in` is the generator the game started with, `rng_out` the one it returned.
    """

    start: S
    moves: tuple[M, ...]
    final: S
    winner: Player | None
    rng_in: R
    rng_out: R

    _repr_html_ = shown_by('_notebook.record_html')

    @property
    def rewards(self) -> tuple[float, ...]:
        """The reward of each player, in the order of the game's `players`.

        With rewards on the way it is the sum of all, without a discount.
        """
        # Without rewards on the way nothing has to be played again.
        state, total = self.start, rewards_of(self.final)
        if gains(state):
            for move in self.moves:
                state = state.play(move)
                total = added(total, gained_of(state, len(total)))
        return total


def play_game(
    start: S,
    first: Bot[S, R, M],
    second: Bot[S, R, M],
    rng: R,
    *,
    watch: Callable[[S, M], None] = lambda _state, _move: None,
    max_plies: int = MAX_PLIES,
    who: Callable[[Player, int], str] = of_side,
) -> tuple[GameRecord[S, M, R], R]:
    """Play from `start` to the end: `first` plays X and `second` plays O.

    Where chance moves, the outcome is drawn from a separate generator, split off from `rng`. For
    one player or more than two: `play_seats`.

    Return the record and the generator to use next; `rng` is consumed, threaded through both bots.
    `watch(state, move)` is called before each move. `max_plies` limits the length of the game.
    `who(side, plies)` names the bot in an error about its answer.

    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: the game breaks a promise of `GameState`.
    :raises IllegalMoveError: a bot returned an illegal move, or not a pair of move and generator.
    :raises TypeError: a bot is not a function, or `start` is a class or module.
    :raises ValueError: `max_plies` is not a whole number of at least 1.
    """
    return _played(start, {'first': first, 'second': second}, rng, watch, max_plies, who)


def play_seats(
    start: S,
    bots: Sequence[Bot[S, R, M]],
    rng: R,
    *,
    watch: Callable[[S, M], None] = lambda _state, _move: None,
    max_plies: int = MAX_PLIES,
    who: Callable[[Any, int], str] = of_side,
) -> tuple[GameRecord[S, M, R], R]:
    """Play a game of any number of players to its end, each of `bots` for one of the players.

    Bots are in the order of `players`. The rest is as in `play_game`.

    :raises EndlessGameError: the game is not over after `max_plies` plies.
    :raises GameError: the game breaks a promise, or has another number of players than bots.
    :raises IllegalMoveError: a bot returned an illegal move, or not a pair of move and generator.
    :raises TypeError: a bot is not a function, or `start` is a class or module.
    :raises ValueError: `max_plies` is not a whole number of at least 1.

    >>> from fmcts import SplitMix, random_bot
    >>> from fmcts.games.chance import mnk3
    >>> record, _ = play_seats(mnk3.start(), [random_bot] * 3, SplitMix.from_seed(1))
    >>> record.winner, record.rewards
    ('C', (0.0, 0.0, 1.0))
    """
    named = {f'bot {number}': bot for number, bot in enumerate(bots, 1)}
    return _played(start, named, rng, watch, max_plies, who)


def _played(
    start: S,
    named: Mapping[str, Any],
    rng: R,
    watch: Callable[[S, M], None],
    max_plies: int,
    who: Callable[[Any, int], str],
) -> tuple[GameRecord[S, M, R], R]:
    """Play a game of any kind, the bots being named for errors.

    In a game with `chances` the generator is split before the first ply: bots get the first half,
    and outcomes are drawn from the second. So what is drawn does not depend on who plays.
    """
    whole_number('max_plies', max_plies)
    check_start(start)
    for name, bot in named.items():
        check_bot(name, bot)
    bots, plain = [*named.values()], is_plain(start)
    players = players_of(start) if plain else checked_players(start)
    if len(bots) != len(players):
        raise GameError(
            f'the game {type(start).__name__} has {len(players)} players, and {len(bots)} bots '
            'play: give one for each to fmcts.record.play_seats'
        )
    state, rng_in, dice = start, rng, rng
    if hasattr(start, 'chances'):
        rng, dice = rng.split()
    moves: list[M] = []
    while True:
        chance = not plain and is_drawn(state)
        # Where moves cannot be listed there are none, and the game is not over: the bot names one
        # all the same, and `play` judges it.
        legal = () if chance else checked_moves(state, listed=False)
        if not (chance or legal) and state.over:
            break
        played = len(moves)
        if played == max_plies:
            raise endless(state, max_plies)
        if chance:
            move, dice = throw(state, dice)
        else:
            seat = checked_player(state) is not Player.X if plain else checked_seat(state, players)
            answer = _asked(bots[seat], state, rng, who, played)
            move, rng = checked_answer(answer, state, rng, who, played, legal)
        watch(state, move)
        moves.append(move)
        state = state.play(move)
    if not plain:
        checked_seat(state, players)
        rewards_of(state)  # for the check alone: the end must have a reward for each player
    winner = checked_winner(state, given_winner(state)) if plain else getattr(state, 'winner', None)
    return GameRecord(start, tuple(moves), state, winner, rng_in, rng), rng


def _asked(
    bot: Bot[S, R, M], state: S, rng: R, who: Callable[[Player, int], str], played: int
) -> Any:
    """Return the bot's answer; an error that the bot raises gets a note that names the bot."""
    try:
        return bot(state, rng)
    except Exception as error:
        # A note leaves the error of the class that the bot raised, for whoever catches it.
        error.add_note(who(state.player, played))
        raise
