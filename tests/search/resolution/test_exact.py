"""`solver='exact'`: values of a single player's games, against dynamic programming by fractions."""

from fractions import Fraction

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from chained import agree
from drawn_games import start_of
from fmcts import EngineError, MethodError, Search, SplitMix, analyse, reroot
from fmcts.search import principal_variation, walk
from fmcts.testing import generators


@frozen
class Walk:
    """What was gained on the way here, and what each move leads to."""

    gained: float = 0.0
    after: tuple = ()
    rewards: tuple = (0.0,)
    players, player = ('one',), 'one'

    moves = property(lambda self: tuple(range(len(self.after))))
    over = property(lambda self: not self.after)

    def play(self, move):
        return self.after[move]


@frozen
class Scored:
    """The same with a reward at the end alone."""

    end: float = 0.0
    after: tuple = ()
    players, player = ('one',), 'one'

    moves, over = Walk.moves, Walk.over
    rewards = property(lambda self: () if self.after else (self.end,))
    play = Walk.play


def trees(kind, gains, **ends):
    leaves = st.builds(kind, gains, **ends)
    drawn = st.recursive(
        leaves,
        lambda below: st.builds(kind, gains, st.lists(below, min_size=1, max_size=4).map(tuple)),
        max_leaves=16,
    )
    return drawn.filter(lambda game: not game.over)


EIGHTHS = st.integers(-16, 16).map(lambda number: number / 8)
WALKS = trees(Walk, EIGHTHS, rewards=st.tuples(EIGHTHS))
SCORED = trees(Scored, st.sampled_from([0.0, 0.25, 0.5, 1.0]))


def worth(state, discount):
    """What follows a state, by the best moves."""
    if state.over:
        return Fraction(*(state.rewards[0].as_integer_ratio()))
    return max(come(after, discount) for after in state.after)


def come(state, discount):
    """What it is worth to come to a state."""
    factor = 1 if state.over else discount
    return Fraction(getattr(state, 'gained', 0.0)) + factor * worth(state, discount)


def searches(iterations, *expansions, **options):
    return st.builds(
        Search,
        iterations,
        solver=st.just('exact'),
        discount=st.sampled_from([1.0, 0.5]),
        expansion=st.sampled_from(expansions),
        c=st.just(1.0),
        **options,
    )


SEARCHES = searches(st.integers(1, 60), 'in-order', 'random', 'full', 'jump') | searches(
    st.integers(1, 60), 'selected', selection=st.just('puct')
)


@given(WALKS | SCORED, generators(), SEARCHES)
def test_what_is_exact_is_right(game, rng, search):
    tree, discount = agree(game, rng, search)[0].tree, Fraction(search.discount)
    for node in walk(tree):
        number = node.columns.own[-1]
        if number:
            value = worth if node is tree else come
            assert (0 if number == 5e-324 else Fraction(number)) == value(node.state, discount)


@given(WALKS | SCORED, generators(), st.sampled_from([1.0, 0.5]))
def test_a_resolved_game_is_played_well(game, rng, discount):
    search = Search(5000, solver='exact', discount=discount, c=1.0)
    analysis, _ = analyse(game, rng, search)
    best = worth(game, Fraction(discount))
    assert analysis.iterations < 5000
    assert analysis.proof.reward == best
    assert str(analysis.proof) == f'worth {float(best):g}'
    assert come(game.play(analysis.move), Fraction(discount)) == best
    line = principal_variation(analysis.tree)
    assert line[0] == analysis.move or come(game.play(line[0]), Fraction(discount)) == best


def test_the_most_that_there_is_ends_the_search_at_once():
    best = Scored(1.0)
    game = Scored(0.0, (Scored(0.0, (best, *[Scored(0.5)] * 20)), Scored(0.5)))
    analysis, _ = analyse(game, SplitMix.from_seed(1), Search(100, solver='exact', c=0.0))
    assert (analysis.move, str(analysis.proof), analysis.iterations) == (0, 'worth 1', 3)


def test_a_better_mean_outweighs_an_exact_value():
    long = Walk(0.0, (Walk(0.0, (Walk(5.0), Walk(5.0), Walk(4.0))), *[Walk(5.0)] * 9))
    game = Walk(0.0, (Walk(1.0), long))
    analysis, rng = analyse(game, SplitMix.from_seed(1), Search(5, solver='exact', c=1.0))
    assert [str(row.proof) for row in analysis.stats] == ['worth 1', 'None']
    assert analysis.move == 1
    onward, _ = analyse(long, rng, Search(50, solver='exact', c=1.0), tree=reroot(analysis.tree, 1))
    assert str(onward.proof) == 'worth 5'


def test_what_cannot_have_exact_values_says_so():
    rng, search = SplitMix.from_seed(1), Search(5, solver='exact')
    with pytest.raises(MethodError, match=r"solver .*: use solver='exact' or fmcts.solve.expec"):
        analyse(Scored(0.0, (Scored(),)), rng, evolve(search, solver=True))
    with pytest.raises(MethodError, match=r'solver .* `chances`.*: use fmcts.solve.exp'):
        analyse(start_of(1, 1), rng, search)
    with pytest.raises(EngineError, match="solver='exact'"):
        analyse(Scored(0.0, (Scored(),)), rng, search, engine='compiled')
    with pytest.raises(ValueError, match='an exact value is its own bounds'):
        Search(5, solver='exact', bounds=True)
