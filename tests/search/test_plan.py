"""Plans: columns of new nodes, their updates, and refusals."""

import math
from types import SimpleNamespace

import pytest
from attrs import frozen

from fmcts import Player, Search, SplitMix, analyse
from fmcts._engines import plan as plans
from fmcts._engines.plan import plan_of
from fmcts._engines.updates import Trace
from fmcts.errors import MethodError
from fmcts.games import tictactoe
from fmcts.search._columns import NONE, ColumnNames, Columns
from fmcts.search._tree import MutableNode, Node, freeze_in_place, placed, plant
from fmcts.search.memory import Table
from fmcts.search.methods import AMAF, PUCT, UCB1, Method, UCB1Tuned


def fresh_of(method):
    return plans.fresh_of(Search(selection=method))


def fitted(root, method):
    return plans.fitted(root, Search(selection=method))


X_WON = tictactoe.parse('XXXOO....').unwrap()


@frozen
class Seen(Table):
    name, columns, absent, scope = 'seen', ('seen', 'worth'), (0.0, 0.0), 'node'

    def update(self, row, reward):
        assert row._fields == ('seen', 'worth')
        return row.seen + 1, row.worth + reward


@frozen
class Both(Method):
    """Columns of both kinds, whose updates tell what they were told."""

    columns = ('total', 'last')
    table = Seen()

    def update(self, edge, reward):
        assert edge._fields == ('visits', 'reward', 'value', 'total', 'last')
        return edge.total + edge.visits + edge.reward + edge.value, reward + edge.last


NAMES = Both().names


def node(mover, player, columns, *, visits=4, reward=3.0, moves='abc', move='m'):
    return SimpleNamespace(
        move=move, mover=mover, state=SimpleNamespace(player=player), moves=moves,
        visits=visits, reward=reward, value=reward / visits, columns=columns,
    )  # fmt: skip


def over(state):
    return SimpleNamespace(state=state, moves=())


def fitted_for(search):
    return plans.fitted(plant(tictactoe.start), search)


def evolved(node, **changes):
    draft = node.mutable_copy(node.places)
    for name, value in changes.items():
        setattr(draft, name, value)
    return draft


def leaf_with(plan, parent, move, visits, reward):
    draft = evolved(plan.leaf(parent, move), visits=visits, reward=reward, value=reward / visits)
    return freeze_in_place(draft)


# ---- the decisions ----


def test_plain_search_has_no_extra_columns():
    plan = plan_of(Search(), tictactoe.start)
    assert (plan.update, plan.finished, plan.chances) == (None, None, None)
    assert not plan.stops_unvisited
    leaf = plan.leaf(plant(tictactoe.start), 4)
    assert (leaf.move, leaf.mover, leaf.visits, leaf.columns) == (4, Player.X, 0, NONE)
    assert type(leaf) is Node
    draft = plan_of(Search(), tictactoe.start, in_place=True).leaf(plant(tictactoe.start), 4)
    assert (type(draft), draft.places) == (MutableNode, ())


@pytest.mark.parametrize(
    ('given', 'chances', 'step'),
    [
        ({}, 0, (0, 1)),
        ({'expansion': 'random'}, 7, (4, 1)),
        ({'expansion': 'full'}, 7, (4, 7)),
        ({'selection': 'puct'}, 0, (1, 0)),
        ({'selection': 'puct', 'expansion': 'full'}, 7, (4, 7)),
        ({'expansion': 'jump'}, 10, (2, 0)),
    ],
)
def test_the_step_from_a_node_with_untried_moves(given, chances, step):
    """It has children for the second and the third of nine moves; of those, the third is better."""
    search = Search(**given)
    plan, root = plan_of(search, tictactoe.start), fitted_for(search)
    parent = freeze_in_place(root.mutable_copy(()))
    children = [leaf_with(plan, parent, 1, 2, 1.0), leaf_with(plan, parent, 2, 2, 1.5)]
    if search.selection == 'puct':
        children = [leaf_with(plan, parent, 1, 2, 2.0), leaf_with(plan, parent, 2, 2, 0.0)]
    places = placed(parent.moves, children)
    node = freeze_in_place(evolved(parent, visits=4, reward=1.5, places=places))
    assert (plan.chances(node, places, []) if plan.chances else 0) == chances
    assert plan.step(node, places, math.log(5), [], 2) == step


