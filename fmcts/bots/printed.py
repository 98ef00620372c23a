"""The texts' programs as printed, with their faults: `as_printed=on` in a bot's spec.

`PrintedBot` runs the programs of the French series' second part, line by line as printed:

- The loop does not back up finished nodes, new or old. So a finished node never gets a visit, and
  every later descent ends at it again ("des tours dans le vide"). Such iterations are counted and
  change nothing.
- `closing` marks finished nodes as closed and leaves them out, but `backpropagate` is not called
  for them, so nothing else is ever closed. When all children of a node are closed, the program asks
  for the best child of an empty list and crashes.
- `rollout-expand` descends through the nodes that a playout added, visited or not.
- `jump` asks for the best child before there is one and crashes in its first iteration.

What the text does not print is as in the presets: UCB1, ties to the first in move order, children
made in move order, no reward for an unfinished game. A child without visits comes first, also in
the choice of the move, because its bonus divides by zero.

`playouts_after_the_end` is what the Haskell article's `jouerJeu` does with a finished game.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any, Final

from attrs import Attribute, field, frozen

from fmcts._arguments import shown
from fmcts._arithmetic import logarithm_of
from fmcts._engines import freeze, thaw as thaw_tree
from fmcts._promises import check_plain, checked_moves
from fmcts.bots._bot import AnalysingBot
from fmcts.errors import PrintedProgramError
from fmcts.game import GameState, M, Player, endless, reward
from fmcts.games.tictactoe import FREE, TicTacToe
from fmcts.rng import Draws, R, thaw
from fmcts.search import STOP, Analysis, MutableNode, Search, Watch, chunks, ignore, plant
from fmcts.simulation import simulator_of

__all__ = ['PrintedBot', 'as_tictactoe', 'playouts_after_the_end']


def _is_of_the_series(_instance: object, _attribute: Attribute[Any], search: object) -> None:
    names = 'iterations', 'c', 'max_plies', 'closing', 'rollout_expand', 'expansion'
    if isinstance(search, Search):
        options: dict[str, Any] = {name: getattr(search, name) for name in names}
        if search.expansion in ('in-order', 'jump') and Search(final='ucb', **options) == search:
            return
    raise ValueError(
        'as_printed needs one of the searches first-part, closing, rollout-expand and jump, '
        f'without max_nodes, not {shown(search)}'
    )


@frozen
class PrintedBot(AnalysingBot):
    """A program of the second part as printed; `search` is the search of the repaired preset.

    The iterations of an analysis are those that were asked for; the visits of its root are those
    that made a playout.

    :raises ValueError: `search` is not that of a preset of the second part, or has `max_nodes`.

    >>> from fmcts.games import tictactoe
    >>> from fmcts.rng import SplitMix
    >>> bot = PrintedBot(Search(1000, expansion='in-order', final='ucb'))
    >>> end = tictactoe.parse('XOXOXO...').unwrap()
    >>> analysis, _ = bot.analyse(end, SplitMix.from_seed(1))
    >>> analysis.move, analysis.iterations, analysis.tree.visits
    (6, 1000, 1)
    """

    search: Search = field(validator=_is_of_the_series)

    def analyse(
        self,
        state: GameState[M],
        rng: R,
        *,
        watch: Watch = ignore,
        root_moves: Iterable[M] | None = None,
    ) -> tuple[Analysis[M], R]:
        """Return the analysis whose move the program plays, and the generator to use next.

        :raises EndlessGameError: a game is not over after `search.max_plies` plies.
        :raises FinishedGameError: the game is over.
        :raises GameError: the game violates `GameState`, or has chance, rewards or other players.
        :raises IllegalMoveError: one of `root_moves` is not legal.
        :raises PrintedProgramError: the program crashes.
        :raises ValueError: `root_moves` is empty.
        """
        check_plain(state, 'as_printed')
        root, draws, done = thaw_tree(plant(state, root_moves)), thaw(rng), 0
        watch(0)
        for chunk in chunks(self.search.iterations):
            for _ in repeat(None, chunk):
                done += 1
                if not self._iterate(root, draws, done):
                    done = self.search.iterations  # all remaining iterations repeat this one
                    break
            if watch(done) is STOP or done == self.search.iterations:
                break
        move = self._best(root, root.children).move
        return Analysis(move, done, freeze(root)), draws.freeze()  # type: ignore[return-value]

    def _iterate(self, root: MutableNode, draws: Draws, number: int) -> bool:
        """Run one iteration; return whether it changed anything."""
        path = [root]
        made = False
        while path[-1].moves and not made:
            node = path[-1]
            made = len(node.children) < len(node.moves) and self._expands(node, draws)
            path.append(_expanded(node) if made else self._best_open(node, number))
        leaf = path[-1]
        if not leaf.moves:
            return made
        winner = self._played_out(leaf, draws)
        for node in path:
            node.visits += 1
            node.reward += reward(winner, node.mover)
            node.value = node.reward / node.visits
        return True

    def _expands(self, node: MutableNode, draws: Draws) -> bool:
        if self.search.expansion == 'in-order':
            return True
        return draws.draw(len(node.moves) + 1) < len(node.children)

    def _best_open(self, node: MutableNode, number: int) -> MutableNode:
        """Return the child that the program's `get_best_child_UCT` returns."""
        closing = self.search.closing
        children = [child for child in node.children if child.moves or not closing]
        if not children:
            why = 'whose children are all closed' if node.children else 'without children'
            raise PrintedProgramError(
                f'the printed program crashes in iteration {number}: it asks for the best child of '
                f'a node {why}; leave out as_printed for the repaired program'
            )
        return self._best(node, children)

    def _best(self, node: MutableNode, children: Sequence[MutableNode]) -> MutableNode:
        log = logarithm_of(1 + node.visits)
        c: float = self.search.method.parameters['c']

        def score(child: MutableNode) -> float:
            return child.value + c * math.sqrt(log / child.visits) if child.visits else math.inf

        return max(children, key=score)  # max returns the first of equals

    def _played_out(self, node: MutableNode, draws: Draws) -> Player | None:
        """Return the winner of a playout from the node, whose states may join the tree."""
        if not self.search.rollout_expand:
            return simulator_of(node.state, self.search.max_plies)(node.state, draws.draw)
        for _ in range(self.search.max_plies):
            if not node.moves:
                break
            node = _child(node, draws.draw(len(node.moves)))
        if node.moves:
            raise endless(node.state, self.search.max_plies)
        return node.state.winner  # type: ignore[no-any-return] # it is a game's


