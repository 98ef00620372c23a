# pyright: strict
"""Users' states, bots and generators composed in types, which `tests/snippets.py` checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from attrs import evolve, frozen

from fmcts import (
    Player,
    Search,
    SplitMix,
    StdGen,
    analyse,
    mcts,
    monte_carlo,
    play_game,
    random_bot,
)
from fmcts.bots import Bot
from fmcts.game import GameState, illegal
from fmcts.games import tictactoe
from fmcts.games.connect4 import Connect4
from fmcts.matches import match
from fmcts.rng import Rng
from fmcts.state import State, from_state, to_state

M = TypeVar('M')
S = TypeVar('S', bound=GameState[int])
R = TypeVar('R', bound=Rng)


@frozen
class Heap:
    """Take one to three; who takes the last one wins."""

    left: int = 13
    player: Player = Player.X

    @property
    def moves(self) -> tuple[int, ...]:
        return (1, 2, 3)[: self.left]

    @property
    def over(self) -> bool:
        return self.left == 0

    @property
    def winner(self) -> Player | None:
        return self.player.other if self.over else None

    def play(self, move: int, /) -> Heap:
        if move not in self.moves:
            raise illegal(self, move)
        return evolve(self, left=self.left - move, player=self.player.other)


@dataclass(frozen=True)
class Stones:
    """The same as a dataclass whose moves are texts."""

    left: int = 5
    player: Player = Player.X

    @property
    def moves(self) -> tuple[str, ...]:
        return ('one', 'two')[: self.left]

    @property
    def over(self) -> bool:
        return self.left == 0

    @property
    def winner(self) -> Player | None:
        return self.player.other if self.over else None

    def play(self, move: str, /) -> Stones:
        taken = 1 + self.moves.index(move)
        return replace(self, left=self.left - taken, player=self.player.other)


def first(state: Heap, rng: SplitMix) -> tuple[int, SplitMix]:
    """A bot for one game and one generator."""
    return state.moves[0], rng


def generic(state: GameState[M], rng: R) -> tuple[M, R]:
    """A bot for every game and every generator."""
    index, rng = rng.uniform(0, len(state.moves) - 1)
    return state.moves[index], rng


def takes(bot: Bot[Connect4, SplitMix, int]) -> Bot[Connect4, SplitMix, int]:
    return bot


def takes_heap(bot: Bot[Heap, SplitMix, int]) -> Bot[Heap, SplitMix, int]:
    return bot


def takes_stones(bot: Bot[Stones, StdGen, str]) -> Bot[Stones, StdGen, str]:
    return bot


def majority(*bots: Bot[S, R, int]) -> Bot[S, R, int]:
    """Return the bot that plays what most of them play."""

    def bot(state: S, rng: R) -> tuple[int, R]:
        votes: list[int] = []
        for each in bots:
            move, rng = each(state, rng)
            votes.append(move)
        return Counter(votes).most_common(1)[0][0], rng

    return bot


takes(random_bot)
takes(mcts(Search(10)))
takes(monte_carlo(10))
takes_heap(first)
takes_heap(generic)
takes_heap(random_bot)
takes_heap(mcts(Search(10)))
takes_stones(generic)
takes_stones(random_bot)
takes_heap(takes_heap(majority(first, takes_heap(random_bot))))

move: int
text: str
rng: SplitMix
move, rng = first(Heap(), SplitMix.from_seed(1))
move, rng = random_bot(Heap(), rng)
text, rng = random_bot(Stones(), rng)
move, rng = mcts(Search(10))(Heap(), rng)

action = to_state(random_bot)(tictactoe.start)
move = to_state(random_bot)(tictactoe.start).eval_state(SplitMix.from_seed(0))
text = to_state(random_bot)(Stones()).eval_state(StdGen(1, 1))
move = to_state(first)(Heap()).eval_state(SplitMix.from_seed(0))
move = to_state(generic)(Heap()).eval_state(SplitMix.from_seed(0))
stated: Callable[[Heap], State[int, SplitMix]] = to_state(first)
move, rng = from_state(stated)(Heap(), rng)
move, rng = from_state(to_state(random_bot))(Heap(), rng)
text, rng = from_state(to_state(random_bot))(Stones(), rng)
analysis, rng = analyse(Heap(), rng, Search(10))
move = analysis.move
record, rng = play_game(Heap(), first, random_bot, rng)
result = match(first, random_bot, Heap(), games=2, rng=rng)
