"""Progress, and output and input at a real (pseudo-)terminal."""

import re
import subprocess
import time
from types import SimpleNamespace

import pytest

from fmcts import SplitMix, monte_carlo, random_bot
from fmcts.cli import _progress as progress, main
from fmcts.cli._progress import PATIENCE, Progress, decide
from fmcts.games import tictactoe

RNG = SplitMix.from_seed(0)


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand, and a standard error that counts as a terminal."""
    clock = SimpleNamespace(now=100.0, drawn=[])
    monkeypatch.setattr(progress, 'monotonic', lambda: clock.now)
    stderr = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(progress, 'sys', SimpleNamespace(stderr=stderr))
    monkeypatch.setattr(Progress, '_draw', lambda _self, *what: clock.drawn.append(what))
    return clock


def test_progress_appears_after_a_second_ten_times_a_second(clock):
    assert PATIENCE == 1.0
    with Progress() as shown:
        watch = shown.watching('X thinks', 9)
        clock.now += PATIENCE - 0.0625
        watch(1)
        assert clock.drawn == []
        clock.now += 0.0625
        watch(2)
        watch(3)
        clock.now += 0.0625
        watch(4)
        clock.now += 0.0625
        watch(5)
    assert clock.drawn == [('X thinks', 9, 2), ('X thinks', 9, 5)]


def test_the_clock_starts_with_the_first_of_several_searches(clock):
    with Progress() as shown:
        shown.watching('X thinks', 9)(9)
        clock.now += PATIENCE
        shown.watching('O thinks', 9)(1)
    assert clock.drawn == [('O thinks', 9, 1)]


def test_nothing_is_drawn_without_a_terminal(monkeypatch):
    stderr = SimpleNamespace(isatty=lambda: False)
    monkeypatch.setattr(progress, 'sys', SimpleNamespace(stderr=stderr))
    monkeypatch.setattr(progress, 'monotonic', iter([0.0]).__next__)  # the clock is not asked again
    with Progress() as shown:
        shown.watching('X thinks', 9)(9)
    assert shown.bar is None


@pytest.mark.parametrize('bot', [monte_carlo(90), random_bot])
def test_watching_does_not_change_a_bot_s_play(bot):
    with Progress() as shown:
        assert decide(bot, tictactoe.start, RNG, shown)[:2] == bot(tictactoe.start, RNG)


@pytest.mark.parametrize(
    ('words', 'names'),
    [
        (['match', 'tictactoe', 'mc:9', 'random'], [('mc:9', 'random')]),
        (['match', 'tictactoe', 'mcts:9', 'random', '--keep-trees'], [('mcts:9', 'random')]),
        (
            ['tournament', 'tictactoe', 'mc:9', 'mc:2', 'random'],
            [('mc:9', 'mc:2'), ('mc:9', 'random'), ('mc:2', 'random')],
        ),
        (
            ['curve', 'tictactoe', 'mc:count=wins', '--budgets', '2,9', '--against', 'random'],
            [('mc:2,count=wins', 'random'), ('mc:9,count=wins', 'random')],
        ),
    ],
    ids=['match', 'keep_trees', 'tournament', 'curve'],
)
def test_the_score_of_the_running_match_is_shown(words, names, monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(
        Progress,
        'watching',
        lambda _self, label, total: lambda done: shown.append((label.split(), total, done)),
    )
    assert main([*words, '--games', '6']) == 0
    capsys.readouterr()
    total = 6 * len(names)
    assert [(total_, done) for _, total_, done in shown] == [(total, n + 1) for n in range(total)]
    for number, (label, _, _) in enumerate(shown):
        one, points, colon, lost, two = label
        assert (one, two) == names[number // 6]
        assert (colon, float(points) + float(lost)) == (':', number % 6 + 1)


# ---- terminals ----


LONG = 'mcts:1000000'  # some ten seconds
BLUE_X = '\x1b[1;38;5;32mX'


def test_a_game_with_a_hint_and_undo(terminal):
    person = terminal('play', 'tictactoe', '--first', 'human', '--second', 'mcts:200', '--seed=3')
    board = person.expect('X> ')
    assert '0 1 2\n3 4 5\n6 7 8\nX to move\nlegal moves: 0, 1, 2, 3, 4, 5, 6, 7, 8\n' in board
    person.type('hint\n')
    assert 'hint: 4 (value 0.' in person.expect('X> ')
    person.type('4\n')
    answered = person.expect('X> ')
    assert 'O plays ' in answered
    assert ' X ' in answered
    person.type('undo\n')
    assert '0 1 2\n3 4 5\n6 7 8\nX to move\n' in person.expect('X> ')
    person.type('44\n')
    assert "unknown cell '44'" in person.expect('X> ')
    person.type('4\n')
    assert person.expect('X> ').splitlines()[1:] == answered.splitlines()[1:]
    person.type('quit\n')
    assert person.wait() == 0
    assert 'moves  4,' in person.shown
    assert BLUE_X in person.raw


def test_control_d_ends_with_a_message(terminal):
    person = terminal('play', 'othello', '--first', 'human', '--second', 'random')
    person.expect('X> ')
    person.type('\x04')
    assert person.wait() == 1
    assert person.shown.endswith('\nfmcts: the input ended before the game did\n')


def test_the_answer_has_colours_and_a_table(terminal):
    person = terminal('move', 'connect4', '--moves', '3,3,2', '--bot', 'mcts:50')
    assert person.wait() == 0
    assert BLUE_X in person.raw
    assert '│   move │ visits │ share │ value │' in person.shown
    assert person.shown.count('│ * ') == 1
    assert '. . . * . . .\n. . * O . . .\n* * X X * * *\n0 1 2 3 4 5 6\n' in person.shown
    assert 'thinks' not in person.shown


def test_progress_appears_after_a_second_and_is_erased(terminal):
    person = terminal('move', 'othello', '--bot', LONG)
    person.expect('X thinks')
    assert time.monotonic() - person.began >= 1.0
    person.expect('/1000000')
    person.expect('/1000000')
    person.interrupt()
    assert person.wait() == 0  # with what was found until then
    assert re.search(r'ended after [\d,]+ iterations\n', person.shown)
    assert re.search(r'bot +mcts:\d+\n', person.shown)
    assert '\x1b[?25h' in person.raw.rpartition('\x1b[?25l')[2]  # the cursor is back


def test_progress_is_shown_while_output_is_redirected(terminal):
    person = terminal('move', 'othello', '--bot', LONG, '--json', stdout=subprocess.DEVNULL)
    person.expect('X thinks')
    person.interrupt()
    assert person.wait() == 0


def test_characters_unknown_to_the_terminal_are_replaced(terminal):
    words = ('move', 'connect4', '--bot', 'mcts:50')
    wide, narrow = (terminal(*words, columns=18, PYTHONIOENCODING=it) for it in ('utf8', 'ascii'))
    assert wide.wait() == narrow.wait() == 0
    assert '…' in wide.shown  # a cell that was cut off
    assert '?' in narrow.shown
    assert narrow.shown.isascii()