def _expanded(node: MutableNode) -> MutableNode:
    """Add a child for the node's first move without one, and return the child."""
    return _child(node, node.places.index(None) if node.places else 0)


def _child(node: MutableNode, place: int) -> MutableNode:
    """Add a child for the move at that place, and return it."""
    move = node.moves[place]
    state = node.state.play(move)
    child = MutableNode(move, node.state.player, state, checked_moves(state), 0, 0.0, 0.0, ())
    node.places = node.places or [None] * len(node.moves)
    node.places[place] = child
    return child


ROWS_THEN_COLUMNS_THEN_DIAGONALS: Final = tuple(
    sum(1 << cell for cell in line)
    for line in (
        *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        *((0, 4, 8), (2, 4, 6)),
    )
)
"""The lines of `calculerFin` in its order: the first complete line names the winner."""


def as_tictactoe(state: object) -> TicTacToe:
    """Return the state if it is tic-tac-toe, the Haskell article's game.

    :raises PrintedProgramError: it is another game.
    """
    if not isinstance(state, TicTacToe):
        raise PrintedProgramError(
            'as_printed needs tic-tac-toe, the game of the article: the rules of '
            f'{type(state).__name__} do not define moves after the end'
        )
    return state


def playouts_after_the_end(
    state: TicTacToe, times: int, rng: R
) -> tuple[Counter[Player | None], R]:
    """Return how often each side wins playouts from a finished game, by the article's `jouerJeu`.

    The program asks the random bot for a move before it checks whether the game is over: another
    stone is put on a free cell, and may complete a line that is earlier in its list of lines.

    :raises PrintedProgramError: no cell is free, and the program crashes.
    """
    free = FREE[state.x | state.o]
    if not free:
        raise PrintedProgramError(
            'the printed program crashes: it draws a move after the last cell is taken; leave out '
            'as_printed for the repaired program'
        )
    mine, theirs = (state.x, state.o) if state.player is Player.X else (state.o, state.x)
    winners: Counter[Player | None] = Counter()
    draws = thaw(rng)
    for _ in range(times):
        stones = mine | 1 << free[draws.draw(len(free))]
        first = next(
            line
            for line in ROWS_THEN_COLUMNS_THEN_DIAGONALS
            if line & stones == line or line & theirs == line
        )
        winners[state.player if first & stones == first else state.player.other] += 1
    return winners, draws.freeze()  # type: ignore[return-value]
