"""Play all games of a match, by any executor; the games do not depend on it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, Final

from attrs import frozen
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import amount, whole_number
from fmcts.game import GameState
from fmcts.matches._batches import Waiting, cancel, handed_out
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, play_number
from fmcts.matches._limits import check_limit
from fmcts.matches._processes import Processes
from fmcts.matches._result import MatchResult
from fmcts.matches._sprt import Evidence
from fmcts.rng import Rng

NOTHING: Final = Evidence()


@frozen
class MatchState:
    """A match after its first games, in the order of their numbers.

    :param games: the number of games played.
    :param seen: the evidence of the complete pairs among them.
    :param half: the first bot's points in the last game, if its pair is incomplete.
    """

    match: Match
    games: int = 0
    seen: Evidence = NOTHING
    half: float = 0.0

    @property
    def over(self) -> str | None:
        """The reason why the match is over, else `None`; the test runs after complete pairs."""
        test = self.match.sprt
        accepted = None if test is None else test.accepted(self.seen)
        if accepted is not None:
            return f'the match was over, because its test had accepted {accepted}'
        if self.games >= self.match.games:
            return f'the match was over, because it has {amount(self.match.games, "game")}'
        return None

    def after(self, game: PlayedGame) -> MatchState:
        """Return the state after one more game."""
        count, points = self.games + 1, self.half + game.points
        if count % 2:
            return MatchState(self.match, count, self.seen, points)
        return MatchState(self.match, count, self.seen.also(points))

    @classmethod
    def of(cls, match: Match, games: Iterable[PlayedGame]) -> Result[MatchState, str]:
        """Return the state after these games; fail if the match was over before one."""
        state = cls(match)
        for game in games:
            if state.over:
                return Failure(f'game {state.games}: {state.over}')
            state = state.after(game)
        return Success(state)


Watch = Callable[[PlayedGame], object]


def match(  # noqa: PLR0913 - what is asked for most, by name
    first: Any,
    second: Any,
    start: GameState[Any],
    *,
    rng: Rng,
    games: int = 100,
    executor: Executor | None = None,
    jobs: int = 1,
    move_limit: float | None = None,
    watch: Watch = lambda _game: None,
    **options: Any,
) -> MatchResult:
    """Play a match between two bots, `(state, rng) -> (move, rng)`; see `Match` and `play_match`.

    `options` are the other fields of `Match`: `opening_plies`, `openings`, `keep_trees`, `sprt`,
    `names`, `max_plies`.
    """
    described = Match(first=first, second=second, start=start, games=games, rng=rng, **options)
    return play_match(described, executor=executor, jobs=jobs, move_limit=move_limit, watch=watch)


def play_match(
    described: Match,
    *,
    executor: Executor | Processes | None = None,
    jobs: int = 1,
    move_limit: float | None = None,
    watch: Watch = lambda _game: None,
    before: Iterable[PlayedGame] = (),
) -> MatchResult:
    """Play the games of a match, and return the result.

    :param executor: plays the games: anything with the interface of `concurrent.futures.Executor`,
        such as threads, processes, Dask's or mpi4py's; by default, this process.
    :param jobs: the number of processes on this machine, including this one, if there is no
        executor. (The others are started afresh, so the program must be importable.)
    :param move_limit: seconds that a bot may take for a move, including its compilation; then
        `jobs` other processes play, and this one watches them.
    :param watch: receives every game in the order of their numbers.
    :param before: the first games of this match, played earlier; they are not played again.
    :raises MoveLimitError: a bot returned no move in time; the message names the game, the ply and
        the bot.
    :raises ValueError: `jobs` is not a whole number of at least 1, there are `move_limit` and an
        executor, or the match was over before one of the earlier games.
    """
    played = list(before)
    known = MatchState.of(described, played)
    if not is_successful(known):
        raise ValueError(known.failure())
    state = known.unwrap()
    with players(executor, jobs, move_limit) as there:
        if state.over:
            return MatchResult(described, tuple(played))
        for game in games_of(described, range(len(played), described.games), there):
            played.append(game)
            watch(game)
            state = state.after(game)
            if state.over:
                break
    return MatchResult(described, tuple(played))


def play_matches(
    matches: Iterable[Match],
    executor: Executor | None,
    jobs: int,
    move_limit: float | None,
    watch: Watch,
) -> tuple[MatchResult, ...]:
    """Play matches one after another by the same players, as `play_match` plays one."""
    with players(executor, jobs, move_limit) as there:
        return tuple(play_match(it, executor=there, watch=watch) for it in matches)


def games_of(
    described: Match, numbers: range, executor: Executor | Processes | None = None
) -> Iterator[PlayedGame]:
    """Yield the games of these numbers, in order."""
    if isinstance(executor, Processes):
        yield from executor.games_of(described, numbers)
    elif executor is not None:
        waiting: Waiting = deque()
        try:
            yield from handed_out(described, numbers, executor, waiting)
        finally:
            cancel(waiting)
    else:
        for number in numbers:
            yield play_number(described, number)


@contextmanager
def players(
    executor: Executor | Processes | None, jobs: int, move_limit: float | None = None
) -> Iterator[Executor | Processes | None]:
    """Yield the executor, or new worker processes that end with the block, or `None`.

    :raises ValueError: `jobs` is not a whole number of at least 1, or `move_limit` is wrong.
    """
    whole_number('jobs', jobs)
    if check_limit(move_limit) is not None and executor is not None:
        raise ValueError('move_limit and executor exclude each other: give jobs')
    if executor is not None or (jobs == 1 and move_limit is None):
        yield executor
        return
    processes = Processes(jobs, move_limit)
    try:
        yield processes
    finally:
        processes.end()
