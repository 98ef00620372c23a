"""Trees and histories in files: saved, loaded, and continued as if nothing had been between.

`fmcts.history._container` says how a file is laid out. Its numbers are, of a `tree`, its canonical
serialisation (`fmcts.search._digest`); its line of JSON has besides:

| key | what |
|---|---|
| `digest` | the digest of the tree, which is checked |
| `state` | the position as Python writes it, `null` where that holds an address in memory |
| `rng` | the generator to use next as text, or `null` |
| `moves`, `table` | the names of the columns of moves, and of tables |
| `memories` | for each memory its name, and how many keys and numbers an entry has |
| `root_moves` | the indices of the root's moves, or `null` for all that are legal |

Python may write a set in another order the next time: of a position with a brace only the
characters are compared, not their order.

Of a `history` they are the serialisation of its root, `root` bytes long, and its log: the columns
of `Log`, one after another, each as its bytes of lowest weight, then those of the next, and so on:

| column | bytes | what is stored |
|---|---|---|
| `leaves` | 4 | how many nodes were made since |
| `outcomes` | 1 or 8 | twice the outcome, or, if `halves` is false, a double |
| `made` | 4 | |
| `parents`, `indexes`, `moves` | 4 | |
| `movers` | 1 | |
| `visits`, `rewards` | 8 | integers, then doubles |

Its JSON has `iterations` and `nodes` (their counts), `before` (nodes of the root's tree), `columns`
(whether the search keeps some), `halves`, `rng` (the generator that it began with), `search` (the
options that differ from those of `Search()`, `null` where one is a function), and those above, of
the root; `digest` is that of the last version.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from returns.pipeline import is_successful

from fmcts._arguments import shown
from fmcts.game import GameState, check_plain
from fmcts.history._container import FileError, naming, read, write
from fmcts.history._log import Log
from fmcts.history._reading import indices_in, tree_in
from fmcts.history._versions import History, history
from fmcts.rng import SplitMix, StdGen, format as format_rng, parse as parse_rng
from fmcts.search import _digest as digests
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search, usual_option
from fmcts.search._tree import Node, root_of
from fmcts.search.memory import Remembered
from fmcts.search.schedules import SCHEDULES

__all__ = ['load', 'load_history', 'load_log', 'save']

PLAIN: Final = (int, float, str, bool, type(None))
LONGEST: Final = 2_000  # characters of a position; a longer one is replaced by its hash
ADDRESS: Final = ' at 0x'


def save(path: str | Path, found: Node | Analysis[Any] | History[Any], rng: Any = None) -> int:
    """Write a tree, or a history, to a file, and return how many bytes it has.

    `rng` is the generator to use next, kept with a tree so that it can be continued. Of a history,
    the search and its log are written, from which `load_history` makes it again. The move that led
    to the root, if there was one, is not kept. A file of that name is
    replaced once the new one is complete.

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

    :raises OSError: it cannot be written.
    :raises TypeError: `found` is something else, or `rng` has no form as text.
    :raises GameError: its game has chance, rewards or other players, which no file holds.
    :raises ValueError: it is a graph.
    """
    if isinstance(found, History):
        return _save_history(Path(path), found)
    root = root_of(found)
    numbers = _serialised(root)
    head = {'digest': digests.name_of(numbers), 'rng': _rng_text(rng), **_about(root)}
    return write(Path(path), 'tree', head, numbers)


def load(path: str | Path, state: GameState[Any]) -> tuple[Node, Any]:
    """Return the tree of `state` that a file holds, and the generator to use next, if it is kept.

    :raises FileError: the file holds no tree, or that of another position, or was altered.
    :raises OSError: it cannot be read.
    """
    with naming(path):
        contents = read(Path(path), 'tree')
        root = _root(contents.numbers, state, contents.head)
        if digests.name_of(contents.numbers) != contents.head.get('digest'):
            raise FileError('its tree has another digest than it says')
        return root, _rng(contents.head)


def load_history(
    path: str | Path, state: GameState[Any], search: Search | None = None, engine: str = 'auto'
) -> History[Any]:
    """Return the history of a search of `state` that a file holds: it is searched again.

    `search` is needed where the search has functions, which no file holds. That the same is found
    is checked.

    :raises FileError: the file holds no history, or that of another position; or the search finds
        something else.
    :raises OSError: it cannot be read.
    """
    with naming(path):
        contents = read(Path(path), 'history')
        head = contents.head
        root = _root(contents.numbers[: _count(head, 'root')], state, head)
        found, rng = search or _search(head), _rng(head)
        if rng is None:
            raise FileError('it has no generator')
        tree = root if root.visits else None
        moves = None if root.visits else root.moves
        again = history(state, rng, found, engine, tree=tree, root_moves=moves)
        if again.digest != head.get('digest'):
            raise FileError(
                'searched again, its search finds another tree: by other rules, another search or '
                f'another version (it was written by fmcts {shown(head["fmcts"])})'
            )
        return again


def load_log(path: str | Path) -> Log:
    """Return the log that a file of a history holds; no rules of a game are needed.

    :raises FileError: the file holds no history, or was altered.
    :raises OSError: it cannot be read.
    """
    with naming(path):
        contents = read(Path(path), 'history')
        log = _log(contents.numbers, contents.head)
        if not log.columns and log.digest() != contents.head.get('digest'):
            raise FileError('its log gives another digest than it says')
        return log


# ---- trees ----


def _serialised(root: Node) -> bytes:
    if root.transpositions is not None:
        raise ValueError('a file holds trees, and a search with transpositions makes a graph')
    check_plain(root.state, 'a file')
    return digests.serialised(root)


def _about(root: Node) -> dict[str, Any]:
    names, legal = root.columns.names, root.state.moves
    some = [legal.index(move) for move in root.moves] if len(root.moves) < len(legal) else None
    return {
        'state': _text(root.state),
        'moves': [*names.moves],
        'table': [*names.table],
        'memories': [[it.name, *_widths(it)] for it in root.columns.memory],
        'root_moves': some,
        **_layouts(root.columns.memory),
    }


def _layouts(memory: Sequence[Remembered]) -> dict[str, Any]:
    """Return the layouts of tables as JSON has them, each by its table's name, if there are any."""
    found = {it.name: it.layout for it in memory if it.layout is not None}
    told = {
        name: [[*columns], index, [*map(repr, absent)]]  # JSON has no infinity
        for name, (columns, index, absent) in found.items()
    }
    return {'layouts': told} if told else {}


