"""Output of a command: coloured on a terminal, plain text anywhere else."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TextIO

from fmcts.games import GameModule
from fmcts.view import Part, Sentence, as_text


def show(*parts: Part, stream: TextIO | None = None) -> None:
    """Print the parts one below the other, on standard output unless another stream is given.

    Only a terminal gets colours, whatever the environment says, so that piped output can always be
    read back.
    """
    stream = sys.stdout if stream is None else stream
    if not stream.isatty():
        stream.writelines(map(as_text, parts))
        return
    from rich.console import Console  # noqa: PLC0415 - a pipe shall not wait for rich

    from fmcts.view import drawn_for_terminal  # noqa: PLC0415 - the same

    console = Console(file=stream, highlight=False)
    for part in parts:
        drawn = drawn_for_terminal(part)
        console.print(drawn, soft_wrap=getattr(drawn, 'no_wrap', None) is True)


def page(*parts: Part, stream: TextIO | None = None) -> None:
    """Print the parts, separated by empty lines."""
    show(*[piece for part in parts for piece in (Sentence(''), part)][1:], stream=stream)


def answer(
    values: Callable[[], Mapping[str, object]],
    parts: Callable[[], Iterable[Part]],
    *,
    as_json: bool,
    code: int = 0,
) -> int:
    """Print the answer of a command, as JSON or as a page of parts; return the exit code.

    The parts are those of `fmcts.view`: boards, listings, facts and sentences.
    """
    if as_json:
        print(json.dumps(values()))
    else:
        page(*parts())
    return code


def move_in_json(game: GameModule, move: int) -> int | str:
    """Return the move in the game's notation, as a number if the notation is one."""
    name = game.format_move(move)
    # Only if it is written so: 01 is another move than 1.
    return int(name) if re.fullmatch('0|-?[1-9][0-9]{,17}', name) else name


def moves_in_json(game: GameModule, moves: Iterable[int]) -> list[int | str]:
    """Return moves in the game's notation, those that are numbers as numbers."""
    return [move_in_json(game, move) for move in moves]


def complain(message: str, *, on_new_line: bool = False) -> None:
    """Print one error line on standard error, whatever characters the message quotes.

    Do nothing if even that cannot be written. `on_new_line` starts a new line on a terminal first.
    """
    if sys.stderr is None:  # closed by the shell
        return
    line = ''.join(c if c.isprintable() else repr(c)[1:-1] for c in ' '.join(message.split()))
    gap = '\n' if on_new_line and sys.stderr.isatty() else ''
    with suppress(OSError):
        print(f'{gap}fmcts: {line}', file=sys.stderr, flush=True)
    let_go(sys.stderr)


def prepare(stream: TextIO) -> None:
    """Let the stream write any character; escape those that its encoding lacks.

    On a terminal each is replaced by a single character, to keep columns aligned.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors='replace' if stream.isatty() else 'backslashreplace')


def let_go(stream: TextIO) -> None:
    """Flush the stream, or redirect it to nowhere, so that no later attempt can fail."""
    try:
        stream.flush()
    except OSError:
        # Python flushes once more as it ends, and would report the same error then.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
