"""What playouts remember, in continued trees."""

import pickle
import re

import pytest
from attrs import evolve, frozen

from fmcts import STOP, Player, Search, SplitMix, analyse, reroot
from fmcts._running.registry import ENGINES
from fmcts.games import tictactoe
from fmcts.history import load, save
from fmcts.search._tree import freeze_in_place, walk
from fmcts.search._watch import ignore
from fmcts.search.memory import Remembered, Table
from fmcts.search.policies import MAST, LastGoodReply, Mixture, Recalling, Uniform
from maze import Maze
from remembering import Stairs
from shapes import SHAPES
from tiers import usually

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']
BOTH = Mixture((MAST(), LastGoodReply(forgetting=True), Uniform()), (0.5, 0.25, 0.25))
POLICIES = {'mast': MAST(), 'last-good-reply': LastGoodReply(), 'both': BOTH}


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


# ---- a tree is all that there is to go on from ----


@pytest.mark.needs_numba
@pytest.mark.parametrize('name', usually(['mast'], POLICIES))
def test_compiled_trees_continue_in_every_engine_and_back(name):
    search = Search(90, playout=POLICIES[name])
    whole, expected = analyse(Stairs(30), RNG, search, engine='persistent')
    for begun, gone_on in (
        ('compiled', 'compiled'),
        ('compiled', 'inplace'),
        ('inplace', 'compiled'),
    ):
        part, after = analyse(Stairs(30), RNG, evolve(search, iterations=40), engine=begun)
        before = part.tree.columns.memory
        unpickled = pickle.loads(pickle.dumps(part))  # noqa: S301 - our own bytes
        assert unpickled.tree == part.tree
        for tree in (part.tree, unpickled):
            rest, last = analyse(
                Stairs(30), after, evolve(search, iterations=50), engine=gone_on, tree=tree
            )
            assert (rest.digest, rest.tree, last) == (whole.digest, whole.tree, expected)
        assert part.tree.columns.memory == before


# ---- only the root has any ----


def test_only_the_root_has_a_memory(engine):
    analysis, _ = analyse(tictactoe.start, RNG, Search(60, playout='mast'), engine=engine)
    root, *others = walk(analysis.tree)
    assert [each.name for each in root.columns.memory] == ['mast']
    assert all(not node.columns.memory for node in others)


def test_reroot_starts_an_empty_memory(engine):
    search = Search(80, playout='mast')
    analysis, rng = analyse(tictactoe.start, RNG, search, engine=engine)
    below = reroot(analysis.tree, analysis.move)
    visits = below.visits
    assert visits > 10
    found, _ = analyse(below.state, rng, Search(7, playout='mast'), engine=engine, tree=below)
    assert found.iterations == visits + 7
    (means,) = found.tree.columns.memory
    assert sum(played for (player, _), (played, _) in means.entries.items() if player is O) <= 28
    assert max(played for played, _ in means.entries.values()) <= 7
    expected, _ = analyse(below.state, rng, Search(7, playout='mast'), engine='inplace', tree=below)
    assert found == expected


@pytest.mark.parametrize(
    ('before', 'then', 'said'),
    [
        ('mast', 'uniform', 'the tables mast, the search no tables'),
        ('mast', 'last-good-reply', 'the tables mast, the search the tables last-good-reply'),
        (
            'mast',
            BOTH,
            'the tables mast, the search the tables last-good-reply-with-forgetting, mast',
        ),
        (BOTH, MAST(1), 'the tables last-good-reply-with-forgetting, mast, the search no tables'),
    ],
)
def test_a_tree_with_other_tables_is_refused(engine, before, then, said):
    analysis, rng = analyse(Stairs(9), RNG, Search(9, playout=before), engine='inplace')
    message = re.escape(f'the tree to continue keeps {said}')
    with pytest.raises(ValueError, match=f'{message}.*: continue with the search that grew it'):
        analyse(Stairs(9), rng, Search(9, playout=then), engine=engine, tree=analysis)


@frozen
class Counted(Table):
    name, columns, absent = 'counted', ('count', 'mean'), (0.0, 0.5)

    def update(self, row, reward):
        return row.count + 1.0, row.mean + (reward - row.mean) / (row.count + 1.0)


