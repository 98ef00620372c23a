"""Searches that share a tree in rounds: the same for every engine and number of workers."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, analyse
from fmcts._running import rounds
from fmcts._running.merging import combined
from fmcts._running.registry import ENGINES
from fmcts._running.rounds import lacks_rounds
from fmcts.bots import parallel
from fmcts.errors import RulesError
from fmcts.games import connect4, tictactoe
from fmcts.notices import listening
from fmcts.search._tree import plant, walk
from fmcts.search.policies import Decisive
from fmcts.testing import generators, positions
from fmcts.testing._strategies import splitmixes
from toy_games import nodes_by_line

RNG = SplitMix.from_seed(3)


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Rounds of few iterations, so that a small search has many."""
    monkeypatch.setattr(rounds, 'FIRST', 4)


def by_line(tree):
    """Visits and rewards of every node, by the line of moves that leads to it."""
    return {line: (it.visits, it.reward) for line, it in nodes_by_line(tree).items()}


@given(st.integers(1, 3_000), st.integers(1, 9))
def test_rounds_double_and_add_up_to_all_iterations(iterations, trees):
    done = 0
    for shares in rounds.rounds(iterations, trees):
        assert len(shares) == trees
        assert shares == sorted(shares, reverse=True)
        assert shares[0] - shares[-1] <= 1
        assert sum(shares) == min(max(4 * trees, done), iterations - done)
        done += sum(shares)
    assert done == iterations


SEARCHES = [
    Search(expansion='in-order'),
    Search(expansion='random', c=0.7),
    Search(expansion='full'),
    Search(expansion='jump'),
    Search(expansion='selected', selection='ucb1-fpu'),
    Search(playout=Decisive()),
]


@given(
    positions(tictactoe.start, running=True),
    generators(),
    st.integers(1, 120),
    st.integers(1, 5),
    st.sampled_from(SEARCHES),
    st.sampled_from([name for name in ENGINES if name != 'compiled']),
)
@settings(max_examples=40)
def test_matches_the_definition(state, rng, iterations, trees, search, engine):
    """Round by round: each tree continues the base, and what it found is added to the base."""
    search = evolve(search, iterations=iterations)
    found, after = parallel(search, trees=trees, engine=engine).analyse(state, rng)
    own, handed_back = rng.split()
    assert after == handed_back
    base, each = plant(state), [own.child(number) for number in range(trees)]
    for shares in rounds.rounds(iterations, trees):
        grown = []
        for number, share in enumerate(shares):
            if share:
                part = evolve(search, iterations=share)
                analysis, each[number] = analyse(state, each[number], part, tree=base)
                grown.append(analysis.tree)
        before = by_line(base)
        base = combined(base, grown)
        lines = [by_line(tree) for tree in grown]
        assert by_line(base) == {
            line: tuple(
                before.get(line, (0, 0))[k]
                + sum(tree[line][k] - before.get(line, (0, 0))[k] for tree in lines if line in tree)
                for k in (0, 1)
            )
            for line in {line for tree in lines for line in tree}
        }
    assert found.tree == base
    assert found.iterations == iterations
    for node in walk(base):
        assert [child.move for child in node.children] == [
            move for move in node.moves if node.child(move)
        ]


@given(
    positions(tictactoe.start, running=True),
    splitmixes(),  # for each generator machine code is another one
    st.integers(1, 400),
    st.integers(1, 9),
    st.sampled_from([1, 2, 8]),
    st.sampled_from(SEARCHES[:4]),
)
@settings(max_examples=25, deadline=None)
@pytest.mark.needs_numba
def test_compiled_merging_equals_merging_of_nodes(state, rng, iterations, trees, workers, search):
    search = evolve(search, iterations=iterations)
    one, after = parallel(search, trees=trees, engine='inplace').analyse(state, rng)
    bot = parallel(search, trees=trees, engine='compiled', workers=workers)
    two, after_two = bot.analyse(state, rng)
    assert (one.digest, one.move, one.nodes, after) == (two.digest, two.move, two.nodes, after_two)
    assert two.tree == one.tree
    assert two.nodes == sum(1 for _ in walk(two.tree))


