"""The first difference of two searches."""

from itertools import combinations

import pytest

from fmcts import Search, SplitMix, StdGen
from fmcts.games import connect4, tictactoe
from fmcts.history import history, load_log, parting, save

from .conftest import STARTS

RNG = SplitMix.from_seed(2)
START = STARTS['connect4']


def first_difference(one, two):
    """By the versions themselves."""
    for a, b in zip(one.versions(), two.versions(), strict=False):
        if a != b:
            return a.iterations
    return None if one.last == two.last else min(one.last, two.last) + 1


@pytest.mark.parametrize(
    'other',
    [
        Search(200, c=1.3),
        Search(200, c=1.40),
        Search(200, selection='ucb1-tuned'),
        Search(200, expansion='random'),
        Search(200, playout='decisive'),
        Search(170),
        Search(200),
    ],
)
def test_finds_the_first_version_that_differs(other):
    one, two = (history(START, RNG, search, 'persistent') for search in (Search(200), other))
    found = parting(one, two)
    if other.selection != 'ucb1':  # its trees have columns, and differ from the start
        assert found.what == 'path'
    else:
        assert (found.iteration if found else None) == first_difference(one, two)
    if found is not None and found.choices:
        a, b = found.choices
        assert (a.line, a.player, a.visits) == (b.line, b.player, b.visits)
        assert a.move != b.move
        assert found.line == a.line


@pytest.mark.parametrize('selection', ['ucb1', 'progressive-bias'])
@pytest.mark.parametrize('rule', ['sound', 'naive'])
def test_graphs_differ_where_their_versions_do(rule, selection):
    options = {'transpositions': rule, 'selection': selection}
    one, two = (history(STARTS['tictactoe'], RNG, Search(80, c=c, **options)) for c in (1.0, 1.3))
    found = parting(one, two)
    assert (found.what, found.iteration) == ('path', first_difference(one, two))
    assert parting(one, one.fork(40)) is None


def test_the_deciding_term_is_named():
    one, two = (history(START, RNG, Search(300, c=c)) for c in (0.9, 1.0))
    found = parting(one, two)
    assert found.term == 'c * sqrt(log_visits / visits)'
    a, b = found.choices
    assert [row.terms[0] for row in a.scores] == [row.terms[0] for row in b.scores]
    assert str(found).startswith(f'iteration {found.iteration}: ')
    assert str(found).endswith(
        f'X chooses {a.move} in one and {b.move} in the other, by {found.term}'
    )
    uct = history(START, RNG, Search(300, selection='implicit-minimax'))
    assert parting(one, uct).term in ('value', '(1 - alpha) * value')


def test_different_outcomes():
    h = history(START, RNG, Search(100), 'persistent')
    other = history(START, RNG.child(1), Search(100))
    found = parting(h, other)
    assert (found.iteration, found.what) == (first_difference(h, other), 'outcome')
    assert str(found) == f'iteration {found.iteration}: the same path, another outcome'


def test_a_fork_diverges_from_its_own_history():
    h = history(START, RNG, Search(200), 'persistent')
    assert parting(h, h.fork(50)) is None
    fork = h.fork(50, Search(150, c=0.3))
    found = parting(h, fork)
    whole = next(k for k in range(51, 201) if h.at(k).tree != fork.at(k).tree)
    assert (found.iteration, found.what) == (whole, 'path')
    assert found.choices == tuple(it.why(whole).choices[len(found.line)] for it in (h, fork))
    assert parting(fork, h).choices == found.choices[::-1]
    shorter = parting(h, h.fork(50, Search(10)))
    assert (shorter.iteration, shorter.what) == (61, 'end')


def test_scores_with_other_terms_are_described_as_such():
    found = parting(
        *(history(START, RNG, Search(60, selection=it)) for it in ('ucb1', 'ucb1-tuned'))
    )
    assert str(found).endswith(' in the other, whose scores have other terms')


def test_logs_from_files(tmp_path):
    one, two = history(START, RNG, Search(80)), history(START, RNG, Search(80, c=0.2))
    save(tmp_path / 'one', one)
    log = load_log(tmp_path / 'one')
    assert parting(log, one) is None
    found = parting(log, two)
    assert (found.iteration, found.what) == (parting(one, two).iteration, 'path')
    assert str(found) == f'iteration {found.iteration}: another path'
    assert (
        str(parting(one, one.fork(0, Search(30), one.rng))) == 'iteration 31: one search has ended'
    )


def test_histories_with_different_starts_are_not_compared():
    h = history(START, RNG, Search(30))
    with pytest.raises(ValueError, match='start with different trees'):
        parting(h, h.what_if(10, 1 - h.why(10).outcome).history)
    with pytest.raises(ValueError, match='start with different trees'):
        parting(h, history(START, RNG.child(1), Search(30)).fork(10))
    with pytest.raises(TypeError, match='parting compares two histories or logs, not None'):
        parting(h, None)
    for state in (connect4.start, tictactoe.start):
        with pytest.raises(ValueError, match='start in different positions'):
            parting(h, history(state, RNG, Search(30)))
    assert parting(h, history(START, StdGen(1, 2), Search(30))) is not None


@pytest.mark.parametrize(
    'options',
    [
        {'playout': 'mast'},
        {'playout': 'last-good-reply', 'solver': True},
        {'selection': 'grave'},
        {'selection': 'rave', 'expansion': 'full'},
    ],
    ids=str,
)
def test_the_first_tree_that_differs_whatever_it_differs_in(options):
    """Of many short searches the logs agree: only what playouts leave in the trees differs."""
    search = Search(6, **options)
    made = [history(tictactoe.start, SplitMix.from_seed(it), search) for it in range(12)]
    kinds = set()
    for one, two in combinations(made, 2):
        whole = next((k for k in range(1, 7) if one.at(k).tree != two.at(k).tree), None)
        found = parting(one, two)
        assert (found.iteration if found else None) == whole
        kinds.add(found.what if found else None)
        if found and found.what == 'statistics':
            assert one.at(whole).digest != two.at(whole).digest
            nodes = [it.at(whole).tree for it in (one, two)]
            for move in found.line:
                nodes = [node.child(move) for node in nodes]
            assert nodes[0].columns != nodes[1].columns
    assert {'outcome', 'statistics'} <= kinds


def test_other_statistics_and_another_final_choice_are_named():
    rng = SplitMix.from_seed(3)
    plain, best, solved, known = (
        history(connect4.start, rng, Search(40, **options), 'persistent')
        for options in ({}, {'final': 'max'}, {'solver': True}, {'final': 'robust'})
    )
    found = parting(plain, best)
    assert (plain.tree, plain.move, best.move) == (best.tree, *found.moves)
    assert (found.iteration, found.what) == (40, 'choice')
    assert str(found) == 'iteration 40: the same tree, from which one chooses 0 and the other 6'
    found = parting(solved, plain)
    assert (found.iteration, found.what, found.term) == (1, 'statistics', 'proof')
    told = 'iteration 1: the same path and outcome, other statistics (proof at the root)'
    assert str(found) == told
    assert parting(solved.log, plain.log).what == 'statistics'
    assert parting(plain, known) is parting(plain, best.log) is None