def _widths(table: Remembered) -> tuple[int, int]:
    """Return how many keys and how many numbers each entry of a table has."""
    for (_, *keys), numbers in table.entries.items():
        return len(keys), len(numbers)
    return 1, 0


def _text(state: Any) -> str | None:
    text = repr(state)
    if ADDRESS in text:
        return None
    return text if len(text) <= LONGEST else digests.name_of(_in_any_order(text).encode())


def _in_any_order(text: str) -> str:
    """Return the same text for each order in which Python may write a set or a dictionary."""
    return ''.join(sorted(text)) if '{' in text else text


def _root(numbers: bytes, state: GameState[Any], head: Mapping[str, Any]) -> Node:
    there, here = head.get('state'), _text(state)
    if isinstance(there, str) and here is not None and _in_any_order(there) != _in_any_order(here):
        raise FileError(f'it belongs to another position, {shown(there)}, not {shown(here)}')
    return tree_in(numbers, state, head)


def _rng_text(rng: Any) -> str | None:
    if rng is None:
        return None
    if not isinstance(rng, SplitMix | StdGen):
        raise TypeError(f'rng must be a SplitMix or a StdGen to be saved, not {shown(rng)}')
    return format_rng(rng)


def _rng(head: Mapping[str, Any]) -> Any:
    text = head.get('rng')
    if text is None:
        return None
    if not isinstance(text, str):
        raise FileError(f'its generator must be a text, not {shown(text)}')
    found = parse_rng(text)
    if not is_successful(found):
        raise FileError(f'its generator: {found.failure()}')
    return found.unwrap()


def _count(head: Mapping[str, Any], name: str) -> int:
    found = head.get(name)
    if type(found) is not int or found < 0:
        raise FileError(f'its {name} must be a whole number of at least 0, not {shown(found)}')
    return found


# ---- histories ----


def _save_history(path: Path, found: History[Any]) -> int:
    log, root = found.log, _serialised(found.root)
    search = found.search
    if search.iterations > len(log.leaves) and search.schedule is None:  # it ended before
        search = attrs.evolve(search, iterations=len(log.leaves))
    halves = all((2 * outcome).is_integer() for outcome in log.outcomes)
    head = {
        'root': len(root),
        'iterations': len(log.leaves),
        'nodes': len(log.parents),
        'before': log.before,
        'columns': log.columns,
        'halves': halves,
        'rng': _rng_text(found.rng),
        'search': _options(search),
        'digest': found.digest,
        **_about(found.root),
    }
    sizes, since = log.before, array('I')
    for leaf, made in zip(log.leaves, log.made, strict=True):
        sizes += made
        since.append(sizes - 1 - leaf)
    outcomes: array[Any] = array('d', log.outcomes)
    if halves:
        outcomes = array('B', [int(2 * outcome) for outcome in log.outcomes])
    columns = (since, outcomes, log.made, log.parents, log.indexes, log.moves, log.movers)
    base = log.visits, log.rewards
    return write(path, 'history', head, root + b''.join(map(_planes, (*columns, *base))))


