"""`fmcts tree`: print or draw the tree of a search."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts._running.entry_points import analyse, trees
from fmcts._saving import write_whole
from fmcts.cli import _options as options
from fmcts.cli._ending import BAD_INPUT, DONE, EndedError, accepted
from fmcts.cli._inputs import (
    Generator,
    Position,
    play_line,
    read_position,
    to_bot,
    to_generator,
    to_new_file,
    to_running,
    tree_search,
)
from fmcts.cli._matches import to_whole
from fmcts.cli._progress import Progress
from fmcts.cli._screen import move_in_json, moves_in_json
from fmcts.errors import NoRoomError
from fmcts.game import Player
from fmcts.rng import format as format_rng
from fmcts.search._description import Search
from fmcts.view import Svg, draw, draw_probabilities
from fmcts.view.descents import creations, descents, dry_run, dump

DEFAULT: Final = 'mcts:100'
DEPTH: Final = '3'
VISITS: Final = '0'
KINDS: Final = {'.txt': 'text', '.dot': 'dot', '.svg': 'svg'}


EXAMPLES = options.examples(
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


@click.command('tree', short_help='Print or draw the tree of a search.', epilog=EXAMPLES)
@options.game
@options.position
@click.option('--bot', metavar='SPEC', default=DEFAULT, show_default=True, help='A tree search.')
@click.option('--below', metavar='A,B,...', help='Only the part of the tree below these moves.')
@click.option('--depth', metavar='N', help=f'How many moves deep.  [default: {DEPTH}]')
@click.option('--visits', metavar='N', help='Only nodes with at least N visits.')
@click.option('--principal', is_flag=True, help='Only the principal variation, to its end.')
@click.option('--each', is_flag=True, help='Print the root after every iteration instead.')
@click.option('--dump', is_flag=True, help='Print every node by its number instead.')
@click.option('--probabilities', is_flag=True, help='Print the tree of all games.')
@options.json
@click.option('--out', metavar='FILE', help='Write to a file: .txt, .dot (Graphviz) or .svg.')
@click.option('--boards', is_flag=True, help='Draw the board in each node (.svg).')
@click.option('--column', metavar='NAME', help='Show a column of the method, too (.svg, --each).')
@options.generator
def command(game: str, *, as_json: bool, **given: Any) -> int:
    """Print the tree of a search of GAME, with each node's number, visits and value.

    Nodes are numbered in the order of their creation. A node's value is the mean reward of the
    player who moved there. --each prints the root after every iteration: the moves of its path,
    then for each move of the root the node it leads to, its visits and its value, or with --column
    its visits and that column. --dump prints these for every node, by number. --probabilities
    needs no search: it prints the tree of all games, with the probability that X wins when both
    play at random. --json prints the analysis and the tree as described in `fmcts.search.SCHEMA`.
    """
    printed = accepted(to_printed({**given, 'json': as_json}))
    position = accepted(read_position(game, given['moves'], given['board']).bind_result(to_running))
    below = accepted(to_below(position, given['below']))
    search = accepted(to_search(given['bot']))
    rng = accepted(to_generator(given['seed'], given['rng']))
    endless = given['principal'] or given['probabilities']
    depth = accepted(to_depth(given['depth'], endless=endless))
    visits = accepted(to_whole('--visits', given['visits'] or VISITS))
    out = accepted(to_file(given['out']))
    if printed == 'json':
        click.echo(in_json(position, search, rng, depth, visits))
        return DONE
    try:
        if printed == 'probabilities':
            state, module = position.state, position.game
            text = draw_probabilities(state, 'text', player=Player.X, depth=depth, game=module)
            click.echo(text, nl=False)
        elif printed:
            for line in lines_of(printed, position, search, rng, given['column']):
                click.echo(line)
        else:
            tree, numbers = grown(position, search, rng)
            drawn = draw(
                tree,
                KINDS[out.suffix.lower()] if out else 'text',
                depth=depth,
                visits=visits,
                principal=given['principal'],
                boards=given['boards'],
                columns=(given['column'],) if given['column'] else (),
                below=below,
                game=position.game,
                numbers=numbers,
            )
            if out is None:
                click.echo(drawn, nl=False)
            else:
                text = drawn.as_file if isinstance(drawn, Svg) else drawn
                write_whole(out, text.encode())
    except KeyError:
        line = ','.join(map(position.game.format_move, below))
        why = f'--below {line}: the tree has no such node; give fewer moves, or more iterations'
        raise EndedError(BAD_INPUT, why) from None
    except ValueError as error:  # unknown column, or too many games
        raise EndedError(BAD_INPUT, str(error)) from None
    return DONE


def to_printed(given: dict[str, Any]) -> Result[str, str]:
    """Return what to print instead of the tree, if anything; refuse conflicting options."""
    shape = ('below', 'visits', 'principal', 'out', 'boards')
    excluded = {
        'each': (*shape, 'depth', 'dump', 'probabilities', 'json'),
        'dump': (*shape, 'depth', 'column', 'probabilities', 'json'),
        'probabilities': (*shape, 'column', 'json'),
        'json': ('below', 'principal', 'out', 'boards', 'column'),
    }
    for name, others in excluded.items():
        present = [other for other in others if given[other] not in (None, False)]
        if given[name] and present:
            return Failure(f'--{name} and --{present[0]} exclude each other')
    for name in ('boards', 'column'):
        drawn = str(given['out']).lower().endswith('.svg')
        if given[name] and not drawn and not (name == 'column' and given['each']):
            return Failure(f'--{name} needs --out FILE.svg')
    return Success(next((name for name in excluded if given[name]), ''))


def to_depth(text: str | None, *, endless: bool) -> Result[int | None, str]:
    """Return how many moves deep to print; `None` for the whole tree."""
    if text is None and endless:
        return Success(None)
    return to_whole('--depth', text or DEPTH)


def to_below(position: Position, text: str | None) -> Result[tuple[int, ...], str]:
    """Return the moves of --below."""
    played = play_line(position, text or '', '--below')
    return played.map(lambda later: later.moves[len(position.moves) :])


def to_search(spec: str) -> Result[Search, str]:
    """Return the search of a tree-search bot without a schedule."""
    refusal = f'--bot {shown(spec)} has no tree to draw: expected a tree search, such as mcts'
    found = to_bot(spec, 'persistent').bind(partial(tree_search, refusal=refusal))
    return found.map(lambda bot: bot.search).bind(
        lambda search: Success(search) if search.schedule is None else Failure(refusal)
    )


def to_file(text: str | None) -> Result[Path | None, str]:
    """Return the file to write to, whose suffix gives the format."""
    if text is None:
        return Success(None)
    if text.lower().endswith((*KINDS,)):
        return to_new_file('--out', text)
    return Failure(f'--out must name a .txt, .dot or .svg file, not {shown(text)}')


def in_json(
    position: Position, search: Search, rng: Generator, depth: int | None, visits: int
) -> str:
    """Return the analysis by the fastest engine, and its tree."""
    game = position.game
    analysis, after = analyse(position.state, rng, search)
    moves = moves_in_json(game, position.moves)
    head = {'game': game.name, 'moves': moves, 'rng': format_rng(after)}
    text = analysis.to_json(depth, visits, partial(move_in_json, game))
    return f'{json.dumps(head)[:-1]}, "analysis": {text}}}'


def trees_of(position: Position, search: Search, rng: Generator) -> Iterator[Any]:
    """Yield the tree after each iteration."""
    return (tree for tree, _ in islice(trees(position.state, rng, search), search.iterations))


def grown(position: Position, search: Search, rng: Generator) -> tuple[Any, Any]:
    """Return the tree of a search, and the numbers of its nodes in the order of their creation."""
    with Progress() as progress:
        count = progress.counting('iterations', search.iterations)

        def show(tree: Any) -> Any:
            count(tree)
            return tree

        numbers, tree = creations(map(show, trees_of(position, search, rng)))
    if tree is None:
        raise NoRoomError(f'max_nodes {search.max_nodes} leaves no room for the first iteration')
    return tree, numbers


def lines_of(
    printed: str, position: Position, search: Search, rng: Generator, column: str | None
) -> Iterable[str]:
    """Return the lines of --each or --dump."""
    write = position.game.format_move
    if printed == 'dump':
        return dump(*grown(position, search, rng), write)
    stream = trees_of(position, search, rng)
    return dry_run(stream, column, write=write) if column else descents(stream, write)