def test_a_forced_line_is_not_chosen():
    plan = plan_of(Search(expansion='jump'), tictactoe.start)
    forced, none = plan.forcing((4, 7)), plan.forcing(None)
    assert none is plan
    root = plant(tictactoe.start)
    complete = [leaf_with(plan, root, move, 1, 0.0) for move in range(9)]
    node = freeze_in_place(evolved(root, visits=9, reward=0.0, places=tuple(complete)))
    some = (*complete[:6], None, None, None)
    for path, index in (([], 4), ([node], 7)):
        assert forced.choose(node, complete, 1.0, path) == index
        assert forced.chances(node, complete, path) == 0
        assert forced.step(node, some, 1.0, path, 0) == (index, int(index == 7))
    assert forced.choose(node, complete, 1.0, [node, node]) == 0
    assert forced.chances(node, some, [node, node]) == 10
    assert forced.step(node, some, 1.0, [node, node], 0) == (6, 1)
    assert plan.forcing(4).choose(node, complete, 1.0, []) == 4


@pytest.mark.parametrize(
    ('name', 'trace'), [('ucb1-tuned', None), ('puct', None), ('amaf', Trace([], 0))]
)
def test_columns_are_created_and_updated(name, trace):
    search = Search(selection=name)
    plan = plan_of(search, tictactoe.start)
    assert plan.ended([], over(X_WON)) == (1.0, trace, None)
    assert plan.leaf(plant(tictactoe.start), 0).columns.names == search.method.names
    assert (plan.update is None) == (name == 'puct')  # a prior stays as it is


def test_a_terminal_state_is_worth_its_playout():
    assert plan_of(Search(), X_WON).ended([], over(X_WON)) == (1.0, None, None)
    traced = plan_of(Search(selection='amaf'), X_WON)
    assert traced.ended([], over(X_WON)) == (1.0, Trace([], 0), None)
    assert traced.ended([], over(X_WON))[1] is not traced.ended([], over(X_WON))[1]
    third = Search(reward=lambda _state: 0.25)
    assert plan_of(third, X_WON).ended([], over(X_WON)) == (0.25, None, None)


def test_a_terminal_state_returns_its_line_for_memories():
    before = tictactoe.parse('XX.OO....').unwrap()
    root = plant(before)
    plan = plan_of(Search(playout='mast'), before)
    child = plan.leaf(root, 2)
    assert plan.ended([(root, (child,), 0)], child) == (1.0, Trace([(Player.X, 2)], 1), None)
    drafts = plan_of(Search(playout='mast'), before, in_place=True)
    assert drafts.ended([root], child) == (1.0, Trace([(Player.X, 2)], 1), None)


def test_a_search_is_finished_when_its_root_is_resolved():
    state = tictactoe.parse('XX.OO....').unwrap()
    plan = plan_of(Search(solver=True), state)
    tree = analyse(state, SplitMix.from_seed(1), Search(100, solver=True))[0].tree
    assert plan.finished(tree)
    assert not plan.finished(fitted_for(Search(solver=True)))


# ---- new nodes ----


def test_new_columns_start_at_zero():
    assert fresh_of(Both())(None, 'abc') == Columns(NAMES, (0.0, 0.0), ((0.0,) * 3, (0.0,) * 3))
    assert fresh_of(UCB1Tuned())(None, 'abc') == Columns(UCB1Tuned().names, (0.0,), ())


def test_new_columns_start_as_the_method_declares():
    state = SimpleNamespace(moves='abc')
    fresh = fresh_of(PUCT(prior=lambda _state: [1, 2, 3]))(state, 'abc')
    assert fresh == Columns(PUCT().names, (), ((1.0, 2.0, 3.0),))
    assert isinstance(fresh.moves[0], tuple)


