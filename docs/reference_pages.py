"""Write the reference of the site from the code: every public name, method, option, law and bot.

`pages()` gives the pages as reStructuredText by their paths; `docs/conf.py` writes them before a
build, into `docs/reference`, which git ignores. Nothing here needs Sphinx. The public names come
from `tests/public_names.txt`.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs

ROOT = Path(__file__).resolve().parents[1]
NAMES = ROOT / 'tests/public_names.txt'
PLAIN = (int, float, str, bytes, bool, tuple, frozenset, type(None))
FITS = 260  # characters of LaTeX; a longer score is printed as text alone
OUTSIDE = {
    'changelog': 'CHANGELOG.md',
    'contributing': 'CONTRIBUTING.md',
    'security': 'SECURITY.md',
    'conduct': 'CODE_OF_CONDUCT.md',
}
"""Files above the folder of the pages that the site shows as pages."""

SYMBOLS = """
=================  =======================================================================
symbol             what it is
=================  =======================================================================
``value``, ``n``   the move's mean for the side that chooses, and its visits
``N``, ``L``       the node's visits, and ``ln(1 + N)`` (``ln N`` in ``uct`` and ``baeldung``)
``parent``         the node's mean for the side that chooses
``total``          the sum of ``summed`` over the node's moves
``m``              the move's AMAF playouts; ``amaf_reward`` is their summed reward
``by_visits``      a part of the score that depends on ``n`` alone
others             the method's parameters, columns and derived statistics, by their names
=================  =======================================================================
"""


def titled(text: str, line: str = '=') -> str:
    """Return a heading."""
    return f'{text}\n{line * len(text)}\n'


def indented(text: str, by: int = 3) -> str:
    """Return the text, each line that is not empty moved to the right."""
    return '\n'.join(f'{" " * by}{line}' if line else '' for line in text.splitlines())


def doc_of(thing: Any) -> str:
    """Return the docstring, cleaned."""
    return inspect.cleandoc(vars(thing).get('__doc__') or '')


def public(text: str) -> str:
    """Return the text without its references to private modules, and with links to pages.

    >>> public('a graph (see `fmcts._engines.graph`); `docs/dice.md` has more.')
    'a graph; :doc:`/dice` has more.'
    """
    text = re.sub(r' \(see `fmcts\._[\w.]+`\)', '', text)
    return re.sub(r'`docs/(\w+)\.md`', r':doc:`/\1`', text)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], widths: str = 'auto') -> str:
    """Return a table of reStructuredText, its cells as they are."""
    lines = ['.. list-table::', '   :header-rows: 1', f'   :widths: {widths}', '']
    for row in (headings, *rows):
        first, *others = (indented(cell, 7).lstrip() or '\\-' for cell in row)
        lines += [f'   * - {first}', *(f'     - {cell}' for cell in others)]
    return '\n'.join(lines) + '\n'


# Every public name


def public_names() -> list[str]:
    """Return the names of `tests/public_names.txt`, which a test compares with the code."""
    return NAMES.read_text(encoding='utf-8').split()


def split(name: str) -> tuple[str, str]:
    """Return the module and the name within it."""
    module, _, short = name.rpartition('.')
    return module, short


def thing_of(name: str) -> Any:
    """Return what a public name stands for."""
    module, short = split(name)
    return getattr(imported(module), short)


def imported(module: str) -> types.ModuleType:
    """Import a module; an empty one stands in for a library that is not installed (pgx, JAX).

    It is taken away again, since other libraries look for JAX among the modules.
    """
    standing_in: list[str] = []
    try:
        while True:
            try:
                return import_module(module)
            except ImportError as error:
                missing = error.__cause__ or error
                name = getattr(missing, 'name', None)
                if not name or name in sys.modules or name.partition('.')[0] == 'fmcts':
                    raise
                sys.modules[name] = types.ModuleType(name)
                sys.modules[name].__path__ = []
                standing_in.append(name)
    finally:
        for name in standing_in:
            del sys.modules[name]


def homes() -> dict[str, str]:
    """Return for each public name the one under which its object is described: the shortest.

    `fmcts.search.Analysis` is described as `fmcts.Analysis`.
    """
    first: dict[tuple[int, str], str] = {}
    found, kept = {}, []
    for name in sorted(public_names(), key=lambda each: (each.count('.'), each)):
        thing = thing_of(name)
        kept.append(thing)  # so that no two have one identity
        key = (id(thing), name.rpartition('.')[2])
        alone = not inspect.isclass(thing) and (
            isinstance(thing, PLAIN) or type(thing).__module__ == 'typing'
        )
        found[name] = name if alone else first.setdefault(key, name)
    return found


def _entry(name: str) -> str:
    """Return the directive that describes a name."""
    thing = thing_of(name)
    if isinstance(thing, types.ModuleType):
        return f'* :doc:`{name} <{name}>`\n'
    if inspect.isclass(thing):
        kind = 'autoexception' if issubclass(thing, BaseException) else 'autoclass'
        return f'.. {kind}:: {name}\n   :members:\n   :member-order: bysource\n'
    if inspect.isroutine(thing):
        return f'.. autofunction:: {name}\n'
    return f'.. autodata:: {name}\n   :no-value:\n'


def modules() -> dict[str, list[str]]:
    """Return the public modules, each with its public names."""
    found: dict[str, list[str]] = {}
    for name in public_names():
        found.setdefault(split(name)[0], []).append(name)
    return found


PURPOSES = {
    'fmcts': 'find the names that most programs need, whichever module defines them',
    'fmcts.asking': 'search with evaluators that take long: language models, services, simulators',
    'fmcts.bits': 'write a game as rules on integers',
    'fmcts.bots': 'let bots move, or combine them into a bot',
    'fmcts.bots.montecarlo': 'search without a tree',
    'fmcts.bots.printed': 'compare the programs printed in the texts with the corrected ones',
    'fmcts.cli': 'call the command line from Python',
    'fmcts.compare': 'compare engines: whether they agree, and what each costs',
    'fmcts.errors': 'catch an error of the library, or look one up',
    'fmcts.explore': 'open the explorer from Python or in a notebook',
    'fmcts.formulas': 'write a score or a statistic for every engine',
    'fmcts.game': 'write a game, or a function over any game',
    'fmcts.games': 'play or search a game of the library',
    'fmcts.games.boards': 'write a game on a grid',
    'fmcts.games.from_rules': 'write a game as rules on integers',
    'fmcts.history': 'go back to an earlier version of a search, or ask why it chose a move',
    'fmcts.history.receipts': 'publish a result that others can check',
    'fmcts.interop': 'use games of another library or language',
    'fmcts.conformance': 'check another implementation of tree search',
    'fmcts.matches': 'compare bots by matches',
    'fmcts.notices': 'follow the progress of long runs',
    'fmcts.record': 'play whole games and keep them',
    'fmcts.rng': 'pass generators, or write one',
    'fmcts.rules': 'write a game as rules on integers',
    'fmcts.search': 'describe a search, or read what it found',
    'fmcts.search.derived': 'add statistics of nodes to a selection method',
    'fmcts.search.memory': 'write a method or a playout policy that keeps tables',
    'fmcts.search.methods': 'choose a selection method, or write one',
    'fmcts.search.networks': 'search with a network',
    'fmcts.search.policies': 'choose a playout policy, or write one',
    'fmcts.search.schedules': 'divide the iterations among the moves of the root',
    'fmcts.search.resolution': 'prove positions in a tree',
    'fmcts.selfplay': 'train a network by self-play',
    'fmcts.simulation': 'play random games',
    'fmcts.solve': 'play perfectly, or prove it',
    'fmcts.state': 'thread a generator through a computation with `State`',
    'fmcts.testing': 'check a game, a bot, a generator or a search of your own',
    'fmcts.view': 'draw or print positions, trees and searches',
}
"""What a module is for, after "Use it to"; a module within another has its line."""


def purpose(module: str) -> str:
    """Return what a module is for, in a sentence.

    >>> purpose('fmcts.games.chance.pig')
    'Use it to play or search a game of the library.'
    """
    room = module
    while room not in PURPOSES and room.count('.') > 1:
        room = room.rpartition('.')[0]
    return f'Use it to {PURPOSES[room]}.'


def page_of_module(module: str, names: Sequence[str], home: dict[str, str]) -> str:
    """Return the page of a public module: its purpose, its docstring and all its public names."""
    parts = [titled(module), purpose(module) + '\n', f'.. automodule:: {module}\n']
    parts += [_entry(name) for name in names if home[name] == name]
    parts += [
        f'.. py:data:: {name}\n   :no-contents-entry:\n\n   The same as :py:obj:`{home[name]}`.\n'
        for name in names
        if home[name] != name
    ]
    return '\n'.join(parts)


def index_of_modules() -> str:
    """Return the page that lists the public modules."""
    entries = '\n'.join(f'   modules/{module}' for module in modules())
    return (
        titled('Every public name')
        + '\nEach module has a page with its docstring, its public names and their source. A name'
        + ' that is not here is private.\n'
        + f'\n.. toctree::\n   :maxdepth: 1\n\n{entries}\n'
    )


# Methods, policies, presets, options, laws


def _fields(kind: type) -> str:
    """Return a class's parameters with their defaults, as in a call."""
    return ', '.join(
        field.name if field.default is attrs.NOTHING else f'{field.name}={_short(field.default)}'
        for field in attrs.fields(kind)
        if field.init
    )