def _planes(column: Any) -> bytes:
    """Return the bytes of a column, those of the lowest weight first."""
    if sys.byteorder == 'big':
        column = column[:]
        column.byteswap()
    content, size = column.tobytes(), column.itemsize
    return b''.join(content[place::size] for place in range(size))


def _options(search: Search) -> dict[str, Any] | None:
    """Return the options that differ from their defaults; `None` if one is not a plain value."""
    found = {}
    for option in attrs.fields(Search):
        value = getattr(search, option.name)
        if option.name == 'schedule' and value is not None:  # made of a name, if it has one
            value = {kind(): name for name, kind in SCHEDULES.items()}.get(value, value)
        if value != usual_option(search, option):
            found[option.name] = value
    return found if all(type(value) in PLAIN for value in found.values()) else None


def _search(head: Mapping[str, Any]) -> Search:
    options = head.get('search')
    if options is None:
        raise FileError(
            'its search has functions, which no file holds: give load_history the search'
        )
    known = {option.name for option in attrs.fields(Search)}
    if not isinstance(options, dict) or not set(options) <= known:
        raise FileError(f'its search has options that this version has not: {shown(options)}')
    try:
        return Search(**options)
    except (TypeError, ValueError) as error:
        raise FileError(f'its search: {error}') from None


def _log(numbers: bytes, head: Mapping[str, Any]) -> Log:
    """Return the log behind the root of a history."""
    root, iterations, nodes, before = (
        _count(head, name) for name in ('root', 'iterations', 'nodes', 'before')
    )
    halves = head.get('halves')
    shapes = [(iterations, 'I'), (iterations, 'B' if halves else 'd'), (iterations, 'I')]
    shapes += [*[(nodes, 'I')] * 3, (nodes, 'B'), (before, 'q'), (before, 'd')]
    size = root + sum(length * array(form).itemsize for length, form in shapes)
    if size != len(numbers):
        raise FileError(f'its log has {len(numbers)} bytes, not the {size} of its counts')
    columns: list[Any] = []
    at = root
    for length, form in shapes:
        column: array[Any] = array(form)
        end = at + length * column.itemsize
        column.frombytes(_mixed(numbers[at:end], column.itemsize))
        if sys.byteorder == 'big':
            column.byteswap()
        columns.append(column)
        at = end
    since, outcomes, made, parents, indexes, moves, movers, visits, rewards = columns
    leaves, there = array('I'), before
    for back, more in zip(since, made, strict=True):
        there += more
        if back >= there:
            raise FileError('its log has a leaf that there was not')
        leaves.append(there - 1 - back)
    if halves:
        outcomes = array('d', [twice / 2 for twice in outcomes])
    chosen = array('I', indices_in(head) or [])
    log = Log(
        *(leaves, outcomes, made),
        *(parents, indexes, moves, movers),
        *(visits, rewards, chosen),
        columns=bool(head.get('columns')),
    )
    _check_log(log, there)
    return log


def _mixed(planes: bytes, width: int) -> bytes:
    """Return the bytes of a column from its planes."""
    length = len(planes) // width
    found = bytearray(len(planes))
    for place in range(width):
        found[place::width] = planes[place * length : (place + 1) * length]
    return bytes(found)


def _check_log(log: Log, nodes: int) -> None:
    """Raise `FileError` if the columns of a log contradict each other."""
    parents, indexes = log.parents, log.indexes
    edges = set(zip(parents[1:], indexes[1:], strict=True))
    if (
        len(parents) != nodes
        or not 1 <= log.before <= nodes
        or parents[0]
        or indexes[0]
        or len(edges) != nodes - 1
        or any(parent >= node for node, parent in enumerate(parents[1:], 1))
        or any(index >= log.moves[parent] for parent, index in edges)
        or max(log.movers) > 1
        or min(log.visits) < 0
    ):
        raise FileError('the nodes of its log contradict each other')
    if not all(0 <= outcome <= 1 for outcome in log.outcomes):
        raise FileError('its log has an outcome that is not from 0 to 1')
    if not all(0 <= sum_ <= count for sum_, count in zip(log.rewards, log.visits, strict=True)):
        raise FileError('the nodes of its log have impossible rewards')
