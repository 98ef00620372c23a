"""Each law of bots: its violations word for word, and correct answers."""

from itertools import count

import pytest

import zoo_bots
from fmcts import SplitMix
from looking_at_bots import (
    AGAIN,
    ANSWERS,
    COMES,
    GAME,
    GLOBAL,
    HANDED_BACK,
    LEGAL,
    LONG,
    ONCE,
    PAIR,
    RNG,
    SEEN,
    STAYS,
    HalfAGenerator,
    fails,
    found,
    gives,
    leaves,
)
from zoo_bots import Heaps, some

CUT, THEN = str(LONG)[:120] + '...', 'and when called again'
NINE = 'the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8'
SAME = 'the next draw gives the same number'
DREW = f'drew from the generator and returned it: {SAME}'
HAD_DRAWN = f'returned a generator that it had drawn from: {SAME}'


@pytest.mark.parametrize(
    ('law', 'bot', 'words'),
    [
        (GAME, some, None),
        (ANSWERS, some, None),
        (ANSWERS, fails, 'raised ValueError: no move'),
        (ANSWERS, leaves, 'raised SystemExit: no more'),
        (PAIR, some, None),
        (PAIR, gives(3), 'returned 3, which is not a pair'),
        (PAIR, gives([3, RNG]), f'returned [3, {RNG!r}], which is not a pair'),
        (PAIR, gives((3, RNG, 4)), f'returned (3, {RNG!r}, 4), which is not a pair'),
        (PAIR, gives(LONG), f'returned {CUT}, which is not a pair'),
        (LEGAL, some, None),
        (LEGAL, gives(3), None),  # another law tells
        (LEGAL, gives((9, RNG)), f'illegal move 9: {NINE}'),
        (LEGAL, gives((float('nan'), RNG)), f'illegal move nan: {NINE}'),
        (HANDED_BACK, some, None),
        (HANDED_BACK, gives(3), None),
        *(
            (HANDED_BACK, gives((3, rng)), f'returned the generator {shown}, which has no {lacks}')
            for rng, shown, lacks in (
                (7, '7', 'uniform, split, child'),
                (HalfAGenerator(), 'half', 'split, child'),
                (LONG, CUT, 'uniform, split, child'),
            )
        ),
        (STAYS, some, None),
        (GLOBAL, some, None),
        (GLOBAL, zoo_bots.draws_from_the_global_generator, SEEN),
        # The same again.
        (AGAIN, some, None),
        (AGAIN, gives((1, RNG), (2, RNG)), 'played 1, and when called again 2'),
        (AGAIN, gives((2, RNG), (1, RNG)), 'played 2, and when called again 1'),
        (AGAIN, gives((1, RNG), (1, 7)), f'returned the generator {str(RNG)[:40]}..., {THEN} 7'),
        (AGAIN, gives((1, RNG), 5), f'returned (1, {RNG!r}), and when called again 5'),
        (AGAIN, gives(5, (1, RNG)), f'returned 5, and when called again (1, {RNG!r})'),
        (AGAIN, gives(LONG, [LONG]), f'returned {CUT}, {THEN} {str([LONG])[:120]}...'),
        # The generator.
        (COMES, some, None),
        (COMES, lambda state, rng: (state.moves[0], rng), None),
        (COMES, lambda state, rng: (state.moves[0], rng.child(3).split()[1]), None),
        (COMES, gives(5), None),
        (ONCE, some, None),
        (ONCE, lambda state, rng: (state.moves[0], rng), None),
        (ONCE, gives(5), None),
        (ONCE, zoo_bots.hands_back_the_old_one, DREW),
        (ONCE, zoo_bots.hands_back_the_one_before_the_last, HAD_DRAWN),
        (ONCE, zoo_bots.splits_and_hands_back_the_half_it_used, HAD_DRAWN),
        (ONCE, zoo_bots.draws_from_a_child_and_keeps_the_parent, DREW),
    ],
    ids=count(),
)
def test_each_law_s_violation_in_words(law, bot, words):
    told = found(law, bot)
    assert told == words


def test_changed_arguments_are_reported():
    told = found(STAYS, zoo_bots.takes_from_the_list, Heaps([1]))
    assert told == 'the state.counters was [1] and is [0]'
    written = SplitMix.from_seed(1)

    def writes(state, rng):
        object.__setattr__(rng, 'state', 5)
        return state.moves[0], rng

    told = found(STAYS, writes, rng=written)
    assert told.startswith('the generator.state was ')
    assert told.endswith(' and is 5')


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


def test_values_of_any_kind_are_compared():
    told = found(LEGAL, gives((Picky(), RNG)))
    assert told == 'illegal move picky: the legal moves are 0, 1, 2, 3, 4, 5, 6, 7, 8'
    told = found(AGAIN, gives((Picky(), RNG), (Picky(), RNG)))
    assert told == 'played picky, and when called again picky'
    assert found(AGAIN, gives((AllMoves(), RNG), (AllMoves(), RNG))) is None