@pytest.mark.needs_numba
def test_arrays_grow_between_rounds(monkeypatch):
    """Little room to begin with, and a last round for some trees."""
    from fmcts._linked.tree import arena  # noqa: PLC0415

    search = Search(20_003)
    plain, _ = parallel(search, trees=4, engine='compiled').analyse(connect4.start, RNG)
    monkeypatch.setattr(arena, 'AHEAD', 16)
    monkeypatch.setattr(arena, 'LEAST', 16)
    for workers in (1, 8):
        bot = parallel(search, trees=4, engine='compiled', workers=workers)
        found, _ = bot.analyse(connect4.start, RNG)
        assert found == plain
        assert found.nodes == plain.nodes


@pytest.mark.needs_numba
def test_an_interrupt_ends_searches_in_other_threads():
    """They end at their next chunk; the pool of threads waits for them."""
    trees = ENGINES['compiled'].rounds(plant(connect4.start), [RNG, RNG.child(1)], Search(9))
    trees.advance([3, 3], lambda function, items: [*map(function, items)])
    waiting = []

    def each(function, items):
        waiting.extend((function, item) for item in items)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trees.advance([1 << 40, 1 << 40], each)
    for function, item in waiting:
        function(item)
    assert [session.visits for session in trees.sessions] == [6, 6]


def test_executors_of_processes_do_not_change_the_result():
    """What it is given can be pickled, as it must be on the way to another process."""

    class Pickling(ThreadPoolExecutor):
        def map(self, function, *items):
            return super().map(*pickle.loads(pickle.dumps((function, *items))))  # noqa: S301

    with Pickling(2) as processes:
        bot = parallel(Search(300), trees=3, executor=processes)
        assert bot.analyse(tictactoe.start, RNG) == parallel(Search(300), trees=3).analyse(
            tictactoe.start, RNG
        )


@pytest.mark.parametrize('when', ['begin', 'advance'])
def test_falling_back_from_broken_rules(monkeypatch, when):
    class Broken:
        def advance(self, _shares, _each):
            raise RulesError('broken')

    def begin(*_given):
        if when == 'begin':
            raise RulesError('broken')
        return Broken()

    engine = evolve(ENGINES['inplace'], name='compiled', unsupported=lambda *_: None, rounds=begin)
    monkeypatch.setitem(ENGINES, 'compiled', engine)
    expected = parallel(Search(50), engine='inplace').analyse(tictactoe.start, RNG)
    heard = []
    with listening(heard.append):
        assert parallel(Search(50)).analyse(tictactoe.start, RNG) == expected
    assert heard == ['broken; continuing with the engine inplace']
    with pytest.raises(RulesError, match='broken'):
        parallel(Search(50), engine='compiled').analyse(tictactoe.start, RNG)


@pytest.mark.parametrize(
    ('given', 'what'),
    [
        ({'selection': 'ucb1-tuned'}, 'the columns of UCB1Tuned'),
        ({'solver': True}, 'a solver or closing'),
        ({'closing': True}, 'a solver or closing'),
        ({'playout': 'mast'}, 'playouts that remember'),
        ({'evaluate': lambda _state: 0.5}, 'evaluate'),
        ({'reward': lambda _state: 0.5}, 'reward'),
        ({'schedule': 'halving'}, 'a schedule'),
        ({'stop': lambda _stats: False}, 'stop'),
        ({'max_nodes': 9}, 'max_nodes'),
        ({'rollout_expand': True}, 'rollout_expand'),
        ({'transpositions': 'sound'}, 'transpositions'),
    ],
    ids=lambda given: next(iter(given)) if isinstance(given, dict) else '',
)
def test_unsupported_searches_are_named(given, what):
    assert lacks_rounds(Search(**given)) == what


@pytest.mark.parametrize('selection', ['ucb1', 'ucb1-tuned'])
@pytest.mark.parametrize('engine', ['inplace', 'persistent'])
def test_only_the_last_tree_needs_a_visit_for_each_move(selection, engine):
    """Each of the first has 4 iterations, or 5, where there are 7 moves."""
    search = Search(72 if selection == 'ucb1' else 35, selection=selection, expansion='random')
    bot = parallel(evolve(search, final='robust-of-all'), trees=9, engine=engine)
    found, _ = bot.analyse(connect4.start, RNG)
    assert found.iterations == search.iterations
