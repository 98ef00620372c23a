"""The site: `sphinx-build -W -j auto docs build/site`, without a network (extra `docs`)."""

from __future__ import annotations

import inspect
import itertools
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import attrs  # noqa: E402
import reference_pages  # noqa: E402 - found by the line above

import fmcts  # noqa: E402

project = 'fmcts'
author = 'The fmcts developers'
copyright = '2026, the fmcts developers'  # noqa: A001 - Sphinx's name
version = release = fmcts.__version__
extensions = [
    'myst_parser',
    'sphinx.ext.autodoc',
    'sphinx.ext.viewcode',
    'sphinx_click',
    'sphinx_copybutton',
]
exclude_patterns = ['_*', 'notebook.ipynb']
source_suffix = {'.md': 'markdown', '.rst': 'restructuredtext'}
html_theme = 'furo'
html_title = f'fmcts {version}'
html_favicon = '_static/favicon.svg'
html_extra_path = ['404.html']
html_static_path = ['_static']
html_css_files = ['site.css']
LIVE = (HERE / '_static/live/files.json').is_file()  # by docs/live.py
html_js_files = [('live.js', {'type': 'module'})] if LIVE else []
html_show_sourcelink = False
html_copy_source = False
smartquotes = False  # `--seed` in the help of a command keeps its two dashes
default_role = 'py:obj'  # what is no public name is printed as code
autodoc_typehints_format = 'short'
autodoc_preserve_defaults = True
python_display_short_literal_types = True
myst_heading_anchors = 4
myst_links_external_new_tab = False
copybutton_exclude = '.linenos, .gp, .go'
suppress_warnings = ['ref.python']  # `S` in a docstring is any of several type variables


class _Mermaid:
    """Diagrams in Mermaid's language are printed as their text; a forge draws them."""

    def __call__(self, **_: Any) -> Any:
        """Return a lexer that marks nothing."""
        from pygments.lexers import TextLexer

        return TextLexer()


def _linked(_app: Any, name: str, source: list[str]) -> None:
    """Lead links to files above this folder to the pages that the site has of them."""
    up = '../' * (name.count('/') + 1)
    for page, file in reference_pages.OUTSIDE.items():
        source[0] = re.sub(
            rf'\]\({re.escape(up)}{re.escape(file)}', f']({up[3:]}reference/{page}.md', source[0]
        )
    source[0] = source[0].replace(f']({up}README.md)', f']({up[3:]}index.md)')
    source[0] = source[0].replace('\n\n```\n', '\n```\n')  # examples end with an empty line
    # On a forge a link says its file's name; here it says the title of the page.
    source[0] = re.sub(r'\[[\w/.]+\.md\]\(', '[](', source[0])


def _described(
    _app: Any, what: str, _name: str, thing: Any, _options: Any, lines: list[str]
) -> None:
    """Write a docstring's tables as Sphinx reads them; a value has no docstring of its type."""
    if what == 'data' and '\n'.join(lines).strip() == inspect.cleandoc(type(thing).__doc__ or ''):
        lines.clear()
    lines[:] = [reference_pages.public(line) for line in lines]
    found: list[str] = []
    for in_table, run in itertools.groupby(lines, lambda line: line.startswith('|')):
        group = [*run]
        rows = (
            [[cell.strip() for cell in line.strip('|').split('|')] for line in group]
            if in_table
            else []
        )
        if len(rows) > 1 and set(''.join(rows[1])) == {'-'}:
            found += ['', *reference_pages.table(rows[0], rows[2:]).splitlines(), '']
        else:
            found += group if not in_table else ['| ' + ' | '.join(row) for row in rows]
    lines[:] = found


def _defaults(
    _app: Any, _what: str, _name: str, thing: Any, _options: Any, signature: Any, result: Any
) -> Any:
    """Print a default of a class by attrs, which its source has as `attr_dict['x'].default`."""
    if not signature or 'attr_dict' not in signature:
        return None
    fields = attrs.fields_dict(thing)
    shown = re.sub(
        r"attr_dict\['(\w+)'\]\.default", lambda it: f'{fields[it[1]].default!r}', signature
    )
    return shown, result