@frozen
class ByMean(Recalling):
    memories = (Counted(),)

    def weigh(self, move):
        return move.mean


def by_mean(**declared):
    table = frozen(type('Counted', (Counted,), declared))()
    return frozen(type('ByMean', (ByMean,), {'memories': (table,)}))()


OTHER_TABLES = [
    ({'columns': ('mean', 'count')}, "('mean', 'count'), 'moves', (0.0, 0.5)"),
    ({'columns': ('mean',), 'absent': (0.5,)}, "('mean',), 'moves', (0.5,)"),
    ({'index': 'pairs'}, "('count', 'mean'), 'pairs', (0.0, 0.5)"),
    ({'absent': (0.0, 0.0)}, "('count', 'mean'), 'moves', (0.0, 0.0)"),
]


def refusal(tree, engine, declared):
    """Return the error of a search that continues the tree with a table that declares this."""
    with pytest.raises(ValueError, match='continue with the search that grew it') as refused:
        analyse(Stairs(9), RNG, Search(9, playout=by_mean(**declared)), engine=engine, tree=tree)
    return str(refused.value)


def without_layout(tree):
    """The tree as an older version stored it."""
    draft = tree.mutable_copy(tree.places)
    (table,) = draft.columns.memory
    draft.columns = draft.columns._replace(memory=(Remembered(table.name, table.entries),))
    return freeze_in_place(draft)


@pytest.mark.parametrize(('declared', 'wanted'), OTHER_TABLES)
def test_a_table_with_another_layout_is_refused(engine, declared, wanted, tmp_path):
    analysis, rng = analyse(Stairs(9), RNG, Search(9, playout=by_mean()), engine='inplace')
    save(tmp_path / 'tree', analysis, rng)
    loaded, _ = load(tmp_path / 'tree', Stairs(9))
    unpickled = pickle.loads(pickle.dumps(analysis)).tree  # noqa: S301 - our own bytes
    assert loaded == unpickled == analysis.tree
    for tree in (analysis.tree, loaded, unpickled):
        assert refusal(tree, engine, declared) == (
            "the tree to continue keeps tables with [(('count', 'mean'), 'moves', (0.0, 0.5))], "
            f'the search tables with [({wanted})]: continue with the search that grew it'
        )


@pytest.mark.parametrize('name', PYTHON)
def test_a_tree_without_a_layout_gains_one(name):
    search = Search(9, playout=by_mean())
    analysis, rng = analyse(Stairs(9), RNG, search, engine='inplace')
    old = without_layout(analysis.tree)
    more, _ = analyse(Stairs(9), rng, search, engine=name, tree=old)
    assert more.tree.columns.memory[0].layout == Counted().layout


def test_epsilon_may_change_and_memory_may_be_added(engine):
    plain, rng = analyse(tictactoe.start, RNG, Search(30), engine='inplace')
    first, rng = analyse(tictactoe.start, rng, Search(9, playout='mast'), engine=engine, tree=plain)
    assert max(played for played, _ in first.tree.columns.memory[0].entries.values()) <= 9
    again, _ = analyse(
        tictactoe.start, rng, Search(9, playout=MAST(0.25)), engine=engine, tree=first
    )
    assert again.iterations == 48
    assert max(played for played, _ in again.tree.columns.memory[0].entries.values()) > 9


def test_a_tree_without_a_new_iteration_is_unchanged(engine):
    """Solved, full, or ended from outside before its first iteration: it gets no memory."""
    late, search = Maze(1, 4, 3), evolve(SHAPES['tuned'], iterations=50)  # by MAST
    plain = evolve(search, playout='uniform')
    solved, rng = analyse(late, RNG, plain, engine='persistent')
    assert solved.proof is not None
    grown, _ = analyse(late, RNG, evolve(plain, iterations=3), engine='persistent')
    for tree, max_nodes, watch in (
        (solved, None, ignore),
        (grown, 4, ignore),
        (grown, None, lambda _done: STOP),
    ):
        more = evolve(search, max_nodes=max_nodes)
        again, after = analyse(late, rng, more, engine=engine, tree=tree, watch=watch)
        assert again.digest == tree.digest
        assert again.tree.columns == tree.tree.columns
        assert after == rng
