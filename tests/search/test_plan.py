"""Plans: columns of new nodes, their updates, and refusals."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts._engines import plan as plans
from fmcts.errors import MethodError
from fmcts.games import tictactoe
from fmcts.search._columns import NO_COLUMNS, Columns
from fmcts.search._tree import plant
from fmcts.search.methods import AMAF, UCB1, Method, UCB1Tuned


def fresh_of(method):
    return plans.fresh_of(Search(selection=method))


def fitted(root, method):
    return plans.fitted(root, Search(selection=method))


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
    class Wrong(Method):
        move_columns = ('one', 'two')

        def first_rows(self, _state, _moves):
            return rows

    with pytest.raises(
        MethodError,
        match=r'^the selection rule Wrong must return a row of 2 numbers for each of one, two, '
        f'in the order of the moves, not {shown}$',
    ):
        fresh_of(Wrong())(None, 'ab')


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
    assert root.columns == NO_COLUMNS
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
