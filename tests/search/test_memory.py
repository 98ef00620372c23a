"""What playouts remember: digests, values, keys, and trees that are continued."""

import pickle
import re
import struct

import pytest
from attrs import evolve, frozen

from drawn_games import Maze
from fmcts import STOP, EngineError, Player, Search, SplitMix, analyse, reroot
from fmcts._running.registry import ENGINES
from fmcts.errors import MethodError
from fmcts.games import tictactoe
from fmcts.history import load, save
from fmcts.search._digest import header, name_of, serialise
from fmcts.search._tree import freeze_in_place
from fmcts.search._watch import ignore
from fmcts.search.memory import Remembered, Table, united
from fmcts.search.policies import MAST, LastGoodReply, Mixture, Recalling, Uniform
from fmcts.search.policies.means import Means
from fmcts.search.policies.replies import Replies
from shapes import SHAPES
from tiers import exhaustive, is_interpreted, usually
from toy_games import Stairs

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']
BOTH = Mixture((MAST(), LastGoodReply(forgetting=True), Uniform()), (0.5, 0.25, 0.25))


# ---- the digest, and values ----


@pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
def test_the_digest_ends_with_the_memory(engine):
    """Byte for byte; the header is still that of a tree without columns."""
    found, _ = analyse(Stairs(12), RNG, Search(40, playout=BOTH), engine=engine, root_moves=(2, 0))
    tree = analyse(Stairs(12), RNG, Search(40, playout=BOTH), engine='inplace', root_moves=(2, 0))[
        0
    ].tree
    draft = tree.mutable_copy(tree.places)
    draft.columns = draft.columns._replace(memory=())
    expected = serialise(freeze_in_place(draft))
    assert expected.startswith(header(tree.columns.names) + struct.pack('<IBII', 0, 0, 2, 2))
    assert expected.endswith(struct.pack('<II', 0, 2))
    replies, means = (dict(each.entries) for each in tree.columns.memory)
    for name, entries in (('last-good-reply-with-forgetting', replies), ('mast', means)):
        expected += b'fmcts-memory-1 ' + name.encode() + b'\n' + struct.pack('<q', len(entries))
        for player in (X, O):
            for key in range(7):
                if (player, key) in entries:
                    numbers = float(player is O), float(key), *entries[player, key]
                    expected += struct.pack(f'<{len(numbers)}d', *numbers)
    assert len(replies) > 3
    assert len(means) > 10
    assert found.digest == name_of(expected)


def test_remembered_tables_are_values():
    entries = {(O, 3): (2.0,), (X, 10): (1.0,), (X, 9): (4.0,)}
    one, two = Remembered('a', entries), Remembered('a', dict(reversed(entries.items())))
    assert (one, hash(one)) == (two, hash(two))
    assert one.rows == ((0, 9, 4.0), (0, 10, 1.0), (1, 3, 2.0))
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    assert one != Remembered('b', entries)
    with pytest.raises(TypeError):
        one.entries[X, 9] = (5.0,)
    assert one != Remembered('a', {**entries, (X, 9): (5.0,)})


def test_two_tables_with_one_name_are_refused():
    class Other(Means):
        pass

    assert united([Means(), Replies(), Means()]) == (Replies(), Means())
    with pytest.raises(ValueError, match='two different tables are called mast'):
        united([Means(), Other()])


def test_missing_functions_are_named():
    with pytest.raises(TypeError, match='the table Table has no update'):
        Table().update((), 1.0)
    with pytest.raises(TypeError, match='the playout policy Recalling has no weigh'):
        Recalling().weigh(())


# ---- keys ----


@frozen
class Named(Stairs):
    """Moves have other keys than small integers."""

    keys: tuple = ()

    def key(self, move):
        return self.keys[move]

    def play(self, move):
        after = super().play(move)
        return Named(after.left, after.tally, self.keys)


@pytest.mark.parametrize('policy', [MAST(0), LastGoodReply()])
@pytest.mark.parametrize('key', ['b', 1.0, 2**53 + 1, -(2**53) - 1])
def test_keys_must_be_integers(policy, key):
    message = re.escape(
        'a playout policy that remembers moves needs keys that are integers of at most 53 bits, '
        f'not {key!r}: Named may give them by key(move)'
    )
    for name in PYTHON:
        with pytest.raises(MethodError, match=message):
            analyse(Named(9, keys=(0, key, 2)), RNG, Search(50, playout=policy), engine=name)


@pytest.mark.needs_numba
@pytest.mark.parametrize('policy', [MAST(), exhaustive(LastGoodReply())])
def test_compiled_keys_must_be_below_their_number(policy):
    """Also where the first wrong key comes after more steps than are compared before a search."""
    search, start = Search(50, playout=policy), Stairs(950)
    complaint = 'gave a move a key outside the range from 0 to `keys` - 1, with keys=7'
    with pytest.raises(EngineError, match=complaint):
        analyse(start, RNG, search, engine='compiled')
    grown, rng = analyse(start, RNG, search, engine='inplace')
    with pytest.raises(EngineError, match=complaint):
        analyse(start, rng, search, engine='compiled', tree=grown)


# ---- only the root has any ----


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
