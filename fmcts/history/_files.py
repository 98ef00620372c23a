"""Trees and histories in files: saved, loaded, and continued as if never interrupted.

A file is an object of JSON, compressed by gzip (`zcat FILE` prints it), with these keys:

| key | what |
|---|---|
| `format`, `kind` | `fmcts-file-2`; `tree` or `history` |
| `fmcts` | the version that wrote it |
| `digest` | the digest of the tree, or of the history's last version |
| `rng` | as text, the generator to use next, or the one that the history started with; or `null` |
| `tree` | the tree, or the one that the history started with |

A tree: `state`, the `repr` of its position (`null` if that contains an address in memory);
`mover`, the index of the player who moved there;
`root_moves`, the indices of the root's moves, or `null` for all that are legal; `names`, those of
the columns of nodes, moves and tables; and lists with an item for each node in preorder: `indexes`
(of its move among its parent's), `children` (how many), `visits`, `rewards`, and, where there are
columns, `own`, `moves` (a list for each column), `table` (its rows). `memory` has for each memory
its name, the number of keys in a row, the rows, and the layout. In place of these lists and
`memory`, a graph has `graph` (see `rows_of` in `fmcts/_engines/graph/engine.py`).

A history also has `search` (the options that differ from `Search()`; of a function or another value
that is not plain a list with its `repr`, as of `PUCT(c=1.1)`, which is empty if that contains an
address), `log` (see `Log.to_json`) with its digest in `log_digest`, and for a search with a network
`answers`, each of them a list of the value for X and the priors (see `rows_of`). If it ended early,
`search` has the iterations that it made, and `asked` those it was asked for.

A tree is made again by the rules of the game, and must have the digest that the file records, which
covers every number in it, but for the `iterations`, `discount` and `counted` of a graph. A history
is searched again.
"""

from __future__ import annotations

import ast
import gzip
import json
import math
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import attrs
from returns.pipeline import is_successful

from fmcts import __version__
from fmcts._arguments import cut, shown, where_they_differ
from fmcts._content import usual_option
from fmcts._engines import fitted, graph as graphs
from fmcts._running import check_engine, look_at
from fmcts._saving import write_whole
from fmcts.errors import FileError, MethodError
from fmcts.game import GameState, options_of, players_of
from fmcts.history._log import Log
from fmcts.history._recording import ABSENT, Repeater
from fmcts.history._versions import History, WhatIf, recorded
from fmcts.rng import SplitMix, StdGen, format as format_rng, parse as parse_rng
from fmcts.search import (
    NO_COLUMNS,
    Analysis,
    ColumnNames,
    Columns,
    Node,
    Search,
    digest,
    ignore,
    root_of,
    tree_of_rows,
)
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.memory import Remembered
from fmcts.search.methods import METHODS, Gumbel
from fmcts.search.networks import Answer, Remarks, tuples
from fmcts.search.policies import POLICIES
from fmcts.search.schedules import SCHEDULES

FORMAT: Final = 'fmcts-file-2'
BEGIN: Final = b'{"format":"fmcts-file-'
GZIP: Final = b'\x1f\x8b'
PLAIN: Final = (int, float, str, bool, type(None))
ADDRESS: Final = ' at 0x'
PARTS: Final = (Gumbel, GumbelHalving, *METHODS.values(), *map(type, POLICIES.values()))
NAMED: Final[Mapping[str, Any]] = {kind.__name__: kind for kind in PARTS}
"""The parts of a search that are read from their `repr`, if it has nothing but numbers."""
DAMAGE: Final = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError, struct.error),
)
"""The errors that contradictory numbers may raise."""


