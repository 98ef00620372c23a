"""What playouts remember: it stands at the root of a tree, as a value, and is all there is."""

import pickle
import re
import struct
import sys
from itertools import islice
from pathlib import Path

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from fmcts import EngineError, Player, Search, SplitMix, analyse, reroot, trees
from fmcts.games import connect4, tictactoe
from fmcts.search.digest import header, name_of, serialise
from fmcts.search.engines import ENGINES
from fmcts.search.errors import MethodError
from fmcts.search.memory import Memory, Recalled, Remembered, entries_of, place_of, united
from fmcts.search.policies import MAST, HighestMean, LastGoodReply, Mixture, Uniform
from fmcts.search.policies.mast import Means
from fmcts.search.policies.replies import Replies
from fmcts.search.tree import freeze_in_place, walk
from fmcts.testing import generators, positions

sys.path.insert(0, str(Path(__file__).parent / 'policies'))  # importlib mode: no packages
from remembering import RULES, Stairs

sys.path.pop(0)

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']
BOTH = Mixture((MAST(), LastGoodReply(forgetting=True), Uniform()), (0.5, 0.25, 0.25))
POLICIES = {'mast': MAST(), 'last-good-reply': LastGoodReply(), 'both': BOTH}


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


# ---- a tree is all that there is to go on from ----


@pytest.mark.parametrize('name', POLICIES)
@given(st.data(), generators(), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=20)
def test_some_iterations_and_then_more_are_all_of_them(name, data, rng, first, then):
    state = data.draw(positions(connect4.start, running=True) | st.builds(Stairs, st.just(25)))
    begun, gone_on = (data.draw(st.sampled_from(PYTHON)) for _ in range(2))
    search = Search(first + then, playout=POLICIES[name], selection='amaf')
    whole, expected = analyse(state, rng, search, engine='persistent')
    part, after = analyse(state, rng, evolve(search, iterations=first), engine=begun)
    rest, after = analyse(
        state, after, evolve(search, iterations=then), engine=gone_on, tree=part.tree
    )
    assert (rest.digest, rest.tree, after) == (whole.digest, whole.tree, expected)


@pytest.mark.needs_numba
@pytest.mark.parametrize('name', POLICIES)
def test_compiled_too_from_and_to_every_engine(name):
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


def test_trees_of_a_stream_remember_what_was_known_then():
    search = Search(playout=BOTH)
    stream = list(islice(trees(Stairs(30), RNG, search), 25))
    for number, (tree, after) in enumerate(stream, 1):
        found, rng = analyse(Stairs(30), RNG, evolve(search, iterations=number), engine='inplace')
        assert (found.tree, found.digest) == (tree, name_of(serialise(tree)))
        assert rng == after
    assert len({tree.columns.memory for tree, _ in stream}) > 15


@pytest.mark.parametrize('policy', POLICIES.values())
def test_a_stretch_of_a_stream_may_be_taken_again(policy):
    stream = trees(Stairs(30), RNG, Search(playout=policy))
    (early, after), *_, (late, _) = islice(stream, 20, 40)
    again, _ = analyse(Stairs(30), after, Search(19, playout=policy), engine='inplace', tree=early)
    assert again.tree == late


def test_with_a_schedule_and_with_settled_moves_engines_agree():
    for options in ({'schedule': 'halving'}, {'solver': True}, {'closing': True}):
        found = set()
        for name in PYTHON:
            search = Search(120, playout=BOTH, **options)
            found.add(analyse(Stairs(12), RNG, search, engine=name)[0].digest)
        assert len(found) == 1


# ---- only the root has any ----


def test_below_the_root_nothing_is_remembered(engine):
    analysis, _ = analyse(tictactoe.start, RNG, Search(60, playout='mast'), engine=engine)
    root, *others = walk(analysis.tree)
    assert [each.name for each in root.columns.memory] == ['mast']
    assert all(not node.columns.memory for node in others)


def test_a_subtree_begins_to_remember_anew(engine):
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
        ('mast', 'uniform', 'remember mast, those of the search nothing'),
        ('mast', 'last-good-reply', 'remember mast, those of the search last-good-reply'),
        ('mast', BOTH, 'remember mast, those of the search last-good-reply-with-forgetting, mast'),
        (BOTH, MAST(1), 'remember last-good-reply-with-forgetting, mast, those of the search noth'),
    ],
)
def test_what_remembers_other_things_is_refused(engine, before, then, said):
    analysis, rng = analyse(Stairs(9), RNG, Search(9, playout=before), engine='inplace')
    message = re.escape(f'the playouts of the tree to go on from {said}')
    with pytest.raises(ValueError, match=f'{message}.*: go on by the search that it was grown by'):
        analyse(Stairs(9), rng, Search(9, playout=then), engine=engine, tree=analysis)


def test_another_epsilon_and_a_tree_without_memory_may_be_gone_on_with(engine):
    plain, rng = analyse(tictactoe.start, RNG, Search(30), engine='inplace')
    first, rng = analyse(tictactoe.start, rng, Search(9, playout='mast'), engine=engine, tree=plain)
    assert max(played for played, _ in first.tree.columns.memory[0].entries.values()) <= 9
    again, _ = analyse(
        tictactoe.start, rng, Search(9, playout=MAST(0.25)), engine=engine, tree=first
    )
    assert again.iterations == 48
    assert max(played for played, _ in again.tree.columns.memory[0].entries.values()) > 9


