"""`fmcts tree`: the tree of a search, printed or drawn."""

from __future__ import annotations

import json
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
from attrs import frozen
from returns.io import IOResult
from returns.result import Failure, Result, Success

from fmcts.arguments import shown
from fmcts.bots.treesearch import MctsBot
from fmcts.cli import options
from fmcts.cli.ending import BAD_INPUT, DONE, carry_out
from fmcts.cli.inputs import (
    Generator,
    Position,
    play_line,
    read_position,
    to_bot,
    to_generator,
    to_running,
)
from fmcts.cli.matches import installed, to_whole
from fmcts.cli.progress import Progress
from fmcts.cli.screen import complain, move_in_json
from fmcts.rng import format as format_rng
from fmcts.search.description import Search
from fmcts.search.entry_points import analyse, trees
from fmcts.search.errors import NoRoomError
from fmcts.search.tree import Node
from fmcts.view.trees import as_dot, as_picture, as_text, creations, numbered, rows_of

__all__ = ['command']

DEFAULT: Final = 'mcts:100'
DEPTH: Final = '3'
VISITS: Final = '0'
DRAWN: Final = ('.svg', '.png')
KINDS: Final = ('.txt', '.dot', '.svg', '.png')


@frozen
class Request:
    """What is asked for."""

    position: Position
    search: Search
    rng: Generator
    below: tuple[int, ...]
    depth: int
    visits: int
    each: bool
    as_json: bool
    out: Path | None


EXAMPLES = options.examples(
    'fmcts tree tictactoe --moves 4,0 --bot mcts:200 --depth 2',
    'fmcts tree tictactoe --bot mcts:20 --depth 9 --out tree.svg',
    'fmcts tree connect4 --bot mcts:500 --visits 50 --out tree.dot',
    'fmcts tree tictactoe --bot mcts:500 --below 4,0 --depth 1',
    'fmcts tree tictactoe --bot mehat-uct:30 --each',
    'fmcts tree connect4 --bot mcts:20000 --depth 2 --json',
)


@click.command('tree', short_help='Print or draw the tree of a search.', epilog=EXAMPLES)
@options.game
@options.position
@click.option('--bot', metavar='SPEC', default=DEFAULT, show_default=True, help='A tree search.')
@click.option('--below', metavar='A,B,...', help='Only the part of the tree below these moves.')
@click.option('--depth', metavar='N', help=f'So many moves deep.  [default: {DEPTH}]')
@click.option('--visits', metavar='N', help='Nodes with at least so many visits.')
@click.option('--each', is_flag=True, help='Print the root after every descent instead.')
@options.json
@click.option('--out', metavar='FILE', help='Write it: .txt, .dot (Graphviz), .svg or .png.')
@options.generator
def command(game: str, *, as_json: bool, **given: Any) -> int:
    """Print the tree of a search of GAME: numbers of creation, visits and values.

    A node's value is the mean reward of who moved there. With --each the root is printed after
    every descent: the moves it made, then of each of the root's moves the node it leads to, its
    visits and its value. --json prints the analysis and the tree as `fmcts.search.as_json.SCHEMA`
    describes them.
    """
    request = IOResult.do(
        Request(position, search, rng, below, depth, visits, given['each'], as_json, out)
        for _ in IOResult.from_result(to_whole_tree(given, as_json=as_json))
        for position in read_position(game, given['moves'], given['board'])
        for _ in IOResult.from_result(to_running(position))
        for below in IOResult.from_result(to_below(position, given['below']))
        for search in IOResult.from_result(to_search(given['bot']))
        for rng in IOResult.from_result(to_generator(given['seed'], given['rng']))
        for depth in IOResult.from_result(to_whole('--depth', given['depth'] or DEPTH))
        for visits in IOResult.from_result(to_whole('--visits', given['visits'] or VISITS))
        for out in IOResult.from_result(to_file(given['out']))
    )
    return carry_out(request, act)


def to_whole_tree(given: dict[str, Any], *, as_json: bool) -> Result[None, str]:
    """Refuse options that exclude each other."""
    present = [name for name in ('below', 'depth', 'visits', 'out') if given[name] is not None]
    if given['each']:
        present += ['json'] if as_json else []
        return (
            Failure(f'--each and --{present[0]} exclude each other') if present else Success(None)
        )
    for name in ('below', 'out'):
        if as_json and name in present:
            return Failure(f'--json and --{name} exclude each other')
    return Success(None)


