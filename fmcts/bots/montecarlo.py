"""Flat Monte-Carlo: playouts from every move, and the move with the best result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args

from attrs import field, frozen

from fmcts._promises import checked_moves, gained_of, rewards_of
from fmcts._running import known_engine, playouts as play_out
from fmcts._validators import as_count, one_of, positive_count, switch
from fmcts.bots._bot import AnalysingBot, check_running
from fmcts.bots.printed import as_tictactoe, playouts_after_the_end
from fmcts.errors import GameError
from fmcts.game import MAX_PLIES, GameState, M, gains, has_rewards, options_of, players_of
from fmcts.rng import R, thaw
from fmcts.search import (
    STOP,
    Analysis,
    MutableNode,
    Node,
    Watch,
    candidates,
    freeze_in_place,
    ignore,
)
from fmcts.simulation import chance_playout

T = TypeVar('T')

Count: TypeAlias = Literal['scores', 'wins']
End: TypeAlias = Literal['first', 'last']


@frozen
class MonteCarlo(AnalysingBot):
    """A flat Monte-Carlo bot: `playouts` split evenly over the moves, at least one each.

    `count`: `scores` adds 1 for a win and 1/2 for a draw, `wins` counts victories only. `order`:
    whether the `first` or the `last` move is evaluated first (the generator is threaded through, so
    it matters). `ties`: whether the `first` or the `last` of equal moves is played. `max_plies`:
    the limit on the plies of a playout; a longer game raises an error. `engine`: as in `analyse`;
    it changes only the speed. `as_printed`: whether playouts after a move that ends the game are
    those of the Haskell article's program (tic-tac-toe only; see `fmcts.bots.printed`).

    :raises EngineError: no engine has that name.
    :raises ValueError: a value is not accepted; the message names it and what is accepted.
    """

    playouts: int = field(default=1000, converter=as_count, validator=positive_count)
    count: Count = field(default='scores', kw_only=True, validator=one_of(*get_args(Count)))
    order: End = field(default='first', kw_only=True, validator=one_of(*get_args(End)))
    ties: End = field(default='first', kw_only=True, validator=one_of(*get_args(End)))
    max_plies: int = field(
        default=MAX_PLIES, kw_only=True, converter=as_count, validator=positive_count
    )
    engine: str = field(default='auto', kw_only=True, validator=known_engine)
    as_printed: bool = field(default=False, kw_only=True, validator=switch)

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """Return the evaluation of every move as a tree of depth one, and the next generator.

        `root_moves` are the moves to evaluate; by default, all legal moves.

        :raises EndlessGameError: a game is not over after `max_plies` plies.
        :raises FinishedGameError: the game is over.
        :raises GameError: the game breaks a promise of `GameState`.
        :raises IllegalMoveError: one of `root_moves` is not legal.
        :raises PrintedProgramError: `as_printed`, and the article's program crashes.
        :raises ValueError: `root_moves` is empty, or `watch` returns `STOP`.
        """
        check_running(state)
        moves = candidates(state, root_moves) or checked_moves(state)
        share = max(1, self.playouts // len(moves))
        children: list[Node] = []
        against = 0.0
        for move in self._ordered(moves):
            watching = _from(share * len(children), watch)
            child, lost, rng = evaluate(
                state,
                move,
                share,
                rng,
                count=self.count,
                engine=self.engine,
                watch=watching,
                max_plies=self.max_plies,
                as_printed=self.as_printed,
            )
            children.append(child)
            against += lost
        # Turned round once more: a tree has its children in the order of the moves.
        children = self._ordered(children)
        rank = list if self.ties == 'first' else reversed  # `max` takes the first of equals
        best = max(rank(children), key=lambda child: child.reward)
        visits = share * len(children)
        player: Any = state.player
        # With rewards there is no one opponent, so the root's reward stays the player's own.
        opponent = player if has_rewards(state) else player.other
        value = against / visits
        root = MutableNode(None, opponent, state, moves, visits, against, value, tuple(children))
        return Analysis(best.move, visits, freeze_in_place(root)), rng

    def _ordered(self, items: Sequence[T]) -> list[T]:
        """Return the items, reversed if `order` is `last`; applying it twice changes nothing."""
        return list(items if self.order == 'first' else reversed(items))


def _from(begin: int, watch: Watch) -> Watch:
    def checked(done: int) -> None:
        if watch(begin + done) is STOP:
            raise ValueError(
                'watch cannot end flat Monte-Carlo, which gives every move the same number of '
                'playouts'
            )

    return checked


def evaluate(  # noqa: PLR0913 - the options of the bot, by name
    state: GameState[M],
    move: M,
    playouts: int,
    rng: R,
    *,
    count: Count = 'scores',
    engine: str = 'auto',
    watch: Watch = ignore,
    max_plies: int = MAX_PLIES,
    as_printed: bool = False,
) -> tuple[Node, float, R]:
    """Return the node of `move` after playouts, the opponent's reward, and the next generator.

    `engine`, `watch` and `max_plies` are as in `fmcts.playouts`.
    It is the article's `evalCoup` (I-C). A move that ends the game is scored by its result;
    the article's own program plays one random move more first, and so does `as_printed`.
    """
    if as_printed:
        as_tictactoe(state)
    after, player = state.play(move), state.player
    if has_rewards(state):
        if count == 'wins':
            raise GameError('count wins is not supported in a game with rewards or other players')
        place, draws, won = players_of(state).index(player), thaw(rng), 0.0
        count_of = len(players_of(state))

        def gain(_move: Any, reached: Any) -> None:
            nonlocal won
            won += gained_of(reached, count_of)[place]

        each = gain if gains(state) else None
        for _ in range(playouts):
            if each:
                # What the move itself gains is part of each playout.
                each(move, after)
            last = chance_playout(after, draws.draw, max_plies=max_plies, each=each)
            won += rewards_of(last)[place]
        lost, rng = won, cast('R', draws.freeze())
        watch(playouts)
    else:
        if as_printed and after.over:
            winners, rng = playouts_after_the_end(as_tictactoe(after), playouts, rng)
            watch(playouts)
        else:
            winners, rng = play_out(
                after, rng, playouts, engine=engine, watch=watch, max_plies=max_plies
            )
        shared = winners[None] / 2 if count == 'scores' else 0.0
        won, lost = winners[player] + shared, winners[player.other] + shared
    node = MutableNode(move, player, after, options_of(after), playouts, won, won / playouts, ())
    return freeze_in_place(node), lost, rng


def monte_carlo(
    playouts: int = 1000,
    *,
    count: Count = 'scores',
    order: End = 'first',
    ties: End = 'first',
    max_plies: int = MAX_PLIES,
    engine: str = 'auto',
) -> MonteCarlo:
    """Return the flat Monte-Carlo bot with this budget and the options of `MonteCarlo`."""
    return MonteCarlo(
        playouts, count=count, order=order, ties=ties, max_plies=max_plies, engine=engine
    )


def article_mc_pure(playouts: int, *, as_printed: bool = False) -> MonteCarlo:
    """Return the `botMc` of the Haskell article, section I-C, written with pure functions.

    It counts victories, walks the moves from the last to the first, and of equals plays the higher.
    A move that ends the game is scored by its result. The printed program plays one random move
    more first, and crashes where one cell is empty: `as_printed` does both.

    >>> from functools import reduce
    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> state = reduce(tictactoe.TicTacToe.play, [4, 0, 2, 5, 3, 6], tictactoe.start)
    >>> article_mc_pure(30_000)(state, StdGen(529669860, 1))
    (7, StdGen(s1=1356595715, s2=1539624735))
    """
    return MonteCarlo(playouts, count='wins', order='last', ties='last', as_printed=as_printed)


def article_mc_state(playouts: int, *, as_printed: bool = False) -> MonteCarlo:
    """Return the `botMc` of section I-D, in the State monad: as I-C, but from the first move on.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import StdGen
    >>> state = tictactoe.parse('O.XXXOO..').unwrap()
    >>> article_mc_state(10_000)(state, StdGen(3304847, 1))[0]
    7
    """
    return MonteCarlo(playouts, count='wins', order='first', ties='last', as_printed=as_printed)
