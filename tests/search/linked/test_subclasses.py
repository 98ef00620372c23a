"""Rules and playouts serve only the class that declares them, as a subclass may override."""

import re

import pytest
from attrs import frozen

from fmcts import EngineError, Player, Search, SplitMix, analyse, monte_carlo, playout, trees
from fmcts._running import playouts
from fmcts.errors import FmctsWarning
from fmcts.notices import listening
from fmcts.rules import rules_of
from fmcts.simulation import simulator_of, uniform_playout
from fmcts.testing import check_rules

RNG = SplitMix.from_seed(1)


def fast_playout(self, draw):
    """The uniform playout of the subtraction game, without making states."""
    left, player = self.left, self.player
    while left:
        left -= 1 + draw(min(left, 3))
        player = player.other
    return player.other


@pytest.fixture(params=['moves', 'play', 'winner'])
def others(request, heap):
    """A class with rules and a playout, and a subclass that plays otherwise and inherits both."""

    @frozen
    class Fast(heap):
        compiled = heap.compiled
        playout = fast_playout
        longest_game = 1000

    class Sub(Fast):
        if request.param == 'moves':
            moves = property(lambda self: (2, 1, 3)[: self.left] if self.left != 1 else (1,))
        elif request.param == 'winner':
            winner = property(lambda self: self.player if self.over else None)
        elif request.param == 'play':

            def play(self, move):
                return type(self)(max(0, self.left - 2 * move), self.player.other)

    return Fast, Sub


@frozen
class Bare:
    """The members of a state of a subclass, without anything to inherit."""

    state: object

    player = property(lambda self: self.state.player)
    moves = property(lambda self: self.state.moves)
    over = property(lambda self: self.state.over)
    winner = property(lambda self: self.state.winner)

    def play(self, move):
        return Bare(self.state.play(move))


@pytest.mark.filterwarnings('ignore::fmcts.errors.FmctsWarning')
@pytest.mark.parametrize(
    ('engine', 'iterations'),
    [('auto', 500), ('auto', 2_000), ('inplace', 1_000), ('persistent', 500), ('monadic', 500)],
)
@pytest.mark.usefixtures('willing')
def test_a_subclass_is_searched_by_its_own_members(others, engine, iterations):
    _, sub = others
    found, found_rng = analyse(sub(21), RNG, Search(iterations), engine=engine)
    expected, expected_rng = analyse(Bare(sub(21)), RNG, Search(iterations), engine='inplace')
    assert (found.stats, found.digest, found_rng) == (expected.stats, expected.digest, expected_rng)


@pytest.mark.filterwarnings('ignore::fmcts.errors.FmctsWarning')
@pytest.mark.parametrize('times', [1_000, 4_000])  # of the second machine code would be taken
@pytest.mark.usefixtures('willing')
def test_playouts_use_the_subclass_s_own_members(others, times):
    _, sub = others
    expected = playouts(Bare(sub(9)), RNG, times, engine='inplace')
    assert playouts(sub(9), RNG, times) == expected
    assert playout(sub(21), RNG) == playout(Bare(sub(21)), RNG)
    found, expected = (
        monte_carlo(times).analyse(state, RNG)[0] for state in (sub(9), Bare(sub(9)))
    )
    assert found.stats == expected.stats
    one, other = (next(iter(trees(state, RNG, Search())))[1] for state in (sub(21), Bare(sub(21))))
    assert one == other


def test_a_class_that_redeclares_rules_is_compiled(heap):
    @frozen
    class Fast(heap):
        compiled = heap.compiled
        playout = fast_playout
        longest_game = 1000

    @frozen
    class Declaring(Fast):
        compiled = Fast.compiled
        playout = Fast.playout
        longest_game = 1000

    class Late(heap):
        pass

    Late.compiled = heap.compiled
    for kind in (heap, Fast, Declaring, Late):
        assert rules_of(kind(5)) is heap.compiled
        analyse(kind(5), RNG, Search(100), engine='compiled')
    for kind in (Fast, Declaring):
        assert simulator_of(kind(5)) is fast_playout
        assert playout(kind(21), RNG) == playout(heap(21), RNG)


def test_an_overridden_playout_is_used(others):
    fast, sub = others

    class Own(sub):
        def playout(self, draw):
            draw(2)
            return Player.O

    assert simulator_of(sub(5)).func is uniform_playout
    with listening([].append):
        assert playouts(Own(21), RNG, 100, engine='inplace')[0] == {Player.O: 100}
    assert simulator_of(fast(5)) is fast_playout


def test_the_refusal_names_both_classes(others):
    _, sub = others
    complaint = re.escape(
        'does not support Sub, which only inherits the rules on integers of Fast: declare its own '
        '(compiled = Fast.compiled if nothing differs); use one of: inplace'
    )
    with pytest.raises(EngineError, match=complaint):
        analyse(sub(21), RNG, Search(10), engine='compiled')
    with pytest.raises(EngineError, match=complaint):
        playouts(sub(21), RNG, 10, engine='compiled')
    with pytest.raises(EngineError, match='rules on integers of Fast: declare its own'):
        check_rules(sub(21))


def test_auto_reports_unused_members_once(others):
    _, sub = others
    heard = []
    with listening(heard.append):
        for _ in range(3):
            analyse(sub(21), RNG, Search(100))
            playouts(sub(21), RNG, 10)
    rules, playout = heard
    assert rules == (
        'Sub is not compiled: the rules on integers that it inherits serve Fast alone '
        '(Sub.compiled = Fast.compiled if nothing differs)'
    )
    assert playout == (
        'Sub is played out move by move: the playout that it inherits serves Fast alone '
        '(Sub.playout = Fast.playout if nothing differs)'
    )
    with pytest.raises(FmctsWarning, match='Sub is not compiled'):
        analyse(sub(21), RNG, Search(10))  # warnings are errors in these tests
