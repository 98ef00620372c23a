"""What `mypy --strict` knows about actions, with the plugin of `returns`.

The program below is checked, not run: `assert_type` must find the type exactly, and every line
that ends in `# wrong` must be an error, as no other line may be.
"""

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip('mypy')

ROOT = pathlib.Path(__file__).parents[2]

PROGRAM = """
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, assert_type

from returns.pipeline import flow
from returns.pointfree import bind, map_

from fmcts import GameState, Rng, SplitMix, StdGen, mcts, random_bot
from fmcts.games import connect4
from fmcts.games.connect4 import Connect4
from fmcts.state import Do, State, do, for_each, from_state, get, gets, modify, put, replicate
from fmcts.state import to_state

M = TypeVar('M')
R = TypeVar('R', bound=Rng)


def show(number: int) -> str:
    return str(number)


def again(number: int) -> State[str, SplitMix]:
    return dice.map(lambda other: show(number + other))


def elsewhere(number: int) -> State[str, int]:
    return State(lambda state: (show(number), state))


dice: State[int, SplitMix] = State(lambda rng: rng.uniform(1, 6))
assert_type(dice.run(SplitMix.from_seed(1)), tuple[int, SplitMix])
assert_type(dice.eval_state(SplitMix.from_seed(1)), int)
assert_type(dice.exec_state(SplitMix.from_seed(1)), SplitMix)
assert_type(dice.map(show), State[str, SplitMix])
assert_type(dice.bind(again), State[str, SplitMix])
assert_type(dice.apply(dice.map(lambda one: lambda two: show(one + two))), State[str, SplitMix])
assert_type(flow(dice, map_(show)), State[str, SplitMix])
assert_type(flow(dice, bind(again)), State[str, SplitMix])
assert_type(replicate(3, dice), State[tuple[int, ...], SplitMix])
assert_type(for_each((1, 2), again), State[tuple[str, ...], SplitMix])
dice.run(StdGen(1, 1))  # wrong
dice.bind(elsewhere)  # wrong
dice.map(len)  # wrong
for_each('ab', again)  # wrong

count: State[int, int] = get()
change: State[None, int] = modify(lambda number: number + 1)
half: State[float, int] = gets(lambda number: number / 2)
assert_type(gets(show).bind(lambda text: put(len(text))), State[None, int])
wider: State[object, SplitMix] = dice
other: State[int, StdGen] = dice  # wrong
refused: State[None, int] = put('three')  # wrong


@do
def sum_of_two(limit: int) -> Do[int, SplitMix]:
    first = yield from dice
    assert_type(first, int)
    rng: SplitMix = yield get()
    yield put(rng.split()[0])
    yield put(limit)  # wrong
    yield 5  # wrong
    return first + (yield from dice)


assert_type(sum_of_two(3), State[int, SplitMix])
sum_of_two('three')  # wrong


@do
def wrong_value() -> Do[int, SplitMix]:
    yield from dice
    return 'text'  # wrong


@do  # wrong
def no_yield() -> int:
    return 5


@do  # wrong
def an_action() -> State[int, SplitMix]:
    return dice


@do
def generator() -> Do[int, SplitMix]:
    return 5  # wrong


assert_type(generator(), State[int, SplitMix])
kept: Callable[[int], State[int, SplitMix]] = sum_of_two
mistaken: Callable[[int], State[str, SplitMix]] = sum_of_two  # wrong

start = connect4.start
converted: State[int, StdGen] = to_state(random_bot)(start)
searched: State[int, SplitMix] = to_state(mcts())(start)
letter: State[str, StdGen] = to_state(random_bot)(start)  # wrong
assert_type(from_state(to_state(random_bot))(start, StdGen(1, 1)), tuple[int, StdGen])


def first_move(state: Connect4, rng: SplitMix) -> tuple[int, SplitMix]:
    return state.moves[0], rng


assert_type(to_state(first_move), Callable[[Connect4], State[int, SplitMix]])
assert_type(to_state(first_move)(start), State[int, SplitMix])


def twice(bot: Callable[[GameState[M]], State[M, R]], state: GameState[M]) -> State[M, R]:
    return bot(state).bind(lambda _: bot(state))
"""


@pytest.mark.exhaustive  # mypy alone takes four seconds
def test_types_are_inferred_and_mistakes_detected(tmp_path):
    program = tmp_path / 'program.py'
    program.write_text(PROGRAM)
    command = [sys.executable, '-m', 'mypy', '--config-file', str(ROOT / 'pyproject.toml')]
    checked = subprocess.run(
        [*command, '--cache-dir', str(tmp_path / 'cache'), str(program)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = enumerate(PROGRAM.splitlines(), start=1)
    expected = {number for number, line in lines if line.endswith('# wrong')}
    errors = [line for line in checked.stdout.splitlines() if ': error: ' in line]
    assert {int(line.split(':')[1]) for line in errors} == expected, checked.stdout + checked.stderr
