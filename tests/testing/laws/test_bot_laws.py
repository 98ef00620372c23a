"""What each law of bots finds of one answer, word for word, and where it finds nothing."""

import sys
from itertools import count
from pathlib import Path

import pytest
from attrs import evolve, field, frozen

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.bots import AnalysingBot
from fmcts.games import tictactoe
from fmcts.search.engines import ENGINES
from fmcts.testing.laws.bot_laws import BOT_LAWS
from fmcts.testing.laws.botcase import NOT_ASKED, BotCase, First
from fmcts.testing.laws.law import found_by

sys.path.insert(0, str(Path(__file__).parents[1]))  # importlib mode: no packages
import zoo_bots
from zoo_bots import Heaps, some

sys.path.pop(0)

(
    GAME,
    STAYS,
    ANSWERS,
    PAIR,
    LEGAL,
    HANDED_BACK,
    GLOBAL,
    AGAIN,
    COMES,
    ONCE,
    ANALYSIS,
    ENGINES_AGREE,
    LATER,
    ELSEWHERE,
) = LAWS = {law.name: law for law in BOT_LAWS}
RNG = SplitMix.from_seed(1)
GRID = tictactoe.start
SOME = some(GRID, RNG)


def found(law, bot, state=GRID, rng=RNG, **case):
    return found_by(LAWS[law], BotCase(bot, state, rng, **case))


def gives(*answers):
    """A bot that gives these answers in turn, the last one for ever."""
    left = [*answers]

    def bot(_state, _rng):
        return left.pop(0) if len(left) > 1 else left[0]

    return bot


def fails(_state, _rng):
    raise ValueError('no move')


def leaves(_state, _rng):
    raise SystemExit('no more')


class HalfAGenerator:
    def uniform(self):
        """Of three methods one."""

    def __repr__(self):
        return 'half'


LONG = ['x' * 50] * 5
SEEN = "the global generator of Python's module random was drawn from or seeded"


@pytest.mark.parametrize(
    ('law', 'bot', 'words'),
    [
        (GAME, some, None),
        (ANSWERS, some, None),
        (ANSWERS, fails, 'raised ValueError: no move'),
        (ANSWERS, leaves, 'raised SystemExit: no more'),
        (PAIR, some, None),
        (PAIR, gives(3), 'gave 3, which is no pair'),
        (PAIR, gives([3, RNG]), f'gave [3, {RNG!r}], which is no pair'),
        (PAIR, gives((3, RNG, 4)), f'gave (3, {RNG!r}, 4), which is no pair'),
        (PAIR, gives(LONG), f'gave {str(LONG)[:120]}..., which is no pair'),
        (LEGAL, some, None),
        (LEGAL, gives(3), None),  # another law tells
        (
            LEGAL,
            gives((9, RNG)),
            'illegal move 9: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8',
        ),
        (
            LEGAL,
            gives((float('nan'), RNG)),
            'illegal move nan: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8',
        ),
        (HANDED_BACK, some, None),
        (HANDED_BACK, gives(3), None),
        (HANDED_BACK, gives((3, 7)), 'handed back 7, which has no uniform, split, child'),
        (
            HANDED_BACK,
            gives((3, HalfAGenerator())),
            'handed back half, which has no split, child',
        ),
        (
            HANDED_BACK,
            gives((3, LONG)),
            f'handed back {str(LONG)[:120]}..., which has no uniform, split, child',
        ),
        (STAYS, some, None),
        (GLOBAL, some, None),
        (GLOBAL, zoo_bots.draws_from_the_global_generator, SEEN),
        # The same again.
        (AGAIN, some, None),
        (AGAIN, gives((1, RNG), (2, RNG)), 'played 1, and asked again 2'),
        (AGAIN, gives((2, RNG), (1, RNG)), 'played 2, and asked again 1'),
        (
            AGAIN,
            gives((1, RNG), (1, 7)),
            f'handed back {str(RNG)[:40]}..., and asked again 7',
        ),
        (AGAIN, gives((1, RNG), 5), f'gave (1, {RNG!r}), and asked again 5'),
        (AGAIN, gives(5, (1, RNG)), f'gave 5, and asked again (1, {RNG!r})'),
        (
            AGAIN,
            gives(LONG, [LONG]),
            f'gave {str(LONG)[:120]}..., and asked again {str([LONG])[:120]}...',
        ),
        # The generator.
        (COMES, some, None),
        (COMES, lambda state, rng: (state.moves[0], rng), None),
        (COMES, lambda state, rng: (state.moves[0], rng.child(3).split()[1]), None),
        (COMES, gives(5), None),
        (ONCE, some, None),
        (ONCE, lambda state, rng: (state.moves[0], rng), None),
        (ONCE, gives(5), None),
        (
            ONCE,
            zoo_bots.hands_back_the_old_one,
            'drew from the generator, and handed back the same: who is next draws it again',
        ),
        (
            ONCE,
            zoo_bots.hands_back_the_one_before_the_last,
            'handed back a generator that it had drawn from: who is next draws that again',
        ),
        (
            ONCE,
            zoo_bots.splits_and_hands_back_the_half_it_used,
            'handed back a generator that it had drawn from: who is next draws that again',
        ),
        (
            ONCE,
            zoo_bots.draws_from_a_child_and_keeps_the_parent,
            'drew from the generator, and handed back the same: who is next draws it again',
        ),
    ],
    ids=count(),
)
def test_a_law_says_what_it_finds(law, bot, words):
    told = found(law, bot)
    assert told == words


