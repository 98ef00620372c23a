"""Write docs/architecture.md: the rooms of the package, and which room imports from which.

python tests/architecture.py > docs/architecture.md
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Final

ORDER: Final = {
    'fmcts': 'the public names, loaded when they are used',
    'errors': 'every error and warning',
    '_arguments': 'checks of arguments; how a value is quoted in an error',
    '_validators': 'converters and validators of the fields of attrs classes',
    'bits': 'sets of bits in one integer',
    '_declared': 'what a class declares for itself and not for its subclasses',
    '_extras': 'libraries that an optional extra installs',
    '_saving': 'files that are written whole or not at all',
    'notices': 'messages for whoever listens, such as the command line',
    '_content': 'names of functions by their content: code, constants, globals, closures',
    '_expressions': 'formulas traced into expressions, and written in several languages',
    'formulas': 'the language of scores and updates: `sqrt`, `minimum`, `where`',
    'rng': 'generators as values: SplitMix, StdGen',
    '_arithmetic': 'logarithms, exponentials and random reals, equal on every machine',
    'game': 'what a game is: the state protocol, players, rewards, move keys',
    '_promises': 'the promises of a game, checked as it is played',
    'rules': 'what lets a game be compiled: rules on integers',
    'simulation': 'a random game to its end; probabilities of random games',
    'state': 'the `State` container and its `do` blocks',
    'games': 'tic-tac-toe, Connect Four, Othello; families of boards; dice; games made from rules',
    'search': 'what a search is, as values: `Search`, methods, policies, schedules, trees, digests',
    '_engines': 'the engines in Python: persistent, monadic, in place; graphs, batches',
    '_linked': 'the compiled engine: a loop in C, linked with rules and formulas; trees in arrays',
    '_running': 'running a search: the choice of an engine, time limits, rounds, `analyse`',
    'solve': 'perfect play: alpha-beta, proofs and their checker',
    'bots': 'bots as values, presets, and bots read from text',
    'record': 'whole games between two bots',
    'selfplay': 'games of a network against itself, as arrays; noise and temperature',
    'compare': 'one search in several designs, side by side',
    'testing': 'laws, strategies and test machines for users',
    'interop': 'games of other libraries and languages',
    'conformance': 'a kit to check other implementations of tree search, by scripted playouts',
    'matches': 'matches, tournaments, ratings and their files',
    'history': 'every version of a search: time travel, files, receipts',
    'asking': 'searches that ask for evaluations and are told the answers',
    'view': 'pictures and text of positions, trees, analyses and matches',
    'explore': 'a page that replays a search and shows every version of it',
    'cli': 'the command line',
    '__main__': '`python -m fmcts`',
}
"""Every room and what is in it, from the ground up: a room imports only from rooms before it."""


def modules(root: Path) -> dict[str, Path]:
    """Return every module of the package, by its dotted name."""
    found = {}
    for path in sorted((root / 'fmcts').rglob('*.py')):
        name = '.'.join(path.relative_to(root).with_suffix('').parts)
        found[name.removesuffix('.__init__')] = path
    return found


def room_of(name: str) -> str:
    """Return the room of a module: the package or file right below `fmcts`."""
    return name.split('.')[1] if '.' in name else name


def imported(tree: ast.AST, known: set[str]) -> set[str]:
    """Return the modules among `known` that a source imports, also inside its functions."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f'{node.module}.{alias.name}'
                found.add(inner if inner in known else node.module)
    return found & known


def imports(known: dict[str, Path]) -> dict[str, set[str]]:
    """Return the modules that each module imports.

    The package itself imports nothing until a name is used, whatever type checkers are shown.
    """
    return {
        name: imported(ast.parse(path.read_text(encoding='utf-8')), set(known)) - {name}
        for name, path in known.items()
        if name != 'fmcts'
    } | {'fmcts': set()}


def rooms(found: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the rooms that each room imports from, in the order of the rooms."""
    between: dict[str, set[str]] = {room: set() for room in ORDER}
    for name, there in found.items():
        between[room_of(name)].update(map(room_of, there))
    return {room: there - {room, 'fmcts'} for room, there in between.items()}


def direct(between: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Return the arrows of the picture: those that no chain of other arrows already makes."""
    below: dict[str, set[str]] = {}
    arrows = []
    for room in ORDER:  # rooms that it imports from came before
        there = between[room]
        through = set[str]().union(*(below[other] for other in there))
        below[room] = there | through
        arrows.extend((room, other) for other in ORDER if other in there - through)
    return arrows


def page(root: Path) -> str:
    """Return the text of docs/architecture.md."""
    rows = '\n'.join(f'| `{room}` | {what} |' for room, what in ORDER.items())
    arrows = direct(rooms(imports(modules(root))))
    drawn = '\n'.join(f'  {room} --> {other}' for room, other in arrows)
    return HEAD + rows + MIDDLE + drawn.replace('__main__', 'main') + END


HEAD: Final = """\
# Architecture

The rooms of the package, and what imports what. CONTRIBUTING.md names the five files to read first.

## The way of a search

```mermaid
flowchart TB
  given["a state, a generator, a Search"] --> analyse["analyse: checks, choice of an engine"]
  analyse --> root["root: a new node, or the tree to continue"]
  root --> driver["driver: some iterations at a time"]
  driver -->|"advance by n"| engine["engine: select, expand, simulate, backup"]
  engine -->|"statistics of the root's moves"| driver
  parts["rules or states; method, playout policy, resolution"] --> engine
  engine --> tree["tree: frozen nodes, and the next generator"]
  tree --> analysis["Analysis: move, statistics, digest"]
  analysis --> bots["bots, matches, records"]
  analysis --> read["history, explore, view, compare"]
```

Budgets, schedules, `stop` and `watch` are asked by the driver, between two advances. An engine
knows no method by name: a method is functions over columns (`score`, `update`), from which the
Python engines and the loop in C are each given what they need. What builds on a search reads
its tree or repeats it: the same three values give the same tree.

## Rooms

The package has one room (a package or file) for each concern.
A room imports only from rooms above it in this table; `tests/test_rooms.py` enforces that. A name
is private if it begins with an underscore, or if its module or room does. A room's `__init__.py`
names what others may use of it.
`python tests/architecture.py > docs/architecture.md` writes this page.

| room | what is in it |
|---|---|
"""

MIDDLE: Final = """

An arrow means "imports from". Arrows that follow from others are left out.

```mermaid
flowchart BT
"""

END: Final = """
```
"""

if __name__ == '__main__':
    sys.stdout.write(page(Path(__file__).parents[1]))
