"""The laws of bots; each has a function that describes a violation, or returns `None`."""

from __future__ import annotations

from typing import Any, Final

from fmcts._arguments import cut, shown
from fmcts.errors import EngineError
from fmcts.game import illegal
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.botcase import NOT_ASKED, BotCase, pair_of
from fmcts.testing._laws.law import Law
from fmcts.testing._laws.recording import Recorded

METHODS: Final = ('uniform', 'split', 'child')
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
