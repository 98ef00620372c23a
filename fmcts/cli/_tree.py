"""`fmcts tree`: print or draw the tree of a search."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any, Final

import click

from fmcts._arguments import shown
from fmcts._running import analyse, trees
from fmcts._saving import write_whole
from fmcts.bots import MctsBot
from fmcts.cli import _types as types
from fmcts.cli._progress import Progress
from fmcts.cli._screen import move_in_json, moves_in_json
from fmcts.cli._types import (
    DONE,
    NUMBER,
    Generator,
    Spec,
    StartPosition,
    play_line,
    to_running,
    usage,
    words_of,
)
from fmcts.errors import NoRoomError
from fmcts.game import Player
from fmcts.rng import format as format_rng
from fmcts.view import Svg, draw, draw_probabilities
from fmcts.view.descents import creations, descents, dry_run, dump, hashable

DEPTH: Final = 3
KINDS: Final = {'.txt': 'text', '.dot': 'dot', '.svg': 'svg'}
SHAPE: Final = ('below', 'visits', 'principal', 'out', 'boards')
EXCLUDED: Final = {
    'each': (*SHAPE, 'depth', 'dump', 'probabilities', 'json'),
    'dump': (*SHAPE, 'depth', 'column', 'probabilities', 'json'),
    'probabilities': (*SHAPE, 'column', 'json'),
    'json': ('below', 'principal', 'out', 'boards', 'column'),
}
"""The options that print something else than the tree, and the options that each excludes."""


def to_tree_search(text: str) -> Spec:
    """Return the bot that SPEC names: a search whose tree grows by one iteration at a time.

    :raises ValueError: it is another.
    """
    spec = types.to_bot(text)
    if isinstance(spec.player, MctsBot) and spec.search.schedule is None:
        return spec
    raise ValueError(f'{shown(text)} has no tree to draw: expected a tree search, such as mcts')


DRAWN: Final = types.to_file(*KINDS)
NAME: Final = types.Parsed('NAME', str)
TREE_SEARCH: Final = types.Parsed('SPEC', to_tree_search)


@types.command(
    'tree',
    'Print or draw the tree of a search.',
    'fmcts tree tictactoe --moves 4,0 --bot mcts:200 --depth 2',
    'fmcts tree tictactoe --bot mcts:20 --depth 9 --out tree.svg',
    'fmcts tree connect4 --bot mcts:500 --visits 50 --out tree.dot',
    'fmcts tree tictactoe --bot mcts:500 --below 4,0 --depth 1',
    'fmcts tree tictactoe --bot mehat-uct:30 --each',
    'fmcts tree tictactoe --moves 4,0,2,6,3 --bot baeldung:10 --each --column score',
    'fmcts tree tictactoe --moves 1,0 --bot mehat-uct:30 --dump',
    'fmcts tree tictactoe --moves 4,0,2,5,3,6 --probabilities',
    'fmcts tree connect4 --bot mcts:2000 --principal --boards --out line.svg',
    'fmcts tree connect4 --bot mcts:20000 --depth 2 --json',
)
@types.position
@types.option('--bot', TREE_SEARCH, 'A tree search.', default='mcts:100')
@types.option('--below', types.WORDS, 'Only the part of the tree below these moves.')
@types.option('--depth', NUMBER, f'How many moves deep, by default {DEPTH}.')
@types.option('--visits', NUMBER, 'Only nodes with at least N visits.')
@types.option('--principal', None, 'Only the principal variation, to its end.')
@types.option('--each', None, 'Print the root after every iteration instead.')
@types.option('--dump', None, 'Print every node by its number instead.')
@types.option('--probabilities', None, 'Print the tree of all games.')
@types.json
@types.option('--out', DRAWN, 'Write to a file: .txt, .dot (Graphviz) or .svg.')
@types.option('--boards', None, 'Draw the board in each node (.svg).')
@types.option('--column', NAME, 'Show a column of the method, too (.svg, --each).')
@types.generator
def tree_command(
    position: StartPosition, bot: Spec, rng: Generator, *, as_json: bool, **given: Any
) -> int:
    """Print the tree of a search of GAME, with each node's number, visits and value.

    Nodes are numbered in the order of their creation. A node's value is the mean reward of the
    player who moved there. --each prints the root after every iteration: the moves of its path,
    then for each move of the root the node it leads to, its visits and its value, or with --column
    its visits and that column. --dump prints these for every node, by number. --probabilities
    needs no search: it prints the tree of all games, with the probability that X wins when both
    play at random. --json prints the analysis and the tree as described in `fmcts.search.SCHEMA`.
    """
    check_together({**given, 'json': as_json})
    to_running(position)
    game, state, search = position.game, position.state, bot.search
    write = game.format_move
    endless = given['principal'] or given['probabilities']
    depth = given['depth'] if endless or given['depth'] is not None else DEPTH
    visits, column, out = given['visits'] or 0, given['column'], given['out']
    grown = (tree for tree, _ in islice(trees(state, rng, search), search.iterations))
    with usage():  # unknown column, or too many games
        if as_json:
            analysis, after = analyse(state, rng, search)
            moves = moves_in_json(game, position.moves)
            head = json.dumps({'game': game.name, 'moves': moves, 'rng': format_rng(after)})
            tree = analysis.to_json(depth, visits, partial(move_in_json, game))
            return print_all([f'{head[:-1]}, "analysis": {tree}}}\n'])
        if given['probabilities']:
            drawn = draw_probabilities(state, 'text', player=Player.X, depth=depth, game=game)
            return print_all([drawn])
        if given['each']:
            rows = dry_run(grown, column, write=write) if column else descents(grown, write)
            return print_all(rows, '\n')
        with usage('--below: '):
            whole = play_line(position, words_of(given['below'] or '')).moves
        below = whole[len(position.moves) :]
        with Progress() as progress:
            counted = progress.counting('iterations', search.iterations)
            numbers, top = creations(map(counted, grown))
        if top is None:
            why = f'max_nodes {search.max_nodes} leaves no room for the first iteration'
            raise NoRoomError(why)
        if given['dump']:
            return print_all(dump(top, numbers, write), '\n')
        if tuple(map(hashable, below)) not in numbers:
            why = 'the tree has no such node; give fewer moves, or more iterations'
            raise click.UsageError(f'--below {",".join(map(write, below))}: {why}')
        drawn = draw(
            top,
            KINDS[out.suffix.lower()] if out else 'text',
            depth=depth,
            visits=visits,
            principal=given['principal'],
            boards=given['boards'],
            columns=(column,) if column else (),
            below=below,
            game=game,
            numbers=numbers,
        )
    if out is None:
        return print_all([drawn])
    write_whole(out, (drawn.as_file if isinstance(drawn, Svg) else drawn).encode())
    return DONE


def print_all(texts: Iterable[str], end: str = '') -> int:
    """Print texts, each as it comes; return the exit code."""
    for text in texts:
        click.echo(f'{text}{end}', nl=False)
    return DONE


def check_together(given: dict[str, Any]) -> None:
    """Raise UsageError if options exclude each other, or need another one."""
    present = [name for name, value in given.items() if value is not None and value is not False]
    for name, others in EXCLUDED.items():
        for other in others:
            if name in present and other in present:
                raise click.UsageError(f'--{name} and --{other} exclude each other')
    drawn = given['out'] is not None and given['out'].suffix.lower() == '.svg'
    for name in ('boards', 'column'):
        if given[name] and not drawn and not (name == 'column' and given['each']):
            raise click.UsageError(f'--{name} needs --out FILE.svg')
