"""Play the games of a match: in this process, in others, or by any executor.

A game depends only on the match and its number, so records do not depend on who plays them.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from multiprocessing import connection
from time import monotonic, perf_counter, sleep
from typing import Any, Final

from attrs import frozen

from fmcts._arguments import amount, is_number, shown, whole_number
from fmcts.errors import MoveLimitError
from fmcts.game import GameState, Player
from fmcts.matches._description import Match
from fmcts.matches._game import PlayedGame, name_of, play_number, play_watched
from fmcts.matches._result import MatchResult
from fmcts.matches._sprt import Evidence
from fmcts.rng import Rng
from fmcts.search import adapted

NOTHING: Final = Evidence()

SECONDS: Final = 0.1  # the time a batch should take
MOST: Final = 256  # games in a batch
AHEAD: Final = 32  # batches submitted before the first returns
FIELDS: Final = 4  # of a batch in shared memory: game, ply, side, since when it is asked, or 0
GRACE: Final = 0.2  # seconds in which the pool cancels what waits, before a worker ends in mid-game
UNSENT: Final = 'the match cannot be sent to other processes'
IN_A_MODULE: Final = (
    'use functions and classes of a module, not lambdas, nor those of a notebook or prompt'
)


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
    def of(cls, match: Match, games: Iterable[PlayedGame]) -> MatchState:
        """Return the state after these games.

        :raises ValueError: the match was over before one.
        """
        state = cls(match)
        for game in games:
            if state.over:
                raise ValueError(f'game {state.games}: {state.over}')
            state = state.after(game)
        return state


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
    `names`, `max_plies`, `seconds`.
    """
    described = Match(first=first, second=second, start=start, games=games, rng=rng, **options)
    return play_match(described, executor=executor, jobs=jobs, move_limit=move_limit, watch=watch)


def play_match(
    described: Match,
    *,
    executor: Executor | None = None,
    jobs: int = 1,
    move_limit: float | None = None,
    watch: Watch = lambda _game: None,
    before: Iterable[PlayedGame] = (),
) -> MatchResult:
    """Play the games of a match, and return the result.

    :param executor: plays the games: anything with the interface of `concurrent.futures.Executor`,
        such as threads, processes, Dask's or mpi4py's; by default, this process.
    :param jobs: the number of processes on this machine that play, if there is no executor; 1 is
        this one. (Others are started afresh, so the program must be importable.)
    :param move_limit: seconds that a bot may take for a move, including its compilation; then
        `jobs` other processes play.
    :param watch: receives every game in the order of their numbers.
    :param before: the first games of this match, played earlier; they are not played again.
    :raises MoveLimitError: a bot returned no move in time; the message names the game, the ply and
        the bot.
    :raises ValueError: `jobs` is not a whole number of at least 1, there are `move_limit` and an
        executor, or the match was over before one of the earlier games.
    """
    played = list(before)
    state = MatchState.of(described, played)
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


# ---- who plays ----


@contextmanager
def players(
    executor: Executor | None, jobs: int, move_limit: float | None = None
) -> Iterator[Executor | None]:
    """Yield the executor, or new worker processes that end with the block, or `None`.

    :raises ValueError: `jobs` is not a whole number of at least 1, or `move_limit` is wrong.
    """
    whole_number('jobs', jobs)
    if move_limit is not None and not (is_number(move_limit) and move_limit > 0):
        raise ValueError(f'move_limit must be a number of seconds above 0, not {shown(move_limit)}')
    if move_limit is not None and executor is not None:
        raise ValueError('move_limit and executor exclude each other: give jobs')
    if executor is not None or (jobs == 1 and move_limit is None):
        yield executor
    else:
        with Workers(jobs, move_limit) as workers:
            yield workers


def games_of(
    described: Match, numbers: range, executor: Executor | None = None
) -> Iterator[PlayedGame]:
    """Yield the games of these numbers, in order.

    An executor gets batches that take a tenth of a second, by the time that earlier ones took, so
    that a call costs less than the games it plays; the first have one game.

    :raises BrokenProcessPool: a worker process ended; the message says what it played.
    :raises MoveLimitError: a bot returned no move in time.
    :raises UnsentError: the match cannot be pickled for other processes.
    """
    if executor is None:
        yield from (play_number(described, number) for number in numbers)
        return
    sent: Match | bytes = described
    if isinstance(executor, Workers):
        try:
            # Once, and not for each batch; and here, where what cannot be pickled can be named.
            sent = pickle.dumps(described)
        except Exception as error:
            raise UnsentError(f'{UNSENT}: {error} ({IN_A_MODULE})') from error
    size = 1
    waiting: deque[Future[tuple[list[PlayedGame], float]]] = deque()
    places = cycle(range(AHEAD))
    try:
        while numbers or waiting:
            if numbers and len(waiting) < AHEAD:
                batch = sent, numbers[:size], next(places)
                waiting.append(executor.submit(play_batch, *batch))
                numbers = numbers[size:]
                continue
            games, seconds = waiting.popleft().result()
            size = adapted(size, len(games), seconds, aim=SECONDS, most=MOST)
            # In the order of submission, so that games come in their order by whatever workers.
            yield from games
    except BrokenProcessPool as broken:
        waiting.clear()  # the pool ends these itself
        if isinstance(executor, Workers):
            raise executor.reason(described) from broken
        raise
    finally:
        for future in waiting:
            future.cancel()


