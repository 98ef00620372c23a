"""Check a bot: a pure function from state and generator to move and generator."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from typing import Any, Final, NamedTuple

import attrs
from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from fmcts._arguments import cut, shown, whole_number
from fmcts._running.registry import ENGINES
from fmcts.bots import check_unfinished
from fmcts.errors import EngineError
from fmcts.game import chances_of, illegal
from fmcts.rng import Rng, SplitMix
from fmcts.testing._laws.law import (
    Breach,
    Law,
    Passed,
    Raised,
    asked,
    first_breach,
    found_by,
    known_laws,
    raised,
)
from fmcts.testing._laws.pictures import changes, picture
from fmcts.testing._laws.positions import Reached, positions_of, shortened
from fmcts.testing._laws.process import answers_elsewhere, pickled
from fmcts.testing._laws.recording import (
    METHODS,
    Recorded,
    moved_on,
    recorded,
    state_of_generators,
)
from fmcts.testing._laws.reporting import reporting

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


LONGEST: Final = 120
"""The number of characters of an answer that are quoted."""


def _answers(case: BotCase) -> str | None:
    return case.answer.text if isinstance(case.answer, Raised) else None


def _is_pair(case: BotCase) -> str | None:
    return None if case.pair else f'returned {shown(case.answer, LONGEST)}, which is not a pair'


def _is_legal(case: BotCase) -> str | None:
    if case.pair is None or asked(lambda move: move in case.state.moves, case.pair[0]) is True:
        return None
    return cut(str(illegal(case.state, case.pair[0])), LONGEST)


def _hands_on_a_generator(case: BotCase) -> str | None:
    lacking = [name for name in METHODS if case.pair and not hasattr(case.pair[1], name)]
    if not lacking:
        return None
    given = shown(case.pair and case.pair[1], LONGEST)
    return f'returned the generator {given}, which has no {", ".join(lacking)}'


def _changes_nothing(case: BotCase) -> str | None:
    changed = case.first.changed
    return None if changed is None else cut(changed, LONGEST)


def _draws_from_no_other(case: BotCase) -> str | None:
    return case.first.drawn


def _differ(one: Any, two: Any, when: str) -> str | None:
    """Return a description of how a second answer differs from the first; `None` if equal."""
    if asked(lambda: bool(one == two)) is True:
        return None
    first, second = pair_of(one), pair_of(two)
    if first is None or second is None:
        given = two.text if isinstance(two, Raised) else shown(two, LONGEST)
        return f'returned {shown(one, LONGEST)}, and {when} {given}'
    if asked(lambda: bool(first[0] == second[0])) is True:
        return f'returned the generator {shown(first[1])}, and {when} {shown(second[1])}'
    return f'played {shown(first[0])}, and {when} {shown(second[0])}'


def _gives_the_same_again(case: BotCase) -> str | None:
    return _differ(case.answer, case.first.again, 'when called again')


def _hands_on_what_it_got(case: BotCase) -> str | None:
    given, answer = case.recording
    pair = pair_of(answer)
    if pair is None:
        return _hands_back_one_for_all(case)
    if not isinstance(pair[1], Recorded):
        return (
            f'returned the generator {shown(pair[1], LONGEST)}, which is not derived from the '
            'given one'
        )
    if pair[1].record is not given.record:
        return 'returned a generator that was given to it in another call'
    return None


def _hands_back_one_for_all(case: BotCase) -> str | None:
    """Check the law from outside, for bots that do not accept a recording generator."""
    for other, _, after in case.with_others():
        if case.pair and after == case.pair[1]:
            return (
                f'returned the generator {shown(after)} for {shown(case.rng)} and for '
                f'{shown(other)}'
            )
    return None


def _uses_none_twice(case: BotCase) -> str | None:
    given, answer = case.recording
    after = answer[1] if pair_of(answer) else None
    if isinstance(after, Recorded) and given.record.is_used(after.inner):
        if after == given:
            return 'drew from the generator and returned it: the next draw gives the same number'
        return 'returned a generator that it had drawn from: the next draw gives the same number'
    if case.pair and case.pair[1] == case.rng:
        for other, move, _ in case.with_others():
            if move != case.pair[0]:
                return (
                    f'returned its generator as if nothing had been drawn, but played '
                    f'{shown(case.pair[0])} with {shown(case.rng)} and {shown(move)} with '
                    f'{shown(other)}'
                )
    return None


def _draws_once(case: BotCase) -> str | None:
    drawn = case.recording[0].record.drawn.most_common(1)
    if not drawn or drawn[0][1] == 1:
        return None
    generator, times = drawn[0]
    which = 'the generator' if generator == case.rng else f'the generator {shown(generator)}'
    return f'drew from {which} {times} times: each draw gives the same number'


def _plays_what_it_finds(case: BotCase) -> str | None:
    if isinstance(case.analysis, Raised):
        return None
    return _differ(case.answer, case.analysis, 'in its analysis')


def _same_by_all(case: BotCase) -> str | None:
    differ = (
        _differ(case.answer, answer, f'with the engine {name}')
        for name, answer in case.by_engine
        if not isinstance(answer, EngineError)
    )
    return next((how for how in differ if how), None)


def _remembers_nothing(case: BotCase) -> str | None:
    differ = _differ(case.answer, case.later, 'after calls at other positions')
    if differ is not None or case.played_on is None:
        return differ
    cold, warm, line = case.played_on
    differ = _differ(cold, warm, 'right after a call at the first position')
    return differ and f'after {" and ".join(map(shown, line))} it {differ}'


def _same_elsewhere(case: BotCase) -> str | None:
    if case.elsewhere is NOT_ASKED:
        return None
    return _differ(case.answer, case.elsewhere, 'in a second process')


ANALYSIS: Final = Law(
    'the analysis is the answer',
    'If a bot has analyse(state, rng), its analysis has the move that the bot plays, and both '
    'return the same generator.',
    _plays_what_it_finds,
)
ONCE: Final = Law(
    'a generator is drawn from once',
    'Each number that a bot draws is from another generator: the one that came with the number '
    'before, a half or a child.',
    _draws_once,
)
ENGINES_AGREE: Final = Law(
    'every engine plays the same',
    'A bot with an engine returns the same answer with every engine that supports its search.',
    _same_by_all,
)
HANDED_ON: Final = Law(
    'the generator is derived from the given one',
    'The returned generator is derived from the one given in this call, by uniform, split or '
    'child.',
    _hands_on_what_it_got,
)
NOT_REUSED: Final = Law(
    'no number is drawn twice',
    'A bot that draws returns a generator from which nothing has been drawn yet.',
    _uses_none_twice,
)
AT_ONCE: Final[tuple[Law[BotCase], ...]] = (
    Law(
        'the arguments do not change',
        'The state and the generator that a bot receives do not change in any part.',
        _changes_nothing,
    ),
    Law(
        'a bot answers',
        'A bot returns a move in every position that is not over, even if there is only one.',
        _answers,
    ),
    Law('the answer is a pair', 'The answer is a pair: a move and a generator.', _is_pair),
    Law('the move is legal', 'The move is one of the legal moves of the state.', _is_legal),
    Law(
        'a generator is returned',
        'The second item of the pair is a generator: it has uniform, split and child.',
        _hands_on_a_generator,
    ),
    Law(
        'no global generator',
        "A bot draws from the generator that it receives, not from random's or NumPy's global one.",
        _draws_from_no_other,
    ),
    Law(
        'a second call returns the same',
        'Called again at once, a bot returns the same answer for the same state and generator.',
        _gives_the_same_again,
    ),
    HANDED_ON,
    NOT_REUSED,
    ONCE,
    ANALYSIS,
    ENGINES_AGREE,
)
LATER: Final = Law(
    'nothing is remembered',
    'A bot returns the same answer after calls at other positions.',
    _remembers_nothing,
)
ELSEWHERE: Final = Law(
    'another process plays the same',
    'In a second Python, with other hashes and calls in another order, a bot answers the same.',
    _same_elsewhere,
)
GAME: Final = Law[Any](
    'the game can be played',
    'Moves can be played from the start to the end of a game, as check_game verifies.',
    lambda _case: None,
)

BOT_LAWS: Final[tuple[Law[Any], ...]] = (GAME, *AT_ONCE, LATER, ELSEWHERE)
"""The laws in the order in which they are checked."""


@reporting('laws of a bot')
def check_bot(
    bot: Any,
    start: Any,
    *,
    positions: int = 100,
    rng: Rng | None = None,
    tries: int = 2000,
    without: Iterable[str] = (),
) -> Result[Passed, Breach]:
    """Return whether a bot satisfies the laws of bots, or the first breach with a short line.

    `bot` is any callable `(state, rng) -> (move, rng)`, and `start` a position that is not over.
    The bot is called at `positions` positions, half of them those nearest to the start, the others
    of random games, about a dozen times at each; a bot with an `engine` is called with every other
    engine too. Laws that cannot be checked are listed in `Passed.left_out`, with the reason. `rng`
    draws the games, and the bot receives children of it; the result depends on it. After a breach
    `tries` positions are tried for a shorter line to one; if no shorter line is left, the line is
    the shortest possible. Any error that the bot raises is a breach; its output is not suppressed.

    :param without: names of laws to skip, such as 'a generator is drawn from once' for a bot that
        compares moves by the same draws on purpose.
    :raises FinishedGameError: the game is over at `start`.
    :raises TypeError: `bot` cannot be called.
    :raises ValueError: `positions` is not a whole number of at least 1, or `tries` of at least 0;
        or no law has that name.

    >>> from fmcts import random_bot
    >>> from fmcts.games import tictactoe
    >>> check_bot(random_bot, tictactoe.start).unwrap().total
    1300
    >>> check_bot(lambda state, rng: (9, rng), tictactoe.start).failure().law
    'the move is legal'
    """
    if not callable(bot):
        raise TypeError(f'bot must be a function (state, rng) -> (move, rng), not {shown(bot)}')
    check_unfinished(start)
    number = whole_number('positions', positions)
    tries = whole_number('tries', tries, least=0)
    unwanted = known_laws(without, (law.name for law in BOT_LAWS))
    given: Any = SplitMix.from_seed(1) if rng is None else rng
    reached = asked(lambda: [*positions_of(start, given.child(0), number)])
    if isinstance(reached, Raised):
        return Failure(Breach(GAME.name, GAME.sentence, reached.text))
    as_given = pickled(bot)
    cases = [
        (one, BotCase(bot, one.state, given.child(1 + index))) for index, one in enumerate(reached)
    ]
    for law in (law for law in AT_ONCE if law.name not in unwanted):
        for one, case in cases:
            found = found_by(law, case)
            if found is not None:
                return Failure(_shortest(law, start, one, found, case, tries))
    cases.sort(key=lambda pair: len(pair[0].line))
    return _looked_at_together(as_given, start, cases, unwanted)


def _shortest(
    law: Law[BotCase], start: Any, one: Reached, found: str, case: BotCase, tries: int
) -> Breach:
    """Return the breach of the law with the shortest line to it."""

    def finds(nearer: Reached) -> str | None:
        given = (case.rng, case.rng.child(0))
        cases = (BotCase(case.bot, nearer.state, rng) for rng in given)
        return next((how for how in (found_by(law, each) for each in cases) if how), None)

    shorter = asked(shortened, start, one, found, finds, tries)
    one, found = (one, found) if isinstance(shorter, Raised) else shorter
    return Breach(law.name, law.sentence, found, one.line)


def _looked_at_together(
    as_given: Result[bytes, str],
    start: Any,
    cases: list[tuple[Reached, BotCase]],
    unwanted: Sequence[str],
) -> Result[Passed, Breach]:
    """Check the laws about a bot's answers at many positions, the shortest lines first."""
    furthest = cases[-1][0].state
    for one, case in cases if LATER.name not in unwanted else ():
        parent = reduce(lambda state, move: state.play(move), one.line[:-1], start)
        before = (furthest, parent) if parent.moves else (furthest,)  # chance may move there
        later = evolve(case, known=case.first, before=before)
        breach = first_breach([LATER], later, one.line)
        if breach is not None:
            return Failure(breach)
    backwards = [(case.state, case.rng) for _, case in reversed(cases)]
    answers: Result[tuple[Any, ...], str] = Failure('it was not asked for')
    if ELSEWHERE.name not in unwanted:
        answers = answers_elsewhere(as_given, backwards).map(lambda results: results[::-1])
    for (one, case), answer in zip(cases, answers.value_or(()), strict=False):
        there = evolve(case, known=case.first, elsewhere=answer)
        breach = first_breach([ELSEWHERE], there, one.line)
        if breach is not None:
            return Failure(breach)
    return Success(_passed([case for _, case in cases], answers, unwanted))