def test_what_is_given_stays_as_it_is():
    told = found(STAYS, zoo_bots.takes_from_the_list, Heaps([1]))
    assert told == 'the state.counters[0] was 1 and is 0'
    written = SplitMix.from_seed(1)

    def writes(state, rng):
        object.__setattr__(rng, 'state', 5)
        return state.moves[0], rng

    told = found(STAYS, writes, rng=written)
    assert told.startswith('the generator.state was ')
    assert told.endswith(' and is 5')
    long = First((1, RNG), (1, RNG), 'long ' * 50, None)
    assert found(STAYS, some, known=long) == f'{("long " * 50)[:120]}...'


class Picky:
    """A move whose comparison raises."""

    def __eq__(self, other):
        raise ArithmeticError

    __hash__ = None

    def __repr__(self):
        return 'picky'


class AllMoves(Picky):
    """One that says of all moves that they are the same, and gives no bool."""

    __hash__ = None

    def __eq__(self, other):
        return [1]


def test_comparisons_of_anything():
    told = found(LEGAL, gives((Picky(), RNG)))
    assert told == 'illegal move picky: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8'
    told = found(AGAIN, gives((Picky(), RNG), (Picky(), RNG)))
    assert told == 'played picky, and asked again picky'
    assert found(AGAIN, gives((AllMoves(), RNG), (AllMoves(), RNG))) is None


# A generator that keeps a record, and what is seen from outside.


def test_the_generator_of_another_call_is_told():
    other = BotCase(some, GRID, RNG).recording[0]
    told = found(COMES, lambda state, _rng: (state.moves[0], other))
    assert told == 'handed back a generator that it was given in another call'
    told = found(COMES, lambda state, _rng: (state.moves[0], RNG))
    assert told == f'handed back {RNG!r}, which does not come of the one given'
    told = found(COMES, lambda state, _rng: (state.moves[0], LONG))
    assert told == f'handed back {str(LONG)[:120]}..., which does not come of the one given'


def only_splitmix(answer):
    def bot(state, rng):
        if type(rng) is not SplitMix:
            raise TypeError('a SplitMix, please')
        return answer(state, rng)

    return bot


def test_from_outside_one_generator_for_all_is_told():
    fixed = SplitMix.from_seed(4)
    bot = only_splitmix(lambda state, rng: (some(state, rng)[0], fixed))
    assert found(COMES, bot) == (
        f'handed back {str(fixed)[:40]}... for {str(RNG)[:40]}... '
        f'as for {str(RNG.child(0))[:40]}...'
    )
    assert found(COMES, only_splitmix(some)) is None
    assert found(COMES, only_splitmix(fails)) is None
    seldom = only_splitmix(lambda _state, rng: (0, fixed if rng in (RNG, RNG.child(3)) else rng))
    assert f'as for {str(RNG.child(3))[:40]}' in found(COMES, seldom)
    later = only_splitmix(lambda _state, rng: (0, fixed if rng in (RNG, RNG.child(4)) else rng))
    assert found(COMES, later) is None  # of four others none


@pytest.mark.parametrize('move', [0, 8])
def test_from_outside_a_draw_from_what_is_handed_back_is_told(move):
    """The lowest move and the highest: with other generators it is another."""
    bot = only_splitmix(lambda state, rng: (some(state, rng)[0], rng))
    rng = next(one for one in map(SplitMix.from_seed, range(99)) if some(GRID, one)[0] == move)
    others = [(rng.child(index), some(GRID, rng.child(index))[0]) for index in range(4)]
    other, its = next((other, its) for other, its in others if its != move)
    assert found(ONCE, bot, rng=rng) == (
        f'handed its generator back as if nothing had been drawn, and yet plays {move} with '
        f'{str(rng)[:40]}..., {its} with {str(other)[:40]}...'
    )


