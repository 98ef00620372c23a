"""The engines agree to the bit."""

import json
import pathlib
from itertools import product

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from chained import chains, compare, starts
from fmcts import Search, SplitMix, analyse, reroot, rng as rngs, trees
from fmcts._running.registry import ENGINES
from fmcts.games import GAMES, tictactoe
from fmcts.search import _digest as digests
from fmcts.search._tree import plant, walk
from fmcts.testing import generators, positions, searches
from fmcts.testing._laws.watching import changed, snapshot
from fmcts.testing._strategies import splitmixes
from tiers import usually
from toy_games import Counter

GOLDEN = json.loads((pathlib.Path(__file__).parent / 'golden.json').read_text())
OTHERS = [name for name in ENGINES if name != 'persistent']
PYTHON = [name for name in ENGINES if name != 'compiled']
ABLE = [
    name
    for name in OTHERS
    if ENGINES[name].unsupported(plant(tictactoe.start), SplitMix.from_seed(0), Search(1)) is None
]


def pure_analyse(*given, **options):
    """Analyse, and see that nothing that the arguments are made of was changed, to the last slot.

    Pickles and equality would not do: both leave out what follows from the rest, such as the
    `value` of a node and the words that a generator has computed ahead. A slot that was empty may
    have been filled: that is how a value is remembered when it is asked for the first time.
    """
    arguments = [*given, *options.values()]
    before = snapshot(arguments, 'arguments', CODE)
    result = analyse(*given, **options)
    found = changed(before, snapshot(arguments, 'arguments', CODE))
    assert found is None, found
    return result


CODE = frozenset({'code'})  # a tree's machine code, which is no part of its value


# The wide games by one of the interpreted engines each; the small one by all engines.
KEPT = {
    *product(OTHERS, ['tictactoe']),
    *zip(['monadic', 'inplace'], ['connect4', 'othello'], strict=True),
}