def _left_out(case: BotCase) -> Iterator[tuple[str, str]]:
    """Yield the laws that could not be checked in this case, with the reason."""
    _, answer = case.recording
    if isinstance(answer, Raised):
        why = f'seen from outside, as given a generator that keeps a record it {answer.text}'
        yield from ((HANDED_ON.name, why), (NOT_REUSED.name, why), (ONCE.name, why))
    if isinstance(case.analysis, Raised):
        yield ANALYSIS.name, case.analysis.text
    if not case.by_engine:
        yield ENGINES_AGREE.name, 'the bot has no engine to choose'
    for name, other in case.by_engine:
        if isinstance(other, EngineError):
            yield ENGINES_AGREE.name, f'{name}: {other}'


def _passed(
    cases: Sequence[BotCase], answers: Result[tuple[Any, ...], str], unwanted: Sequence[str]
) -> Passed:
    """Return each law with the number of cases checked, and the laws left out."""
    looked_at = {law.name: len(cases) for law in BOT_LAWS}
    looked_at[ANALYSIS.name] = sum(not isinstance(case.analysis, Raised) for case in cases)
    looked_at[ENGINES_AGREE.name] = sum(
        any(not isinstance(answer, EngineError) for _, answer in case.by_engine) for case in cases
    )
    looked_at[ELSEWHERE.name] = len(answers.value_or(()))
    looked_at |= dict.fromkeys(unwanted, 0)
    left_out = dict.fromkeys(each for case in cases for each in _left_out(case))
    if isinstance(answers, Failure):
        left_out[ELSEWHERE.name, answers.failure()] = None
    known = [pair for pair in left_out if pair[0] not in unwanted]
    known += [(name, 'it was not asked for') for name in unwanted]
    return Passed(tuple(looked_at.items()), tuple(known))