# ---- processes ----


class UnsentError(TypeError):
    """Raised when a match cannot be sent to other processes."""


class Workers(ProcessPoolExecutor):
    """Worker processes, which end with this one, and record which move they ask for.

    :param limit: seconds that a bot may take for a move; then its process ends.
    """

    def __init__(self, jobs: int, limit: float | None = None) -> None:
        # Spawned, not forked: the compiled engine has locks.
        context = multiprocessing.get_context('spawn')
        self.limit = limit
        self.asked = context.RawArray('d', FIELDS * AHEAD)
        released, self.release = context.Pipe(duplex=False)
        told = self.asked, released, limit
        super().__init__(jobs, mp_context=context, initializer=_begin, initargs=told)

    def submit(self, *given: Any, **named: Any) -> Any:
        """Submit a call; a worker that is started for it leaves Ctrl-C to this process at once."""
        if not hasattr(signal, 'pthread_sigmask'):
            return super().submit(*given, **named)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # is inherited
        try:
            return super().submit(*given, **named)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def __exit__(self, *_error: object) -> None:
        """End all workers, even in the middle of a game."""
        self.release.close()
        # The pool's thread drops what was cancelled only while this object lives: else it would
        # meet the end of the workers first, and fail on it (Python 3.11).
        self.shutdown(cancel_futures=True)

    def reason(self, described: Match) -> Exception:
        """Return why the pool is broken: a move that took too long, or a worker that ended."""
        moves = []
        for place in range(0, len(self.asked), FIELDS):
            number, ply, side, since = self.asked[place : place + FIELDS]
            if not since:
                continue
            name = name_of(described, int(number), int(ply), tuple(Player)[int(side)])
            if self.limit is not None and monotonic() - since >= self.limit:
                return MoveLimitError(f'{name}: gave no move within {self.limit:g} s')
            moves.append(name)
        where = f' in {" or ".join(moves)}' if moves else ''
        return BrokenProcessPool(
            f'a worker process ended{where}: a bot may have ended it, or it could not start '
            "because the program lacks the guard if __name__ == '__main__':"
        )


@frozen
class Worker:
    """A worker process, which records in shared memory what it asks for, by batches in flight."""

    memory: Any
    limit: float | None
    nowhere: int

    def bot(self, place: int, number: int, ply: int, player: Player, ask: Callable[[], Any]) -> Any:
        """Return a bot's answer. At the limit this process ends, even in machine code."""
        begin, end = FIELDS * place, FIELDS * (place + 1)
        self.memory[begin:end] = [number, ply, tuple(Player).index(player), monotonic()]
        if self.limit is not None:
            faulthandler.dump_traceback_later(self.limit, exit=True, file=self.nowhere)
        try:
            return ask()
        finally:
            if self.limit is not None:
                faulthandler.cancel_dump_traceback_later()
            self.memory[end - 1] = 0.0


_worker: Worker | None = None
"""This process, if it is a worker."""


def _begin(memory: Any, released: connection.Connection, limit: float | None) -> None:
    """Begin a worker process, which ends when its parent closes the pipe, ends or is killed.

    A worker of the pool would wait for ever, because it holds the other end of its queue itself.
    Ctrl-C, which a terminal sends to all processes, is left to the parent.
    """
    global _worker  # noqa: PLW0603 - a process begins once
    _worker = Worker(memory, limit, os.open(os.devnull, os.O_WRONLY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent is not None:
            connection.wait([parent.sentinel, released])
            sleep(GRACE)
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()


def play_batch(
    sent: Match | bytes, numbers: range, place: int = 0
) -> tuple[list[PlayedGame], float]:
    """Return the games of these numbers, and the seconds that they took.

    :param place: where a worker records the moves that it asks for.
    :raises UnsentError: the match cannot be made from its pickle.
    """
    begin = perf_counter()
    try:
        described = _received(sent)
        asking = None if _worker is None else partial(_worker.bot, place)
        games = [play_watched(described, number, asking) for number in numbers]
        return games, perf_counter() - begin
    except Exception as error:  # noqa: BLE001 - it is raised again
        wrong = _sendable(error)
    # Raised outside the `except` block, so that the error has no context, which Dask would send.
    raise wrong


def _received(sent: Match | bytes) -> Match:
    if isinstance(sent, Match):
        return sent
    try:
        found: Match = pickle.loads(sent)  # noqa: S301 - from the program itself
    except Exception as error:
        raise UnsentError(f'{UNSENT}: {error} ({IN_A_MODULE})') from error
    return found


def _sendable(error: Exception) -> Exception:
    """Return the error, or one with the same message if it cannot be pickled.

    Otherwise the waiting process would get a broken pool instead of the error.
    """
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own, a moment ago
    except Exception:  # noqa: BLE001 - whatever its class does
        again = RuntimeError(f'{type(error).__name__}: {error}').with_traceback(error.__traceback__)
        for note in getattr(error, '__notes__', ()):
            again.add_note(note)
        return again
    return error
