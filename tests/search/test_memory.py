"""What playouts remember, as a value: digests, pickles, names and keys."""

import pickle
import re
import struct

import pytest
from attrs import frozen

from fmcts import EngineError, Player, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.errors import MethodError
from fmcts.search._digest import header, name_of, serialise
from fmcts.search._tree import freeze_in_place
from fmcts.search.memory import Recalled, Remembered, Table, entries_of, place_of, united
from fmcts.search.policies import MAST, HighestMean, LastGoodReply, Mixture, Recalling, Uniform
from fmcts.search.policies.mast import Means
from fmcts.search.policies.replies import Replies
from remembering import Stairs
from tiers import exhaustive, is_interpreted, usually

RNG = SplitMix.from_seed(1)
X, O = Player  # noqa: E741 - the player's name
PYTHON = [name for name in ENGINES if name != 'compiled']
BOTH = Mixture((MAST(), LastGoodReply(forgetting=True), Uniform()), (0.5, 0.25, 0.25))


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


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


def test_equal_searches_have_equal_pickles():
    analyses = [
        analyse(Stairs(20), RNG, Search(30, playout=BOTH), engine='inplace')[0] for _ in '12'
    ]
    one, two = map(pickle.dumps, analyses)
    assert one == two
    again = pickle.loads(one)  # noqa: S301 - our own bytes
    assert (again, again.tree) == (analyses[0], analyses[0].tree)
    assert hash(again.tree) == hash(analyses[0].tree)


def test_memory_at_a_root():
    kept = (Remembered('mast', {(X, 1): (1.0, 0.5)}),)
    assert entries_of((Replies(), Means()), kept) == {
        'last-good-reply': {},
        'mast': {(X, 1): (1.0, 0.5)},
    }


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


def test_python_engines_accept_large_and_negative_keys():
    keys = (-(2**53), -1, 2**53)
    search = Search(50, playout=BOTH)
    found = {analyse(Named(9, keys=keys), RNG, search, engine=name)[0].digest for name in PYTHON}
    assert len(found) == 1
    (player, key) = place_of(Named(5, keys=(True, 0, 0)), 0)
    assert (player, key, type(key)) == (Named(5).player, 1, int)


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


def test_a_policy_receives_all_memories_and_previous_moves():
    told = []

    @frozen
    class Listening(HighestMean):
        def chooser(self):
            choose = super().chooser()

            def listening(recalled, state, moves, draw):
                told.append((Recalled(dict(recalled.known), tuple(recalled.line)), state))
                return choose(recalled, state, moves, draw)

            return listening

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