@pytest.mark.parametrize(
    ('rows', 'shown'),
    [
        ((), r'\(\)'),
        (([1.0, 2.0],), r'\(\(1.0, 2.0\),\)'),
        (([1.0, 2.0], [1.0]), r'\(\(1.0, 2.0\), \(1.0,\)\)'),
        (([1.0], [1.0, 2.0]), r'\(\(1.0,\), \(1.0, 2.0\)\)'),
        (([1.0, 2.0],) * 3, r'\(\(1.0, 2.0\), \(1.0, 2.0\), \(1.0, 2.0\)\)'),
    ],
)
def test_rows_of_a_wrong_length_are_refused(rows, shown):
    class Wrong(Both):
        move_columns = ('one', 'two')

        def first_rows(self, _state, _moves):
            return rows

    with pytest.raises(
        MethodError,
        match=r'^the selection rule Wrong must return a row of 2 numbers for each of one, two, '
        f'in the order of the moves, not {shown}$',
    ):
        fresh_of(Wrong())(None, 'ab')


def test_rows_without_columns_are_refused():
    class Wrong(UCB1Tuned):
        def first_rows(self, _state, _moves):
            return ((1.0, 2.0),)

    with pytest.raises(MethodError, match='a row of 2 numbers for each of no columns'):
        fresh_of(Wrong())(None, 'ab')


# ---- a tree to continue ----


def test_a_fitting_tree_is_unchanged():
    root = plant(tictactoe.start)
    assert fitted(root, UCB1()) is root
    mine = fitted(root, UCB1Tuned())
    assert fitted(mine, UCB1Tuned(3.0)) is mine


def test_an_unsearched_tree_gains_the_columns():
    root = plant(tictactoe.start, [1, 5])
    traced = fitted(root, AMAF())
    assert traced.columns == Columns(AMAF().names, (), ((0.0, 0.0), (0.0, 0.0)))
    assert (traced.moves, traced.state, traced.children) == ((1, 5), tictactoe.start, ())
    assert root.columns == NONE
    assert fitted(traced, UCB1()) == root
    assert fitted(traced, UCB1Tuned()).columns == Columns(UCB1Tuned().names, (0.0,), ())


def test_a_tree_with_other_columns_is_refused():
    def found(selection):
        return analyse(tictactoe.start, SplitMix.from_seed(1), Search(20, selection=selection))[
            0
        ].tree

    plain, traced = found('ucb1'), found('amaf')
    advice = ': continue with the search that grew it'
    for tree, method, said in (
        (plain, AMAF(), 'no columns, the search the columns amaf_visits, amaf_reward'),
        (traced, UCB1(), 'the columns amaf_visits, amaf_reward, the search no columns'),
        (traced, UCB1Tuned(), 'amaf_reward, the search the columns squares'),
    ):
        with pytest.raises(ValueError, match=r'^the tree to continue keeps ') as error:
            fitted(tree, method)
        assert str(error.value).endswith(said + advice)


def test_any_visit_or_child_makes_a_tree_searched():
    leaf = analyse(tictactoe.start, SplitMix.from_seed(1), Search(9))[0].tree.children[0]
    assert (leaf.visits, leaf.children) == (1, ())
    with pytest.raises(ValueError, match='keeps no columns, the search the columns squares'):
        fitted(leaf, UCB1Tuned())
    full, _ = analyse(tictactoe.start, SplitMix.from_seed(1), Search(2, expansion='full'))
    unvisited = next(child for child in full.tree.children if not child.visits)
    assert fitted(unvisited, UCB1Tuned()).columns.own == (0.0,)


# ---- updates ----


def update(method=None):
    search = Search(selection=method or Both())
    made = plan_of(search, tictactoe.start).update
    return lambda node, parent, for_x, trace: made(node, (), None, parent, for_x, trace)


@pytest.mark.parametrize(('mover', 'reward'), [(Player.X, 0.25), (Player.O, 0.75)])
def test_a_child_is_updated_for_its_mover(mover, reward):
    before = Columns(NAMES, (10.0, 100.0), ((0.0,) * 3, (0.0,) * 3))
    after = update()(node(mover, mover.other, before), None, 0.25, None)
    assert after == Columns(NAMES, (10.0 + 4.0 + 3.0 + 0.75, 100.0 + reward), before.moves)


