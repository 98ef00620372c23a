"""Graph search: the same in every engine, the tree where nothing comes twice, and what its sources
say elsewhere."""

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings, strategies as st

import naive_graph as naive
from fmcts import Search, SplitMix, analyse, walk
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import OnPositions, rules_of
from fmcts.testing import formulas, games, generators, positions, searches
from tiers import in_turns


@frozen
class Pathed:
    """A game in which no position comes twice: its states know the moves that led to them."""

    inner: object
    path: tuple = ()

    player = property(lambda self: self.inner.player)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)
    winner = property(lambda self: self.inner.winner)

    def play(self, move):
        return Pathed(self.inner.play(move), (*self.path, move))


RULES = ['sound', 'naive']
ENGINES = ['persistent', 'monadic', 'inplace']
running = st.one_of(
    games(), *(positions(game.start, running=True) for game in (tictactoe, connect4, othello))
)


def selections():
    return st.one_of(st.sampled_from(['ucb1', 'puct', 'uct']), formulas())


def outcome(run):
    """What a search gives, or its complaint: a drawn formula may give what is no number."""
    try:
        return run()
    except ValueError as error:
        return str(error)


def known(analysis):
    return analysis.tree.graph.entries


def same_trees(one, two):
    pairs = [(one, two)]
    while pairs:
        left, right = pairs.pop()
        assert left.facts() == right.facts()
        assert left.value == right.value
        pairs += zip(left.children, right.children, strict=True)


@pytest.mark.parametrize(('engine', 'rule'), in_turns(ENGINES, RULES))
@given(running, generators(), selections(), st.data())
@settings(max_examples=40)
def test_without_transpositions_it_equals_the_tree_to_the_bit(
    engine, rule, state, rng, selection, data
):
    """Move, generator and every node, in all of a search's options, also when it is gone on from.

    The game is one that other tests draw, with the moves so far in its states.
    """
    graph = data.draw(searches(max_iterations=50, selection=selection, transpositions=rule))
    plain = evolve(graph, transpositions=None)

    def twice(search):
        one, middle = analyse(Pathed(state), rng, search, engine=engine)
        return one, analyse(Pathed(state), middle, search, engine=engine, tree=one)

    expected, found = outcome(lambda: twice(plain)), outcome(lambda: twice(graph))
    if isinstance(expected, str):
        assert found == expected
        return
    (first, (last, after)), (one, (two, rng_after)) = expected, found
    assert after == rng_after
    for tree, analysis in ((first, one), (last, two)):
        assert (analysis.move, analysis.stats) == (tree.move, tree.stats)
        assert (analysis.iterations, analysis.nodes) == (tree.iterations, tree.nodes)
        assert analysis.principal_variation == tree.principal_variation
        same_trees(analysis.tree, tree.tree)


@settings(max_examples=150)
@pytest.mark.parametrize(
    ('engine', 'rule'), [('inplace', 'sound'), ('inplace', 'naive'), ('compiled', 'sound')]
)
@given(running, generators(), st.integers(1, 150))
def test_equals_the_transcription(engine, rule, state, rng, iterations):
    nodes, rng_after = naive.TRANSCRIBED[rule](state, rng, iterations)
    search = Search(iterations, transpositions=rule)
    # The machine code is that of rules on integers, which drawn games lack.
    used = engine if rules_of(state) else 'inplace'
    analysis, after = analyse(state, rng, search, engine=used)
    assert after == rng_after
    assert not [*naive.differences(analysis.tree, nodes)]


@given(running, generators(), st.integers(1, 200), st.sampled_from([None, 'random', 'full']))
@settings(max_examples=60)
def test_visits_are_conserved(state, rng, iterations, expansion):
    """What goes into a state goes out by its moves, but for the iterations that end there.

    One ends in each state that was new, none at the root, and any number in finished ones.
    """
    search = Search(iterations, expansion=expansion, transpositions='sound')
    analysis, _ = analyse(state, rng, search, engine='inplace')
    into = dict.fromkeys(range(analysis.nodes), 0)
    for entry in known(analysis):
        assert entry.visits == entry.own + sum(edge.visits for edge in entry.edges)
        assert entry.own <= 1 or not entry.moves
        for edge in entry.edges:
            into[edge.to] += edge.visits
    root, *others = known(analysis)
    assert (root.own, root.visits, into[0]) == (0, iterations, 0)
    assert [entry.visits for entry in others] == [*into.values()][1:]
    assert sum(entry.own for entry in others) == iterations


def thirds(position):
    return (position.mine % 7) / 9.0


@pytest.mark.parametrize('engine', ['inplace', 'compiled'])
def test_a_terminal_state_has_exactly_its_reward(engine):
    """However often it was visited: a sum divided again may be rounded."""
    found, _ = analyse(
        tictactoe.parse('XO..O.X..').unwrap(),
        SplitMix.from_seed(1),
        Search(400, transpositions='sound', reward=OnPositions(thirds)),
        engine=engine,
    )
    ends = [node.entry for node in walk(found) if node.state.over and node.entry.visits]
    assert max(entry.visits for entry in ends) > 10
    for entry in ends:
        reward = thirds(rules_of(entry.state).pack(entry.state))
        assert entry.values == (reward, 1.0 - reward)
