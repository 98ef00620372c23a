"""A page as a single HTML file without requests or libraries."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from attrs import evolve, field, frozen

from fmcts._arguments import shown
from fmcts._saving import write_whole
from fmcts.asking import Asking
from fmcts.explore._data import against_of
from fmcts.explore._machines import page_data, searching_data
from fmcts.history import History, WhatIf
from fmcts.view import MOVES

SCRIPTS: Final = (
    *('replay.js', 'graph.js', 'digest.js', 'words.js', 'renew.js', 'board.js', 'table.js'),
    *('timeline.js', 'tree.js', 'play.js', 'keyboard.js', 'served.js', 'machine.js', 'linked.js'),
    *('work.js', 'page.js'),
)
TEXT_OR_NUMBER: Final = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')
NOT_FINITE: Final = {'Infinity': '1e999', '-Infinity': '-1e999', 'NaN': 'null'}
FRAME: Final = (
    '<iframe srcdoc="{page}" sandbox="allow-scripts" title="{title}" '
    'style="width:100%;height:900px;border:0"></iframe>'
)


@frozen
class Page:
    """A page that explores a search: `html` is the whole file.

    A notebook displays it in a frame, and below it a picture of the search for readers without
    scripts, which `still` makes. `data` is the object from which the page computes the rest.
    """

    title: str
    data: dict[str, Any] = field(repr=False)
    html: str = field(repr=False)
    still: Callable[[], str] = field(default=str, repr=False, eq=False)

    def save(self, path: str | Path, *, replace: bool = False) -> int:
        """Write the page to a new file, and return its size in bytes.

        :param replace: replace a file that exists.
        :raises FileExistsError: the file exists, and `replace` is false.
        """
        try:
            return write_whole(path, self.html.encode(), new=not replace)
        except FileExistsError as error:
            hint = 'the file exists: give another name, or replace=True'
            raise FileExistsError(error.errno, hint, str(path)) from None

    def _repr_html_(self) -> str:
        frame = FRAME.format(page=escape(self.html), title=escape(self.title))
        return f'{frame}<details><summary>As a picture</summary>{self.still()}</details>'


def explore(
    history: History[Any] | Asking[Any],
    against: History[Any] | WhatIf[Any] | Asking[Any] | None = None,
    *,
    name: str = '',
    other: str = '',
    game: Any = None,
    before: Sequence[str] = (),
    seeds: int | None = None,
) -> Page:
    """Return a page that shows every version of a search.

    Of a search that asks (`fmcts.asking`), it shows the answers so far, and the open requests.

    :param against: a second search of the same position, a fork of `history`, or what its `what_if`
        found, shown beside the first.
    :param name: the name of the search, and `other` that of the second one; by default the
        selection with its parameters, and the number of iterations.
    :param game: the notation of positions, such as a game's module; by default the game of the
        state.
    :param before: the moves before the position, in the game's notation.
    :param seeds: how many searches with other generators to make, to say how many of them choose
        the same move; by default 20 where machine code can search, otherwise none.
    :raises TypeError: what is given is not a history.
    :raises ReplayError: the search begins with a tree, or the two searches start in different
        positions.

    >>> from fmcts import Search, SplitMix
    >>> from fmcts.games import tictactoe
    >>> from fmcts.history import history
    >>> explore(history(tictactoe.start, SplitMix.from_seed(1), Search(100)))
    Page(title='tictactoe: ucb1 c=1.41421, 100 iterations')
    """
    waiting = history.ask() if isinstance(history, Asking) else ()
    if isinstance(history, Asking):
        history = history.history()
    if isinstance(against, Asking):
        against = against.history()
    if not isinstance(history, History):
        raise TypeError(f'explore shows a history (fmcts.history.history), not {shown(history)}')
    if not isinstance(against, History | WhatIf | None):
        raise TypeError(f'against must be a history or a what_if, not {shown(against)}')
    others = () if against is None else (partial(against_of, other=against, name=other),)
    options: Any = {'name': name, 'game': game, 'before': before, 'waiting': waiting}
    page = page_of(page_data(history, *others, seeds=seeds, **options))
    return evolve(page, still=history._repr_html_)


def searching() -> Page:
    """Return a page that makes the search which its address names, of the library's three games.

    The address is `#GAME/MOVES/SEARCH/seed=NUMBER`, such as `#connect4/3,3,2/mcts:20000/seed=42`.
    The result equals the one of `fmcts explore`, to the digest.
    """
    return written('fmcts: a search in this page', searching_data())


def page_of(data: dict[str, Any], *, served: bool = False) -> Page:
    """Return the page of these data (`fmcts.explore._data`); if `served`, it sends requests."""
    moves = f' after {" ".join(data["before"])}' if data['before'] else ''
    names = ' against '.join(search['name'] for search in data['searches'])
    title = f'{data["game"]}{moves}: {names}'
    return written(title, data, _command(data), served=served)


def written(title: str, data: dict[str, Any], command: str = '', *, served: bool = False) -> Page:
    """Return a page with these data."""
    parts = {
        'command': escape(command),
        'connect': "'self'" if served else "'none'",
        'title': escape(title),
        'style': _text('page.css'),
        'script': '\n'.join(map(_text, SCRIPTS)),
        'palette': json.dumps(MOVES),
        'data': packed(data),
        'served': 'true' if served else 'false',
    }
    # In one pass, so that braces in what is put in are left alone.
    html = re.sub(r'\{(\w+)\}', lambda place: parts[place[1]], _text('page.html'))
    return Page(title, data, html)


def _command(data: dict[str, Any]) -> str:
    """Return the command that makes the first search, and if it can the second; '' if none does."""
    specs = [search['spec'] for search in data['searches']]
    if not (data['known'] and specs[0]):
        return ''
    words = ['fmcts', 'explore', data['game']]
    if data['before']:
        words += ['--moves', ','.join(data['before'])]
    for option, spec in zip(('--bot', '--against'), specs, strict=False):
        words += [option, spec] if spec else []
    return ' '.join([*words, '--rng', data['searches'][0]['rng']])


def packed(data: dict[str, Any]) -> str:
    """Return data as text for a script element: JSON, deflated, in base64."""
    return base64.b64encode(zlib.compress(as_json(data).encode(), 7)).decode()


def as_json(data: Mapping[str, Any]) -> str:
    """Return data as JSON, with an infinity as 1e999, which reads as one, and NaN as null."""
    text = json.dumps(data, separators=(',', ':'))
    if 'Infinity' not in text and 'NaN' not in text:
        return text
    # Texts are matched too, so that an Infinity within one stays.
    return TEXT_OR_NUMBER.sub(lambda found: NOT_FINITE.get(found[0], found[0]), text)


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding='utf-8')
