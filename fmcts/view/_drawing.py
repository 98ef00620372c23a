"""Trees to look at, in one call: `draw`, `draw_versions`, `draw_probabilities`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from fmcts._arguments import amount, shown, whole_number
from fmcts.game import GameState, Player, given_winner, players_of
from fmcts.search._tree import Found, Node, pairs, root_of
from fmcts.simulation import probabilities
from fmcts.view._board import board_svg, notation_of
from fmcts.view._boxes import Box, boxes_svg
from fmcts.view._svg import Svg
from fmcts.view._trees import Path, Row, as_dot, as_text, lines_of, rows_of
from fmcts.view.descents import written_number

KINDS: Final = ('svg', 'text', 'dot')
MOST: Final = 5_000  # nodes of a picture; a browser is slow with more
VALUES: Final = 'value: the mean reward of who moved there (stripe: X blue, O red)'


def draw(  # noqa: PLR0913 - by name
    tree: Node | Found,
    kind: str = 'svg',
    *,
    depth: int | None = None,
    visits: int | None = None,
    principal: bool = False,
    boards: bool = False,
    columns: Sequence[str] = (),
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
    :param game: as for `board_svg`.
    :param numbers: the numbers of nodes, as from `fmcts.view._trees.creations`; by default, none.
    :raises TypeError: `tree` is neither node nor analysis.
    :raises ValueError: another kind; a column that the tree does not have; `depth` or `visits` is
        not a whole number of at least 0; more than `MOST` nodes would be drawn.

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
    least = top.visits // 100 if visits is None else whole_number('visits', visits, least=0)
    if depth is not None:
        whole_number('depth', depth, least=0)
    notation = game or notation_of(top.state)
    write = notation.format_move
    rows = rows_of(top, numbers, write, depth=depth, visits=least, principal=principal, most=MOST)
    if kind == 'text':
        return as_text(rows)
    if kind == 'dot':
        return as_dot(rows)
    return rows_svg(rows, notation, boards=boards, columns=columns)


def node_svg(node: Node) -> str:
    """Return the tree as notebooks show it: two levels, the children with a share of the visits."""
    return draw(node, depth=2, visits=max(1, node.visits // 20))


def _check_kind(kind: str, kinds: tuple[str, ...]) -> None:
    if kind not in kinds:
        raise ValueError(f'kind must be {", ".join(kinds[:-1])} or {kinds[-1]}, not {shown(kind)}')


def rows_svg(
    rows: Sequence[Row], notation: Any, *, boards: bool = False, columns: Sequence[str] = ()
) -> Svg:
    """Return rows as SVG; arguments as in `draw`.

    :raises ValueError: the tree has no such column.
    """
    top = rows[0]
    known = top.node.columns.names.own
    for name in columns:
        if name not in known:
            there = ', '.join(known) or 'none'
            raise ValueError(f'the tree has no column {shown(name)}: its columns are {there}')
    players = players_of(top.node.state)
    best = [True]  # on the most visited line
    for row in rows[1:]:
        siblings = rows[row.parent].node
        best.append(best[row.parent] and row.node is siblings.most_visited())
    boxes = [
        Box(
            row.parent,
            row.move,
            (*row.figures, *_columns(row.node, columns)),
            seat=players.index(row.node.mover),
            look='path' if on_line else '',
            weight=row.visits / top.visits if top.visits else 0.0,
            board=_board(row.node.state, notation) if boards else None,
            hidden=row.hidden,
            note=_note(row),
        )
        for row, on_line in zip(rows, best, strict=True)
    ]
    count = f'{amount(len(rows), "node")} shown'
    title = f'{notation.name}: tree of {amount(top.visits, "visit")}, {count}'
    return boxes_svg(boxes, title=title, about=as_text(tuple(rows)), below=(title, VALUES))


def _note(row: Row) -> str:
    place = f'{row.node.mover} {row.move}' if row.move else 'the top'
    return f'{place}: {amount(row.visits, "visit")}, value {row.value:.3f} {row.proof}'.rstrip()


def _columns(node: Node, columns: Sequence[str]) -> Iterator[str]:
    for name in columns:
        number = node.columns.own[node.columns.names.own.index(name)]
        yield f'{name} {written_number(number)}'


def _board(state: GameState[Any], notation: Any) -> Svg:
    return board_svg(state, game=notation, words_below=False)


def draw_versions(
    before: Node | Found, after: Node | Found, *, depth: int | None = None, game: Any = None
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
    :raises ValueError: `depth` is not a whole number of at least 0; more than `MOST` nodes would be
        drawn.
    """
    old, new = root_of(before), root_of(after)
    most = None if depth is None else whole_number('depth', depth, least=0)
    notation, players = game or notation_of(new.state), players_of(new.state)
    boxes: list[Box] = []
    waiting: list[tuple[Node, Node | None, int, int]] = [(new, old, -1, 0)]
    while waiting:
        if len(boxes) == MOST:
            raise ValueError(f'more than {MOST:,} nodes would be drawn: give a smaller depth')
        node, known, parent, deep = waiting.pop()
        look = 'shared' if node is known else 'new' if known is None else 'copied'
        both = [] if look == 'shared' or deep == most else [*pairs(known, node)]
        hidden = 0 if both else len(node.children)
        move = notation.format_move(node.move) if parent >= 0 else ''
        visits = amount(node.visits, 'visit')
        note = f'{move or "the root"}: {look}, {visits}, value {node.value:.3f}'
        lines = str(node.visits), f'{node.value:.3f}'
        place = len(boxes)
        weight = node.visits / new.visits if new.visits else 0.0
        seat = players.index(node.mover)
        boxes.append(Box(parent, move, lines, seat, look, weight, hidden=hidden, note=note))
        waiting.extend((it, was, place, deep + 1) for was, it in reversed(both))
    counts = {look: sum(box.look == look for box in boxes) for look in ('copied', 'new', 'shared')}
    summary = ', '.join(f'{count} {look}' for look, count in counts.items())
    title = f'{notation.name}: from {old.visits:,} to {amount(new.visits, "visit")}: {summary}'
    about = '\n'.join(box.note for box in boxes)
    return boxes_svg(boxes, title=title, about=about, below=(title, VALUES))


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
    play at random (`fmcts.probabilities`): the drawing of the Haskell article (002, I-B).

    :param kind: `svg`, or `text` (a line per position).
    :param player: whose wins are counted; by default, the side to move.
    :param depth: how many moves to draw; by default, to the ends of the games.
    :param boards: draw the board in each node (SVG).
    :param game: as for `board_svg`.
    :raises EndlessGameError: a position can come again.
    :raises GameError: the game violates `GameState`.
    :raises ValueError: another kind; as `probabilities`; `depth` is not a whole number of at least
        0; more than `MOST` nodes would be drawn.

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
    notation = game or notation_of(state)
    boards = boards and kind == 'svg'
    known: dict[Any, Fraction] = {}

    def chance(of: GameState[Any]) -> Fraction:
        if of not in known:
            known[of] = probabilities(of)[side]
        return known[of]

    boxes: list[Box] = []
    waiting: list[tuple[GameState[Any], str, str, int, int]] = [(state, '', '', -1, 0)]
    while waiting:
        if len(boxes) == MOST:
            raise ValueError(f'more than {MOST:,} nodes would be drawn: give a smaller depth')
        here, line, move, parent, deep = waiting.pop()
        moves = () if deep == most else here.moves
        write: Callable[[Any], str] = notation.format_move
        edge = f'{move}: P = {chance(here)}' if move else ''
        boxes.append(
            Box(
                parent,
                edge,
                (_ended(here),) if here.over else (),
                look='path' if chance(here) == 1 else '',
                board=_board(here, notation) if boards else None,
                hidden=0 if moves else len(here.moves),
                note=f'P({line or "the start"}) = {chance(here)}',
            )
        )
        place = len(boxes) - 1
        waiting.extend(
            (here.play(it), f'{line} {write(it)}'.strip(), write(it), place, deep + 1)
            for it in reversed(moves)
        )
    if kind == 'text':
        begun = f'P({side} wins) = {chance(state)}'
        return lines_of(boxes, lambda box: '  '.join((box.edge or begun, *box.lines)))
    title = f'{notation.name}: P, the probability that {side} wins when both play at random'
    return boxes_svg(boxes, title=title, about='\n'.join(it.note for it in boxes), below=(title,))


def _ended(state: GameState[Any]) -> str:
    winner = given_winner(state)
    return 'draw' if winner is None else f'{winner} wins'
