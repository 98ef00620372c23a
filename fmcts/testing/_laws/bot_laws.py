"""The laws of bots, one function each that says what breaks it."""

from __future__ import annotations

from typing import Any, Final

from fmcts._arguments import cut, shown
from fmcts.errors import EngineError
from fmcts.game import illegal
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.botcase import NOT_ASKED, BotCase, pair_of
from fmcts.testing._laws.law import Law
from fmcts.testing._laws.recording import Recorded

__all__ = [
    'ANALYSIS',
    'AT_ONCE',
    'BOT_LAWS',
    'ELSEWHERE',
    'ENGINES_AGREE',
    'GAME',
    'HANDED_ON',
    'LATER',
    'NOT_REUSED',
]

METHODS: Final = ('uniform', 'split', 'child')
LONGEST: Final = 120
"""How many characters of an answer are quoted."""


def _answers(case: BotCase) -> str | None:
    return case.answer.text if isinstance(case.answer, Raised) else None


def _is_pair(case: BotCase) -> str | None:
    return None if case.pair else f'gave {shown(case.answer, LONGEST)}, which is not a pair'


def _is_legal(case: BotCase) -> str | None:
    if case.pair is None or asked(lambda move: move in case.state.moves, case.pair[0]) is True:
        return None
    return cut(str(illegal(case.state, case.pair[0])), LONGEST)


def _hands_on_a_generator(case: BotCase) -> str | None:
    lacking = [name for name in METHODS if case.pair and not hasattr(case.pair[1], name)]
    if not lacking:
        return None
    given = shown(case.pair and case.pair[1], LONGEST)
    return f'handed back {given}, which has no {", ".join(lacking)}'


def _changes_nothing(case: BotCase) -> str | None:
    changed = case.first.changed
    return None if changed is None else cut(changed, LONGEST)


def _draws_from_no_other(case: BotCase) -> str | None:
    return case.first.drawn


def _differ(one: Any, two: Any, when: str) -> str | None:
    """How a second answer differs from the first, in words."""
    if asked(lambda: bool(one == two)) is True:
        return None
    first, second = pair_of(one), pair_of(two)
    if first is None or second is None:
        given = two.text if isinstance(two, Raised) else shown(two, LONGEST)
        return f'gave {shown(one, LONGEST)}, and {when} {given}'
    if asked(lambda: bool(first[0] == second[0])) is True:
        return f'handed back {shown(first[1])}, and {when} {shown(second[1])}'
    return f'played {shown(first[0])}, and {when} {shown(second[0])}'


def _gives_the_same_again(case: BotCase) -> str | None:
    return _differ(case.answer, case.first.again, 'asked again')


def _hands_on_what_it_got(case: BotCase) -> str | None:
    given, answer = case.recording
    pair = pair_of(answer)
    if pair is None:
        return _hands_back_one_for_all(case)
    if not isinstance(pair[1], Recorded):
        return f'handed back {shown(pair[1], LONGEST)}, which does not come of the one given'
    if pair[1].record is not given.record:
        return 'handed back a generator that it was given in another call'
    return None


def _hands_back_one_for_all(case: BotCase) -> str | None:
    """What can be seen from outside, where a bot takes no generator that keeps a record."""
    for other, _, after in case.with_others():
        if case.pair and after == case.pair[1]:
            return f'handed back {shown(after)} for {shown(case.rng)} as for {shown(other)}'
    return None


def _uses_none_twice(case: BotCase) -> str | None:
    given, answer = case.recording
    after = answer[1] if pair_of(answer) else None
    if isinstance(after, Recorded) and given.record.is_used(after.inner):
        if after == given:
            return 'drew from the generator, and handed back the same: who is next draws it again'
        return 'handed back a generator that it had drawn from: who is next draws that again'
    if case.pair and case.pair[1] == case.rng:
        for other, move, _ in case.with_others():
            if move != case.pair[0]:
                return (
                    f'handed its generator back as if nothing had been drawn, and yet plays '
                    f'{shown(case.pair[0])} with {shown(case.rng)}, {shown(move)} with '
                    f'{shown(other)}'
                )
    return None


def _plays_what_it_finds(case: BotCase) -> str | None:
    if isinstance(case.analysis, Raised):
        return None
    return _differ(case.answer, case.analysis, 'by its analyse')


def _same_by_all(case: BotCase) -> str | None:
    differ = (
        _differ(case.answer, answer, f'by the engine {name}')
        for name, answer in case.by_engine
        if not isinstance(answer, EngineError)
    )
    return next((how for how in differ if how), None)


def _remembers_nothing(case: BotCase) -> str | None:
    differ = _differ(case.answer, case.later, 'after other positions')
    if differ is not None or case.played_on is None:
        return differ
    cold, warm, line = case.played_on
    differ = _differ(cold, warm, 'right after it was asked of the position above')
    return differ and f'when {" and ".join(map(shown, line))} are played too, it {differ}'


def _same_elsewhere(case: BotCase) -> str | None:
    if case.elsewhere is NOT_ASKED:
        return None
    return _differ(case.answer, case.elsewhere, 'in a second process')


ANALYSIS: Final = Law(
    'the analysis is the answer',
    'Where a bot has analyse(state, rng), its analysis has the move that the bot plays, and it '
    'hands on the same generator.',
    _plays_what_it_finds,
)
ENGINES_AGREE: Final = Law(
    'every engine plays alike',
    'A bot whose engine is chosen gives the same answer by every engine that is able.',
    _same_by_all,
)
HANDED_ON: Final = Law(
    'the generator comes of the one given',
    'The generator handed back comes of the one given in this call, by uniform, split or child.',
    _hands_on_what_it_got,
)
NOT_REUSED: Final = Law(
    'no number is drawn twice',
    'A bot that draws hands back a generator from which nothing was drawn yet.',
    _uses_none_twice,
)
AT_ONCE: Final[tuple[Law[BotCase], ...]] = (
    Law(
        'what is given stays as it is',
        'The state and the generator that a bot is given stay the same to the last part.',
        _changes_nothing,
    ),
    Law(
        'a bot answers',
        'A bot gives a move in every position that is not over, also where there is but one.',
        _answers,
    ),
    Law('the answer is a pair', 'The answer is a pair: a move and a generator.', _is_pair),
    Law('the move is legal', 'The move is one of the legal moves of the state.', _is_legal),
    Law(
        'a generator is handed back',
        'The second of the pair is a generator: it has uniform, split and child.',
        _hands_on_a_generator,
    ),
    Law(
        'no global generator',
        "A bot draws from the generator it is given, not from random's or NumPy's global one.",
        _draws_from_no_other,
    ),
    Law(
        'the same again',
        'Asked again at once, a bot gives the same answer to the same state and generator.',
        _gives_the_same_again,
    ),
    HANDED_ON,
    NOT_REUSED,
    ANALYSIS,
    ENGINES_AGREE,
)
LATER: Final = Law(
    'nothing is remembered',
    'A bot gives the same answer when it was asked of other positions in between.',
    _remembers_nothing,
)
ELSEWHERE: Final = Law(
    'another process plays the same',
    'In a second Python, with other hashes and asked in another order, a bot answers the same.',
    _same_elsewhere,
)
GAME: Final = Law[Any](
    'the game can be played',
    'Moves can be played from the start to the end of a game, as check_game finds out.',
    lambda _case: None,
)

BOT_LAWS: Final[tuple[Law[Any], ...]] = (GAME, *AT_ONCE, LATER, ELSEWHERE)
"""In the order in which they are looked at."""
