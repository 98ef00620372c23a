"""Code that cannot be compiled is named: the function of the search, file and line."""

import pathlib
import re

import pytest
from attrs import frozen
from fmcts._compiled import faults
from fmcts._compiled.engine import current_structure

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts.errors import FmctsWarning
from fmcts.games import tictactoe
from fmcts.notices import listening
from fmcts.rules import OnPositions, rules_of
from fmcts.search.memory import Table
from fmcts.search.methods import PUCT, Method
from maze import Maze
from shapes import DIVIDING, RAISING, SHAPES, valued
from tiers import usually

RNG = SplitMix.from_seed(1)
MANY = 2_000  # iterations for which `auto` compiles


def text(edge, _parent):
    return float(len(f'{edge.visits:>3}'))


def no_such(edge, _parent):
    return edge.value + edge.nothing


def on_position(position, *_more):
    return 0.5 + 0.0 * len(f'{position.mine:>3}')


def a_menu(position, menu):
    return menu + 0 * len(f'{position.mine:>3}')


def a_pair(position, *_more):
    return (0.5, position.mine)


def with_digits(position):
    return round(position.mine / 1024, 2)


@frozen
class Scored(Method):
    c: float = 0.5

    def score(self, edge, parent):
        return self.c * text(edge, parent)


@frozen
class Summed(Method):
    def summed(self, edge):
        return edge.value + len(f'{edge.visits:>3}')

    def score(self, edge, parent):
        return edge.value + parent.total


@frozen
class Counted(Method):
    def by_visits(self, visits):
        return visits + len(f'{visits:>3}')

    def score(self, edge, _parent):
        return edge.value + edge.by_visits


@frozen
class Updated(Method):
    columns = ('a',)

    def score(self, edge, parent):
        return edge.a + edge.value + parent.value

    def update(self, edge, reward):
        return (edge.a + len(f'{reward:>3}'),)


@frozen
class Heeding(Method):
    columns = ('number',)

    def score(self, edge, _parent):
        return edge.value + 1.0 / edge.visits

    def update(self, edge, _reward):
        return (edge.number,)

    def update_above_end(self, edge, reward):
        return (edge.number + len(f'{reward:.3f}'),)


@frozen
class Texts(Table):
    name, columns, absent, scope = 'texts', ('a',), (0.0,), 'node'

    def update(self, row, reward):
        return (row.a + len(f'{reward:>3}'),)


@frozen
class Remembering(Method):
    table = Texts()

    def score(self, edge, parent):
        return edge.a + edge.value + parent.value


F_STRING = 'cannot be compiled: format spec in f-strings not supported yet'
EVALUATED = SHAPES['evaluated']
UNTRACED = f'on_position {F_STRING}'
POSITION, MENU = OnPositions(on_position), OnPositions(a_menu)
# By name: the search, what cannot be compiled, the function, and the line in it.
FAULTS = {
    'a rule': (Search(selection=text), f'the selection rule text {F_STRING}', text, 1),
    'a rule on lanes': (
        Search(selection=no_such),
        'the selection rule no_such cannot be compiled: Edge has no nothing',
        no_such,
        1,
    ),
    'a score': (Search(selection=Scored()), f'score of Scored {F_STRING}', text, 1),
    **{
        name: (Search(selection=kind()), f'{said} {F_STRING}', function, 1)
        for name, kind, said, function in (
            ('a sum', Summed, 'summed of Summed', Summed.summed),
            ('a number by visits', Counted, 'by_visits of Counted', Counted.by_visits),
            ('an update', Updated, 'update of Updated', Updated.update),
            (
                'an update above an end',
                Heeding,
                'update_above_end of Heeding',
                Heeding.update_above_end,
            ),
            ('an update of moves', Remembering, 'update of the table Texts', Texts.update),
        )
    },
    'a prior': (Search(selection=PUCT(prior=POSITION)), f'the prior {UNTRACED}', on_position, 1),
    'a policy': (Search(playout=MENU), f'the playout policy a_menu {F_STRING}', a_menu, 1),
    'an evaluator': (Search(evaluate=POSITION), f'the evaluator {UNTRACED}', on_position, 1),
    'a reward': (Search(reward=POSITION), f'the reward {UNTRACED}', on_position, 1),
    'of another kind': (
        Search(evaluate=OnPositions(a_pair)),
        'the evaluator a_pair cannot be compiled: No implementation of function',
        a_pair,
        0,
    ),
    'one of which the results may differ': (
        Search(evaluate=OnPositions(with_digits)),
        'the evaluator with_digits cannot be compiled: round to digits: machine code may',
        with_digits,
        1,
    ),
    'one that divides by zero': (
        EVALUATED,
        'the evaluator valued raised ZeroDivisionError: division by zero as compiled',
        valued,
        0,
    ),
    'one that raises': (EVALUATED, 'the evaluator valued raised KeyError', valued, 0),
}