def to_below(position: Position, text: str | None) -> Result[tuple[int, ...], str]:
    """The moves of --below."""
    played = play_line(position, text or '', '--below')
    return played.map(lambda later: later.moves[len(position.moves) :])


def to_search(spec: str) -> Result[Search, str]:
    """The search of a tree-search bot."""

    def known(bot: Any) -> Result[Search, str]:
        if isinstance(bot, MctsBot) and bot.search.schedule is None:
            return Success(bot.search)
        return Failure(f'--bot {shown(spec)} has no tree to draw: expected a tree search, as mcts')

    return to_bot(spec, 'persistent').bind(known)


def to_file(text: str | None) -> Result[Path | None, str]:
    """The file to write to, whose kind its name tells."""
    if text is None:
        return Success(None)
    if text.lower().endswith(DRAWN):
        return installed('matplotlib', 'plot').map(lambda _: Path(text))
    if text.lower().endswith(KINDS):
        return Success(Path(text))
    return Failure(
        f'--out must name a {", ".join(KINDS[:-1])} or {KINDS[-1]} file, not {shown(text)}'
    )


def act(request: Request) -> int:
    """Search, and show the tree."""
    if request.as_json:
        print_tree(request)
        return DONE
    search, state = request.search, request.position.state
    stream = (tree for tree, _ in islice(trees(state, request.rng, search), search.iterations))
    if request.each:
        each(request, stream)
        return DONE
    with Progress() as progress:
        count = progress.counting('iterations', search.iterations)
        numbers, tree = creations(_told(stream, count))
    if tree is None:
        raise NoRoomError(f'max_nodes {search.max_nodes} leaves no room for the first iteration')
    write = request.position.game.format_move
    if request.below not in numbers:
        line = ','.join(map(write, request.below))
        complain(f'--below {line}: no node there yet; give fewer moves, or more iterations')
        return BAD_INPUT
    below, depth, visits = request.below, request.depth, request.visits
    rows = rows_of(tree, numbers, write, below=below, depth=depth, visits=visits)
    if request.out is None:
        click.echo(as_text(rows), nl=False)
    elif request.out.suffix.lower() in ('.txt', '.dot'):
        text = as_text(rows) if request.out.suffix.lower() == '.txt' else as_dot(rows)
        request.out.write_text(text, encoding='utf-8')
    else:
        from fmcts.matches.plots import saved  # noqa: PLC0415 - matplotlib takes a second

        saved(as_picture(rows), request.out)
    return DONE


def print_tree(request: Request) -> None:
    """Print the analysis and its tree as JSON; here the fastest engine searches."""
    game = request.position.game
    analysis, rng = analyse(request.position.state, request.rng, request.search)
    head = {
        'game': game.name,
        'moves': [move_in_json(game, move) for move in request.position.moves],
        'rng': format_rng(rng),
    }
    text = analysis.to_json(request.depth, request.visits, partial(move_in_json, game))
    click.echo(f'{json.dumps(head)[:-1]}, "analysis": {text}}}')


def _told(stream: Any, count: Any) -> Any:
    for tree in stream:
        count(tree)
        yield tree


def each(request: Request, stream: Any) -> None:
    """Print a line after every descent."""
    write = request.position.game.format_move
    before: Node | None = None
    for number, (tree, numbers) in enumerate(numbered(stream), 1):
        path = ' '.join(map(write, descended(before, tree)))
        root = '  '.join(
            f'{write(child.move)}: #{numbers[child.move,]} {child.visits} {child.value:.3f}'
            for child in tree.children
        )
        click.echo(f'{number:6}  {path:24}  {root}')
        before = tree


def descended(before: Node | None, after: Node) -> list[Any]:
    """The moves along which one iteration changed the tree."""
    moves = []
    node: Node | None = after
    while node is not None:
        known = {child.move: child for child in before.children} if before else {}
        changed = [
            child
            for child in node.children
            if child.visits > (known[child.move].visits if child.move in known else 0)
        ]
        node = changed[0] if changed else None
        before = known.get(node.move) if node else None
        if node:
            moves.append(node.move)
    return moves
