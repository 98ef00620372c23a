"""Replay recorded games by the rules alone.

No bot is called and no generator used; `verification` checks whether the bots play these moves.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast, overload

from attrs import frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import shown, value_of, within
from fmcts.bots import parse_bot
from fmcts.game import GameState, M, S
from fmcts.games import GameModule, Unwritten, find_game
from fmcts.matches._files import Recorded, games_in, match_of, read
from fmcts.matches._game import PlayedGame
from fmcts.matches._lines import Replay, follow
from fmcts.matches._result import MatchResult
from fmcts.record import GameRecord

T = TypeVar('T')


@overload
def replay(record: GameRecord[S, M, Any]) -> Result[Replay[S, M], str]: ...
@overload
def replay(record: PlayedGame) -> Result[Replay[Any, Any], str]: ...
@overload
def replay(
    record: str | PathLike[str], game: GameModule | GameState[Any] | None = None
) -> Result[tuple[Replay[Any, Any], ...], str]: ...
def replay(record: Any, game: GameModule | GameState[Any] | None = None) -> Result[Any, str]:
    """Return the states and moves of a recorded game, or of all games of a file, or an error.

    A failure names the game and the ply: a move that is not legal, a game that continues after its
    last move, another winner or final state than those recorded, a line that was altered.

    :param record: a result of `play_game`, one of a match's `games`, or the path of a file that
        `fmcts match --out` wrote.
    :param game: the game of the file, if it is not one of the library's: a game, or an initial
        state.
    :raises TypeError: `record` or `game` is something else.

    >>> from fmcts import SplitMix, play_game, random_bot
    >>> from fmcts.games import tictactoe
    >>> record, _ = play_game(tictactoe.start, random_bot, random_bot, SplitMix.from_seed(1))
    >>> again = replay(record).unwrap()
    >>> again.moves == record.moves, again.states[-1] == record.final
    (True, True)
    """
    if isinstance(record, GameRecord):
        return _result(lambda: _of_record(record))
    if isinstance(record, PlayedGame):
        return _result(lambda: _of_game(record))
    if isinstance(record, str | PathLike):
        return _of_file(
            record, game, lambda found, known: tuple(map(_of_game, games_in(found, known)))
        )
    raise TypeError(f'record must be a recorded game or the path of a file, not {shown(record)}')


def load(
    path: str | PathLike[str], game: GameModule | GameState[Any] | None = None
) -> Result[MatchResult, str]:
    """Return the result in a file that `fmcts match --out` wrote, or an error as of `replay`.

    Its bots are those that the file names; one of your own is a `NamedBot`, which cannot play.

    :param game: as of `replay`.
    :raises TypeError: `game` is something else.
    """

    def result(recorded: Recorded, known: GameModule) -> MatchResult:
        match = match_of(
            recorded.head, known, lambda spec: parse_bot(spec).value_or(NamedBot(spec))
        )
        return MatchResult(match, games_in(recorded, known))

    return _of_file(path, game, result)


@frozen
class NamedBot:
    """The name of a bot that a file of games was played by, in place of the bot."""

    name: str

    def __call__(self, state: GameState[Any], rng: Any) -> NoReturn:
        """Raise TypeError: only the name of the bot is known."""
        del state, rng
        raise TypeError(f'the bot {self.name} is known by its name only and cannot play')


def _result(make: Callable[[], T]) -> Result[T, str]:
    try:
        return Success(make())
    except ValueError as error:
        return Failure(str(error))


def _of_record(record: GameRecord[S, M, Any]) -> Replay[S, M]:
    found = follow(record.start, record.moves).ended(0, record.winner)
    if found.states[-1] != record.final:
        ply = len(record.moves)
        raise ValueError(f'after ply {ply}: the final state differs from the record')
    return found


def _of_game(record: PlayedGame) -> Replay[Any, Any]:
    with within(f'game {record.number}'):
        found = follow(record.start, (*record.opening, *record.moves))
        return found.ended(len(record.opening), record.winner)


def _of_file(
    path: str | PathLike[str],
    game: GameModule | GameState[Any] | None,
    make: Callable[[Recorded, GameModule], T],
) -> Result[T, str]:
    """Return what `make` makes of a file and its game."""

    def made() -> T:
        recorded = read(Path(path))
        with within(str(path)):
            name = recorded.head.game
            hint = '{}; pass a game of your own as game='.format
            known = value_of(find_game(name).alt(hint)) if game is None else _module(name, game)
            return make(recorded, known)

    return _result(made)


def _module(name: str, game: Any) -> GameModule:
    if hasattr(game, 'start') and hasattr(game, 'format_move'):
        return cast('GameModule', game)
    if hasattr(game, 'moves') and hasattr(game, 'play'):
        return Unwritten(name, game)
    raise TypeError(f'game must be a game or its initial state, not {shown(game)}')
