"""Trees to look at, in one call: `draw`, `draw_versions`, `draw_probabilities`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from fmcts._arguments import amount, shown, whole_number
from fmcts.game import GameState, Player, given_winner, players_of
from fmcts.search import HasTree, Node, paired_children, principal_variation, root_of
from fmcts.search.resolution.solver import proof_of_move
from fmcts.simulation import probabilities
from fmcts.view._board import board_svg, notation_of
from fmcts.view._boxes import Box, boxes_below, boxes_dot, boxes_svg, boxes_text
from fmcts.view._svg import Svg, colours_of_moves
from fmcts.view.descents import Path, hashable, written_number

KINDS: Final = ('svg', 'text', 'dot')
MOST: Final = 5_000  # nodes of a picture; a browser is slow with more
VALUES: Final = 'value: the mean reward of who moved there (stripe: X blue, O orange)'


def draw(  # noqa: PLR0913 - by name
    tree: Node | HasTree,
    kind: str = 'svg',
    *,
    depth: int | None = None,
    visits: int | None = None,
    principal: bool = False,
    boards: bool = False,
    columns: Sequence[str] = (),
    below: Path = (),
    game: Any = None,
    numbers: Mapping[Path, int] | None = None,
) -> str:
    """Return a search tree as SVG, text or Graphviz source; equal trees give the same bytes.

    Each node shows its visits, its value for the player who moved there, and its proof if there is
    one; the edge to it shows the move. Omitted children are counted. A notebook displays the SVG.

    :param tree: a root, any other node, or an analysis.
    :param kind: `svg`, `text` (a line per node) or `dot` (for Graphviz).
    :param depth: how many moves below the top to draw; by default, all.
    :param visits: the fewest visits of a node; by default, a hundredth of the top's.
    :param principal: draw the principal variation only.
    :param boards: draw the board in each node (SVG).
    :param columns: further columns of the nodes to show, such as `score` (SVG).
    :param below: the moves from the root of `tree` to the node at the top of the drawing.
    :param game: as for `board_svg`.
    :param numbers: the numbers of nodes, as from `fmcts.view.descents.creations`; by default, none.
    :raises TypeError: `tree` is neither node nor analysis.
    :raises ValueError: another kind; a column or a node `below` that the tree does not have;
        `depth` or `visits` is not a whole number of at least 0; a picture would have more than
        5,000 nodes.

    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import tictactoe
    >>> state = tictactoe.start.play(4).play(0).play(2).play(6).play(3)
    >>> analysis, _ = analyse(state, SplitMix.from_seed(1), Search(iterations=100))
    >>> print(draw(analysis, 'text', depth=1, visits=20), end='')
    100 visits  0.740
    ├─ 5  45 visits  0.400
    │  └─ (3 more)
    ├─ 7  22 visits  0.227
    │  └─ (3 more)
    └─ (2 more)
    """
    _check_kind(kind, KINDS)
    top = root_of(tree)
    for move in below:
        child = top.child(move)
        if child is None:
            raise ValueError(f'the tree has no node below {below}: give fewer moves')
        top = child
    least = top.visits // 100 if visits is None else whole_number('visits', visits, least=0)
    if depth is not None:
        whole_number('depth', depth, least=0)
    notation, players = notation_of(top.state, game), players_of(top.state)
    line = (*below, *principal_variation(top))
    visits_of = [0 if it is None else it.visits for it in top.places]
    colours = colours_of_moves(visits_of)

    def describe(item: tuple[Path, Node, bool]) -> tuple[Box, list[Any], int]:
        path, node, main = item
        deep = len(path) - len(below)
        drawn = [it for it in node.children if it.visits >= least and deep != depth]
        if principal:
            drawn = [it for it in drawn if (*path, it.move) == line[: len(path) + 1]]
        move = notation.format_move(node.move) if path else ''
        proof = proof_of_move(node)
        number = None if numbers is None else numbers[tuple(map(hashable, path))]
        name = [] if number is None else [f'#{number}']
        figures = [f'{node.value:.3f}', *([] if proof is None else [str(proof)])]
        further = [f'{it} {written_number(node.columns.of(it))}' for it in columns]
        visits = f'{node.visits} visit{"" if node.visits == 1 else "s"}'
        box = Box(
            '  '.join([*([move] if move else []), *name, visits, *figures]),
            move,
            (*name, str(node.visits), *figures, *further),
            seat=players.index(node.mover),
            look='path' if main else '',
            weight=node.visits / top.visits if top.visits else 0.0,
            board=_board(node.state, notation) if boards and kind == 'svg' else None,
            number=number,
            colour=colours[top.moves.index(path[len(below)])] if deep else None,
        )
        best = node.most_visited()
        items = [((*path, it.move), it, main and it is best) for it in drawn]
        return box, items, len(node.children) - len(drawn)

    boxes = boxes_below((below, top, True), describe, MOST if kind == 'svg' else None)
    if kind != 'svg':
        return boxes_text(boxes) if kind == 'text' else boxes_dot(boxes)
    count = f'{amount(sum(bool(box.lines) for box in boxes), "node")} shown'
    title = f'{notation.name}: tree of {amount(top.visits, "visit")}, {count}'
    return boxes_svg(boxes, title=title, below=(title, VALUES))


def node_svg(node: Node) -> str:
    """Return the tree as notebooks show it: two levels, the children with a share of the visits."""
    return draw(node, depth=2, visits=max(1, node.visits // 20))


def _check_kind(kind: str, kinds: tuple[str, ...]) -> None:
    if kind not in kinds:
        raise ValueError(f'kind must be {", ".join(kinds[:-1])} or {kinds[-1]}, not {shown(kind)}')


def _board(state: GameState[Any], notation: Any) -> Svg:
    return board_svg(state, game=notation, words_below=False)


def draw_versions(
    before: Node | HasTree, after: Node | HasTree, *, depth: int | None = None, game: Any = None
) -> Svg:
    """Return the SVG of a persistent update: what was copied, what is new, and what is shared.

    Nodes of `after` that are the same objects in `before` are grey and dashed, and nothing below
    them is drawn; the others are framed, in green if `before` has no such node. So one iteration
    shows the path that it copied. Both must come from the engines `persistent` or `monadic`
    (`fmcts.trees`), which share what they do not change; other engines copy everything.

    :param before: a version of the tree: a root or an analysis.
    :param after: a later one.
    :param depth: how many moves below the root to draw; by default, all.
    :param game: as for `board_svg`.
    :raises TypeError: one of them is neither node nor analysis.
    :raises ValueError: `depth` is not a whole number of at least 0; more than 5,000 nodes would be
        drawn.
    """
    old, new = root_of(before), root_of(after)
    most = None if depth is None else whole_number('depth', depth, least=0)
    notation, players = notation_of(new.state, game), players_of(new.state)

    def describe(item: tuple[Node, Node | None, int]) -> tuple[Box, list[Any], int]:
        node, known, deep = item
        look = 'shared' if node is known else 'new' if known is None else 'copied'
        below = [] if look == 'shared' or deep == most else [*paired_children(known, node)]
        move = notation.format_move(node.move) if deep else ''
        box = Box(
            f'{move or "the root"}: {look}, {amount(node.visits, "visit")}, value {node.value:.3f}',
            move,
            (str(node.visits), f'{node.value:.3f}'),
            seat=players.index(node.mover),
            look=look,
            weight=node.visits / new.visits if new.visits else 0.0,
        )
        hidden = 0 if below else len(node.children)
        return box, [(it, was, deep + 1) for was, it in below], hidden

    boxes = boxes_below((new, old, 0), describe, MOST)
    counts = {look: sum(box.look == look for box in boxes) for look in ('copied', 'new', 'shared')}
    summary = ', '.join(f'{count} {look}' for look, count in counts.items())
    title = f'{notation.name}: from {old.visits:,} to {amount(new.visits, "visit")}: {summary}'
    return boxes_svg(boxes, title=title, below=(title, VALUES))


def draw_probabilities(
    state: GameState[Any],
    kind: str = 'svg',
    *,
    player: Player | None = None,
    depth: int | None = None,
    boards: bool = True,
    game: Any = None,
) -> str:
    """Return the tree of all games from a state as SVG or text, with probabilities on its lines.

    The edge of a move has `P`, the exact probability that `player` wins after it when both sides
    play at random (`fmcts.probabilities`): the drawing of the Haskell article (I-B).

    :param kind: `svg`, or `text` (a line per position).
    :param player: whose wins are counted; by default, the side to move.
    :param depth: how many moves to draw; by default, to the ends of the games.
    :param boards: draw the board in each node (SVG).
    :param game: as for `board_svg`.
    :raises EndlessGameError: a position can come again.
    :raises GameError: the game violates `GameState`.
    :raises ValueError: another kind; as `probabilities`; `depth` is not a whole number of at least
        0; more than 5,000 nodes would be drawn.

    >>> from functools import reduce
    >>> from fmcts.games import tictactoe
    >>> state = reduce(tictactoe.TicTacToe.play, [4, 0, 2, 5, 3, 6], tictactoe.start)
    >>> print(draw_probabilities(state, 'text', depth=2), end='')
    P(X wins) = 1/3
    ├─ 1: P = 1/2
    │  ├─ 7: P = 0
    │  │  └─ (1 more)
    │  └─ 8: P = 1
    │     └─ (1 more)
    ├─ 7: P = 1/2
    │  ├─ 1: P = 0
    │  │  └─ (1 more)
    │  └─ 8: P = 1
    │     └─ (1 more)
    └─ 8: P = 0
       ├─ 1: P = 0
       │  └─ (1 more)
       └─ 7: P = 0
          └─ (1 more)
    """
    _check_kind(kind, ('svg', 'text'))
    side = player or state.player
    most = None if depth is None else whole_number('depth', depth, least=0)
    notation = notation_of(state, game)
    known: dict[Any, Fraction] = {}

    def describe(item: tuple[GameState[Any], str, int]) -> tuple[Box, list[Any], int]:
        here, move, deep = item
        if here not in known:
            known[here] = probabilities(here)[side]
        winner = given_winner(here) if here.over else None
        end = ('draw' if winner is None else f'{winner} wins',) if here.over else ()
        edge = f'{move}: P = {known[here]}' if deep else ''
        box = Box(
            '  '.join((edge or f'P({side} wins) = {known[here]}', *end)),
            edge,
            end,
            look='path' if known[here] == 1 else '',
            board=_board(here, notation) if boards and kind == 'svg' else None,
        )
        moves = () if deep == most else here.moves
        below = [(here.play(it), notation.format_move(it), deep + 1) for it in moves]
        return box, below, 0 if moves else len(here.moves)

    boxes = boxes_below((state, '', 0), describe, MOST)
    if kind == 'text':
        return boxes_text(boxes)
    title = f'{notation.name}: P, the probability that {side} wins when both play at random'
    return boxes_svg(boxes, title=title, below=(title,))
