"""The choice of an engine, and refusals; little here needs numba."""

import os
import sys
from types import SimpleNamespace

import pytest
from attrs import frozen

from fmcts import EngineError, Player, Search, SplitMix, _linked as linked, analyse
from fmcts._running import playouts
from fmcts._running.registry import ENGINES, find_engine
from fmcts.bots import monte_carlo
from fmcts.games import tictactoe
from fmcts.search._tree import plant
from toy_games import Counter

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


@pytest.mark.parametrize(
    ('python', 'why'),
    [
        ('cpython', r'Python without llvmlite: install fmcts\[fast\]'),
        ('pypy', 'pypy, for which there is no numba'),
    ],
)
def test_python_without_numba_is_reported(monkeypatch, python, why):
    known = SimpleNamespace(implementation=SimpleNamespace(name=python), modules=sys.modules)
    monkeypatch.setattr(linked, 'sys', known)
    monkeypatch.setattr(linked, 'installed', lambda: False)
    with pytest.raises(EngineError, match=f'does not support {why}; use one of'):
        analyse(tictactoe.start, RNG, Search(5), engine='compiled')
    root = plant(tictactoe.start)
    assert find_engine('auto', root, RNG, Search(10**6)) is ENGINES['inplace']
    assert ENGINES['compiled'].unsupported(root, RNG, Search()) is not None


UNUSABLE = """
import sys
from fmcts import *
from fmcts.games import tictactoe as game
from fmcts.rules import OnPositions
rng = SplitMix.from_seed(1)
def worth(position):
    return 0.25 if position.mine & 1 else 0.5
search = Search(300, evaluate=OnPositions(worth))
print(analyse(game.start, rng, Search(300), engine='compiled')[0].iterations)
print(analyse_for(game.start, rng, search, seconds=0.01)._inner_value[0].iterations > 0)
try:
    analyse(game.start, rng, search, engine='compiled')
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
        (None, '1', 'numba compiles nothing, as NUMBA_DISABLE_JIT is set'),
    ],
)
@pytest.mark.needs_numba
def test_a_broken_numba_is_named_where_it_is_needed(run_python, tmp_path, numba, disabled, why):
    """Not for the rules of this library's games; `auto` goes on in place, with a notice."""
    if numba is not None:
        (tmp_path / 'numba.py').write_text(numba)
    finished = run_python(
        '-W',
        'default',
        '-c',
        UNUSABLE,
        check=True,
        env={
            **os.environ,
            'PYTHONPATH': f'{tmp_path}{os.pathsep}{os.environ.get("PYTHONPATH", "")}',
            'NUMBA_DISABLE_JIT': disabled,
        },
    )
    assert finished.stdout.splitlines() == ['300', 'True', why]
    assert f'{why}; continuing with the engine inplace' in finished.stderr


def test_llvm_is_loaded_when_it_pays_and_numba_for_functions_of_the_user(run_python):
    script = (
        'import sys; from fmcts import *; from fmcts.games import tictactoe as game\n'
        'def loaded(): print("llvmlite" in sys.modules, "numba" in sys.modules)\n'
        'rng = SplitMix.from_seed(1)\n'
        'analyse(game.start, rng, Search(100)); loaded()\n'
        'monte_carlo(1_000)(game.start, rng); loaded()\n'
        'analyse(game.start, rng, Search(300_000)); loaded()\n'
    )
    finished = run_python('-c', script, check=True)
    expected = ['False', 'False', 'False', 'False', str(linked.installed()), 'False']
    assert finished.stdout.split() == expected


def test_an_unknown_engine_is_refused_at_once():
    for make in (
        lambda: monte_carlo(100, engine='complied'),
        lambda: playouts(tictactoe.start, RNG, 5, engine='complied'),
    ):
        with pytest.raises(EngineError, match='did you mean compiled'):
            make()