KEPT = 'an update of moves', 'a prior', 'an evaluator'  # a rule is below as well
RAISED = {'one that divides by zero': Maze(DIVIDING, 9, 3), 'one that raises': Maze(RAISING, 9, 3)}


@pytest.mark.parametrize('name', usually([*KEPT, *RAISED], FAULTS))
def test_the_function_and_its_place_are_named(name):
    search, said, function, later = FAULTS[name]
    state = RAISED.get(name, tictactoe.start)
    with pytest.raises(EngineError) as refused:
        analyse(state, RNG, search, engine='compiled')
    told = str(refused.value)
    assert told.startswith(said)
    code = function.__code__
    file = pathlib.Path(code.co_filename).name  # some messages have the path from here
    assert told.endswith(f'{file}, line {code.co_firstlineno + later})')
    assert 'rules on integers' not in told
    assert '\n' not in told


def test_operators_are_known_in_code_of_another_installation():
    names = {}
    source = 'def divide():\n    raise ZeroDivisionError'
    exec(compile(source, '/elsewhere/fmcts/_numba/reals.py', 'exec'), names)  # noqa: S102 - above
    structure = current_structure(SHAPES['evaluated'], 9, unvisited=False)
    with pytest.raises(ZeroDivisionError) as raised:
        names['divide']()
    parts = faults.who_raised(raised.value, rules_of(tictactoe.start), structure)
    assert [part.what for part in parts] == ['the evaluator valued']


@pytest.mark.parametrize('name', usually(['a rule'], ['a rule', 'an evaluator']))
@pytest.mark.usefixtures('willing')
def test_auto_falls_back_with_a_notice(name):
    search, said, _, _ = FAULTS[name]
    search = Search(MANY, selection=search.selection, evaluate=search.evaluate)
    heard = []
    with listening(heard.append):
        found, after = analyse(tictactoe.start, RNG, search)
    told = [notice for notice in heard if 'continuing with' in notice]
    assert len(told) == 1
    assert told[0].startswith(said)
    assert told[0].endswith('; continuing with the engine inplace')
    expected, expected_after = analyse(tictactoe.start, RNG, search, engine='inplace')
    assert (found.digest, after) == (expected.digest, expected_after)
    with pytest.raises(FmctsWarning, match=re.escape(said)):
        analyse(tictactoe.start, RNG, search)  # warnings are errors in these tests


def test_rules_known_to_compile_are_not_tried_again(monkeypatch):
    """When the next function of a search cannot be, seconds later."""
    analyse_in_vain('a rule')
    monkeypatch.setattr(faults, '_probes_of_rules', None)
    analyse_in_vain('an evaluator')


def analyse_in_vain(name):
    search, said, _, _ = FAULTS[name]
    with pytest.raises(EngineError, match=re.escape(said)):
        analyse(tictactoe.start, RNG, search, engine='compiled')


def test_faulty_rules_are_named_first(with_rules):
    """Where both are at fault; and where the rules alone are."""
    state = with_rules(menu=lambda p: min(p.left, 3) + 0 * len(f'{p.left:>3}'))
    for search in (Search(5), Search(5, selection=text)):
        with pytest.raises(EngineError, match='the rules on integers of Heap cannot be compiled: '):
            analyse(state(21), RNG, search, engine='compiled')
