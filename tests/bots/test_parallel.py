"""Several trees at once: the same whoever runs them, and what they add up to."""

import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.bots import parallel
from fmcts.bots import rootparallel as of_bots
from fmcts.bots.spec import parse_bot
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
        ({'search': Search(solver=True, bounds=True)}, ValueError, 'find: the column bounds$'),
        ({'search': Search(selection='implicit-minimax')}, ValueError, 'find: the column minimax$'),
        (
            {'search': Search(schedule='halving')},
            ValueError,
            'and so does a schedule: leave it out',
        ),
        ({'search': Search(playout='mast')}, ValueError, r'playouts remember \(mast\)$'),
        ({'search': Search(transpositions='sound')}, ValueError, 'find: transpositions=sound$'),
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
    assert merged([one]) == one
    tuned, bounded, remembering, graph = (
        analyse(connect4.start, rng, Search(5, **options))[0].tree
        for options in (
            {'selection': 'ucb1-tuned'},
            {'solver': True, 'bounds': True},
            {'playout': 'mast'},
            {'transpositions': 'sound'},
        )
    )
    with pytest.raises(ValueError, match='trees with different columns'):
        merged([tuned, one])
    with pytest.raises(ValueError, match='trees with the column bounds'):
        merged([bounded, bounded])
    for other in (remembering, graph):
        with pytest.raises(ValueError, match='graphs, and trees whose playouts remember'):
            merged([other])


SUMS = {'squares', 'amaf_visits', 'amaf_reward'}


@pytest.mark.parametrize('options', [
    *({'selection': name} for name in (
        'ucb1-tuned', 'ucb-v', 'amaf', 'rave', 'grave', 'puct', 'progressive-bias'
    )),
    {'solver': True},
    {'solver': True, 'selection': 'rave', 'playout': 'decisive'},
    {'closing': True},
])  # fmt: skip
def test_columns_are_added_up_too(options):
    """From the definition: sums are added in the order of the trees; what all know is one's."""
    rng = SplitMix.from_seed(2)
    trees = [
        analyse(tictactoe.start, rng.child(n), Search(400, **options))[0].tree for n in range(3)
    ]
    whole = merged(trees)

    def together(name, numbers):
        if name in SUMS:
            return sum(numbers)
        return next((number for number in numbers if number), 0.0)

    waiting = [(whole, trees)]
    while waiting:
        node, same = waiting.pop()
        assert node.visits == sum(one.visits for one in same)
        columns = [one.columns for one in same]
        names, own, rows, _, table = node.columns
        assert own == tuple(
            together(name, numbers)
            for name, *numbers in zip(names.own, *(one.own for one in columns), strict=True)
        )
        for place, name in enumerate(names.moves):
            numbers = zip(*(one.moves[place] for one in columns), strict=True)
            assert rows[place] == tuple(together(name, each) for each in numbers)
        if table is not None:
            kept = [one.table.entries for one in columns]
            for key in {key for one in kept for key in one}:
                numbers = zip(*(one.get(key, (0.0, 0.0)) for one in kept), strict=True)
                assert table.entries[key] == tuple(map(sum, numbers))
        for child in node.children:
            below = [one.child(child.move) for one in same]
            waiting.append((child, [one for one in below if one is not None]))
    assert whole == merged(trees)
    assert pickle.loads(pickle.dumps(whole)) == whole  # noqa: S301 - our own


def test_the_strongest_search_is_shared_out():
    bot = parallel(parse_bot('strong:400').unwrap().search)
    analysis, _ = bot.analyse(connect4.start, SplitMix.from_seed(1))
    assert analysis.iterations == 400
    assert analysis.move in connect4.start.moves


def test_nodes_are_merged_when_they_are_looked_at(monkeypatch):
    """The move alone asks for the root and its children."""
    merging, asked = merged.__globals__, []
    monkeypatch.setitem(
        merging, '_sum', lambda same, real=merging['_sum']: asked.append(1) or real(same)
    )
    found, _ = parallel(Search(4_000), trees=4).analyse(connect4.start, SplitMix.from_seed(1))
    assert found.move in connect4.start.moves
    assert len(asked) == 1 + 7
    assert found.nodes > 1000
    assert len(asked) > 1000


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
