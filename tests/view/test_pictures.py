"""Plain text and the terminal show the same content."""

import io

import pytest
from rich.console import Console

from fmcts import Search, SplitMix, analyse
from fmcts.games import connect4, tictactoe
from fmcts.view import _terminal as terminal, _text as text
from fmcts.view._parts import Facts, Row, Sentence, Table, picture, statistics

ANALYSIS, _ = analyse(connect4.start, SplitMix.from_seed(0), Search(iterations=99))
PARTS = [
    picture(connect4, connect4.start.play(3), connect4.start, free=False),
    statistics(ANALYSIS, connect4.format_move),
    Facts((('move', '3'), ('digest', 'abc'))),
    Sentence('X plays 3', strong=True),
]


def printed(part, **options):
    console = Console(
        file=io.StringIO(), width=80, force_terminal=True, color_system='standard', **options
    )
    console.print(terminal.draw(part))
    return console.file.getvalue()


@pytest.mark.parametrize('part', PARTS)
def test_text_and_terminal_show_the_same_words(part):
    in_colours = printed(part, no_color=True, highlight=False)
    for word in text.draw(part).split():
        assert word in in_colours


@pytest.mark.parametrize('part', PARTS)
def test_plain_text_has_no_control_sequences(part):
    drawn = text.draw(part)
    assert drawn.endswith('\n')
    assert drawn.isascii()
    assert '\x1b' not in drawn


def test_plain_text_table():
    table = Table((Row('d3', '5', '50.0%', '0.400'), Row('pass', '15', '5.0%', '-', best=True)))
    assert text.draw(table) == (
        '  move  visits  share  value\n    d3       5  50.0%  0.400\n* pass      15   5.0%      -\n'
    )


def test_players_have_colours_and_the_last_stone_is_reversed():
    state = tictactoe.start.play(4)
    drawn = printed(picture(tictactoe, state.play(0), state, free=True))
    assert '\x1b[1;7;36mO\x1b[0m' in drawn  # the last stone
    assert '\x1b[1;31mX\x1b[0m' in drawn
    assert '\x1b[32m8\x1b[0m' in drawn  # a free cell
    assert '\x1b[1mX to move\x1b[0m' in drawn


def test_the_best_row_and_the_answer_are_highlighted():
    best = next(row for row in PARTS[1].rows if row.best)
    green = [line for line in printed(PARTS[1]).splitlines() if '\x1b[1;32m' in line]
    assert len(green) == 1
    assert best.value in green[0]
    assert '\x1b[1;32m3\x1b[0m' in printed(PARTS[2])
