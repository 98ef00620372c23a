"""The bots of the Haskell article's section I-D (002), in `State`; to be read beside it.

A bot is a function `position -> State[Move, Rng]`: no generator is passed or returned by hand.

| the article | here |
|---|---|
| `type Bot = Tictactoe -> State StdGen Coup` | `StateBot` |
| `botRandom` | `random_bot` |
| `jouerJeu` | `play_game`, and `playout` for two random bots |
| `evalCoup` | `evaluate` |
| `botMc` | `monte_carlo` |

They work for every game and every generator, and equal the pure bots of this package to the last
draw. One thing differs from the article, as in the pure ones: `jouerJeu` asks for a move before it
looks whether the game is over; here a finished game is scored as it is.

Lines of the article's session; its generator is not printed, but this one gives all of it
(`docs/sessions.md` has the whole):

>>> from functools import partial
>>> from fmcts.games import tictactoe
>>> from fmcts.rng import StdGen
>>> jeu402536, rng0 = tictactoe.parse('O.XXXOO..').unwrap(), StdGen(3304847, 1)
>>> random_bot(jeu402536).eval_state(rng0)
7
>>> replicate(2, random_bot(jeu402536)).eval_state(rng0)
(7, 8)
>>> winner, end = play_game(jeu402536, random_bot, random_bot).eval_state(rng0)
>>> winner, end == tictactoe.parse('OXXXXOOXO').unwrap()
(<Player.X: 'X'>, True)
>>> evaluate(10_000, jeu402536, 1).eval_state(rng0)
(5030, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

from fmcts._arguments import whole_number
from fmcts.bots._bot import check_running
from fmcts.game import (
    MAX_PLIES,
    GameState,
    Player,
    checked_moves,
    checked_winner,
    endless,
    given_winner,
)
from fmcts.rng import Rng
from fmcts.state import Do, State, do, for_each, get, put, replicate

S = TypeVar('S', bound=GameState[Any])
M = TypeVar('M')
R = TypeVar('R', bound=Rng)

StateBot: TypeAlias = Callable[[S], State[M, R]]
"""A bot, `StateBot[Position, Move, Generator]`: an action whose value is the move."""


def random_bot(state: GameState[M]) -> State[M, R]:
    """Return one of the legal moves with equal probability (`botRandom`).

    :raises FinishedGameError: the game is over.
    """
    check_running(state)

    @do
    def drawn() -> Do[M, R]:
        rng: R = yield get()
        index, rng = rng.uniform(0, len(state.moves) - 1)
        yield put(rng)
        return state.moves[index]

    return drawn()


def play_game(
    state: S, first: StateBot[S, M, R], second: StateBot[S, M, R], *, max_plies: int = MAX_PLIES
) -> State[tuple[Player | None, S], R]:
    """Return the winner and the last position of a game; `first` plays X (`jouerJeu`).

    :raises EndlessGameError: (when run) the game is not over after `max_plies` plies.
    :raises GameError: (when run) the game breaks a promise of `GameState`.
    :raises IllegalMoveError: (when run) a bot returned an illegal move.
    """

    @do
    def played(state: S, plies: int) -> Do[tuple[Player | None, S], R]:
        if not checked_moves(state):
            return checked_winner(state, given_winner(state)), state
        if plies == max_plies:
            raise endless(state, max_plies)
        bot = first if state.player is Player.X else second
        move = yield from bot(state)
        end = yield from played(state.play(move), plies + 1)
        return end

    return played(state, 0)


def playout(state: GameState[Any]) -> State[Player | None, R]:
    """Return the winner between two random bots; equals `fmcts.playout`, draw for draw."""
    game: State[tuple[Player | None, GameState[Any]], R] = play_game(state, random_bot, random_bot)
    return game.map(itemgetter(0))


def evaluate(playouts: int, state: GameState[M], move: M) -> State[tuple[int, M], R]:
    """Return how many playouts after `move` its player wins, and the move (`evalCoup`).

    The arguments are in the article's order, so that all but the move can be bound first.
    """
    player = state.player
    simulated: State[Player | None, R] = playout(state.play(move))
    won = simulated.map(lambda winner: 1 if winner is player else 0)
    return replicate(playouts, won).map(lambda wins: (sum(wins), move))


def monte_carlo(playouts: int) -> Callable[[GameState[M]], State[M, R]]:
    """Return the bot that plays the move with the most victories, the last of equals (`botMc`).

    The playouts are split evenly over the legal moves, at least one each. It is the State version
    of `article_mc_state(playouts)`.

    :raises ValueError: `playouts` is not a whole number of at least 1.
    :raises FinishedGameError: (the bot) the game is over.
    """
    whole_number('playouts', playouts)

    def bot(state: GameState[M]) -> State[M, R]:
        check_running(state)
        share = max(1, playouts // len(state.moves))
        evaluated: State[tuple[tuple[int, M], ...], R] = for_each(
            state.moves, partial(evaluate, share, state)
        )
        return evaluated.map(best)

    return bot


def best(evaluations: tuple[tuple[int, M], ...]) -> M:
    """Return the move with the most victories, the last of equals (`snd . maximum`).

    Moves are in ascending order, so the last is the highest, as in Haskell's `maximum` of the
    pairs.
    """
    _, move = max(reversed(evaluations), key=itemgetter(0))  # max returns the first of equals
    return move