def save(path: str | Path, found: Node | Analysis[Any] | History[Any], rng: Any = None) -> int:
    """Write a tree, or a history, to a file, and return how many bytes it has.

    `rng` is the generator to use next, stored with a tree so that it can be continued. A history is
    stored as the search and its log, from which `load_history` makes it again. The move that led to
    the root is not stored. An earlier file of fmcts is replaced once the new one is complete.

    >>> import tempfile
    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import tictactoe
    >>> analysis, rng = analyse(tictactoe.start, SplitMix.from_seed(1), Search(iterations=100))
    >>> file = Path(tempfile.mkdtemp()) / 'tree'
    >>> size = save(file, analysis, rng)
    >>> tree, rng = load(file, tictactoe.start)
    >>> more, _ = analyse(tictactoe.start, rng, Search(iterations=100), tree=tree)
    >>> more == analyse(tictactoe.start, SplitMix.from_seed(1), Search(iterations=200))[0]
    True

    :raises FileError: there is a file of another kind.
    :raises OSError: it cannot be written.
    :raises TypeError: `found` is something else, or `rng` has no form as text, or is given with a
        history.
    :raises ValueError: it is a tree whose moves were proposed; or a history with proposed moves
        that a file cannot keep.
    """
    if isinstance(found, History):
        if rng is not None:
            raise TypeError('a history is saved with its own generator: leave rng out')
        kind, facts = 'history', _facts_of_history(found)
    else:
        if isinstance(found, WhatIf):
            raise TypeError('a what_if is not saved itself: save its history')
        root = root_of(found).as_root()
        kind, facts = 'tree', {'digest': digest(root), 'rng': _text_of(rng), 'tree': _packed(root)}
    whole = {'format': FORMAT, 'kind': kind, 'fmcts': __version__, **facts}
    text = json.dumps(whole, separators=(',', ':'))
    if not _may_replace(Path(path)):
        raise FileError(f'{path}: is not a file of fmcts; nothing was written')
    # No time of writing: the same value gives the same bytes.
    return write_whole(path, gzip.compress(text.encode(), 6, mtime=0))


def _may_replace(path: Path) -> bool:
    """Return whether there is no file, an empty one, or one that was saved before."""
    if not path.is_file():
        return True
    try:
        with gzip.open(path) as file:
            return file.read(len(BEGIN)) in (b'', BEGIN)
    except (EOFError, OSError, zlib.error):
        return False


def load(path: str | Path, state: GameState[Any]) -> tuple[Node, Any]:
    """Return the tree of `state` in a file, and the generator to use next, if it was saved.

    :raises FileError: the file does not contain a tree of this position, or was altered.
    :raises OSError: it cannot be read.
    """
    with _reading(path, 'tree') as found:
        root = _unpacked(found['tree'], state)
        if digest(root) != found['digest']:
            raise FileError('its tree, by the rules of this game, has another digest')
        return root, _rng_of(found)


def load_history(
    path: str | Path, state: GameState[Any], search: Search | None = None, engine: str = 'auto'
) -> History[Any]:
    """Return the history in a file, by repeating its search of `state` and checking the result.

    Pass `search` if it has functions, which a file cannot contain. The answers of a network are in
    the file, so the network is not called; without `search` the history cannot be forked with it.

    :raises FileError: the file does not contain a history of this position; or the search gives
        another result.
    :raises OSError: it cannot be read.
    """
    check_engine(engine)
    with _reading(path, 'history') as found:
        root, rng = _unpacked(found['tree'], state), _rng_of(found)
        made = found['search'].get('iterations', Search().iterations)
        options = {**found['search'], 'iterations': found.get('asked', made)}
        search = search or _search_of(found, options)
        written, said = found['fmcts'], answers_of_rows(found.get('answers', ()))
        expected = found['digest']
    try:
        look_at(state, engine)
        if search.network is not None and not root.moves:  # they were proposed
            root, said = fitted(root, attrs.evolve(search, network=Repeater(said))), said[1:]
        same = not options_changed(options, search)
        ended = attrs.evolve(search, iterations=made) if same else search
        again = recorded(root, rng, ended, engine, ignore, answers=said)
    except MethodError as error:
        if search.network is None:
            raise
        other = options_changed(options, search)
        reason = f'its search is another: {other}' if other else f'its network: {error}'
        raise FileError(f'{path}: {reason}') from None
    if again.digest != expected:
        raise FileError(f'{path}: {_reason(options, search)} (written by fmcts {shown(written)})')
    return attrs.evolve(again, search=search)


def _reason(there: Mapping[str, Any], search: Search) -> str:
    """Return why a search gives another tree than the one with those options in a file."""
    other = options_changed(there, search)
    if other:
        return f'its search is another: {other}'
    written = options_written(search)
    functions = ', '.join(name for name, value in written.items() if isinstance(value, list))
    likely = f'most likely a function ({functions}) is not pure, or has changed; or '
    return (
        f'its search, repeated, gives another tree: {likely if functions else ""}the rules or the '
        'version have changed'
    )


