"""Numbers passed to machine code: what does not fit is refused."""

import pytest
from attrs import evolve

from drawn_games import Maze
from fmcts import EngineError, Player, Search, SplitMix, analyse
from fmcts._linked import VISITS_LIMIT
from fmcts._linked.tables import words_of
from fmcts._linked.tree import arena, store
from fmcts._linked.tree.arena import tree_for
from fmcts._linked.tree.store import PLAIN
from fmcts.games import tictactoe
from fmcts.rules import fields_of
from fmcts.search._tree import MutableNode, children_by_move, freeze_in_place, plant, walk
from shapes import SHAPES


@pytest.mark.parametrize(
    ('value', 'expected'),
    [
        *((0, 0), (1, 1), (-1, -1), (True, 1)),
        *(((1 << 63) - 1, (1 << 63) - 1), (1 << 63, -(1 << 63)), ((1 << 63) + 1, 1 - (1 << 63))),
        *(((1 << 64) - 1, -1), (-(1 << 63), -(1 << 63)), ((1 << 64) - 2, -2)),
    ],
)
def test_fields_become_64_bit_words(position, value, expected):
    assert words_of(fields_of(position(value, 0))).tolist() == [expected, 0]


def tree_with(**changed):
    """A tree with one child, in which the child or (`root_visits`) the root has other numbers."""
    root = plant(tictactoe.start)
    state = root.state.play(4)
    child = MutableNode(4, Player.X, state, state.moves, 3, 1.5, 0.5, ())
    for name, value in changed.items():
        if not name.startswith('root_'):
            setattr(child, name, value)
    tree = root.mutable_copy(children_by_move(root.moves, [freeze_in_place(child)]))
    tree.visits, tree.reward = changed.get('root_visits', 3), changed.get('root_reward', 1.5)
    return freeze_in_place(tree)


@pytest.mark.parametrize(('seed', 'in_halves'), [(0, False), (15, True)])
def test_rewards_of_compiled_trees_are_checked_too(seed, in_halves):
    """Of its own tree the engine knows that the rewards are doubles, and not whether halves."""
    start, rng, paid = Maze(seed, 9, 3), SplitMix.from_seed(1), SHAPES['rewarded']
    paid = evolve(paid, iterations=40)
    tree = analyse(start, rng, paid, engine='compiled')[0].tree
    assert all(2 * node.reward % 1 == 0 for node in walk(tree)) is in_halves
    if in_halves:
        found = analyse(start, rng, Search(5), engine='compiled', tree=tree)
        assert found == analyse(start, rng, Search(5), engine='inplace', tree=tree)
    else:
        with pytest.raises(
            EngineError, match='does not support trees with rewards other than sums of halves'
        ):
            analyse(start, rng, Search(5), engine='compiled', tree=tree)
    for engine in ('compiled', 'inplace'):  # and back: doubles hold halves
        plain = analyse(start, rng, Search(40), engine=engine)[0].tree
        more = [
            analyse(start, rng, paid, engine=name, tree=plain)[0]
            for name in ('compiled', 'persistent')
        ]
        assert more[0] == more[1]


@pytest.mark.usefixtures('willing')
def test_rewards_of_other_trees_are_sums_of_halves():
    thirds = tree_with(reward=1 / 3, value=1 / 9, root_reward=1.0)
    with pytest.raises(EngineError, match='does not support trees with rewards other than sums of'):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(5), engine='compiled', tree=thirds)
    analyse(tictactoe.start, SplitMix.from_seed(1), Search(2_000), tree=thirds)  # by another


def test_visits_may_fill_30_bits():
    """So many that twice their reward is the greatest number of 32 bits, less one."""
    many = tree_with(
        visits=VISITS_LIMIT, reward=float(VISITS_LIMIT), root_visits=VISITS_LIMIT,
        root_reward=float(VISITS_LIMIT),
    )  # fmt: skip
    thawed = tree_for(many, tictactoe.TicTacToe.compiled, PLAIN, 0)
    place = store.cell(store.size(1, 0), 9, store.HALVES, 4)
    assert thawed.words[place] == 2 * VISITS_LIMIT == 2**31 - 2
    assert thawed.visits == VISITS_LIMIT
    with pytest.raises(EngineError, match='does not support more than 1,073,741,823 iterations'):
        analyse(tictactoe.start, SplitMix.from_seed(1), Search(1), engine='compiled', tree=many)


def test_a_tree_too_large_to_thaw_is_refused(monkeypatch):
    """It is refused as soon as its blocks and the slack behind them do not fit, and no sooner."""
    tree = analyse(tictactoe.start, SplitMix.from_seed(1), Search(40), engine='inplace')[0].tree
    rules = tictactoe.TicTacToe.compiled
    used = tree_for(tree, rules, PLAIN, 0).used
    monkeypatch.setattr(arena, 'LIMIT', used + store.SLACK)
    fitting = tree_for(tree, rules, PLAIN, 1000)
    assert len(fitting.words) == used + store.SLACK
    monkeypatch.setattr(arena, 'LIMIT', used + store.SLACK - 1)
    with pytest.raises(EngineError, match='the tree to continue is too large for the engine'):
        tree_for(tree, rules, PLAIN, 1000)