@pytest.mark.parametrize(('player', 'reward'), [(Player.X, 0.25), (Player.O, 0.75)])
@pytest.mark.parametrize('mover', Player)
def test_rows_are_updated_for_the_side_to_move(mover, player, reward):
    """For those that it played, not for those of the other side."""
    rows = (1.0, 2.0, 3.0), (10.0, 20.0, 30.0)
    before = Columns(NAMES, (0.0, 0.0), rows)
    played = Trace([(player, 'a'), (player, 'c'), (player.other, 'b')], 0)
    one = node(mover, player, before)
    after = update()(one, None, 0.25, played)
    assert after.moves == ((2.0, 2.0, 4.0), (10.0 + reward, 20.0, 30.0 + reward))
    assert after.names is NAMES or after.names == NAMES
    assert len(played.played) == 3  # a root adds nothing: no move led there


@pytest.mark.parametrize('mover', Player)
def test_the_move_into_a_node_counts_above_it(mover):
    before = Columns(NAMES, (0.0, 0.0), ((1.0,), (10.0,)))
    one = node(mover, mover.other, before, moves='a', move='m')
    parent, trace = SimpleNamespace(state=SimpleNamespace()), Trace([(mover, 'm')], 1)
    assert update()(one, parent, 0.25, trace).moves == before.moves
    assert trace.played == {(mover, 'm')}


def test_a_move_is_recorded_after_its_node_is_updated():
    """A move is not counted where it leads to, though its key be the same there."""
    before = Columns(NAMES, (0.0, 0.0), ((0.0,), (0.0,)))
    one = node(Player.X, Player.X, before, moves='m', move='m')  # O passes
    parent, trace = SimpleNamespace(state=SimpleNamespace()), Trace([(Player.X, 'm')], 1)
    assert update()(one, parent, 1.0, trace).moves == ((0.0,), (0.0,))
    assert trace.played == {(Player.X, 'm')}


def test_missing_columns_are_not_updated():
    tuned = Columns(UCB1Tuned().names, (2.0,), ())
    assert update(UCB1Tuned())(node(Player.O, Player.X, tuned), None, 0.25, None).own == (2.5625,)
    assert plan_of(Search(selection=PUCT()), tictactoe.start).update is None


@pytest.mark.parametrize('kind', [Both, Seen])
@pytest.mark.parametrize(
    'given', [None, 1.0, [1.0, 2.0], (1.0,), (1.0, 2.0, 3.0), (1.0, '2'), ('1', 2.0), (None, 1.0)]
)
def test_an_update_must_return_one_number_per_column(kind, given):
    broken = type('Wrong', (kind,), {'update': lambda *_told: given})
    wrong, called = broken(), 'the selection rule'
    if kind is Seen:
        wrong, called = type('Method', (Both,), {'table': wrong})(), 'the table'
    before = Columns(NAMES, (0.0, 0.0), ((0.0,) * 3, (0.0,) * 3))
    with pytest.raises(MethodError) as error:
        update(wrong)(node(Player.X, Player.O, before), None, 0.5, Trace([(Player.O, 'b')], 0))
    assert str(error.value) == (
        f'update of {called} Wrong must return a tuple of 2 numbers, not {given!r}'
    )


def test_updates_become_floats():
    whole = type('Whole', (Both,), {'update': lambda *_told: (True, 2)})
    before = Columns(NAMES, (0.0, 0.0), ((0.0,) * 3, (0.0,) * 3))
    trace = Trace([(Player.O, 'b')], 0)
    after = update(whole())(node(Player.X, Player.O, before), None, 0.5, trace)
    assert after.own == (1.0, 2.0)
    numbers = (*after.own, *after.moves[0], *after.moves[1])
    assert {type(number) for number in numbers} == {float}


def test_updates_divide_by_ieee_754():
    class Dividing(UCB1Tuned):
        def update(self, edge, _reward):
            return (1.0 / edge.squares,)

    before = Columns(UCB1Tuned().names, (0.0,), ())
    after = update(Dividing())(node(Player.O, Player.X, before), None, 0.5, None)
    assert after.own == (float('inf'),)


def test_column_names_are_pairs():
    assert ColumnNames(('total', 'last'), ('seen', 'worth')) == NAMES
