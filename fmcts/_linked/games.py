"""Games of a network against itself: one call of machine code advances all of them.

A game goes on until it asks the network: about the root of a search, then about the batches of its
descents. Draws, moves, ends and new games are made in between (`games.h`). Python calls the
network, and reads from a log what was played.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate, chain, pairwise, starmap
from typing import Any, Final, TypeAlias, cast

import numpy as np

from fmcts._engines import choose
from fmcts._linked.batches import DESCENT, NOTHING, Batch, Outputs, outputs_of
from fmcts._linked.codes import GAMES
from fmcts._linked.engine import (
    LEVEL,
    LEVELS,
    UNLIMITED,
    Array,
    State,
    prepared,
    state_of,
)
from fmcts._linked.layout import c_structure
from fmcts._linked.link import Code
from fmcts._linked.statuses import COMPLAINTS, Fault, Status, error_of
from fmcts._linked.structure import Structure
from fmcts._linked.tables import logarithms, words_of
from fmcts._linked.tree.arena import Arena
from fmcts._linked.tree.store import LIMIT, SLACK, size
from fmcts.errors import EngineError
from fmcts.game import GameState
from fmcts.search import plant
from fmcts.search.gumbel_halving import GumbelHalving, halving

IDLE: Final = 0  # the phase of a game that is over
LOG: Final = 1 << 14  # words at first
TOGETHER: Final = 512  # moves that are scored together: `MOST_TOGETHER`


Game: Final = c_structure('games.h', 'Game', Batch=Batch)
Games: Final = c_structure('games.h', 'Games')

Result: TypeAlias = tuple[int, Any, bytes | Exception]
"""The number of a game that is over, its generator, and the log of its plies (`move_on` in
`games.h`), or what ended it: an error of the rules, or a `Fault` for what Python shows when it
plays the game again."""


class Share:
    """Games that one thread plays side by side, before the first move of the first of them.

    `logs` has what was played of each game by its number, until the game is `over`: bytes, as
    objects for each ply would take a fifth of the time of a search.
    """

    def __init__(
        self,
        start: Any,
        settings: Any,
        linked: tuple[Structure, Code],
        generators: Sequence[Any],
        numbers: range,
        together: int,
    ) -> None:
        (self.structure, code), search, noise = linked, settings.search, settings.noise
        self.start, self.search, self.rng = start, search, generators[0]
        self.function = code.functions['play_games']
        self.logs = {each: bytearray() for each in numbers}
        self.over: list[Result] = []
        structure, iterations = self.structure, search.iterations
        count, more = min(together, len(numbers)), search.collisions
        most, total = min(search.batch, iterations) + more, len(start.moves)
        room = size(1, structure.rows) + (iterations + 2) * size(total, structure.rows) + SLACK
        self.state = state = state_of(search, plant(start), structure)  # the games have copies
        counts = np.empty(iterations + more + 2 if structure.method.counts else 0)
        state.point(logs=logarithms(iterations + more + 1), by_visits=counts)
        self.games = (Game * count)(*[Game(batch=Batch(search=state))] * count)
        fields = state.kept['root']
        schedule: Any = search.schedule  # None or GumbelHalving
        halves = schedule is not None
        steps, programs = _steps(schedule, iterations)
        self.given = given = Games(
            games=ctypes.addressof(self.games),
            count=count,
            next=numbers.start,
            end=numbers.stop,
            room=room,
            levels=LEVELS,
            most=most,
            size=search.batch,
            collisions=more,
            max_nodes=min(search.max_nodes or UNLIMITED, UNLIMITED),
            longest=len(programs) - 1,
            scale=schedule.scale if halves else 0.0,
            alpha=0.0 if noise is None else noise.alpha,
            share=-1.0 if noise is None else noise.share,
            drawn_plies=UNLIMITED if settings.drawn_plies is None else settings.drawn_plies,
            temperature=settings.temperature,
            chooses=search.final != 'robust' or search.resolution is not None,
            log_room=LOG,
        )
        given.point(
            seeds=words_of(chain.from_iterable(map(State.words_of, generators))),
            start=fields,
            words=np.empty((count, room), np.int32),
            paths=np.empty((count, most, LEVEL * LEVELS), np.int32),
            descents=np.empty((count, most), DESCENT),
            leaves=np.empty((count, most, len(fields)), np.int64),
            positions=np.empty((count, len(fields)), np.int64),
            steps=steps,
            programs=programs,
            log=np.empty(LOG, np.int64),
        )
        if halves and schedule.numbers is not None:
            given.given = len(schedule.numbers)
            given.point(gumbels=np.array(schedule.numbers, np.float64))

    def begin(self, outputs: Outputs) -> None:
        """Prepare to continue with the network's answers to the games that asked."""
        given = self.given
        # An array of its own for each call, as a network may keep or change it.
        given.point(asked=np.empty((given.count * given.most, given.kept['start'].size), np.int64))
        self.answers = outputs, outputs.answers
        given.answers, given.at, given.waiting = ctypes.addressof(self.answers[1]), 0, 0

    def go_on(self) -> None:
        """Advance the games, without the interpreter's lock."""
        self.function(ctypes.byref(self.given))

    def finish(self) -> Array:
        """Heed what the games wait for, and return the positions that they ask about.

        :raises EngineError: a tree grows too large.
        """
        given = self.given
        while given.status != Status.DONE:
            logged = given.logged
            self.read_log()
            match given.status:
                case Status.TREE_IS_FULL:
                    self._lengthen('words', 'room')
                case Status.PATH_IS_FULL:
                    self._lengthen('paths', 'levels')
                case Status.LOG_IS_FULL:
                    if not logged:
                        given.log_room *= 2
                        given.point(log=np.empty(given.log_room, np.int64))
                case Status.CHOICE:
                    self._choose(self.games[given.at])
                case status:
                    game = self.games[given.at]
                    known = status in COMPLAINTS or status == Status.NO_END
                    error = error_of(status, self.start, self.search) if known else Fault()
                    self.over.append((game.number, self.rng, error))
                    game.phase = IDLE
            self.go_on()
        return cast('Array', given.kept['asked'][: given.waiting])

    def read_log(self) -> None:
        """Add the moves that were played, and the games that are over."""
        log, logs, at = self.given.kept['log'][: self.given.logged].tobytes(), self.logs, 0
        words = memoryview(log).cast('q')
        while at < len(words):
            number, length = words[at], words[at + 1]
            end = at + 1 + length
            logs[number] += log[8 * at + 8 : 8 * end]
            if not length:
                end = at + 4
                rng = State(first=words[at + 2], second=words[at + 3]).generator(self.rng)
                self.over.append((number, rng, bytes(logs.pop(number))))
            at = end
        self.given.logged = 0

    def _lengthen(self, name: str, count: str) -> None:
        """Double the last dimension of an array, of which each game has `count`."""
        given, old = self.given, self.given.kept[name]
        length = 2 * old.shape[-1]
        if length > LIMIT:
            raise EngineError(f'a tree of self-play has more than {LIMIT:,} numbers: set max_nodes')
        new = np.empty((*old.shape[:-1], length), np.int32)
        new[..., : old.shape[-1]] = old
        setattr(given, count, 2 * getattr(given, count))
        given.point(**{name: new})

    def _choose(self, game: Any) -> None:
        """Choose the move to play as other searches do."""
        state, search = self.start, self.search
        log, at = memoryview(bytes(self.logs[game.number])).cast('q'), 0
        while at < len(log):
            state = state.play(state.moves[log[at + 2]])
            at += log[at]
        used = game.batch.search.used
        words = self.given.kept['words'][self.given.at, :used].copy()
        tree = Arena(words, used, 0, unvisited=False).frozen(plant(state), self.structure)
        game.choice = tree.moves.index(choose(tree, search))


