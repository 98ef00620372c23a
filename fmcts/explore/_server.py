"""The page served to a browser on this machine, and to nobody else.

The server listens at 127.0.0.1. Its addresses begin with a word that is drawn anew each time, and
it answers only requests to 127.0.0.1 or localhost by name, so that pages of others cannot ask it.
"""

from __future__ import annotations

import json
import secrets
import socketserver
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from fmcts._extras import loaded
from fmcts.explore._answers import Answers

__all__ = ['HOST', 'Served', 'application', 'served']

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
_Text: TypeAlias = Callable[[str | None, _Get], str]


class Served(socketserver.ThreadingMixIn, WSGIServer):
    """A server of a page: a browser keeps connections open, so each has a thread."""

    daemon_threads = True
    address = ''


class _Silent(WSGIRequestHandler):
    """A handler that prints no line for a request."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def served(answers: Answers, port: int = 0) -> Served:
    """Return a server that is bound to a port (0: any that is free), and answers once it runs.

    :raises MissingLibraryError: bottle is not installed.
    :raises OSError: the port is taken.
    """
    word = secrets.token_urlsafe(12)
    hosts: set[str] = set()
    app = application(answers, word, hosts)
    server = make_server(HOST, port, app, server_class=Served, handler_class=_Silent)
    hosts.update(f'{name}:{server.server_port}' for name in (HOST, 'localhost'))
    server.address = f'http://{HOST}:{server.server_port}/{word}/'
    return server


def application(answers: Answers, word: str, hosts: set[str]) -> Any:
    """Return the WSGI application that answers requests below `/word/` to one of the hosts."""
    bottle = loaded('bottle', 'serving a page needs', 'fmcts[explore]')
    app = bottle.Bottle()

    def check_host() -> None:
        if bottle.request.get_header('Host') not in hosts:
            raise bottle.HTTPResponse('this server answers its own machine only', FORBIDDEN)

    def asked(name: str) -> str | None:
        found: str | None = bottle.request.query.getunicode(name)
        return found

    def answering(kind: str, text_of: _Text) -> Any:
        def answer() -> Any:
            status = FINE
            try:
                text = text_of(asked('moves'), lambda it: asked(it) or '')
            except ValueError as error:
                status, text = BAD, FAILED[kind](str(error))
            return bottle.HTTPResponse(text, status, {'Content-Type': kind, **HEADERS})

        return answer

    app.add_hook('before_request', check_host)
    for path, (kind, text_of) in routes(answers).items():
        app.get(f'/{word}/{path}', callback=answering(kind, text_of))
    return app


def routes(answers: Answers) -> dict[str, tuple[str, _Text]]:
    """Return for each path the type of what it gives, and a function to its text.

    The function takes the moves that lead to the position, `None` for the first one, and a function
    to the other things that are asked, by name.
    """

    def in_json(ask: Callable[[str | None, _Get], Any]) -> tuple[str, _Text]:
        return JSON, lambda moves, get: json.dumps(ask(moves, get))

    return {
        '': (HTML, lambda moves, _: answers.page(moves).html),
        'playout': in_json(lambda moves, get: answers.playout(moves, get('k'))),
        'board': in_json(lambda moves, get: answers.board(moves, get('line'))),
        'fork': in_json(lambda moves, get: answers.fork(moves, get('k'), get('spec'))),
        'what-if': in_json(lambda moves, get: answers.what_if(moves, get('k'), get('outcome'))),
    }