SYNONYMS = {
    'api': 'Docker, FastAPI, server, container, difficulty, level, temperature',
    'asking': 'language model, LLM, GPT, async, cost, timeout',
    'browser': 'WebAssembly, JavaScript, Web Worker',
    'compiled_games': 'numba, speed, C, native code, LLVM',
    'dice': 'chance, stochastic, expectimax, backgammon, single player, multiplayer, MDP',
    'explorer': 'visualisation, visualization, demo, GUI, animation',
    'games': 'chess, Go, Hex, tic-tac-toe, puzzle, write a game',
    'guide': 'win rate, evaluation, principal variation, visits',
    'history': 'what if, undo, time travel, debug',
    'hunting': 'blunder, mistake, error, explain, luck',
    'matches': 'Elo, rating, tournament, SPRT, strength, league',
    'networks': 'AlphaZero, AlphaGo, MuZero, Leela, neural network, deep learning, policy head',
    'one_agent': 'MDP, planning, dynamic programming, scheduling, reinforcement learning',
    'proposed_moves': 'continuous actions, progressive widening, large action spaces',
    'reproducibility': 'determinism, deterministic, random seed, replay',
    'searches': 'UCT, Monte-Carlo tree search, algorithm, options',
    'several_cores': 'parallel, multithreading, GPU, cluster',
    'solving': 'alpha-beta, minimax, negamax, endgame, solver',
    'state': 'monad, Haskell',
    'strength': 'benchmark, which is best',
    'testing': 'pytest, Hypothesis, property-based testing, perft, bug',
    'your_own_search': 'custom, extend, plugin, formula',
}
"""Words that readers search for and pages do not use: index entries, which the search finds."""

TWO = {'mcts:3000': fmcts.Search(3_000), 'mcts:3000,c=0.5': fmcts.Search(3_000, c=0.5)}
HERE_IT_RUNS = 'explorer/index.html#connect4/3,3,2/mcts:20000/seed=42'
UNLUCKY = 'explorer/index.html#tictactoe/1,0/mcts:1000,selection=uct,c=0.2/seed=10'
FRAME = """

{said}

<iframe class="explorer" loading="lazy" src="{page}" title="The explorer"></iframe>
"""
FRAMES = {
    ('index', r'^.*the same tree, bit for bit, on every machine\.$'): (
        'This search runs in your browser:',
        HERE_IT_RUNS,
    ),
    ('explorer', r'^.*"pictures/explorer_light\.png".*\n</picture>$'): (
        'The same search, made here:',
        HERE_IT_RUNS,
    ),
    ('explorer', r'^!\[.*\]\(pictures/explorer_two\.png\)$'): (
        'The same page, to be tried:',
        '_static/explorer_two.html',
    ),
    ('hunting', r'^.*"pictures/unlucky_light\.png".*\n</picture>$'): (
        'The same search, made here:',
        UNLUCKY,
    ),
}


def _findable(_app: Any, name: str, source: list[str]) -> None:
    """Give a page the words that readers may call it by."""
    if words := SYNONYMS.get(name):
        title, line, rest = source[0].partition('\n\n')
        source[0] = f'{title}{line}```{{index}} {words}\n```\n\n{rest}'


def _framed(_app: Any, name: str, source: list[str]) -> None:
    """Put the explorer itself below its pictures, and on the first page."""
    for (page, place), (said, address) in FRAMES.items():
        if name == page:
            frame = rf'\g<0>{FRAME.format(said=said, page=address)}'
            source[0] = re.sub(place, frame, source[0], count=1, flags=re.MULTILINE)


PICTURE = re.compile(r'<picture>\n.*srcset="(.+)">\n.*src="(.+)" alt="(.+)">\n</picture>')


def _by_theme(_app: Any, _name: str, source: list[str]) -> None:
    """Let the theme choose among the two pictures of a page, of which the site has copies then."""
    image = '```{{image}} {}\n:class: only-{}\n:alt: {}\n```\n'.format
    source[0] = PICTURE.sub(
        lambda it: f'{image(it[2], "light", it[3])}\n{image(it[1], "dark", it[3])}', source[0]
    )


def _explored(app: Any, error: Exception | None) -> None:
    """Write the page whose address is the search, and one with two searches."""
    if error or app.builder.format != 'html':
        return
    from fmcts.explore import explore, searching
    from fmcts.games import connect4
    from fmcts.history import history

    state, rng = connect4.start.play(3).play(3).play(2), fmcts.SplitMix.from_seed(42)
    courses = [history(state, rng, search) for search in TWO.values()]
    names = dict(zip(('name', 'other'), TWO, strict=True))
    found = explore(*courses, **names, before=('3', '3', '2'))
    Path(app.outdir, '_static/explorer_two.html').write_text(found.html, encoding='utf-8')
    folder = Path(app.outdir, 'explorer')
    folder.mkdir(exist_ok=True)
    (folder / 'index.html').write_text(searching().html, encoding='utf-8')


def setup(app: Any) -> None:
    """Write the reference before a build, mend links, and show the explorer itself."""
    reference_pages.write(HERE / 'reference')
    app.add_lexer('mermaid', _Mermaid())
    app.connect('source-read', _linked)
    app.connect('source-read', _framed)
    app.connect('source-read', _by_theme)
    app.connect('source-read', _findable)
    app.connect('build-finished', _explored)
    app.connect('autodoc-process-docstring', _described)
    app.connect('autodoc-process-signature', _defaults)
