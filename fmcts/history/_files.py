"""Trees and histories in files: saved, loaded, and continued as if never interrupted.

`fmcts.history._container` describes the layout of a file. For a `tree`, the numbers are its
canonical serialisation (`fmcts.search._digest`), and the line of JSON also has these fields:

| key | what |
|---|---|
| `digest` | the digest of the tree, which is checked |
| `state` | the `repr` of the position; `null` if it contains an address in memory |
| `fields` | a hash of what the position holds, also where that is not printed, or `null` |
| `ends` | a hash of the winners, or rewards, of the finished ones among its first 2,000 nodes |
| `code` | the tag of Python's byte code, and a hash of the game's class, or `null` |
| `rng` | the generator to use next as text, or `null` |
| `moves`, `table` | the names of the columns of moves, and of tables |
| `memories` | for each memory its name, and the numbers of keys and of numbers in an entry |
| `root_moves` | the indices of the root's moves, or `null` for all that are legal |

A tree is refused if `state`, `fields` or `ends` differ. If only `code` differs, there is a warning.

Python may write a set in another order the next time, so if a position has a brace, only its
characters are compared, not their order.

For a `history`, the numbers are the serialisation of its root, `root` bytes long, followed by its
log: the columns of `Log`, each stored as all its least significant bytes, then the next ones, and
so on:

| column | bytes | what is stored |
|---|---|---|
| `leaves` | 4 | the number of nodes made since |
| `outcomes` | 1 or 8 | twice the outcome, or if `halves` is false, a double; in a game with \
rewards, one for each player |
| `made` | 4 | |
| `parents`, `indexes`, `moves` | 4 | |
| `movers` | 1 | |
| `visits`, `rewards` | 8 | integers, then doubles |

The JSON has the numbers of `iterations` and `nodes`, `before` (the nodes of the root's tree),
`columns` (whether the search keeps any), `halves`, `rng` (the generator at the start), `search`
(the options that differ from `Search()`; `null` if one is a function), and the fields above for the
root, except that `digest` is that of the last version. For a game with chance, rewards or other
than two players it has `players` and `several`, as in `Log`.

For a search with a network, the JSON has the number of `answers`, and `search` leaves the network
out. The answers follow the log as further columns: the number of priors of each (4 bytes), their
values for X, and all priors (8 bytes each).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final
from warnings import warn

import attrs
from returns.pipeline import is_successful

from fmcts._arguments import shown
from fmcts._content.described import content_of, stored_of, usual_option
from fmcts._running.registry import check_engine, look_at
from fmcts.errors import FmctsWarning, MethodError
from fmcts.game import GameState, has_rewards, rewards_of
from fmcts.history._container import (
    Contents,
    FileError,
    answers_in,
    bytes_of_answers,
    columns_in,
    naming,
    planes,
    read,
    write,
)
from fmcts.history._log import Log
from fmcts.history._networks import ABSENT
from fmcts.history._reading import indices_in, tree_in
from fmcts.history._versions import History, history, recorded
from fmcts.rng import SplitMix, StdGen, format as format_rng, parse as parse_rng
from fmcts.search import _digest as digests
from fmcts.search._analysis import Analysis
from fmcts.search._description import Search
from fmcts.search._tree import Node, root_of, walk
from fmcts.search._watch import ignore
from fmcts.search.memory import Remembered
from fmcts.search.schedules import SCHEDULES

PLAIN: Final = (int, float, str, bool, type(None))
LONGEST: Final = 2_000  # characters of a position; a longer one is replaced by its hash
ADDRESS: Final = ' at 0x'
LOOKED_AT: Final = 2_000  # nodes of a tree; the finished ones among them are compared
CODE: Final = f'{sys.implementation.cache_tag} 2'  # texts of code of another kind are not compared
LARGEST: Final = 255  # number of players that a mover's byte can name


def save(path: str | Path, found: Node | Analysis[Any] | History[Any], rng: Any = None) -> int:
    """Write a tree, or a history, to a file, and return how many bytes it has.

    `rng` is the generator to use next, stored with a tree so that it can be continued. A history is
    stored as the search and its log, from which `load_history` makes it again. The move that led to
    the root is not stored. A file of that name is replaced once the new one is complete.

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
    :raises TypeError: `found` is something else, or `rng` has no form as text, or is given with a
        history.
    :raises ValueError: it is a graph.
    """
    if isinstance(found, History):
        if rng is not None:
            raise TypeError('a history is saved with its own generator: leave rng out')
        return _save_history(Path(path), found)
    root = root_of(found)
    numbers = _serialised(root)
    head = {
        'digest': digests.name_of(numbers),
        'rng': _rng_text(rng),
        **_about(root),
        'fields': _fields(root.state),
        'ends': _ends(root),
        'code': [CODE, _code(root.state)],
    }
    return write(Path(path), 'tree', head, numbers, root.count())


def load(path: str | Path, state: GameState[Any]) -> tuple[Node, Any]:
    """Return the tree of `state` in a file, and the generator to use next, if it was saved.

    If only the code of the game has changed since, a `FmctsWarning` is issued.

    :raises FileError: the file does not contain a tree of this position, or was altered.
    :raises OSError: it cannot be read.
    """
    with naming(path):
        contents = read(Path(path), 'tree')
        root = _root(contents.numbers, state, contents)
        if digests.name_of(contents.numbers) != contents.head.get('digest'):
            raise FileError('its tree does not have the digest that it records')
        _check_game(root, contents.head)
        return root, _rng(contents.head)


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
    with naming(path):
        contents = read(Path(path), 'history')
        head = contents.head
        root = _root(contents.numbers[: _count(head, 'root')], state, contents)
        found, rng = search or _search(head), _rng(head)
        if rng is None:
            raise FileError('it has no generator')
        if found.network is not None:
            look_at(state, engine)
            said = answers_in(_behind(contents.numbers, head), _count(head, 'answers'))
            try:
                again = recorded(root, rng, found, check_engine(engine), ignore, answers=said)
            except MethodError as error:
                raise FileError(f'its network: {error}') from None
        else:
            tree = root if root.visits else None
            moves = None if root.visits else root.moves
            again = history(state, rng, found, engine, tree=tree, root_moves=moves)
        if again.digest != head.get('digest'):
            raise FileError(
                'its search, repeated, gives another tree: the rules, the search or the version '
                f'have changed (it was written by fmcts {shown(head["fmcts"])})'
            )
        return again


def load_log(path: str | Path) -> Log:
    """Return the log in a file of a history; no rules of a game are needed.

    :raises FileError: the file does not contain a history, or was altered.
    :raises OSError: it cannot be read.
    """
    with naming(path):
        contents = read(Path(path), 'history')
        log = _log(contents.numbers, contents.head)
        if not log.columns and log.digest() != contents.head.get('digest'):
            raise FileError('its log does not give the digest that it records')
        return log


# ---- trees ----


def _serialised(root: Node) -> bytes:
    if root.transpositions is not None:
        raise ValueError('a search with transpositions makes a graph, which cannot be saved')
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
    layouts = {
        name: [[*columns], index, [*map(repr, absent)]]  # JSON has no infinity
        for name, (columns, index, absent) in found.items()
    }
    return {'layouts': layouts} if layouts else {}


def _widths(table: Remembered) -> tuple[int, int]:
    """Return the numbers of keys and of numbers in each entry of a table."""
    for (_, *keys), numbers in table.entries.items():
        return len(keys), len(numbers)
    return 1, 0


def _text(state: Any) -> str | None:
    text = repr(state)
    if ADDRESS in text:
        return None
    return text if len(text) <= LONGEST else digests.name_of(_in_any_order(text).encode())


def _in_any_order(text: str) -> str:
    """Return a text that does not depend on the order in which Python writes a set."""
    return ''.join(sorted(text)) if '{' in text else text


def _fields(state: Any) -> str | None:
    """Return a hash of what pickle would store of a state; `None` if that has no stable text."""
    try:
        text = repr([(name, _printed(value)) for name, value in stored_of(state)])
    except Exception:  # noqa: BLE001 - of the user's class
        return None
    return None if ADDRESS in text else digests.name_of(_in_any_order(text).encode())


def _printed(value: Any) -> Any:
    """Return a value whose text is complete: large arrays would be shortened."""
    return (str(value.dtype), value.tolist()) if hasattr(value, 'tolist') else value


def _ends(root: Node) -> str:
    """Return a hash of how the first finished positions of a tree ended."""
    first = islice(walk(root), LOOKED_AT)
    finished = (node.state for node in first if not node.moves and node.state.over)
    ends = [repr(rewards_of(it) if has_rewards(it) else it.winner) for it in finished]
    return digests.name_of(' '.join(ends).encode())


def _code(state: Any) -> str | None:
    text = content_of(type(state))
    return text if isinstance(text, str) else None


def _check_game(root: Node, head: Mapping[str, Any]) -> None:
    """Check that a tree read from a file belongs to this game, as far as the file describes it.

    :raises FileError: the position has other fields, or games end differently.
    """
    name, fields, code = type(root.state).__name__, _fields(root.state), head.get('code')
    if isinstance(head.get('fields'), str) and fields and fields != head['fields']:
        raise FileError('it belongs to another position with the same text')
    if isinstance(head.get('ends'), str) and head['ends'] != _ends(root):
        raise FileError(f'it belongs to another game: its games of {name} end differently')
    if isinstance(code, list) and len(code) == 2 and code[0] == CODE:
        here = _code(root.state)
        if isinstance(code[1], str) and here and here != code[1]:
            warn(
                f'the code of {name} has changed since the tree was saved',
                FmctsWarning,
                stacklevel=3,
            )


def _root(numbers: bytes, state: GameState[Any], contents: Contents) -> Node:
    there, here = contents.head.get('state'), _text(state)
    if isinstance(there, str) and here is not None and _in_any_order(there) != _in_any_order(here):
        raise FileError(f'it belongs to another position, {shown(there)}, not {shown(here)}')
    return tree_in(numbers, state, contents.head, contents.packed)


def _rng_text(rng: Any) -> str | None:
    if rng is None:
        return None
    if type(rng) not in {SplitMix, StdGen}:
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
    worth: Any = chain.from_iterable(log.outcomes) if log.several else log.outcomes
    outcomes: array[Any] = array('d', worth)
    halves = all((2 * outcome).is_integer() for outcome in outcomes)
    asked = {} if search.network is None else {'answers': len(found.answers)}
    players = {'players': log.players, 'several': log.several} if log.players else {}
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
        **asked,
        **players,
        **_about(found.root),
    }
    sizes, since = log.before, array('I')
    for leaf, made in zip(log.leaves, log.made, strict=True):
        sizes += made
        since.append(sizes - 1 - leaf)
    if halves:
        outcomes = array('B', [int(2 * outcome) for outcome in outcomes])
    columns: tuple[Any, ...] = (since, outcomes, log.made, log.parents, log.indexes, log.moves)
    columns += (log.movers,)
    columns += log.visits, log.rewards
    numbers = b''.join(map(planes, columns)) + bytes_of_answers(found.answers)
    return write(path, 'history', head, root + numbers, found.root.count())


def _options(search: Search) -> dict[str, Any] | None:
    """Return the options that differ from their defaults; `None` if one is not a plain value."""
    found = {}
    for option in attrs.fields(Search):
        value = getattr(search, option.name)
        if option.name == 'network':
            continue
        if option.name == 'schedule' and value is not None:  # made of a name, if it has one
            value = {kind(): name for name, kind in SCHEDULES.items()}.get(value, value)
        if value != usual_option(search, option):
            found[option.name] = value
    return found if all(type(value) in PLAIN for value in found.values()) else None


def _search(head: Mapping[str, Any]) -> Search:
    options = head.get('search')
    if options is None:
        raise FileError(
            'its search has functions, which a file cannot contain: pass the search to load_history'
        )
    known = {option.name for option in attrs.fields(Search)}
    if not isinstance(options, dict) or not set(options) <= known:
        raise FileError(f'its search has options unknown to this version: {shown(options)}')
    if 'answers' in head:
        options = {**options, 'network': ABSENT}
    try:
        return Search(**options)
    except (TypeError, ValueError) as error:
        raise FileError(f'its search: {error}') from None


def _shapes(head: Mapping[str, Any]) -> tuple[list[tuple[int, str]], int]:
    """Return the lengths and types of the columns of a log, and how many bytes end with it."""
    root, iterations, nodes, before = (
        _count(head, name) for name in ('root', 'iterations', 'nodes', 'before')
    )
    players, several = _players(head)
    many = iterations * (players if several else 1)
    shapes = [(iterations, 'I'), (many, 'B' if head.get('halves') else 'd')]
    shapes += [(iterations, 'I'), *[(nodes, 'I')] * 3, (nodes, 'B'), (before, 'q'), (before, 'd')]
    return shapes, root + sum(length * array(form).itemsize for length, form in shapes)


def _players(head: Mapping[str, Any]) -> tuple[int, bool]:
    """Return the number of players, 0 in a plain game, and whether each gets a reward."""
    players, several = _count({'players': 0, **head}, 'players'), bool(head.get('several'))
    if players > LARGEST or (several and not players):
        raise FileError('its log contradicts itself about the number of players')
    return players, several


def _behind(numbers: bytes, head: Mapping[str, Any]) -> bytes:
    """Return the bytes behind the log of a history: a network's answers."""
    return numbers[_shapes(head)[1] :]


