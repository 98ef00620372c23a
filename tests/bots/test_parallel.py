"""Several trees at once: the same whoever runs them, and what they add up to."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.bots import parallel as of_bots
from fmcts.bots.parallel import parallel
from fmcts.games import connect4, othello, tictactoe
from fmcts.search.merging import merged
from fmcts.search.tree import walk
from fmcts.testing import generators, positions


def lines(tree):
    """Visits and rewards of every node, by the line of moves that leads to it."""
    found, waiting = {}, [((), tree)]
    while waiting:
        line, node = waiting.pop()
        found[line] = (node.visits, node.reward, node.state, node.mover)
        waiting.extend(((*line, child.move), child) for child in node.children)
    return found


@given(
    positions(tictactoe.start, running=True),
    generators(),
    st.integers(1, 200),
    st.integers(1, 9),
    st.sampled_from(['in-order', 'random', 'full']),
)
@settings(max_examples=40)
def test_it_adds_up_what_each_tree_found(state, rng, iterations, trees, expansion):
    """From the definition: shares of the iterations, generators by number, sums by line."""
    search = Search(iterations, expansion=expansion)
    found, after = parallel(search, trees=trees).analyse(state, rng)
    own, handed_back = rng.split()
    assert after == handed_back
    shares = [iterations // trees + (number < iterations % trees) for number in range(trees)]
    visits, rewards = Counter(), Counter()
    for number, share in enumerate(shares):
        if share:
            one, _ = analyse(state, own.child(number), Search(share, expansion=expansion))
            for line, (count, reward, _, _) in lines(one.tree).items():
                visits[line] += count
                rewards[line] += reward
    assert {line: told[:2] for line, told in lines(found.tree).items()} == {
        line: (visits[line], rewards[line]) for line in visits
    }
    assert found.iterations == iterations
    for node in walk(found.tree):
        assert [child.move for child in node.children] == [
            move for move in node.moves if node.child(move)
        ]


@pytest.mark.parametrize('game', [connect4, othello])
def test_any_number_of_workers_finds_the_same(game):
    rng = SplitMix.from_seed(3)
    alone = parallel(Search(300)).analyse(game.start, rng)
    for workers in (2, 8):
        assert parallel(Search(300), workers=workers).analyse(game.start, rng) == alone
    with ThreadPoolExecutor(3) as threads:
        found = parallel(Search(300), executor=threads).analyse(game.start, rng)
    assert (found[0].digest, found[1]) == (alone[0].digest, alone[1])
    for engine in ('persistent', 'monadic'):
        assert parallel(Search(300), engine=engine).analyse(game.start, rng) == alone


def test_one_tree_is_the_search_itself():
    rng = SplitMix.from_seed(4)
    found, _ = parallel(Search(200), trees=1).analyse(connect4.start, rng)
    plain, _ = analyse(connect4.start, rng.split()[0].child(0), Search(200))
    assert found == plain


def test_it_is_a_bot_that_chooses_among_some_moves():
    bot, rng = parallel(Search(80)), SplitMix.from_seed(5)
    move, after = bot(connect4.start, rng)
    analysis, again = bot.analyse(connect4.start, rng)
    assert (move, after) == (analysis.move, again)
    few, _ = bot.analyse(connect4.start, rng, root_moves=[2, 5])
    assert [row.move for row in few.stats] == [2, 5]
    heard = []
    bot.analyse(connect4.start, rng, watch=heard.append)
    assert heard == [10 * done for done in range(9)]


@pytest.mark.parametrize(
    ('given', 'kind', 'complaint'),
    [
        ({'search': Search(solver=True)}, ValueError, 'keeps nothing but visits and rewards'),
        ({'search': Search(selection='rave')}, ValueError, 'keeps nothing but visits and rewards'),
        ({'search': Search(schedule='halving')}, ValueError, 'keeps nothing but visits'),
        ({'search': Search(playout='mast')}, ValueError, 'keeps nothing but visits'),
        ({'search': Search(transpositions='sound')}, ValueError, 'keeps nothing but visits'),
        ({'search': 5}, TypeError, 'Search'),
        ({'trees': 0}, ValueError, 'trees must be a whole number of at least 1, not 0'),
        ({'workers': 1.5}, ValueError, 'workers must be a whole number of at least 1, not 1.5'),
        ({'engine': 'fast'}, EngineError, 'unknown engine'),
    ],
)
def test_nonsense_is_refused(given, kind, complaint):
    with pytest.raises(kind, match=complaint):
        parallel(**given)


def test_what_cannot_be_merged():
    rng = SplitMix.from_seed(1)
    one, two = (analyse(state, rng, Search(5))[0].tree for state in (
        connect4.start, connect4.start.play(1)
    ))  # fmt: skip
    with pytest.raises(ValueError, match='trees of different positions'):
        merged([one, two])
    with pytest.raises(ValueError, match='there is no tree'):
        merged([])
    tuned, _ = analyse(connect4.start, rng, Search(5, selection='ucb1-tuned'))
    with pytest.raises(ValueError, match='no columns, no graph'):
        merged([tuned.tree])
    assert merged([one]) == one


def test_fewer_iterations_than_trees():
    """Some trees have none, and are left out."""
    rng = SplitMix.from_seed(6)
    found, _ = parallel(search=Search(3), trees=8).analyse(state=connect4.start, rng=rng)
    own = rng.split()[0]
    trees = [analyse(connect4.start, own.child(n), Search(1))[0].tree for n in range(3)]
    assert found.tree == merged(trees)


def test_who_runs_it_is_no_part_of_the_value():
    with ThreadPoolExecutor(1) as threads:
        bot = parallel(Search(9), executor=threads)
        assert bot == parallel(Search(9))
        assert 'executor' not in repr(bot)
    assert bot.workers == 1


def test_so_many_workers_are_threads_and_one_is_none(monkeypatch):
    begun = []

    class Threads(ThreadPoolExecutor):
        def __init__(self, workers):
            begun.append(workers)
            super().__init__(workers)

    monkeypatch.setattr(of_bots, 'ThreadPoolExecutor', Threads)
    for workers, threads in ((1, []), (2, [2]), (3, [3])):
        parallel(Search(8), workers=workers).analyse(tictactoe.start, SplitMix.from_seed(7))
        assert begun == threads
        begun.clear()
