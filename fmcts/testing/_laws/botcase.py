"""One bot at one position: its answers to all the calls that the laws of bots need.

A call is made only when a law needs its answer, and once for each purpose.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

import attrs
from attrs import frozen

from fmcts._running.registry import ENGINES
from fmcts.errors import EngineError
from fmcts.game import chances_of
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.global_generators import moved_on, state_of_generators
from fmcts.testing._laws.law import raised
from fmcts.testing._laws.pictures import changes, picture
from fmcts.testing._laws.recording import Recorded, recorded

NONE: Final = frozenset[str]()
NOT_ASKED: Final = Raised('it was not asked')


class First(NamedTuple):
    """The first answer, and the second to the same arguments; and what the first call changed.

    `changed` describes a change of the arguments, and `drawn` of global generators; `None`: no
    change.
    """

    answer: Any
    again: Any
    changed: str | None
    drawn: str | None


def pair_of(answer: Any) -> tuple[Any, Any] | None:
    """Return the answer if it is a pair, else `None`."""
    return answer if isinstance(answer, tuple) and len(answer) == 2 else None


@frozen(eq=False)
class BotCase:
    """A bot, a position and a generator.

    `known` is the result of the first call, if it was already made; `before` are positions at which
    the bot is called in between; `elsewhere` is its answer in a second process, if there is one.
    """

    bot: Any
    state: Any
    rng: Any
    known: First | None = None
    before: tuple[Any, ...] = ()
    elsewhere: Any = NOT_ASKED

    @cached_property
    def first(self) -> First:
        """The first calls."""
        if self.known is not None:
            return self.known
        given = [*picture(self.state, 'the state', NONE), *picture(self.rng, 'the generator', NONE)]
        generators = state_of_generators()
        answer = self._ask(self.state)
        changed, drawn = next(changes(given, NONE), None), moved_on(generators)
        return First(answer, self._ask(self.state), changed, drawn)

    def _ask(self, state: Any) -> Any:
        return asked(self.bot, state, self.rng)

    @property
    def answer(self) -> Any:
        """The first answer."""
        return self.first.answer

    @property
    def pair(self) -> tuple[Any, Any] | None:
        """The first answer if it is a pair, else `None`."""
        return pair_of(self.answer)

    @cached_property
    def later(self) -> Any:
        """The answer after calls at other positions."""
        for state in self.before:
            self._ask(state)
        return self._ask(self.state)

    @cached_property
    def played_on(self) -> tuple[Any, Any, tuple[Any, ...]] | None:
        """The answer two plies later, after calls at other positions and this one; and the plies.

        The plies are its own move and the first reply, as in a game; `None` if the game ends
        earlier.
        """
        if self.pair is None:
            return None
        line, state = self._onward(self.pair[:1], self.state.play(self.pair[0]))
        if not state.over:
            line, state = self._onward((*line, state.moves[0]), state.play(state.moves[0]))
        if state.over:
            return None
        for other in self.before:
            self._ask(other)
        cold = self._ask(state)
        self._ask(self.state)
        return cold, self._ask(state), line

    @staticmethod
    def _onward(line: tuple[Any, ...], state: Any) -> tuple[tuple[Any, ...], Any]:
        """Return line and state where a player moves again, by first outcomes."""
        while chances := chances_of(state):
            line, state = (*line, chances[0][0]), state.play(chances[0][0])
        return line, state

    @cached_property
    def recording(self) -> tuple[Recorded, Any]:
        """A generator that keeps a record, and the bot's answer to it."""
        given = recorded(self.rng)
        return given, asked(self.bot, self.state, given)

    def with_others(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield other generators, each with the move and the generator that the bot answers."""
        for index in range(4):
            other = self.rng.child(index)
            pair = pair_of(asked(self.bot, self.state, other))
            if pair is not None:
                yield other, *pair

    @cached_property
    def analysis(self) -> Any:
        """The result of the bot's `analyse`; `Raised` if it is not an `AnalysingBot`."""
        analyse = getattr(self.bot, 'analyse', None)
        if analyse is None:
            return Raised('the bot has no analyse')
        pair = asked(analyse, self.state, self.rng)
        if isinstance(pair, Raised):
            return Raised(f'its analyse(state, rng) {pair.text}')
        if pair_of(pair) is None or not hasattr(pair[0], 'move'):
            return Raised('its analyse(state, rng) does not return a pair (analysis, generator)')
        return pair[0].move, pair[1]

    @cached_property
    def by_engine(self) -> tuple[tuple[str, Any], ...]:
        """The bot's answer by every other engine; `EngineError` if one does not support it."""
        engine = getattr(self.bot, 'engine', None)
        if engine not in ('auto', *ENGINES):
            return ()
        return tuple((name, self._by(name)) for name in ENGINES if name != engine)

    def _by(self, engine: str) -> Any:
        try:
            bot = _evolved(self.bot, engine)
        except (TypeError, ValueError) as error:
            return EngineError(f'its engine cannot be changed to {engine}: it {raised(error)}')
        try:
            return bot(self.state, self.rng)
        except EngineError as error:
            return error
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's bot raises
            return Raised(raised(error))


def _evolved(bot: Any, engine: str) -> Any:
    if attrs.has(type(bot)):
        return attrs.evolve(bot, engine=engine)
    return dataclasses.replace(bot, engine=engine)
