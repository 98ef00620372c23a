"""Root parallelisation: merged trees, and results that do not depend on the workers."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs import evolve

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running.merging import merged
from fmcts.bots import parallel
from fmcts.games import connect4, othello, tictactoe
from fmcts.search.resolution.solver import proof_at
from tiers import exhaustive
from toy_games import nodes_by_line

LATE = connect4.start.play(3).play(0).play(3).play(0).play(2)


@pytest.mark.parametrize(
    'search',
    [
        Search(402, selection='ucb1-tuned'),
        Search(402, selection='rave', playout='mast'),
        Search(402, selection='puct', schedule='halving'),
        Search(600, solver=True, playout='anti-decisive'),
        Search(600, solver=True, bounds=True),
        Search(600, closing=True),
    ],
    ids=lambda search: f'{search.selection}-{search.resolution and search.resolution.column}',
)
@pytest.mark.parametrize('state', [LATE, exhaustive(tictactoe.start.play(4).play(1).play(0))])
def test_visits_rewards_and_proofs_of_any_method_are_merged(search, state):
    rng = SplitMix.from_seed(11)
    found, _ = parallel(search, trees=3).analyse(state, rng)
    own, _ = rng.split()
    parts = [
        analyse(state, own.child(number), evolve(search, iterations=search.iterations // 3))[0]
        for number in range(3)
    ]
    every = [nodes_by_line(part.tree) for part in parts]
    for line, node in nodes_by_line(found.tree).items():
        same = [nodes[line] for nodes in every if line in nodes]
        assert node.visits == sum(one.visits for one in same)
        assert node.reward == sum(one.reward for one in same)
        if search.solver and not search.bounds:
            proven = [proof_at(one) for one in same if proof_at(one)]
            assert proof_at(node) == (proven[0] if proven else None)
        assert node.columns.names.own == ((search.resolution.column,) if search.resolution else ())
    assert {line for nodes in every for line in nodes} == nodes_by_line(found.tree).keys()
    assert found.move == parallel(search, trees=3, workers=2)(state, rng)[0]


def test_a_proof_of_one_tree_counts_for_all():
    """Each tree has too few iterations to look at every move, and one of them finds the win."""
    won = connect4.start.play(3).play(0).play(3).play(0).play(3).play(1)
    found, _ = parallel(Search(120, solver=True), trees=8).analyse(won, SplitMix.from_seed(1))
    assert (found.move, str(found.proof)) == (3, 'win in 1')


def test_merged_nodes_are_lazy():
    """A move costs no walk through the trees, and a merged tree can be pickled and searched."""
    rng = SplitMix.from_seed(2)
    found, _ = parallel(Search(300), trees=2).analyse(connect4.start, rng)
    copy = pickle.loads(pickle.dumps(found.tree))  # noqa: S301 - our own
    assert copy == found.tree
    assert hash(copy) == hash(found.tree)
    more, _ = analyse(connect4.start, rng, Search(50), tree=found)
    assert more == analyse(connect4.start, rng, Search(50), tree=copy)[0]
    assert more.iterations == 350


@pytest.mark.parametrize('game', [connect4, othello])
def test_the_number_of_workers_does_not_change_the_result(game):
    rng = SplitMix.from_seed(3)
    alone = parallel(Search(300)).analyse(game.start, rng)
    for workers in (2, 8):
        assert parallel(Search(300), workers=workers).analyse(game.start, rng) == alone
    with ThreadPoolExecutor(3) as threads:
        found = parallel(Search(300), executor=threads).analyse(game.start, rng)
    assert (found[0].digest, found[1]) == (alone[0].digest, alone[1])
    for engine in ('persistent', 'monadic'):
        assert parallel(Search(300), engine=engine).analyse(game.start, rng) == alone


def test_one_tree_equals_the_search_itself():
    rng = SplitMix.from_seed(4)
    found, _ = parallel(Search(200), trees=1).analyse(connect4.start, rng)
    plain, _ = analyse(connect4.start, rng.split()[0].child(0), Search(200))
    assert found == plain


def test_it_is_a_bot_with_root_moves():
    bot, rng = parallel(Search(80)), SplitMix.from_seed(5)
    move, after = bot(connect4.start, rng)
    analysis, again = bot.analyse(connect4.start, rng)
    assert (move, after) == (analysis.move, again)
    few, _ = bot.analyse(connect4.start, rng, root_moves=[2, 5])
    assert [row.move for row in few.stats] == [2, 5]
    for search, expected in (
        (Search(2_700), [0, 1000, 2000, 2700]),  # rounds
        (Search(80, solver=True), [0, 80]),  # merged once
    ):
        heard = []
        parallel(search).analyse(connect4.start, rng, watch=heard.append)
        assert heard == expected


@pytest.mark.parametrize(
    ('given', 'kind', 'complaint'),
    [
        ({'search': Search(transpositions='sound')}, ValueError, 'cannot merge graphs'),
        ({'search': Search(network=len)}, ValueError, 'a search with a network'),
        (
            {'search': Search(selection='rave', final='ucb')},
            ValueError,
            "final='ucb' may read columns of RAVE, but the merged tree of parallel has none",
        ),
        ({'search': 5}, TypeError, 'Search'),
        ({'trees': 0}, ValueError, 'trees must be a whole number of at least 1, not 0'),
        ({'workers': 1.5}, ValueError, 'workers must be a whole number of at least 1, not 1.5'),
        ({'engine': 'fast'}, EngineError, 'unknown engine'),
    ],
)
def test_invalid_options_are_refused(given, kind, complaint):
    with pytest.raises(kind, match=complaint):
        parallel(**given)


def test_trees_that_cannot_be_merged_are_refused():
    rng = SplitMix.from_seed(1)
    one, two = (analyse(state, rng, Search(5))[0].tree for state in (
        connect4.start, connect4.start.play(1)
    ))  # fmt: skip
    with pytest.raises(ValueError, match='trees of different positions'):
        merged([one, two])
    with pytest.raises(ValueError, match='there is no tree'):
        merged([])
    graph, _ = analyse(connect4.start, rng, Search(5, transpositions='sound'))
    with pytest.raises(ValueError, match='graphs \\(transpositions\\) cannot be merged'):
        merged([graph.tree])
    assert merged([one]) == one


def test_the_executor_is_not_part_of_the_value():
    with ThreadPoolExecutor(1) as threads:
        bot = parallel(Search(9), executor=threads)
        assert bot == parallel(Search(9))
        assert 'executor' not in repr(bot)
    assert bot.workers == 1


def test_after_an_error_no_other_search_begins(monkeypatch):
    begun, ended, calls = threading.Event(), threading.Event(), []

    class Pool(ThreadPoolExecutor):
        def shutdown(self, *given, **options):
            ended.set()
            super().shutdown(*given, **options)

    def worth(_state):
        if threading.current_thread() is threading.main_thread():
            begun.wait()
            raise KeyboardInterrupt
        begun.set()
        ended.wait()
        calls.append(1)
        return 0.5

    monkeypatch.setattr('fmcts.bots._root_parallel.ThreadPoolExecutor', Pool)
    bot = parallel(Search(30, evaluate=worth), trees=6, workers=2, engine='inplace')
    with pytest.raises(KeyboardInterrupt):
        bot(tictactoe.start, SplitMix.from_seed(1))
    assert len(calls) == 5  # of one tree