def options_changed(there: Mapping[str, Any], search: Search) -> str:
    """Return in words which options of a search differ from those that `options_written` gave."""
    here, found = options_written(search), []
    for option in attrs.fields(Search):
        usual = usual_option(search, option)
        pair = [options.get(option.name, usual) for options in (there, here)]
        if pair[0] != pair[1] and [] not in pair:
            old, new = (it[0] if isinstance(it, list) else repr(it) for it in pair)
            found.append(f'{option.name}={cut(old, 200)}, not {cut(new, 200)}')
    return '; '.join(found)


def load_log(path: str | Path) -> Log:
    """Return the log in a file of a history; no rules of a game are needed.

    :raises FileError: the file does not contain a history, or was altered.
    :raises OSError: it cannot be read.
    """
    with _reading(path, 'history') as found:
        log = Log.from_json(found['log'])
        if log.digest() != found['log_digest']:
            raise FileError('its log does not give the digest that it records')
        return log


@contextmanager
def _reading(path: str | Path, kind: str) -> Iterator[dict[str, Any]]:
    """Give the object in a file of that kind; what is wrong with it becomes a `FileError`."""
    content = Path(path).read_bytes()
    try:
        yield _object_in(content, kind)
    except FileError as error:
        raise FileError(f'{path}: {error}') from None
    except DAMAGE as error:
        raise FileError(f'{path}: its numbers contradict each other ({error!r})') from error


def _object_in(content: bytes, kind: str) -> dict[str, Any]:
    if not content.startswith(GZIP):
        raise FileError(f'not a file of fmcts: expected one of the format {FORMAT}')
    try:
        found = json.loads(gzip.decompress(content))
    except (EOFError, OSError, ValueError, RecursionError, zlib.error) as error:
        raise FileError(f'it was altered or cut off ({error})') from None
    if not isinstance(found, dict) or found.get('format') != FORMAT:
        raise FileError(f'not a file of fmcts: expected one of the format {FORMAT}')
    if found['kind'] != kind:
        raise FileError(f'it holds a {shown(found["kind"])}, expected a {kind!r}')
    return found


# ---- trees ----


def _packed(root: Node) -> dict[str, Any]:
    """Return a tree as an object for JSON.

    :raises ValueError: its moves were proposed.
    """
    if root.columns.proposed is not None and root.visits:
        raise ValueError(
            'a tree whose moves were proposed cannot be saved: save the history of its search'
        )
    names, legal = root.columns.names, root.state.moves
    facts = {
        'state': None if ADDRESS in repr(root.state) else repr(root.state),
        'mover': players_of(root.state).index(root.mover),
        'root_moves': [*map(legal.index, root.moves)] if len(root.moves) < len(legal) else None,
        'names': names,
    }
    if isinstance(root, graphs.GraphNode):
        return {**facts, 'graph': graphs.rows_of(root.graph)}
    indexes, nodes, stack = [], [], [(0, root)]
    while stack:
        index, node = stack.pop()
        indexes.append(index)
        nodes.append(node)
        made = [(place, child) for place, child in enumerate(node.places) if child is not None]
        stack.extend(reversed(made))
    found: dict[str, Any] = {
        **facts,
        'indexes': indexes,
        'children': [len(node.children) for node in nodes],
        'visits': [node.visits for node in nodes],
        'rewards': [node.reward for node in nodes],
        'memory': [
            (it.name, len(next(iter(it.entries), (0, 0))) - 1, it.rows, it.layout)
            for it in root.columns.memory
        ],
    }
    if names:
        found['own'] = [node.columns.own for node in nodes]
        found['moves'] = [[*map(list, node.columns.moves)] for node in nodes]
        found['table'] = [it.rows if (it := node.columns.table) else () for node in nodes]
    return found


