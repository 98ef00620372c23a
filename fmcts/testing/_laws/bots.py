"""Check a bot: a pure function from state and generator to move and generator."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, Self

import attrs
from attrs import frozen
from returns.result import Result

from fmcts._arguments import cut, shown, whole_number
from fmcts._promises import checked_chances, checked_moves
from fmcts._running import ENGINES
from fmcts.bots import check_unfinished
from fmcts.errors import EngineError
from fmcts.game import chances_of, illegal, options_of
from fmcts.rng import Rng, SplitMix
from fmcts.search import Watch, ignore
from fmcts.testing._laws.cases import unlisted
from fmcts.testing._laws.elsewhere import pickled
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import (
    Answer,
    Breach,
    Law,
    Passed,
    Raised,
    Unchecked,
    asked,
    few,
    law,
    raised,
)
from fmcts.testing._laws.watching import (
    METHODS,
    Recorded,
    Snapshot,
    changed,
    global_generators,
    snapshot,
)

LONGEST: Final = 120
"""The number of characters of an answer that are quoted."""

LONGEST_GAME: Final = 1000
"""The number of plies that a random game is played."""


@frozen(eq=False)
class PositionCase:
    """A position of a correct game, and the generator that is used there; the laws' first half.

    Each move gives the generator a child of its own, so it depends on the line alone.
    """

    state: Any
    rng: Any
    line: tuple[Any, ...] = ()
    before: Any = None

    @cached_property
    def options(self) -> Sequence[Any]:
        """The moves, or the outcomes where chance moves; some of them if they cannot be listed.

        Empty if the game is broken.
        """
        return self.listed or unlisted(self.state, self.proposes, self.rng)

    @property
    def listed(self) -> Sequence[Any]:
        """The moves or outcomes that the state lists."""
        found = asked(options_of, self.state)
        return () if isinstance(found, Raised) else found

    @property
    def proposes(self) -> Callable[[Any, Any], Any] | None:
        """The function that gives a move of a state that lists none, and a generator."""
        return None

    @property
    def checked(self) -> bool:
        """True if a player moves here."""
        return asked(to_move, self.state) is True

    @property
    def identity(self) -> Any:
        """The key that distinguishes positions."""
        return self.state

    def step(self, move: Any) -> Self:
        """Return the position after a move or outcome."""
        rng = self.rng.child(self.options.index(move))
        after = self.state.play(move)
        return attrs.evolve(self, state=after, rng=rng, line=(*self.line, move), before=self.state)


def to_move(state: Any) -> bool:
    """Return whether a player moves in a state, where moves need not be listed."""
    return bool(state.moves) or not (state.over or chances_of(state))


def is_move(state: Any, move: Any) -> bool:
    """Return whether a move is listed, or can be played in a state that lists none."""
    listed = state.moves
    return move in listed if listed else not isinstance(asked(state.play, move), Raised)


@law(
    'the game can be played',
    'Moves can be played from the start to the end of a game, as check_game verifies.',
    basic=True,
)
def the_game_can_be_played(here: PositionCase) -> None:
    """Raise whatever is wrong with the game."""
    checked_chances(here.state)
    for move in few(checked_moves(here.state, listed=False)):
        here.state.play(move)


@frozen(eq=False)
class BotCase(PositionCase):
    """A bot at a position, with its answers, each of which is asked for once."""

    bot: Callable[[Any, Any], Any] = attrs.field(kw_only=True)

    def ask(self, state: Any = None, rng: Any = None) -> Any:
        """Return the bot's answer, by default in this position with this generator."""
        state = self.state if state is None else state
        return asked(self.bot, state, self.rng if rng is None else rng)

    @cached_property
    def first(self) -> tuple[Any, str | None, str | None]:
        """The first answer; how the call changed its arguments, and the global generators."""

        def given() -> Snapshot:
            return snapshot(self.state, 'the state') | snapshot(self.rng, 'the generator')

        before = given()
        with global_generators() as moved:
            answer = self.ask()
            return answer, changed(before, given()), moved()

    @property
    def answer(self) -> Any:
        """The first answer."""
        return self.first[0]

    @property
    def pair(self) -> tuple[Any, Any] | None:
        """The first answer if it is a pair, else `None`."""
        return pair_of(self.answer)

    @cached_property
    def recording(self) -> tuple[Recorded, Any]:
        """A generator that keeps a record, and the bot's answer to it."""
        given = Recorded(self.rng)
        return given, self.ask(rng=given)

    def with_others(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield other generators, each with the move and the generator that the bot answers."""
        for index in range(4):
            other = self.rng.child(index)
            pair = pair_of(self.ask(rng=other))
            if pair is not None:
                yield other, *pair

    @property
    def proposes(self) -> Callable[[Any, Any], Any]:
        """The bot, whose own move is the first of the options where none are listed."""
        return self.bot

    def elsewhere(self) -> list[Any]:
        """Return other positions: the one before, and one some plies on."""
        here = self
        for _ in range(3):
            if here.options:
                here = here.step(here.options[-1])
        return [one for one in (self.before, here.state) if one is not None and to_move(one)]


def pair_of(answer: Any) -> tuple[Any, Any] | None:
    """Return the answer if it is a pair, else `None`."""
    return answer if isinstance(answer, tuple) and len(answer) == 2 else None


@law(
    'a bot answers',
    'A bot returns a move in every position that is not over, even if there is only one.',
)
def _answers(case: BotCase) -> str | None:
    return case.answer.text if isinstance(case.answer, Raised) else None


@law('the answer is a pair', 'The answer is a pair: a move and a generator.')
def _is_pair(case: BotCase) -> str | None:
    if case.pair or isinstance(case.answer, Raised):
        return None
    return f'returned {shown(case.answer, LONGEST)}, which is not a pair'


@law('the move is legal', 'The move is one of the legal moves of the state.')
def _is_legal(case: BotCase) -> str | None:
    if case.pair is None or asked(is_move, case.state, case.pair[0]) is True:
        return None
    return cut(str(illegal(case.state, case.pair[0])), LONGEST)


@law(
    'a generator is returned',
    'The second item of the pair is a generator: it has uniform, split and child.',
)
def _returns_a_generator(case: BotCase) -> str | None:
    lacking = [name for name in METHODS if case.pair and not hasattr(case.pair[1], name)]
    if not lacking:
        return None
    given = shown(case.pair and case.pair[1], LONGEST)
    return f'returned the generator {given}, which has no {", ".join(lacking)}'


def differ(one: Any, two: Any, when: str) -> str | None:
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


@law(
    'a second call returns the same',
    'Called again at once, a bot returns the same answer for the same state and generator.',
)
def _repeats(case: BotCase) -> str | None:
    return differ(case.answer, case.ask(), 'when called again')


def _unseen(case: BotCase) -> Unchecked | None:
    """Return why draws are not recorded, if the bot does not accept the recording generator."""
    _, answer = case.recording
    if not isinstance(answer, Raised) or isinstance(case.answer, Raised):
        return None
    why = f'seen from outside, as given a generator that keeps a record it {answer.text}'
    return Unchecked(why, partly=True)


@law(
    'the generator is derived from the given one',
    'The returned generator is derived from the one given in this call, by uniform, split or '
    'child.',
)
def _derives(case: BotCase) -> Answer:
    given, answer = case.recording
    pair = pair_of(answer)
    if pair is None:
        for other, _, after in case.with_others():
            if case.pair and after == case.pair[1]:
                return (
                    f'returned the generator {shown(after)} for {shown(case.rng)} and for '
                    f'{shown(other)}'
                )
        return _unseen(case)
    if not isinstance(pair[1], Recorded):
        return (
            f'returned the generator {shown(pair[1], LONGEST)}, which is not derived from the '
            'given one'
        )
    if pair[1].record is not given.record:
        return 'returned a generator that was given to it in another call'
    return None


@law(
    'no number is drawn twice',
    'A bot that draws returns a generator from which nothing has been drawn yet.',
)
def _uses_none_twice(case: BotCase) -> Answer:
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
    return _unseen(case)


@law(
    'a generator is drawn from once',
    'Each number that a bot draws is from another generator: the one that came with the number '
    'before, a half or a child.',
)
def a_generator_is_drawn_from_once(case: BotCase) -> Answer:
    drawn = case.recording[0].record.drawn.most_common(1)
    if not drawn or drawn[0][1] == 1:
        return _unseen(case)
    generator, times = drawn[0]
    which = 'the generator' if generator == case.rng else f'the generator {shown(generator)}'
    return f'drew from {which} {times} times: each draw gives the same number'


@law(
    'the analysis is the answer',
    'If a bot has analyse(state, rng), its analysis has the move that the bot plays, and both '
    'return the same generator.',
)
def _plays_what_it_finds(case: BotCase) -> Answer:
    analyse = getattr(case.bot, 'analyse', None)
    if analyse is None:
        return Unchecked('the bot has no analyse')
    pair = asked(analyse, case.state, case.rng)
    if isinstance(pair, Raised):
        return Unchecked(f'its analyse(state, rng) {pair.text}')
    if pair_of(pair) is None or not hasattr(pair[0], 'move'):
        return Unchecked('its analyse(state, rng) does not return a pair (analysis, generator)')
    return differ(case.answer, (pair[0].move, pair[1]), 'in its analysis')


@law(
    'every engine plays the same',
    'A bot with an engine returns the same answer with every engine that supports its search.',
)
def _same_by_all(case: BotCase) -> Answer:
    engine = getattr(case.bot, 'engine', None)
    if engine not in ('auto', *ENGINES):
        return Unchecked('the bot has no engine to choose')
    refused = None
    for name in ENGINES:
        answer = _by(case, name) if name != engine else case.answer
        if isinstance(answer, EngineError):
            refused = Unchecked(f'{name}: {answer}', partly=True)
        elif found := differ(case.answer, answer, f'with the engine {name}'):
            return found
    return refused


def _by(case: BotCase, engine: str) -> Any:
    """Return the bot's answer by another engine, or an `EngineError`."""
    evolve: Any = attrs.evolve if attrs.has(type(case.bot)) else dataclasses.replace
    try:
        bot = evolve(case.bot, engine=engine)
    except (TypeError, ValueError) as error:
        return EngineError(f'its engine cannot be changed to {engine}: it {raised(error)}')
    try:
        return bot(case.state, case.rng)
    except EngineError as error:
        return error
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's bot raises
        return Raised(raised(error))


@law('nothing is remembered', 'A bot returns the same answer after calls at other positions.')
def _remembers_nothing(case: BotCase) -> str | None:
    others = case.elsewhere()
    for state in others:
        case.ask(state)
    found = differ(case.answer, case.ask(), 'after calls at other positions')
    if found is not None or case.pair is None or not is_move(case.state, case.pair[0]):
        return found
    # Two plies later, by its own move and the first reply, as in a game: a plan made here would be
    # followed there, so the answer is compared with one that comes after calls elsewhere.
    here = case.step(case.pair[0])
    replied = False
    while here.options and not (replied and here.checked):
        replied = replied or here.checked
        here = here.step(here.options[0])
    if not here.checked:
        return None
    for other in others:
        case.ask(other)
    cold = case.ask(here.state)
    case.ask()
    found = differ(cold, case.ask(here.state), 'right after a call at the first position')
    line = here.line[len(case.line) :]
    return found and f'after {" and ".join(map(shown, line))} it {found}'


@law(
    'another process plays the same',
    'In a second Python, with other hashes and calls in another order, a bot answers the same.',
    scope='process',
)
def _elsewhere_the_same(pair: Any) -> str | None:
    return differ(pair[0].answer, pair[1], 'in a second process')


BOT_LAWS: Final[tuple[Law[Any], ...]] = (
    the_game_can_be_played,
    Law(
        'the arguments do not change',
        'The state and the generator that a bot receives do not change in any part.',
        lambda case: case.first[1] and cut(case.first[1], LONGEST),
    ),
    _answers,
    _is_pair,
    _is_legal,
    _returns_a_generator,
    Law(
        'no global generator',
        "A bot draws from the generator that it receives, not from random's or NumPy's global one.",
        lambda case: case.first[2],
    ),
    _repeats,
    _derives,
    _uses_none_twice,
    a_generator_is_drawn_from_once,
    _plays_what_it_finds,
    _same_by_all,
    _remembers_nothing,
    _elsewhere_the_same,
)
"""The laws in the order in which they are checked."""


def check_bot(
    bot: Any,
    start: Any,
    *,
    positions: int = 100,
    rng: Rng | None = None,
    tries: int = 2000,
    without: Iterable[str] = (),
    watch: Watch = ignore,
) -> Result[Passed, Breach]:
    """Return whether a bot satisfies the laws of bots, or the most important breach.

    `bot` is any callable `(state, rng) -> (move, rng)`, and `start` a position that is not over.
    The bot is called at `positions` positions, half of them those nearest to the start, the others
    of drawn games, about a dozen times at each; a bot with an `engine` is called with every other
    engine too. If `start` lists no moves, all positions are those nearest by moves of the bot. Laws
    that cannot be checked are listed in `Passed.left_out`, with the reason. `rng` draws the games,
    and the bot receives children of it; the result depends on it. After a breach in a drawn game
    `tries` positions are tried for a shorter line to one; if no shorter line is left, the line is
    the shortest possible. Any error that the bot raises is a breach; its output is not suppressed.

    :param without: names of laws to skip, such as 'a generator is drawn from once' for a bot that
        compares moves by the same draws on purpose.
    :param watch: receives the number of positions done.
    :raises FinishedGameError: the game is over at `start`.
    :raises TypeError: `bot` cannot be called.
    :raises ValueError: `positions` is not a whole number of at least 1, or `tries` of at least 0;
        or no law has that name.

    >>> from fmcts import random_bot
    >>> from fmcts.games import tictactoe
    >>> dict(check_bot(random_bot, tictactoe.start).unwrap().cases)['the move is legal']
    100
    >>> check_bot(lambda state, rng: (9, rng), tictactoe.start).failure().law
    'the move is legal'
    """
    if not callable(bot):
        raise TypeError(f'bot must be a function (state, rng) -> (move, rng), not {shown(bot)}')
    check_unfinished(start)
    whole_number('positions', positions)
    whole_number('tries', tries, least=0)
    given: Any = SplitMix.from_seed(1) if rng is None else rng
    as_given = pickled(bot)  # before any call, after which it may remember something
    with exploring(
        lambda: BotCase(start, given.child(0), bot=bot),
        BOT_LAWS,
        watch,
        without,
    ) as run:
        # Where the bot itself is asked for moves, a long game would cost more than all laws.
        far = positions // 2 if run.first().listed else 0
        run.look_near(positions - far, merged=True)
        if not run.breaches:
            run.look_far(far, given.child(1), whole=0, most=LONGEST_GAME, tries=tries)
        if not run.breaches:
            run.look_elsewhere(as_given, run.seen, lambda case: (case.state, case.rng))
    return run.result()
