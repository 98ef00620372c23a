"""Engines of alpha-beta: choice, watching, refusals, broken rules and invalid options."""

from typing import ClassVar

import pytest
from attrs import evolve

from fmcts import STOP, EngineError, FinishedGameError, GameError
from fmcts.errors import MethodError
from fmcts.games import connect4, tictactoe
from fmcts.notices import listening
from fmcts.rules import OnPositions
from fmcts.solve import AlphaBeta, _asked as engines, move_values, solve
from tiers import exhaustive
from toy_games import Long, Steps

both = pytest.mark.parametrize('engine', ['inplace', 'compiled'])


def found(solution):
    return solution.value, solution.plies, solution.move


def test_watch_is_called_and_cannot_stop_the_search():
    told = []
    solve(tictactoe.start, engine='inplace', watch=told.append)
    assert told == [512 * (number + 1) for number in range(len(told))]
    assert len(told) > 2
    with pytest.raises(
        ValueError, match='watch cannot end an alpha-beta search, which has no answ'
    ):
        solve(tictactoe.start, engine='inplace', watch=lambda _nodes: STOP)


@pytest.mark.needs_numba
def test_compiled_code_returns_regularly_for_interrupts():
    """From the start of Connect Four there would be long to wait."""

    def interrupt(nodes):
        if nodes > 1_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(connect4.start, engine='compiled', watch=interrupt)


@pytest.mark.needs_numba
def test_auto_switches_to_machine_code_when_it_pays(monkeypatch):
    monkeypatch.setattr(engines, 'PAYS', 1500)
    told = []
    state = tictactoe.start
    solution = solve(state, engine='auto', watch=told.append)
    assert solution == solve(state, engine='inplace')
    assert told[:3] == [512, 1024, 1536]
    assert solution.nodes == solve(state, engine='compiled').nodes


@pytest.mark.needs_numba
def test_auto_continues_in_python_if_rules_cannot_be_compiled(monkeypatch):
    class Uncompilable(Long):
        compiled: ClassVar = evolve(Long.compiled, side=lambda steps: int(f'{steps.left & 1:d}'))

    monkeypatch.setattr(engines, 'PAYS', 512)
    heard = []
    with listening(heard.append):
        assert found(solve(Uncompilable(601, ways=1))) == (1.0, 601, 0)
    said = 'side of the rules cannot be compiled: '
    assert [line for line in heard if line.startswith(said) and 'continuing with' in line]
    with pytest.raises(EngineError, match=said):
        solve(Uncompilable(9, ways=1), engine='compiled')


@pytest.mark.exhaustive
@pytest.mark.needs_numba
def test_rules_broken_late_are_reported():
    """After more plies than are compared before a search."""

    def menu_of(soon):
        return lambda steps: 0 if not steps.left else 1 if steps.left > 9 else soon

    for rules, why in (
        ({'winner': lambda _: 7}, 'gave a winner that is not 0, 1 or 2'),
        (
            {'menu': menu_of(2), 'count': lambda menu: 1 << 25 if menu == 2 else 1},
            'gave a menu with fewer than 1 or',
        ),
        ({'menu': menu_of(1 << 60), 'keys': 50}, 'gave a move a key outside the range from 0 to'),
    ):
        late = type('Late', (Long,), {'compiled': evolve(Long.compiled, **rules)})
        with pytest.raises(EngineError, match=why):
            solve(late(100, ways=1), engine='compiled')


class Wrong(Long):
    moves = (0, 0)


def test_broken_and_finished_games_are_refused():
    with pytest.raises(GameError, match='the game Wrong has a state that has the move 0 twice'):
        solve(Wrong(3, ways=1), engine='inplace')
    over = tictactoe.parse('XXXOO....').unwrap()
    for function in (solve, move_values):
        with pytest.raises(FinishedGameError, match='the game is over: there is no move to choose'):
            function(over)


