"""The choice of an engine, and refusals; little here needs numba."""

import os
import sys
from types import SimpleNamespace

import pytest
from attrs import define, frozen

from fmcts import EngineError, Player, Search, SplitMix, _compiled as compiled, analyse
from fmcts._running.playouts import playouts
from fmcts._running.registry import ENGINES, find_engine
from fmcts.bots import monte_carlo
from fmcts.games import connect4, tictactoe
from fmcts.rng import StdGen
from fmcts.search._tree import plant
from fmcts.testing import check_rules
from processes import run_python
from tiers import exhaustive

RNG = SplitMix.from_seed(1)


@frozen
class Plain:
    """A game without rules on integers: one move, which wins."""

    over: bool = False
    player = Player.X

    moves = property(lambda self: () if self.over else ('win',))
    winner = property(lambda self: Player.X if self.over else None)

    def play(self, _move):
        return Plain(over=True)


@frozen
class Counter:
    """A generator of the user's own."""

    at: int = 0

    def uniform(self, low, high):
        return low + self.at % (high - low + 1), Counter(self.at + 1)


def by_value(edge, _parent):
    return edge.value


def by_draws(_state):
    return 0.5


@pytest.mark.needs_numba
def test_a_game_without_rules_on_integers_is_refused():
    complaint = (
        r'the engine compiled does not support Plain, which declares no rules on integers .*'
        r'; use one of: inplace, persistent, monadic'
    )
    with pytest.raises(EngineError, match=complaint):
        analyse(Plain(), RNG, Search(5), engine='compiled')
    with pytest.raises(EngineError, match=complaint):
        playouts(Plain(), RNG, 5, engine='compiled')
    assert analyse(Plain(), RNG, Search(50_000))[0].move == 'win'


@pytest.mark.needs_numba
def test_another_generator_is_refused():
    complaint = (
        'does not support the generator Counter, only SplitMix and StdGen; use one of: inplace'
    )
    with pytest.raises(EngineError, match=complaint):
        analyse(tictactoe.start, Counter(), Search(5), engine='compiled')
    winners, _ = playouts(tictactoe.start, Counter(), 50_000)
    assert winners.total() == 50_000


@pytest.mark.needs_numba
def test_too_many_iterations_are_refused():
    with pytest.raises(EngineError, match='does not support more than 1,073,741,823 iterations'):
        analyse(tictactoe.start, RNG, Search(2**30), engine='compiled')


@pytest.mark.parametrize(
    ('python', 'why'),
    [
        ('cpython', r'Python without numba: install fmcts\[fast\]'),
        ('pypy', 'pypy, for which there is no numba'),
    ],
)
def test_python_without_numba_is_reported(monkeypatch, python, why):
    known = SimpleNamespace(implementation=SimpleNamespace(name=python), modules=sys.modules)
    monkeypatch.setattr(compiled, 'sys', known)
    monkeypatch.setattr(compiled, 'installed', lambda: False)
    with pytest.raises(EngineError, match=f'does not support {why}; use one of'):
        analyse(tictactoe.start, RNG, Search(5), engine='compiled')
    root = plant(tictactoe.start)
    assert find_engine('auto', root, RNG, Search(10**6)) is ENGINES['inplace']
    assert ENGINES['compiled'].unsupported(root, RNG, Search()) is not None
    monkeypatch.delitem(sys.modules, 'fmcts._compiled.checking', raising=False)
    monkeypatch.setitem(sys.modules, 'numba', None)  # it is asked for before anything is loaded
    with pytest.raises(EngineError, match=why):
        check_rules(tictactoe.start)


@pytest.fixture
def nothing_asked(monkeypatch, compiling):
    monkeypatch.setattr(compiled, 'COMPILING', compiling)
    monkeypatch.setattr(compiled, '_asked', 0)
    monkeypatch.setattr(compiled, '_asked_of', {})
    monkeypatch.setattr(compiled, 'broken', lambda: None)
    monkeypatch.delitem(sys.modules, 'fmcts._compiled.engine', raising=False)


@pytest.mark.usefixtures('nothing_asked')
def test_small_searches_add_up():
    assert [compiled.worth_loading(9_000, 'kind') for _ in range(3)] == [False, False, True]