# ---- the digest, and values ----


def test_the_digest_has_it_at_the_end(engine):
    """Byte for byte; the header is still that of a tree without columns."""
    found, _ = analyse(Stairs(12), RNG, Search(40, playout=BOTH), engine=engine, root_moves=(2, 0))
    tree = analyse(Stairs(12), RNG, Search(40, playout=BOTH), engine='inplace', root_moves=(2, 0))[
        0
    ].tree
    draft = tree.mutable_copy(tree.children)
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


def test_what_is_remembered_is_a_value():
    entries = {(O, 3): (2.0,), (X, 10): (1.0,), (X, 9): (4.0,)}
    one, two = Remembered('a', entries), Remembered('a', dict(reversed(entries.items())))
    assert (one, hash(one)) == (two, hash(two))
    assert one.rows == ((0, 9, 4.0), (0, 10, 1.0), (1, 3, 2.0))
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    assert one != Remembered('b', entries)
    entries[X, 9] = (5.0,)
    assert one == two
    with pytest.raises(TypeError):
        one.entries[X, 9] = (5.0,)
    assert one != Remembered('a', entries)


def test_equal_searches_have_equal_pickles():
    analyses = [
        analyse(Stairs(20), RNG, Search(30, playout=BOTH), engine='inplace')[0] for _ in '12'
    ]
    one, two = map(pickle.dumps, analyses)
    assert one == two
    again = pickle.loads(one)  # noqa: S301 - our own bytes
    assert (again, again.tree) == (analyses[0], analyses[0].tree)
    assert hash(again.tree) == hash(analyses[0].tree)


def test_what_a_root_knows():
    kept = (Remembered('mast', {(X, 1): (1.0, 0.5)}),)
    assert entries_of((Replies(), Means()), kept) == {
        'last-good-reply': {},
        'mast': {(X, 1): (1.0, 0.5)},
    }


def test_two_memories_of_one_name_are_refused():
    class Other(Means):
        pass

    assert united([Means(), Replies(), Means()]) == (Replies(), Means())
    with pytest.raises(ValueError, match='two memories that are not the same are called mast'):
        united([Means(), Other()])


def test_a_memory_says_what_it_lacks():
    with pytest.raises(TypeError, match='the memory Memory has no changes'):
        Memory().changes({}, (), 1.0)


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
def test_keys_are_integers(policy, key):
    message = re.escape(
        'a playout policy that remembers moves needs keys that are integers of at most 53 bits, '
        f'not {key!r}: Named may give them by key(move)'
    )
    for name in PYTHON:
        with pytest.raises(MethodError, match=message):
            analyse(Named(9, keys=(0, key, 2)), RNG, Search(50, playout=policy), engine=name)


def test_keys_may_be_large_or_negative_where_nothing_is_compiled():
    keys = (-(2**53), -1, 2**53)
    search = Search(50, playout=BOTH)
    found = {analyse(Named(9, keys=keys), RNG, search, engine=name)[0].digest for name in PYTHON}
    assert len(found) == 1
    (player, key) = place_of(Named(5, keys=(True, 0, 0)), 0)
    assert (player, key, type(key)) == (Named(5).player, 1, int)


@frozen
class Rising(Stairs):
    """Its keys rise, and are more than its rules promise only after many steps."""

    compiled = evolve(RULES, key=lambda position, _move: 200 - position.left, keys=150)

    def key(self, _move):
        return 200 - self.left

    def play(self, move):
        after = super().play(move)
        return Rising(after.left, after.tally)


COMPLAINT = 'gave a move a key below 0, or not below `keys`, which is 150'


@pytest.mark.needs_numba
@pytest.mark.parametrize('policy', [MAST(), LastGoodReply()])
def test_compiled_keys_are_below_their_number(policy):
    search = Search(50, playout=policy)
    with pytest.raises(EngineError, match=COMPLAINT):
        analyse(Rising(200), RNG, search, engine='compiled')
    grown, rng = analyse(Rising(200), RNG, search, engine='inplace')
    with pytest.raises(EngineError, match=COMPLAINT):
        analyse(Rising(200), rng, search, engine='compiled', tree=grown)


def test_a_policy_is_told_all_memories_and_the_moves_before():
    told = []

    @frozen
    class Listening(HighestMean):
        def choose_knowing(self, recalled, state, moves, draw):
            told.append((Recalled(dict(recalled.known), tuple(recalled.line)), state))
            return super().choose_knowing(recalled, state, moves, draw)

    analyse(Stairs(4), RNG, Search(3, playout=Listening()), engine='persistent')
    (first, state), (second, other), *_, (last, _) = told
    played = Stairs(4).player, Stairs(4).key(0)
    assert first == ({'mast': {}}, (played,))
    assert state == Stairs(4).play(0)
    # It was the first move, as nothing had been played before.
    assert second == ({'mast': {}}, (played, (state.player, state.key(0))))
    assert other == state.play(0)
    assert [*last.known] == ['mast']
    assert len(last.known['mast']) > 1
