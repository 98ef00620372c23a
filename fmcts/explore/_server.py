"""A server of the page for browsers on this machine only.

The server listens on 127.0.0.1. Its paths begin with a random word, new in each run, and it
accepts requests for the hosts 127.0.0.1 and localhost only, so that other sites cannot use it.
"""

from __future__ import annotations

import json
import secrets
import select
import socket
import socketserver
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from fmcts._extras import loaded
from fmcts.explore._answers import Answers
from fmcts.explore._page import as_json
from fmcts.search import Watch

HOST: Final = '127.0.0.1'
HEADERS: Final = {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
}
FINE: Final = 200
BAD: Final = 400
FORBIDDEN: Final = 403
CONNECTION: Final = 'fmcts.connection'
TOO_LARGE: Final = 'out of memory: use fewer iterations'
HTML: Final = 'text/html; charset=utf-8'
JSON: Final = 'application/json'
FAILURE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>fmcts</title>'
    '<meta name="color-scheme" content="light dark">'
    '<body style="font:1.2rem/1.5 system-ui;margin:3rem auto;max-width:40rem;padding:0 1rem">'
    '<p>{}.</p><p><a href="./">To the first position</a></p></body></html>'
)

FAILED: Final[Mapping[str, Callable[[str], str]]] = {
    HTML: lambda why: FAILURE.format(escape(why)),
    JSON: lambda why: json.dumps({'error': why}),
}

_Get: TypeAlias = Callable[[str], str]
_Text: TypeAlias = Callable[[str | None, _Get, Watch], str]


class Served(socketserver.ThreadingMixIn, WSGIServer):
    """The server of a page, with a thread for each connection, since browsers keep them open."""

    daemon_threads = True
    address = ''


class _Silent(WSGIRequestHandler):
    """A handler that does not log requests, and shows its connection to the application."""

    def get_environ(self) -> dict[str, Any]:
        """Return what the application knows of a request."""
        return {**super().get_environ(), CONNECTION: self.connection}

    def log_message(self, *_: object) -> None:
        """Do not log."""


def served(answers: Answers, port: int = 0) -> Served:
    """Return a server bound to a port (0: any free one); it answers once it runs.

    :raises MissingLibraryError: bottle is not installed.
    :raises OSError: the port is in use.
    """
    # Another page that a browser has open cannot guess the path, and so not read what is here.
    word = secrets.token_urlsafe(12)
    hosts: set[str] = set()
    app = application(answers, word, hosts)
    server = make_server(HOST, port, app, server_class=Served, handler_class=_Silent)
    # Known only now: port 0 stands for any that is free.
    hosts.update(f'{name}:{server.server_port}' for name in (HOST, 'localhost'))
    server.address = f'http://{HOST}:{server.server_port}/{word}/'
    return server


def application(answers: Answers, word: str, hosts: set[str]) -> Any:
    """Return the WSGI application for requests below `/word/` to one of the hosts."""
    bottle = loaded('bottle', 'serving a page needs', 'fmcts[explore]')
    app = bottle.Bottle()

    def check_host() -> None:
        # A page elsewhere could have a name of its own lead to this machine.
        if bottle.request.get_header('Host') not in hosts:
            raise bottle.HTTPResponse('this server only answers its own machine', FORBIDDEN)

    def asked(name: str) -> str | None:
        found: str | None = bottle.request.query.getunicode(name)
        # Bottle gives `None` for what is not UTF-8 too.
        if found is None and name in bottle.request.query:
            raise ValueError(f'{name} must be UTF-8')
        return found

    def answering(kind: str, text_of: _Text) -> Any:
        def answer() -> Any:
            status, connection = FINE, bottle.request.environ[CONNECTION]
            try:
                text = text_of(
                    asked('moves'), lambda it: asked(it) or '', lambda _: _check_open(connection)
                )
            except (ValueError, MemoryError) as error:
                why = TOO_LARGE if isinstance(error, MemoryError) else str(error)
                status, text = BAD, FAILED[kind](why)
            except ConnectionError:
                status, text = BAD, ''  # nobody reads it
            return bottle.HTTPResponse(text, status, {'Content-Type': kind, **HEADERS})

        return answer

    app.add_hook('before_request', check_host)
    for path, (kind, text_of) in routes(answers).items():
        app.get(f'/{word}/{path}', callback=answering(kind, text_of))
    return app


def _check_open(connection: socket.socket) -> None:
    """Raise `ConnectionError` if the browser has closed its tab, and waits for no answer."""
    if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
        raise ConnectionAbortedError


def routes(answers: Answers) -> dict[str, tuple[str, _Text]]:
    """Return for each path the content type of its answer, and a function that returns its text.

    The function takes the moves to the position (`None` for the first one), a function that
    returns another parameter of the request by name, and a watch that ends a search for nobody.
    """

    def in_json(ask: Callable[[str | None, _Get, Watch], Any]) -> tuple[str, _Text]:
        return JSON, lambda *asked: as_json(ask(*asked))

    return {
        '': (HTML, lambda moves, *_: answers.page(moves).html),
        'page.html': (HTML, lambda moves, *_: answers.page(moves, served=False).html),
        'playout': in_json(lambda moves, get, _: answers.playout(moves, get('k'))),
        'board': in_json(lambda moves, get, _: answers.board(moves, get('line'))),
        'fork': in_json(
            lambda moves, get, watch: answers.fork(moves, get('k'), get('spec'), watch)
        ),
        'what-if': in_json(lambda moves, get, _: answers.what_if(moves, get('k'), get('outcome'))),
    }