@pytest.mark.usefixtures('nothing_asked')
def test_loaded_code_is_compiled_for_repeated_kinds(monkeypatch):
    """A search of another kind has code of its own: a small one does not wait for it."""
    monkeypatch.setitem(sys.modules, 'fmcts._compiled.engine', compiled)
    assert [compiled.worth_loading(900, 'kind') for _ in range(3)] == [False, False, True]
    assert not compiled.worth_loading(1_999, 'other')
    assert compiled.worth_loading(1, 'other')


@pytest.mark.usefixtures('nothing_asked')
def test_many_small_kinds_load_nothing():
    assert not any(compiled.worth_loading(1_999, kind) for kind in range(2_000))
    assert len(compiled._asked_of) == compiled.KINDS


def test_kinds_distinguish_code_not_numbers():
    def kind(search=Search(), state=tictactoe.start, rng=RNG):  # noqa: B008 - values
        return compiled.kind_of(state, rng, search)

    assert kind(Search(10, c=0.3)) == kind(Search(20, max_nodes=7))
    others = [
        kind(Search(selection='puct')),
        kind(Search(selection=by_value)),
        kind(Search(expansion='full')),
        kind(Search(playout='decisive')),
        kind(Search(reward=by_draws)),
        kind(state=connect4.start),
        kind(rng=StdGen(1, 1)),
    ]
    assert len({kind(), *others}) == len(others) + 1


def test_unhashable_functions_have_a_kind():
    @define
    class Halves:
        number: float = 0.5

        def __call__(self, _state):
            return self.number

    search = Search(30, evaluate=Halves())
    found = [analyse(tictactoe.start, RNG, search, engine=name) for name in ('auto', 'inplace')]
    assert found[0] == found[1]


UNUSABLE = """
import sys
from fmcts import *
from fmcts.games import tictactoe as game
from fmcts.testing import check_rules
rng = SplitMix.from_seed(1)
print(analyse(game.start, rng, Search(30_000))[0].iterations)
print(sum(stats.visits for stats in monte_carlo(90_000).analyse(game.start, rng)[0].stats))
for act in (
    lambda: analyse(game.start, rng, Search(5), engine='compiled'),
    lambda: monte_carlo(9, engine='compiled')(game.start, rng),
    lambda: check_rules(game.start),
):
    try:
        act()
    except EngineError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ('numba', 'disabled', 'why'),
    [
        (
            'raise ImportError("Numba needs NumPy 2.2 or less\\nand more")',
            '0',
            'numba does not load (Numba needs NumPy 2.2 or less)',
        ),
        exhaustive((None, '1', 'NUMBA_DISABLE_JIT is set')),
    ],
)
@pytest.mark.needs_numba
def test_a_broken_numba_is_treated_as_missing(tmp_path, numba, disabled, why):
    if numba is not None:
        (tmp_path / 'numba.py').write_text(numba)
    finished = run_python(
        '-c',
        UNUSABLE,
        check=True,
        env={**os.environ, 'PYTHONPATH': str(tmp_path), 'NUMBA_DISABLE_JIT': disabled},
    )
    refusal = f'the engine compiled cannot run here: {why}'
    assert finished.stdout.splitlines() == ['30000', '90000', *[refusal] * 3]


def test_numba_is_loaded_only_when_it_pays():
    script = (
        'import sys; from fmcts import *; from fmcts.games import tictactoe as game\n'
        'def loaded(): return "numba" in sys.modules\n'
        'rng = SplitMix.from_seed(1)\n'
        'analyse(game.start, rng, Search(1_000)); print(loaded())\n'
        'monte_carlo(1_000)(game.start, rng); print(loaded())\n'
        'analyse(game.start, rng, Search(2_000_000)); print(loaded())\n'
    )
    finished = run_python('-c', script, check=True)
    expected = ['False', 'False', str(compiled.installed())]
    assert finished.stdout.split() == expected


def test_an_unknown_engine_is_refused_at_once():
    for make in (
        lambda: monte_carlo(100, engine='complied'),
        lambda: playouts(tictactoe.start, RNG, 5, engine='complied'),
    ):
        with pytest.raises(EngineError, match='did you mean compiled'):
            make()
