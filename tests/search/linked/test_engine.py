"""The compiled engine against the reference, beyond test_engines."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES
from fmcts.games import GAMES, connect4, tictactoe
from fmcts.search._tree import plant
from shapes import equal
from tiers import usually

RNG = SplitMix.from_seed(42)


# Each game by each expansion is machine code of its own: here what other tests take as well.
@pytest.mark.parametrize('c', [0, 1e-300, 1e300])
@pytest.mark.parametrize(
    'game', usually([tictactoe], [tictactoe, connect4]), ids=['tictactoe', 'connect4']
)
def test_extreme_constants(game, c):
    for seed in range(4):
        search = Search(200, c=c, expansion='full')
        equal(game.start, SplitMix.from_seed(seed), search, 'persistent')


def test_the_array_grows_in_steps(monkeypatch):
    """An array with no room ahead grows in steps, and the tree does not change."""
    expected, _ = analyse(tictactoe.start, RNG, Search(20_000), engine='compiled')
    monkeypatch.setattr('fmcts._linked.tree.arena.AHEAD', 0)
    analysis, rng = analyse(tictactoe.start, RNG, Search(1), engine='compiled')
    done = 1
    for more in (10, 100, 1000, 18_889):
        tree = analysis.tree
        analysis, rng = analyse(tictactoe.start, rng, Search(more), engine='compiled', tree=tree)
        done += more
    assert done == 20_000
    assert analysis.digest == expected.digest


def test_a_tree_too_large_is_refused(monkeypatch):
    monkeypatch.setattr('fmcts._linked.tree.arena.LIMIT', 5000)
    with pytest.raises(EngineError, match=r'fills the 5,000 numbers.*set max_nodes, or use'):
        analyse(connect4.start, RNG, Search(2000), engine='compiled')


def test_bytes_per_node():
    """At most 64 bytes a node, as the array is kept."""
    for game, iterations in (('tictactoe', 20_000), ('connect4', 20_000), ('othello', 5000)):
        outcome, _ = ENGINES['compiled'](
            plant(GAMES[game].start), RNG, Search(iterations), lambda _done: None
        )
        assert outcome.store.numbers.nbytes <= 64 * outcome.count()


def test_searches_in_threads():
    def analysed(seed, engine='compiled'):
        return analyse(connect4.start, SplitMix.from_seed(seed), Search(500), engine=engine)

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(analysed, range(6)))
    for seed, (analysis, rng) in enumerate(found):
        expected, after = analysed(seed, 'persistent')
        assert (analysis, analysis.digest, rng) == (expected, expected.digest, after)
        assert analysis.tree == expected.tree