def _short(value: Any) -> str:
    return f'{value:.6g}' if isinstance(value, float) else repr(value)


def page_of_methods() -> str:
    """Return the page of selection methods, with their formulas traced from the code."""
    from fmcts.search.methods import METHODS
    from fmcts.view.formulas import method_lines

    parts = [
        titled('Selection methods'),
        'How a search descends: ``Search(selection=NAME)``, or the class with'
        ' parameters of your own. The formulas are traced from the code that every engine runs;'
        ' the score is maximised, rewards lie on [0, 1].\n',
        SYMBOLS,
    ]
    for name, kind in METHODS.items():
        text = doc_of(kind)
        if text.startswith('`'):  # then the idea and its source are in the file's docstring
            text += '\n\n' + doc_of(import_module(kind.__module__))
        lines = '\n'.join(method_lines(kind()))
        parts += [
            f'.. _method-{name}:\n',
            titled(name, '-'),
            f':py:class:`{kind.__name__} <fmcts.search.methods.{kind.__name__}>`\n'
            f'``({_fields(kind)})``\n',
            f'.. code-block:: text\n\n{indented(lines)}\n',
            *_mathematics(kind),
            text + '\n',
        ]
    return '\n'.join(parts)


def _mathematics(kind: type) -> Iterator[str]:
    """Yield the score of a method as MathML, if it can be traced and fits on a line."""
    from latex2mathml.converter import convert

    from fmcts._linked.functions import formula_of_method
    from fmcts.view.formulas import latex

    found = formula_of_method(kind(), 'score')
    if found is None:
        return
    text = latex(found)
    if len(text) <= FITS:
        formula = convert(text, display='block')
        yield f'.. raw:: html\n\n   <div class="formula">{formula}</div>\n'


