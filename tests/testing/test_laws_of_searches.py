"""The laws of searches and networks: each wrong one breaks its law, right ones break none."""

import hashlib
import itertools
import math

import pytest
from attrs import evolve
from returns.result import Success

import zoo_methods
from fmcts import EngineError, Search
from fmcts._running.registry import ENGINES, Engine
from fmcts.games import connect4, tictactoe
from fmcts.search.methods import METHODS, UCB1
from fmcts.testing import SEARCH_LAWS, check_network, check_search
from fmcts.testing._laws.elsewhere import ALREADY

LAWS = {law.name: law for law in SEARCH_LAWS}
INTERPRETED = ('inplace', 'persistent', 'monadic')
LATE = zoo_methods.LATE


ELSEWHERE = 'another process finds the same'


@pytest.fixture
def alone(monkeypatch):
    """No second process is asked: a start of Python costs more than all the rest."""
    monkeypatch.setenv(ALREADY, '1')
    return (ELSEWHERE, 'this is another process already')


@pytest.mark.parametrize('name', METHODS)
def test_every_method_keeps_all_laws(name, alone):
    passed = check_search(
        name, LATE, engines=INTERPRETED, iterations=40, positions=2, judged=8
    ).unwrap()
    assert {name for name, _ in passed.cases} == {*LAWS} - {*dict(passed.left_out)}
    assert passed.left_out == (
        alone,
        ('symmetric moves receive equal visits', 'no symmetry was given'),
        (zoo_methods.SIGN, 'the search has neither a network nor an evaluator'),
    )


RIGHT = {
    'solver': Search(solver=True),
    'closing': Search(closing=True),
    'chains of states': Search(rollout_expand=True),
    'a graph': Search(transpositions='sound'),
    'an inflating graph': Search(transpositions='naive'),
    'jump': Search(expansion='jump'),
    'full': Search(expansion='full', selection='puct'),
    'halving': Search(schedule='halving'),
    'greedy': Search(c=0),
    'by lot': Search(c=100),
    'a bound on nodes': Search(max_nodes=30),
    'mast': Search(playout='mast'),
    'robust of all': Search(final='robust-of-all'),
}


@pytest.mark.parametrize('name', RIGHT)
def test_every_kind_of_search_keeps_all_laws(name, alone):
    passed = check_search(
        RIGHT[name], LATE, engines=('inplace', 'persistent'), iterations=40, positions=2, judged=0
    ).unwrap()
    told = {law for law, _ in passed.left_out}
    expected = {
        'halving': {'n iterations and m more are n + m', 'older trees stay as they are'},
        'an inflating graph': {'visits are conserved'},
    }
    always = {'symmetric moves receive equal visits', 'more iterations play no worse', alone[0]}
    always.add(zoo_methods.SIGN)
    assert told - always == expected.get(name, set())
    assert {law for law, count in passed.cases if count} == {*LAWS} - told


def test_symmetry_and_strength_of_a_correct_search():
    passed = check_search(
        Search(solver=True),
        tictactoe.start,
        engines=('inplace',),
        iterations=60,
        symmetries=zoo_methods.SYMMETRIES,
    ).unwrap()
    assert dict(passed.cases)['symmetric moves receive equal visits'] == 1
    assert dict(passed.cases)['more iterations play no worse'] == 1
    assert dict(passed.cases)['another process finds the same'] == 6


HASHED = [int.from_bytes(hashlib.sha256(bytes([n])).digest()[:4], 'big') / 2**32 for n in range(64)]


@pytest.mark.usefixtures('alone')
@pytest.mark.parametrize(
    'search',
    [
        Search(evaluate=lambda state: HASHED[len(state.moves) * 5 + state.moves[0]]),
        Search(evaluate=lambda _state: 0.9),
        Search(evaluate=zoo_methods.for_x),
    ],
    ids=['random', 'X wins', 'exact'],
)
def test_an_evaluator_that_knows_nothing_is_not_accused(search):
    passed = check_search(
        search, tictactoe.start, engines=['inplace'], iterations=20, positions=1, judged=0
    ).unwrap()
    assert dict(passed.cases)[zoo_methods.SIGN] == 1


