"""Replay recorded games by the rules alone.

No bot is called and no generator used; `verification` checks whether the bots play these moves.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Generic, NoReturn, cast, overload

from attrs import frozen
from returns.iterables import Fold
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots import parse_bot
from fmcts.game import GameState, M, Player, S
from fmcts.games import GameModule, Unwritten, find_game
from fmcts.matches._files import Recorded, games_in, match_of, read
from fmcts.matches._game import PlayedGame
from fmcts.matches._lines import ended, follow
from fmcts.matches._result import MatchResult
from fmcts.record import GameRecord


@frozen
class Replay(Generic[S, M]):
    """A game as it was played.

    :param states: every state, from the start to the end.
    :param moves: the moves between them, one fewer.
    :param opening: how many of the moves belong to the opening.
    :param winner: `None` for a draw.
    """

    states: tuple[S, ...]
    moves: tuple[M, ...]
    opening: int
    winner: Player | None


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
        return _followed(record.start, record.moves, 0, record.winner).bind(
            lambda found: (
                Success(found)
                if found.states[-1] == record.final
                else Failure(
                    f'after ply {len(record.moves)}: the final state differs from the record'
                )
            )
        )
    if isinstance(record, PlayedGame):
        moves = (*record.opening, *record.moves)
        found = _followed(record.start, moves, len(record.opening), record.winner)
        return found.alt(lambda why: f'game {record.number}: {why}')
    if isinstance(record, str | PathLike):
        path = Path(record)
        return read(path).bind(
            lambda recorded: _of_file(recorded, game).alt(lambda why: f'{path}: {why}')
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
    file = Path(path)

    def result(recorded: Recorded, known: GameModule) -> Result[MatchResult, str]:
        return match_of(recorded.head, known, _bot).bind(
            lambda match: games_in(recorded, known).map(lambda games: MatchResult(match, games))
        )

    return read(file).bind(
        lambda recorded: (
            _game(recorded, game)
            .bind(lambda known: result(recorded, known))
            .alt(lambda why: f'{file}: {why}')
        )
    )


@frozen
class NamedBot:
    """The name of a bot that a file of games was played by, in place of the bot."""

    name: str

    def __call__(self, state: GameState[Any], rng: Any) -> NoReturn:
        """Raise TypeError: only the name of the bot is known."""
        del state, rng
        raise TypeError(f'the bot {self.name} is known by its name only and cannot play')


def _bot(spec: str) -> Result[Any, str]:
    known = parse_bot(spec)
    return known if is_successful(known) else Success(NamedBot(spec))


def _followed(
    start: S, moves: tuple[M, ...], opening: int, winner: Player | None
) -> Result[Replay[S, M], str]:
    return (
        follow(start, moves)
        .bind(lambda line: ended(line, winner))
        .map(lambda line: Replay(line.states, line.moves, opening, winner))
    )


def _of_file(
    recorded: Recorded, game: GameModule | GameState[Any] | None
) -> Result[tuple[Replay[Any, Any], ...], str]:
    return (
        _game(recorded, game)
        .bind(lambda known: games_in(recorded, known))
        .bind(lambda games: Fold.collect([replay(it) for it in games], Success(())))
    )


def _game(recorded: Recorded, game: GameModule | GameState[Any] | None) -> Result[GameModule, str]:
    name = str(recorded.head.get('game'))
    known = find_game(name) if game is None else Success(_module(name, game))
    return known.alt(lambda why: f'{why}; pass a game of your own as game=')


def _module(name: str, game: Any) -> GameModule:
    if hasattr(game, 'start') and hasattr(game, 'format_move'):
        return cast('GameModule', game)
    if hasattr(game, 'moves') and hasattr(game, 'play'):
        return Unwritten(name, game)
    raise TypeError(f'game must be a game or its initial state, not {shown(game)}')