@given(data=st.data(), search=st.booleans().flatmap(lambda joins: searches(rollout_expand=joins)))
@pytest.mark.parametrize(
    ('other', 'game', 'drawn'),
    usually(
        lambda case: case[:2] in KEPT and (case[0] == 'compiled') == (case[2] is splitmixes),
        [*product(OTHERS, GAMES, [generators]), ('compiled', 'tictactoe', splitmixes)],
    ),
    ids=lambda given: None if isinstance(given, str) else given.__name__,
)
def test_every_engine_equals_the_reference(other, game, drawn, data, search):
    # Each expansion by each generator is machine code of its own: in one game most by both.
    one = other == 'compiled' and (game != 'tictactoe' or search.expansion == 'jump')
    rng = data.draw(splitmixes() if one else drawn())
    state = data.draw(positions(GAMES[game].start, running=True))
    if game == 'othello':  # its playouts are long: there is room for one, and time for fewer
        room = search.max_nodes and search.max_nodes + 100
        search = evolve(search, iterations=1 + search.iterations // 4, max_nodes=room)
    expected, expected_rng = pure_analyse(state, rng, search, engine='persistent')
    found, found_rng = pure_analyse(state, rng, search, engine=other)
    assert found == expected
    assert found.stats == expected.stats
    assert found.digest == expected.digest
    assert found_rng == expected_rng


@settings(max_examples=250)
@given(data=st.data(), rng=generators() | st.integers(0, 10**6).map(Counter))
@pytest.mark.parametrize('other', [name for name in OTHERS if name != 'compiled'])
def test_every_engine_agrees_on_every_option(other, data, rng):
    """All that `Search` takes; what can be compiled of it is in test_shapes."""
    state = data.draw(starts())
    compare(state, rng, data.draw(chains(state)), other)


def drawn_of_any(data, state, rng):
    """A search of a new tree with options of any kind but schedules, and what the reference finds.

    `None` where it finds nothing: there is no room, no end, or no number. Batches are full.
    """
    search = evolve(data.draw(chains(state))[0].search, final='robust', schedule=None)
    search = evolve(search, iterations=-(-search.iterations // search.batch) * search.batch)
    try:
        return search, analyse(state, rng, search, engine='persistent')
    except ValueError:
        return search, None


@settings(max_examples=150)
@given(data=st.data(), rng=generators())
def test_the_stream_of_trees_equals_the_search(data, rng):
    """The tree after as many iterations, and its generator."""
    state = data.draw(starts())
    search, expected = drawn_of_any(data, state, rng)
    if expected:
        found, after = expected
        stream = trees(state, rng, search)
        there = next(pair for pair in stream if pair[0].iterations == found.iterations)
        assert there == (found.tree, after)


@settings(max_examples=150)
@given(data=st.data(), rng=generators(), engines=st.tuples(*[st.sampled_from(PYTHON)] * 2))
def test_continuing_equals_one_longer_search(data, rng, engines):
    """`max_nodes` included; with a network from the end of a batch."""
    state = data.draw(starts())
    whole, expected = drawn_of_any(data, state, rng)
    some = data.draw(st.integers(1, whole.iterations))
    some -= some % whole.batch
    if expected and 0 < some < whole.iterations and not whole.sliding:  # what is in flight is lost
        begun, then = engines
        first, middle = analyse(state, rng, evolve(whole, iterations=some), engine=begun)
        rest = evolve(whole, iterations=whole.iterations - some)
        assert analyse(state, middle, rest, engine=then, tree=first) == expected


def is_kept(pair):
    """Return whether the default run has a golden: half of them by engines like the reference."""
    engine, case = pair
    if engine in ('monadic', 'inplace'):
        return GOLDEN.index(case) % 2 == (engine == 'inplace')
    # By other expansions and generators machine code is another one, which a small game has.
    usual = case['search']['expansion'] == 'in-order'
    small, splitmix = case['game'] == 'tictactoe', 'splitmix' in case['rng']
    return engine == 'persistent' or (usual and (small or splitmix)) or (small and splitmix)


@pytest.mark.parametrize(
    ('engine', 'case'),
    usually(is_kept, product(ENGINES, GOLDEN)),
    ids=lambda given: given if isinstance(given, str) else given['name'],
)
def test_golden_digests(engine, case):
    """Analyses that may never change without an entry in the changelog."""
    game = GAMES[case['game']]
    state = game.start
    for move in case['moves']:
        state = state.play(game.parse_move(move).unwrap())
    rng = rngs.parse(case['rng']).unwrap()
    analysis, rng = analyse(state, rng, Search(**case['search']), engine=engine)
    assert game.format_move(analysis.move) == case['move']
    assert analysis.digest == case['digest']
    assert digests.digest(analysis.tree) == case['digest']  # from the nodes, not from numbers
    assert rngs.format(rng) == case['rng_out']


def test_the_goldens_cover_games_and_options():
    assert len(GOLDEN) >= 50
    assert {case['game'] for case in GOLDEN} == set(GAMES)
    assert {case['rng'].split(':')[0] for case in GOLDEN} == {'splitmix', 'stdgen'}
    assert {case['search'].get('expansion') for case in GOLDEN} >= {'in-order', 'random', 'full'}
    assert len({case['digest'] for case in GOLDEN}) >= 50


class PureAgainstStateful(RuleBasedStateMachine):
    """A pure and a stateful search side by side, step by step, over versions of the tree."""

    @initialize(
        rng=splitmixes(),  # for each generator machine code is another one
        expansion=st.sampled_from(['in-order', 'random', 'full']),
    )
    def begin(self, rng, expansion):
        self.expansion = expansion
        self.versions = [(plant(tictactoe.start), plant(tictactoe.start), rng)]

    @rule(data=st.data(), iterations=st.integers(1, 40), stateful=st.sampled_from(ABLE))
    def advance(self, data, iterations, stateful):
        """Grow any version, the newest or an old one: an old one forks."""
        pure, other, rng = data.draw(st.sampled_from(self.versions))
        search = Search(iterations, expansion=self.expansion)
        one, one_rng = analyse(pure.state, rng, search, engine='persistent', tree=pure)
        two, two_rng = analyse(other.state, rng, search, engine=stateful, tree=other)
        assert (one, one_rng) == (two, two_rng)
        assert one.digest == two.digest
        self.versions.append((one.tree, two.tree, one_rng))

    @precondition(lambda self: any(tree.children for tree, _, _ in self.versions))
    @rule(data=st.data())
    def play_on(self, data):
        """Make a move: the subtree after it is the next tree."""
        pure, other, rng = data.draw(
            st.sampled_from([version for version in self.versions if version[0].children])
        )
        move = data.draw(st.sampled_from(pure.moves))
        if pure.state.play(move).over:
            return
        self.versions.append((reroot(pure, move), reroot(other, move), rng))

    @rule()
    def every_version_is_as_it_was(self):
        for pure, other, _ in self.versions:
            assert pure == other
            assert all(
                node.visits >= sum(child.visits for child in node.children) for node in walk(pure)
            )


PureAgainstStateful.TestCase.settings = settings(max_examples=30, stateful_step_count=15)
TestPureAgainstStateful = PureAgainstStateful.TestCase