@pytest.mark.needs_numba
def test_the_compiled_engine_is_compared_too():
    passed = check_search('ucb1', LATE, iterations=50, positions=3, judged=0).unwrap()
    assert not any('compiled' in why for _, why in passed.left_out)


def refuses(_root, _rng, _search):
    return 'everything here'


@pytest.mark.usefixtures('alone')
def test_a_refusing_engine_is_reported_with_its_reason(monkeypatch):
    wrong = Engine('monadic', ENGINES['monadic'].run, refuses)
    monkeypatch.setitem(ENGINES, 'monadic', wrong)
    passed = check_search('ucb1', LATE, engines=INTERPRETED, judged=0).unwrap()
    (told,) = (why for law, why in passed.left_out if law == zoo_methods.SAME)
    assert told.startswith(
        'monadic: the engine monadic does not support everything here; use one of: '
    )
    with pytest.raises(EngineError, match='the engine monadic does not support everything here'):
        check_search('ucb1', LATE, engines=['monadic'])


@pytest.mark.usefixtures('alone')
def test_large_games_are_not_solved():
    passed = check_search(
        'ucb1', connect4.start, engines=['inplace'], iterations=9, positions=2
    ).unwrap()
    assert dict(passed.left_out)['more iterations play no worse'] == (
        'the game has more than 20,000 positions'
    )


def late_wrong(edge, parent):
    """Wrong as soon as a node has 20 visits."""
    return edge.value + math.sqrt(19.0 - parent.visits)


def test_a_breach_has_few_iterations():
    breach = check_search(late_wrong, LATE, engines=['inplace']).failure()
    assert breach.found == 'with 32 iterations: raised ValueError: math domain error'
    assert breach.line == ()


def test_a_search_of_another_kind_is_refused():
    with pytest.raises(ValueError, match='selection must be one of ucb1, '):
        check_search(7, tictactoe.start)


@pytest.mark.usefixtures('alone')
def test_a_method_is_checked_like_its_search():
    one, other = UCB1(c=0.5), Search(7, selection=UCB1(c=0.5))
    checked = [check_search(given, LATE, engines=['inplace'], judged=0) for given in (one, other)]
    assert checked[0] == checked[1]
    assert evolve(other, iterations=200).method == one


# ---- the laws of networks detect inconsistent ones only ----


def even(states):
    return [[1.0] * len(state.moves) for state in states], [0.5] * len(states)


def failure(network):
    return check_network(network, tictactoe.start).failure()


def test_a_pure_network_is_accepted():
    assert check_network(even, tictactoe.start) == Success(64)
    assert check_network(even, tictactoe.start, states=3) == Success(3)


CALLS = itertools.count()


@pytest.mark.parametrize(
    ('value', 'when'),
    [
        (lambda _place, _count: next(CALLS) % 7 / 8, 'again'),
        (lambda place, count: place / count, 'in the opposite order'),
        (lambda _place, count: 1 / count, 'about it alone'),
    ],
    ids=['call', 'order', 'batch'],
)
def test_a_network_that_depends_on_more_than_the_state_is_detected(value, when):
    def network(states):
        return even(states)[0], [value(place, len(states)) for place, _ in enumerate(states)]

    assert f'answers differently when asked {when}' in failure(network)


def test_differences_below_the_grid_are_ignored():
    calls = itertools.count()

    def nearly(states):
        return even(states)[0], [0.5 + next(calls) * 1e-15] * len(states)

    assert check_network(nearly, tictactoe.start) == Success(64)


def test_a_wrong_answer_is_reported():
    assert failure(lambda _states: None).startswith('the network <lambda> must return a pair')


def test_a_network_whose_values_have_the_wrong_sign_is_detected():
    found = failure(zoo_methods.of_the_opponent)
    assert 'have the higher value where X has lost' in found