def play(
    start: GameState[Any],
    generators: Sequence[Any],
    settings: Any,
    *,
    together: int,
    threads: int = 1,
    overlap: bool = False,
) -> Iterator[Result]:
    """Yield each game when it is over.

    :param settings: the search, and the noise, temperature and drawn plies of `self_play`.
    :param together: the number of games side by side.
    :param threads: the number of threads that share them.
    :param overlap: whether one half of the games goes on while the network judges the other.
    :raises RulesError: the rules on integers cannot be compiled, or disagree with a state.
    :raises EngineError: a tree grows too large.
    """
    search = settings.search
    count = min(threads * (2 if overlap else 1), together, len(generators))
    linked = prepared(start, generators[0], search, GAMES)
    ends = [len(generators) * each // count for each in range(count + 1)]
    shares = [
        Share(start, settings, linked, generators, numbers, -(-together // count))
        for numbers in starmap(range, pairwise(ends))
    ]
    groups = [shares[0::2], shares[1::2]] if overlap and count > 1 else [shares]
    with ThreadPoolExecutor(threads) as pool:
        yield from _played(groups, search.network, pool)


def _played(
    groups: Sequence[Sequence[Share]], network: Any, pool: ThreadPoolExecutor
) -> Iterator[Result]:
    """Yield the games of several groups of shares, whose positions go to the network in turn."""

    def begin(group: Sequence[Share], outputs: Sequence[Outputs]) -> list[Future[None]]:
        for share, part in zip(group, outputs, strict=True):
            share.begin(part)
        here = len(groups) == 1  # then this thread has nothing else to do meanwhile
        futures = [pool.submit(share.go_on) for share in group[here:]]
        if here:
            group[0].go_on()
        return futures

    waiting = deque((group, begin(group, [NOTHING] * len(group))) for group in groups)
    while waiting:
        group, futures = waiting.popleft()
        for future in futures:
            future.result()
        asked = [share.finish() for share in group]
        positions = asked[0] if len(asked) == 1 else np.concatenate(asked)
        given = network.function(positions) if len(positions) else None
        for share in group:  # meanwhile an accelerator may compute what was returned
            share.read_log()
            while share.over:
                yield share.over.pop()
        if given is not None:
            outputs = outputs_of(network, given, len(positions))
            if len(groups) > 1:  # a network may use its array again for the other
                outputs = outputs._replace(priors=outputs.priors.copy())
            ends = accumulate(map(len, asked), initial=0)
            waiting.append((group, begin(group, [outputs.part(*each) for each in pairwise(ends)])))


def _steps(schedule: GumbelHalving | None, iterations: int) -> tuple[Array, Array]:
    """Return the steps of a search as rows, and where those for 1, 2, ... moves of the root begin.

    A row has the visits of the moves among which the best is picked, or -1; the place where it is
    kept, or where the move to take was; and a number of iterations.
    """
    if schedule is None:
        return np.array([[-1, 0, iterations]]), np.array([0, 1])
    rows: list[tuple[int, int, int]] = []
    programs = [0]
    for count in range(1, min(schedule.considered, TOGETHER) + 1):
        picked: list[int] = []

        def best(visits: int, picked: list[int] = picked) -> int:
            picked.append(visits)
            return len(picked) - 1

        known = 0
        for step in halving(count, iterations, best):
            number = cast('int', step.forced)
            level = picked[number] if number >= known else -1
            known = len(picked)
            rows.append((level, number % count, step.iterations))
        programs.append(len(rows))
    return np.array(rows, np.int64), np.array(programs, np.int64)