def test_from_outside_nothing_is_found_where_nothing_is_drawn():
    assert found(ONCE, only_splitmix(some)) is None
    assert found(ONCE, only_splitmix(lambda state, rng: (state.moves[0], rng))) is None
    assert found(ONCE, only_splitmix(fails)) is None


# Its own analysis and its engines.


@frozen
class Explains(AnalysingBot):
    """What it plays, and what it says of it."""

    answer: object = SOME
    said: object = SOME

    def __call__(self, _state, _rng):
        return self.answer

    def analyse(self, state, rng):
        move, after = self.said
        analysis, _ = analyse(state, rng, Search(3), engine='inplace')
        return evolve(analysis, move=move), after


@pytest.mark.parametrize(
    ('bot', 'words'),
    [
        (Explains(), None),
        (some, None),
        (Explains(said=(SOME[0], RNG)), 'handed back {0}..., and by its analyse {1}...'),
        (Explains(said=(9, SOME[1])), 'played {2}, and by its analyse 9'),
        (Explains(said=None), None),  # it raises, which is told as left out
    ],
    ids=count(),
)
def test_an_analysis_is_of_the_answer(bot, words):
    words = words and words.format(str(SOME[1])[:40], str(RNG)[:40], SOME[0])
    assert found(ANALYSIS, bot) == words


@frozen
class ByEngine:
    """It plays by the name of its engine."""

    plays: dict = field(factory=dict)
    engine: str = 'inplace'

    def __call__(self, _state, rng):
        if self.engine == 'compiled':
            raise EngineError('not here')
        return self.plays.get(self.engine, 4), rng


@pytest.mark.parametrize(
    ('plays', 'words'),
    [
        ({}, None),
        ({'persistent': 5}, 'played 4, and by the engine persistent 5'),
        ({'monadic': 6}, 'played 4, and by the engine monadic 6'),
    ],
    ids=count(),
)
def test_engines_that_are_able_are_compared(plays, words):
    assert 'compiled' in ENGINES
    assert found(ENGINES_AGREE, ByEngine(plays)) == words


# Memory, and another process.


def after_line(*cells):
    state = GRID
    for cell in cells:
        state = state.play(cell)
    return state


class Remembering:
    """It plays the last move where it was asked of a position before, once or right before."""

    def __init__(self, of, at=GRID, *, just=False):
        self.of, self.at, self.just, self.asked = of, at, just, []

    def __call__(self, state, rng):
        known = self.of in (self.asked[-1:] if self.just else self.asked)
        self.asked.append(state)
        return state.moves[-1 if known and state == self.at else 0], rng


LAST = 'played 0, and after other positions 8'


@pytest.mark.parametrize(
    ('bot', 'words'),
    [
        (zoo_bots.some, None),
        (Remembering(after_line(4)), LAST),
        (Remembering(after_line(4, 3)), LAST),
        (Remembering(after_line(5)), None),
        (
            Remembering(GRID, after_line(0, 1), just=True),
            (
                'when 0 and 1 are played too, it played 2, and right after it was asked of the '
                'position above 8'
            ),
        ),
    ],
    ids=count(),
)
def test_nothing_is_remembered(bot, words):
    before = (after_line(4), after_line(4, 3))
    assert found(LATER, bot, before=before) == words


def test_at_the_end_nothing_comes_after():
    for cells in [(0, 3, 1, 4), (0, 1, 2, 3, 4, 5, 7, 6)]:
        state = after_line(*cells)
        bot = Remembering(None)
        ends = state.play(2 if 2 in state.moves else 8).over
        assert ends
        case = BotCase(lambda state, rng: (state.moves[0], rng), state, RNG)
        assert case.played_on is None
        assert found(LATER, bot, state) is None


def test_another_process():
    assert found(ELSEWHERE, some) is None
    assert found(ELSEWHERE, some, elsewhere=NOT_ASKED) is None
    assert found(ELSEWHERE, some, elsewhere=SOME) is None
    assert found(ELSEWHERE, some, elsewhere=(9, SOME[1])) == (
        f'played {SOME[0]}, and in a second process 9'
    )