def _log(numbers: bytes, head: Mapping[str, Any]) -> Log:
    """Return the log behind the root of a history."""
    (shapes, size), (players, several) = _shapes(head), _players(head)
    if 'answers' in head:
        answers_in(numbers[size:], _count(head, 'answers'))
        numbers = numbers[:size]
    if size != len(numbers):
        raise FileError(f'its log has {len(numbers)} bytes, not the {size} of its counts')
    there = _count(head, 'before')
    columns = columns_in(numbers[_count(head, 'root') :], shapes)
    since, outcomes, made, parents, indexes, moves, movers, visits, rewards = columns
    leaves = array('I')
    for back, more in zip(since, made, strict=True):
        there += more
        if back >= there:
            raise FileError('its log names a leaf that does not exist')
        leaves.append(there - 1 - back)
    if head.get('halves'):
        outcomes = array('d', [twice / 2 for twice in outcomes])
    if not all(0 <= outcome <= 1 for outcome in outcomes):
        raise FileError('its log has an outcome that is not from 0 to 1')
    each: Any = outcomes
    if several:
        each = [*zip(*(outcomes[seat::players] for seat in range(players)), strict=True)]
    chosen = array('I', indices_in(head) or [])
    log = Log(
        *(leaves, each, made),
        *(parents, indexes, moves, movers),
        *(visits, rewards, chosen),
        columns=bool(head.get('columns')),
        players=players,
        several=several,
    )
    _check_log(log, there)
    return log


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
        or max(log.movers) >= max(2, log.players)
        or min(log.visits) < 0
    ):
        raise FileError('the nodes of its log contradict each other')
    if not all(0 <= sum_ <= count for sum_, count in zip(log.rewards, log.visits, strict=True)):
        raise FileError('the nodes of its log have impossible rewards')