def page_of_policies() -> str:
    """Return the page of playout policies."""
    from fmcts.search import policies

    names = {type(policy): name for name, policy in policies.POLICIES.items()}
    others = [policies.Mixture, policies.ByBot, policies.Narrowing, policies.Recalling]
    parts = [
        titled('Playout policies'),
        'How playouts are played: ``Search(playout=NAME)``, or the class with'
        ' parameters of your own. A policy narrows or weighs the legal moves of each position.\n',
    ]
    for kind in (*names, *others):
        title = names.get(kind, kind.__name__)
        parts += [
            titled(title, '-'),
            f':py:class:`{kind.__name__} <fmcts.search.policies.{kind.__name__}>`\n'
            f'``({_fields(kind)})``\n',
            doc_of(kind) + '\n',
            doc_of(import_module(kind.__module__)) + '\n',
        ]
    parts += [
        titled('epsilon', '-'),
        '.. autofunction:: fmcts.search.policies.epsilon\n   :no-index:\n',
    ]
    return '\n'.join(parts)


def page_of_bots() -> str:
    """Return the page of bots by name."""
    from fmcts.bots import RECIPES

    parts = [
        titled('Bots by name'),
        'A bot on the command line is ``NAME``, ``NAME:NUMBER`` or'
        ' ``NAME:NUMBER,option=value``. ``fmcts bots`` prints the same.\n',
    ]
    for name, recipe in RECIPES.items():
        parts += [titled(name, '-'), f'{recipe.about}.\n']
        if recipe.number:
            parts.append(f':Number: ``{recipe.number}``, {recipe.default} if left out\n')
        if options := (*recipe.options, *recipe.numbers):
            parts.append(f':Options: {", ".join(f"``{each}``" for each in options)}\n')
        if recipe.source:
            parts.append(f':Source: {recipe.source}\n')
        if recipe.differs:
            parts.append(f':Differs: {recipe.differs}\n')
    return '\n'.join(parts)


def options_of_search() -> dict[str, str]:
    """Return what the docstring of `Search` says of each option."""
    from fmcts import Search

    found: dict[str, str] = {}
    names = [field.name for field in attrs.fields(Search)]
    body = doc_of(Search).partition(':raises')[0]
    current = ''
    for text in body.splitlines():
        line = text.strip().removeprefix('- ')
        name = line.partition('`: ')[0].removeprefix('`')
        if line.startswith('`') and name in names:
            current, line = name, line.partition('`: ')[2]
        elif not line:
            current = ''
        if current:
            found[current] = f'{found.get(current, "")} {line}'.strip()
    return {name: public(text) for name, text in found.items()}


