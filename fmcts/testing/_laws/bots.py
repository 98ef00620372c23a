"""Check a bot: a pure function from state and generator to move and generator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from attrs import evolve
from returns.result import Failure, Result, Success

from fmcts._arguments import shown, whole_number
from fmcts.bots._bot import check_running
from fmcts.errors import EngineError
from fmcts.rng import Rng, SplitMix
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.bot_laws import (
    ANALYSIS,
    AT_ONCE,
    BOT_LAWS,
    ELSEWHERE,
    ENGINES_AGREE,
    GAME,
    HANDED_ON,
    LATER,
    NOT_REUSED,
)
from fmcts.testing._laws.botcase import BotCase
from fmcts.testing._laws.functions_elsewhere import answers_elsewhere, pickled
from fmcts.testing._laws.law import Breach, Law, Passed, found_by
from fmcts.testing._laws.positions import Reached, positions_of, shortened
from fmcts.testing._laws.reporting import reporting


@reporting('laws of a bot')
def check_bot(
    bot: Any,
    start: Any,
    *,
    positions: int = 100,
    rng: Rng | None = None,
    tries: int = 2000,
) -> Result[Passed, Breach]:
    """Return whether a bot satisfies the laws of bots, or the first breach with the shortest line.

    `bot` is any callable `(state, rng) -> (move, rng)`, and `start` a position that is not over.
    The bot is called at `positions` positions, half of them those nearest to the start, the others
    of random games, about a dozen times at each; a bot with an `engine` is called with every other
    engine too. Laws that cannot be checked are listed in `Passed.left_out`, with the reason. `rng`
    draws the games, and the bot receives children of it; the result depends on it. After a breach
    `tries` positions are tried for a shorter line to one; if no shorter line is left, the line is
    the shortest possible. Any error that the bot raises is a breach; its output is not suppressed.

    :raises FinishedGameError: the game is over at `start`.
    :raises TypeError: `bot` cannot be called.
    :raises ValueError: `positions` is not a whole number of at least 1, or `tries` of at least 0.

    >>> from fmcts import random_bot
    >>> from fmcts.games import tictactoe
    >>> check_bot(random_bot, tictactoe.start).unwrap().total
    1200
    >>> check_bot(lambda state, rng: (9, rng), tictactoe.start).failure().law
    'the move is legal'
    """
    if not callable(bot):
        raise TypeError(f'bot must be a function (state, rng) -> (move, rng), not {shown(bot)}')
    check_running(start)
    number = whole_number('positions', positions)
    tries = whole_number('tries', tries, least=0)
    given: Any = SplitMix.from_seed(1) if rng is None else rng
    reached = asked(lambda: [*positions_of(start, given.child(0), number)])
    if isinstance(reached, Raised):
        return Failure(Breach(GAME.name, GAME.sentence, reached.text))
    as_given = pickled(bot)
    cases = [
        (one, BotCase(bot, one.state, given.child(1 + index))) for index, one in enumerate(reached)
    ]
    for law in AT_ONCE:
        for one, case in cases:
            found = found_by(law, case)
            if found is not None:
                return Failure(_shortest(law, start, one, found, case, tries))
    cases.sort(key=lambda pair: len(pair[0].line))
    return _looked_at_together(as_given, start, cases)


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
    as_given: Result[bytes, str], start: Any, cases: list[tuple[Reached, BotCase]]
) -> Result[Passed, Breach]:
    """Check the laws about a bot's answers at many positions, the shortest lines first."""
    furthest = cases[-1][0].state
    for one, case in cases:
        parent = reduce(lambda state, move: state.play(move), one.line[:-1], start)
        found = found_by(LATER, evolve(case, known=case.first, before=(furthest, parent)))
        if found is not None:
            return Failure(Breach(LATER.name, LATER.sentence, found, one.line))
    backwards = [(case.state, case.rng) for _, case in reversed(cases)]
    answers = answers_elsewhere(as_given, backwards).map(lambda told: told[::-1])
    for (one, case), answer in zip(cases, answers.value_or(()), strict=False):
        found = found_by(ELSEWHERE, evolve(case, known=case.first, elsewhere=answer))
        if found is not None:
            return Failure(Breach(ELSEWHERE.name, ELSEWHERE.sentence, found, one.line))
    return Success(_passed([case for _, case in cases], answers))


def _left_out(case: BotCase) -> Iterator[tuple[str, str]]:
    """Yield the laws that could not be checked in this case, with the reason."""
    _, answer = case.recording
    if isinstance(answer, Raised):
        why = f'seen from outside, as given a generator that keeps a record it {answer.text}'
        yield from ((HANDED_ON.name, why), (NOT_REUSED.name, why))
    if isinstance(case.analysis, Raised):
        yield ANALYSIS.name, case.analysis.text
    if not case.by_engine:
        yield ENGINES_AGREE.name, 'the bot has no engine to choose'
    for name, other in case.by_engine:
        if isinstance(other, EngineError):
            yield ENGINES_AGREE.name, f'{name}: {other}'


def _passed(cases: Sequence[BotCase], answers: Result[tuple[Any, ...], str]) -> Passed:
    """Return each law with the number of cases checked, and the laws left out."""
    looked_at = {law.name: len(cases) for law in BOT_LAWS}
    looked_at[ANALYSIS.name] = sum(not isinstance(case.analysis, Raised) for case in cases)
    looked_at[ENGINES_AGREE.name] = sum(
        any(not isinstance(answer, EngineError) for _, answer in case.by_engine) for case in cases
    )
    looked_at[ELSEWHERE.name] = len(answers.value_or(()))
    left_out = dict.fromkeys(each for case in cases for each in _left_out(case))
    if isinstance(answers, Failure):
        left_out[ELSEWHERE.name, answers.failure()] = None
    return Passed(tuple(looked_at.items()), tuple(left_out))
