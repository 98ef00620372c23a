"""Bots observed by their generators, their own analysis and their engines."""

from itertools import count

import pytest
from attrs import evolve, field, frozen

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.bots import AnalysingBot
from fmcts.testing._laws.bots import BotCase
from looking_at_bots import (
    ANALYSIS,
    COMES,
    ENGINES_AGREE,
    GRID,
    LONG,
    ONCE,
    RNG,
    SOME,
    fails,
    found,
)
from zoo_bots import some


def test_a_generator_from_another_call_is_reported():
    other = BotCase(GRID, RNG, bot=some).recording[0]
    told = found(COMES, lambda state, _rng: (state.moves[0], other))
    assert told == 'returned a generator that was given to it in another call'
    told = found(COMES, lambda state, _rng: (state.moves[0], RNG))
    assert told == f'returned the generator {RNG!r}, which is not derived from the given one'
    told = found(COMES, lambda state, _rng: (state.moves[0], LONG))
    assert (
        told
        == f'returned the generator {str(LONG)[:120]}..., which is not derived from the given one'
    )


def only_splitmix(answer):
    def bot(state, rng):
        if type(rng) is not SplitMix:
            raise TypeError('a SplitMix, please')
        return answer(state, rng)

    return bot


def test_observed_from_outside_a_fixed_generator_is_reported():
    fixed = SplitMix.from_seed(4)
    bot = only_splitmix(lambda state, rng: (some(state, rng)[0], fixed))
    assert found(COMES, bot) == (
        f'returned the generator {str(fixed)[:40]}... for {str(RNG)[:40]}... '
        f'and for {str(RNG.child(0))[:40]}...'
    )
    assert found(COMES, only_splitmix(some)) is None
    assert found(COMES, only_splitmix(fails)) is None
    seldom = only_splitmix(lambda _state, rng: (0, fixed if rng in (RNG, RNG.child(3)) else rng))
    assert f'and for {str(RNG.child(3))[:40]}' in found(COMES, seldom)
    later = only_splitmix(lambda _state, rng: (0, fixed if rng in (RNG, RNG.child(4)) else rng))
    assert found(COMES, later) is None  # of four others none


@pytest.mark.parametrize('move', [0, 8])
def test_observed_from_outside_a_reused_generator_is_reported(move):
    """The lowest move and the highest: with other generators it is another."""
    bot = only_splitmix(lambda state, rng: (some(state, rng)[0], rng))
    rng = next(one for one in map(SplitMix.from_seed, range(99)) if some(GRID, one)[0] == move)
    others = [(rng.child(index), some(GRID, rng.child(index))[0]) for index in range(4)]
    other, its = next((other, its) for other, its in others if its != move)
    assert found(ONCE, bot, rng=rng) == (
        f'returned its generator as if nothing had been drawn, but played {move} with '
        f'{str(rng)[:40]}... and {its} with {str(other)[:40]}...'
    )


def test_observed_from_outside_correct_bots_pass():
    assert found(ONCE, only_splitmix(some)) is None
    assert found(ONCE, only_splitmix(lambda state, rng: (state.moves[0], rng))) is None
    assert found(ONCE, only_splitmix(fails)) is None


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
        (
            Explains(said=(SOME[0], RNG)),
            'returned the generator {0}..., and in its analysis {1}...',
        ),
        (Explains(said=(9, SOME[1])), 'played {2}, and in its analysis 9'),
        (Explains(said=None), None),  # it raises, which is told as left out
    ],
    ids=count(),
)
def test_the_analysis_must_match_the_answer(bot, words):
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
        ({'persistent': 5}, 'played 4, and with the engine persistent 5'),
        ({'monadic': 6}, 'played 4, and with the engine monadic 6'),
    ],
    ids=count(),
)
def test_supporting_engines_are_compared(plays, words):
    assert 'compiled' in ENGINES
    assert found(ENGINES_AGREE, ByEngine(plays)) == words
