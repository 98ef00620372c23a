"""What a search found out, read in every way there is."""

from unittest import mock

import pytest
from attrs.exceptions import FrozenInstanceError

from fmcts import EngineError, FinishedGameError, Search, SplitMix, analyse, reroot
from fmcts.games import tictactoe
from fmcts.search import engines
from fmcts.search.analysis import Analysis, GrownNodes, MoveStats
from fmcts.search.digest import digest
from fmcts.search.engines import ENGINES, check_engine, find_engine, refusing
from fmcts.search.tree import plant, walk


def found(iterations, expansion='in-order', engine='auto'):
    search = Search(iterations, expansion=expansion)
    return analyse(tictactoe.start, SplitMix.from_seed(1), search, engine=engine)[0]


@pytest.mark.parametrize(('expansion', 'children'), [('in-order', 2), ('full', 9)])
def test_moves_that_were_never_tried_have_no_value(expansion, children):
    """A move without a child, and one whose child was not visited yet."""
    analysis = found(2, expansion)
    assert len(analysis.tree.children) == children
    tried = {child.move: child for child in analysis.tree.children if child.visits}
    assert len(tried) == 2
    assert analysis.stats == tuple(
        MoveStats(move, tried[move].visits, tried[move].reward / tried[move].visits)
        if move in tried
        else MoveStats(move, 0, None)
        for move in range(9)
    )
    with pytest.raises(FrozenInstanceError):
        analysis.stats[0].visits = 1


def test_the_tree_in_other_words():
    analysis = found(300)
    assert analysis.digest == digest(analysis.tree)
    assert analysis.nodes == len(list(walk(analysis.tree)))
    best = max(analysis.tree.children, key=lambda child: child.visits)
    line = analysis.principal_variation
    assert line[0] == best.move
    assert line[1] == max(best.children, key=lambda child: child.visits).move


def test_analyses_are_equal_when_all_is():
    one, same, longer = found(30), found(30, engine='persistent'), found(31)
    assert one == same
    assert hash(one) == hash(same)
    assert one != longer
    assert longer != one
    assert one != 'an analysis'
    assert one == mock.ANY  # what is no analysis is asked in its turn
    assert len({one, same, longer}) == 2


class Elsewhere:
    """A tree that an engine keeps in a form of its own."""

    def __init__(self, root):
        self.top = self.tree = lambda: root
        self.digest = lambda: digest(root)


def test_analyses_are_equal_however_the_tree_is_kept():
    one = found(30)
    other = Analysis(one.move, one.iterations, Elsewhere(one.tree))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Analysis(one.move, one.iterations, Elsewhere(found(31).tree))


def test_an_analysis_prints_without_its_tree():
    assert repr(found(30)) == f'Analysis(move={found(30).move}, iterations=30)'


def test_a_grown_tree_of_nodes_is_its_root():
    grown = GrownNodes(found(30).tree)
    assert grown.top() is grown.tree() is grown.root
    assert (grown.digest(), grown.count()) == (digest(grown.root), len(list(walk(grown.root))))
    with pytest.raises(FrozenInstanceError):
        grown.root = None


def test_options_are_given_by_name():
    with pytest.raises(TypeError, match='positional argument'):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(1), 'inplace')


@pytest.mark.parametrize('name', ['alone', 'persistant', 'zzz', ''])
def test_an_engine_is_known_by_its_name(name):
    assert check_engine('persistent') == 'persistent'
    with pytest.raises(EngineError, match=f'unknown engine {name!r}.*: accepted are auto, '):
        check_engine(name)
    with pytest.raises(EngineError):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(1), engine=name)


def test_a_tree_is_grown_further():
    """The iterations are those that were made now; watch is told of them."""
    seen = []
    first, rng = analyse(tictactoe.start, SplitMix.from_seed(1), Search(30))
    more, after = analyse(
        tictactoe.start, rng, Search(12), engine='persistent', tree=first.tree, watch=seen.append
    )
    assert (more.iterations, more.tree.visits, seen) == (12, 42, [12])
    assert (more.tree, after) == (found(42).tree, after_one_search(42))
    with pytest.raises(ValueError, match='the tree to go on from belongs to another state'):
        analyse(tictactoe.start, rng, Search(12), tree=reroot(first.tree, 4))


def after_one_search(iterations):
    return analyse(tictactoe.start, SplitMix.from_seed(1), Search(iterations))[1]


def test_a_search_needs_a_game_that_goes_on_and_room_for_a_node():
    rng = SplitMix.from_seed(1)
    with pytest.raises(FinishedGameError):
        analyse(tictactoe.parse('XXXOO....').unwrap(), rng, Search(1))
    with pytest.raises(ValueError, match='max_nodes 1 leaves no room for the first iteration'):
        analyse(tictactoe.start, rng, Search(1, max_nodes=1))
    assert analyse(tictactoe.start, rng, Search(9, max_nodes=2))[0].iterations == 1


ROOT, RNG = plant(tictactoe.start), SplitMix.from_seed(1)


def test_an_engine_that_lacks_something_says_what_and_who_does_not(monkeypatch):
    monkeypatch.setitem(engines.LACKS, 'compiled', lambda *_: 'legs')
    assert find_engine('auto', ROOT, RNG, Search(10**6)) is ENGINES['inplace']
    with pytest.raises(EngineError) as caught:
        analyse(tictactoe.start, RNG, Search(1), engine='compiled')
    assert str(caught.value) == (
        'the engine compiled lacks legs; able are: inplace, persistent, monadic'
    )


def test_an_engine_that_lacks_nothing_is_run_and_auto_takes_it_when_that_pays(monkeypatch):
    monkeypatch.setitem(engines.LACKS, 'compiled', lambda *_: None)
    monkeypatch.setitem(engines.PAYS, 'compiled', lambda iterations: iterations >= 10)
    assert refusing('compiled', lambda *given: given)(1, 2, 3, 4) == (1, 2, 3, 4)
    assert find_engine('auto', ROOT, RNG, Search(9)) is ENGINES['inplace']
    assert find_engine('auto', ROOT, RNG, Search(10)) is ENGINES['compiled']
    assert find_engine('monadic', ROOT, RNG, Search(10)) is ENGINES['monadic']


def test_the_engine_is_looked_at_first():
    with pytest.raises(EngineError):
        analyse(tictactoe.parse('XXXOO....').unwrap(), RNG, Search(1), engine='zzz')