def _unpacked(found: Mapping[str, Any], state: GameState[Any]) -> Node:
    """Return a tree of `state` from its object, with positions made by the rules of the game."""
    _check_position(found['state'], repr(state))
    names = ColumnNames(*map(tuple, found['names']))
    players, moves, some = players_of(state), options_of(state), found['root_moves']
    top = players[found['mover']]
    moves = moves if some is None else tuple(moves[each] for each in some)
    if 'graph' in found:
        root = tree_of_rows([((None, top, state, moves, 0, 0.0, Columns(names)), 0)])
        return graphs.graph_of_rows(root, found['graph'])
    numbers = [found['indexes'], found['children'], found['visits'], found['rewards']]
    columns = [found[name] for name in ('own', 'moves', 'table')] if names else []
    rows: list[tuple[tuple[Any, ...], int]] = []
    above: list[list[Any]] = []  # state, moves, how many children follow, the last one's index
    for place, (index, width, visits, reward) in enumerate(zip(*numbers, strict=True)):
        if above:
            parent = above[-1]
            move, mover, now = parent[1][index], parent[0].player, parent[0].play(parent[1][index])
            moves = options_of(now)
            if index <= parent[3]:
                raise FileError('its tree has moves that are not in order')
            parent[2:] = parent[2] - 1, index
            if not parent[2]:
                above.pop()
        else:
            move, mover, now = None, top, state
        kept = NO_COLUMNS
        if names:
            own, of_moves, table = (column[place] for column in columns)
            entries = _remembered(players, 'table', 1, table, None) if names.table else None
            kept = Columns(names, own, tuple(map(tuple, of_moves)), (), entries)
        rows.append(((move, mover, now, moves, visits, reward, kept), width))
        if width:
            above.append([now, moves, width, -1])
    if above:
        raise FileError('its tree ends too early')
    memory = tuple(_remembered(players, *each) for each in found['memory'])
    facts, width = rows[0]
    rows[0] = ((*facts[:6], facts[6]._replace(memory=memory)) if memory else facts, width)
    return tree_of_rows(rows)


def _check_position(there: str | None, here: str) -> None:
    """Raise FileError if a position, as text, is another than the one in a file."""
    if there and ADDRESS not in here and _in_any_order(there) != _in_any_order(here):
        one, two = where_they_differ(there, here)
        raise FileError(f'it belongs to another position, {one!r}, not {two!r}')


def _in_any_order(text: str) -> str:
    """Return a text that does not depend on the order in which Python writes a set."""
    # A set prints its items in another order in each process.
    return ''.join(sorted(text)) if '{' in text else text


def _remembered(
    players: tuple[Any, ...], name: str, keys: int, rows: Sequence[Any], layout: Any
) -> Remembered:
    entries = {
        (players[player], *numbers[:keys]): tuple(numbers[keys:]) for player, *numbers in rows
    }
    if layout is not None:
        names, index, absent = layout
        layout = tuple(names), index, tuple(absent)
    return Remembered(name, entries, layout, players)


def _text_of(rng: Any) -> str | None:
    if rng is None:
        return None
    if type(rng) not in {SplitMix, StdGen}:
        raise TypeError(f'rng must be a SplitMix or a StdGen to be saved, not {shown(rng)}')
    return format_rng(rng)


def _rng_of(found: Mapping[str, Any]) -> Any:
    if found['rng'] is None:
        return None
    rng = parse_rng(found['rng'])
    if not is_successful(rng):
        raise FileError(f'its generator: {rng.failure()}')
    return rng.unwrap()


# ---- histories ----


def _facts_of_history(found: History[Any]) -> dict[str, Any]:
    log, search, last = found.log, found.search, found.digest
    facts: dict[str, Any] = {}
    if search.iterations > len(log.leaves) and search.schedule is None:  # it ended before
        facts['asked'] = search.iterations
        search = attrs.evolve(search, iterations=len(log.leaves))
    facts |= {
        'digest': last,
        'rng': _text_of(found.rng),
        'search': options_written(search),
        'tree': _packed(found.root),
        'log': log.to_json(),
        'log_digest': log.digest() if log.columns else last,
    }
    if search.network is None:
        return facts
    of_root = answers_of_root(found.root) if found.root.columns.proposed else []
    return {**facts, 'answers': rows_of([*of_root, *found.answers])}