def test_unknown_engines_and_searches_are_refused():
    with pytest.raises(EngineError, match="unknown engine 'fast'"):
        solve(tictactoe.start, engine='fast')
    with pytest.raises(TypeError, match='search must be an AlphaBeta, not 3'):
        solve(tictactoe.start, 3)


@pytest.mark.needs_numba
def test_games_without_rules_on_integers_are_not_compiled():
    with pytest.raises(EngineError, match='Wrong, which only inherits the rules on integers'):
        solve(Wrong(3, ways=1), engine='compiled')


def test_evaluations_of_states_are_not_compiled():
    search = AlphaBeta(2, lambda _state: 0.5)
    with pytest.raises(
        EngineError, match='the engine compiled does not support evaluate=<lambda>, a fun'
    ):
        solve(tictactoe.start, search, engine='compiled')
    assert found(solve(tictactoe.start, search, engine='auto')) == (0.5, None, 0)


@pytest.mark.parametrize('value', [1.5, -0.1, float('nan'), 'X', None])
def test_evaluations_out_of_range_are_refused(value):
    def judge(_state):
        return value

    with pytest.raises(MethodError, match='the evaluator judge must return a number from 0 '):
        solve(tictactoe.start, AlphaBeta(1, judge))


def too_much(position):
    return position.mine + 0.5


def no_number(position):
    return f'{position.mine:d}'


@pytest.mark.parametrize('engine', ['inplace', exhaustive('compiled')])
def test_evaluations_of_positions_out_of_range_are_refused(engine):
    with pytest.raises(MethodError, match='the evaluator too_much must return a number from 0 '):
        solve(tictactoe.start, AlphaBeta(2, OnPositions(too_much)), engine=engine)


@pytest.mark.needs_numba
def test_evaluations_that_cannot_be_compiled_are_refused():
    with pytest.raises(EngineError, match='the evaluator no_number cannot be compiled'):
        solve(tictactoe.start, AlphaBeta(2, OnPositions(no_number)), engine='compiled')


def quotient(position):
    return 0.5 / (position.mine & 1)


@both
def test_an_error_in_an_evaluation_is_raised_as_it_is(engine):
    with pytest.raises(ZeroDivisionError) as raised:
        solve(tictactoe.start, AlphaBeta(2, OnPositions(quotient)), engine=engine)
    assert raised.traceback[-1].name == 'quotient'


def zero(steps):
    """0; it fails five plies before the end, later than rules are compared."""
    if steps.left == 5:
        raise ValueError('five are left')
    return 0


@pytest.mark.needs_numba
@pytest.mark.parametrize(
    'name', ['play', exhaustive('menu'), exhaustive('side'), exhaustive('key')]
)
def test_python_answers_where_only_rules_on_integers_raise_an_error(name):
    menu = Long.compiled.menu
    failing = {
        'play': lambda steps, _: Steps(steps.left - 1 + zero(steps), steps.ways),
        'menu': lambda steps: menu(steps) + zero(steps),
        'side': lambda steps: (steps.left & 1) + zero(steps),
        'key': lambda steps, _: zero(steps),
    }

    class Failing(Long):
        compiled: ClassVar = evolve(Long.compiled, **{name: failing[name]})

    assert found(solve(Failing(100, ways=1), engine='compiled')) == (
        0.0,
        100,
        0,
    )  # O makes the last step


@pytest.mark.parametrize(
    ('options', 'why'),
    [
        ({'depth': 0}, 'depth must be a whole number of at least 1, not 0'),
        (
            {'evaluate': abs},
            'evaluate needs a depth: without one every line is followed to the end',
        ),
        ({'depth': 1, 'evaluate': 0.5}, 'evaluate must be a function, not 0.5'),
        ({'distance': 1}, 'distance must be True or False, not 1'),
        ({'table': -1}, 'table must be a whole number of at least 0, not -1'),
        ({'max_plies': 0}, 'max_plies must be a whole number of at least 1, not 0'),
    ],
)
def test_invalid_options_are_refused(options, why):
    with pytest.raises(ValueError, match=why.replace('.', '[.]')):
        AlphaBeta(**options)