COMPILED = {
    'network': '``OnPositions(f)``',
    'sliding': 'no',
    'selection': 'all methods by name, rules that can be traced or compiled',
    'playout': 'all policies by name, ``OnPositions(f)``; no ``ByBot``',
    'evaluate': '``OnPositions(f)``',
    'reward': '``OnPositions(f)``',
    'normalised': 'not with a network, with graphs or with a rule of your own',
    'schedule': "not ``'shot'``",
    'solver': "not ``'exact'``",
    'proposals': 'no',
    'transpositions': "``'sound'``, without chance or other players",
}
"""The values of an option that the compiled engine supports; all, of an option not listed."""


def page_of_options() -> str:
    """Return the table of the options of `Search`."""
    from fmcts import Search
    from fmcts.search._combinations import COMBINATIONS

    said, usual = options_of_search(), Search()
    names = [field.name for field in attrs.fields(Search)]
    rows = [
        (f'``{name}``', said[name], f'``{getattr(usual, name)!r}``', COMPILED.get(name, 'yes'))
        for name in names
    ]
    return '\n'.join(
        [
            titled('Options of a search'),
            'Every option of :py:class:`fmcts.Search`, with its'
            ' default. The engines ``persistent``, ``monadic`` and ``inplace`` support all of them.'
            ' The engine ``compiled`` refuses by name what it does not support.\n',
            table(('option', 'what it does', 'default', 'compiled'), rows, '15 55 12 18'),
            titled('Options that exclude each other', '-'),
            *(f'* {each.message}' for each in COMBINATIONS),
            '',
        ]
    )


def page_of_laws() -> str:
    """Return the page of laws."""
    from fmcts import testing

    groups = {
        'games': (testing.GAME_LAWS, 'check_game', 'in this order'),
        'games with chance, rewards or other players': (testing.CHANCE_LAWS, 'check_game', 'too'),
        'two implementations': (testing.SAME_LAWS, 'same_game', ''),
        'bots': (testing.BOT_LAWS, 'check_bot', ''),
        'generators': (testing.GENERATOR_LAWS, 'check_rng', ''),
        'searches': (testing.SEARCH_LAWS, 'check_search', ''),
        'simulators': (testing.SIMULATOR_LAWS, 'check_simulator', ''),
    }
    parts = [
        titled('Laws'),
        'Each law of games, bots, generators, searches and simulators by its name, which'
        ' a breach reports and ``without=`` accepts.\n',
    ]
    for of, (laws, checking, more) in groups.items():
        rows = [(law.name, law.sentence) for law in laws]
        parts += [
            titled(f'Laws of {of}', '-'),
            f'Checked by :py:func:`fmcts.testing.{checking}`{more and ", " + more}.\n',
            table(('law', 'what is promised'), rows, '30 70'),
        ]
    return '\n'.join(parts)


def page_of_commands() -> str:
    """Return the page of commands, which sphinx-click fills in from the program itself."""
    return (
        titled('Commands')
        + '\n``fmcts COMMAND --help`` says the same.\n'
        + '\n.. click:: fmcts.cli._app:fmcts\n   :prog: fmcts\n   :nested: full\n'
    )


def page_of_file(name: str) -> str:
    """Return a file from above the folder of the pages, its links led from where the page is."""
    text = (ROOT / OUTSIDE[name]).read_text(encoding='utf-8')
    text = re.sub(r'\]\((?!https?:|mailto:|#)', '](../../', text)
    return text.replace('](../../docs/', '](../')


def pages() -> dict[str, str]:
    """Return every page of the reference by its path within it."""
    home = homes()
    return {
        'names': index_of_modules(),
        'methods': page_of_methods(),
        'policies': page_of_policies(),
        'bots': page_of_bots(),
        'options': page_of_options(),
        'laws': page_of_laws(),
        'commands': page_of_commands(),
        **{
            f'modules/{module}': page_of_module(module, names, home)
            for module, names in modules().items()
        },
    }


def write(folder: Path) -> None:
    """Write the pages into a folder; one that has not changed stays as it is."""
    found = {f'{name}.rst': text for name, text in pages().items()}
    found |= {f'{name}.md': page_of_file(name) for name in OUTSIDE}
    for name, text in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding='utf-8') != text:
            path.write_text(text, encoding='utf-8')