def options_written(search: Search) -> dict[str, Any]:
    """Return the options that differ from their defaults, as in a file, but for the network."""
    found = {}
    for option in attrs.fields(Search):
        value = getattr(search, option.name)
        if option.name == 'network':
            continue
        if option.name == 'schedule' and value is not None:  # made of a name, if it has one
            value = {kind(): name for name, kind in SCHEDULES.items()}.get(value, value)
        if value != usual_option(search, option):
            text = repr(value)
            other = [] if ADDRESS in text else [text]
            found[option.name] = value if type(value) in PLAIN else other
    return found


def _search_of(found: Mapping[str, Any], written: Mapping[str, Any]) -> Search:
    options: Any = {name: _value_of(it) for name, it in written.items()}
    if any(isinstance(it, list) for it in options.values()):
        raise FileError(
            'its search has functions, or parts that cannot be read from a file: pass the search '
            'to load_history'
        )
    unknown = set(options) - {option.name for option in attrs.fields(Search)}
    if unknown:
        raise FileError(f'its search has options unknown to this version: {shown(options)}')
    if 'answers' in found:
        options = {**options, 'network': ABSENT}
    try:
        return Search(**options)
    except (TypeError, ValueError) as error:
        raise FileError(f'its search: {error}') from None


def _value_of(written: Any) -> Any:
    """Return a value of an option; a part of the library with plain numbers from its `repr`.

    What is anything else stays a list.
    """
    if isinstance(written, list):
        with suppress(AttributeError, LookupError, SyntaxError, TypeError, ValueError):
            call: Any = ast.parse(written[0], mode='eval').body
            given = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
            made = NAMED[call.func.id](**given)
            return made if [repr(made)] == written else written
    return written


def answers_of_root(root: Node) -> list[Answer]:
    """Return the answer about a root, if it had one: its priors, and the moves if proposed."""
    proposed = root.moves if type(root.columns.proposed) is int else None
    rows = root.columns.moves or ([(0.0,) * len(proposed)] if proposed else [])
    return [Answer(tuple(row), 0.5, None, proposed) for row in rows]


def rows_of(answers: Sequence[Answer]) -> list[list[Any]]:
    """Return a network's answers for JSON.

    Of each the value for X, the priors, the remarks, and an object with the moves, if proposed.

    :raises MethodError: JSON cannot keep one of these moves.
    """
    for it in answers:
        check_kept(it.moves or (), 'an answer')
    return [
        [
            it.for_x,
            *it.priors,
            *((it.remarks,) if it.remarks is not None else ()),
            *({'moves': it.moves} for _ in range(it.moves is not None)),
        ]
        for it in answers
    ]


def is_kept(move: object) -> bool:
    """Return whether JSON keeps a move: what is read equals it, and has the same `repr`."""
    if type(move) is tuple:
        return all(map(is_kept, move))
    return type(move) in PLAIN and move == move  # noqa: PLR0124 - NaN does not equal itself


def check_kept(moves: Iterable[object], what: str) -> None:
    """Accept proposed moves of which a file gives the same search again.

    :param what: has them, in the message.
    :raises MethodError: JSON would change one, such as a Fraction, or cannot write it.
    """
    for move in moves:
        if not is_kept(move):
            raise MethodError(
                f'{what} has the move {shown(move)}, which a file cannot keep: '
                'it keeps int, float, str, bool, None and tuples of these'
            )


def answers_of_rows(rows: Sequence[Sequence[Any]]) -> list[Answer]:
    """Return the answers that `rows_of` wrote.

    :raises ValueError: they are not answers of a network.
    """
    found = []
    for value, *numbers in rows:
        priors, remarks, moves = numbers, None, None
        if numbers and isinstance(numbers[-1], dict):
            moves = tuples(numbers.pop()['moves'])
        if numbers and isinstance(numbers[-1], list):
            *priors, (cost, seconds, notes, sources) = numbers
            remarks = Remarks(cost, seconds, notes, tuple(sources))
        worth = tuple(value) if isinstance(value, list) else value
        found.append(Answer(tuple(priors), worth, remarks, moves))
    values = [it.for_x if isinstance(it.for_x, tuple) else (it.for_x,) for it in found]
    priors_of = (it.priors for it in found)
    if not (
        all(0 <= it <= 1 for value in values for it in value)
        and all(0 <= it < math.inf for row in priors_of for it in row)
    ):
        raise ValueError('an answer of its network has a value or a prior out of range')
    return found
