"""Entries of a person: editing, help, games left early, accents, wide spaces and long lines."""

import re
import sys
from functools import partial

import pytest

from fmcts.cli._human import LONGEST

GAME = ('play', 'tictactoe', '--first', 'human', '--second', 'mcts:20', '--seed', '3')
UP, LEFT, DELETE = '\x1b[A', '\x1b[D', '\x1b[3~'


def so_far(shown):
    """The moves and the generator with which the game is to be resumed."""
    found = re.search(
        r'The game so far, to continue with --moves and --rng:\nmoves +(\S+)\nrng +(\S+)\n', shown
    )
    return found and found.groups()


def test_lines_are_edited_with_arrow_keys(terminal):
    """Within the line, and back to earlier ones."""
    person = terminal(*GAME)
    person.expect('X> ')
    person.type(f'5{LEFT}{LEFT}4{DELETE}\n')  # 4 before the 5, which is deleted
    assert 'O plays ' in person.expect('X> ')
    person.type(f'{UP}\n')
    person.expect('4 is illegal')
    person.expect('X> ')
    person.type('quit\n')
    assert person.wait() == 0
    assert so_far(person.shown)[0].startswith('4,')


@pytest.mark.parametrize('word', [' Q ', 'exit'])
def test_words_that_quit_the_game(word, terminal, here):
    person = terminal(*GAME)
    person.expect('X> ')
    person.type(f'{word}\n')
    assert person.wait() == 0
    assert 'The game so far' in person.shown
    done = here(*GAME, stdin=f'{word}\n'.encode())
    assert done.code == 0
    assert 'The game so far' in done.out


def test_a_question_mark_shows_help(here):
    done = here(*GAME, stdin=b'?\n')
    assert 'undo   take back to your previous turn\n' in done.out


def test_the_moves_are_shown_after_an_interrupt(terminal, here):
    """As after `quit`, so that the game can be resumed."""
    person = terminal(*GAME)
    person.expect('X> ')
    person.type('4\n')
    person.expect('X> ')
    assert person.interrupt_at_the_prompt() == 130
    assert person.shown.endswith('\nfmcts: interrupted\n')
    left = here(*GAME, stdin=b'4\nquit\n')
    assert so_far(person.shown) == so_far(left.out)
    assert so_far(left.out)[0].startswith('4,')


@pytest.mark.parametrize('json', [(), ('--json',)], ids=['', 'json'])
def test_the_moves_are_shown_when_the_bot_raises(json, here, tmp_path, monkeypatch):
    (tmp_path / 'raising.py').write_text(
        'def bot(state, rng):\n'
        '    if len(state.moves) < 8:\n'
        '        raise KeyError("no answer")\n'
        '    return state.moves[0], rng\n'
    )
    monkeypatch.chdir(tmp_path)
    words = ('play', 'tictactoe', '--first', 'human', '--second', 'raising:bot', *json)
    done = here(*words, stdin=b'4\n8\n')
    assert done.code == 2
    assert so_far(done.err if json else done.out)[0] == '4,0,8'
    assert done.err.endswith("fmcts: raising.py, line 3: KeyError: 'no answer'\n")
    assert json == () or done.out == ''
    del sys.modules['raising']


# ---- unusual input ----

PLAY = ('play', 'tictactoe', '--first', 'human', '--second', 'human')
ASCII = {'PYTHONIOENCODING': 'ascii'}
C_LOCALE = {'LC_ALL': 'C', 'PYTHONUTF8': '0', 'PYTHONCOERCECLOCALE': '0'}


@pytest.mark.parametrize('environment', [{}, ASCII, C_LOCALE], ids=['UTF-8', 'ASCII', 'C locale'])
def test_a_typed_accent_is_an_invalid_entry(shell, environment):
    code, out, err = shell(*PLAY, before="printf '\\303\\251\\nquit\\n' |", **environment)
    assert (code, err) == (0, '')
    assert "unknown cell '" in out


@pytest.mark.parametrize(
    ('environment', 'shown'), [({}, 'mcts:9,\u3000c=1'), (ASCII, 'mcts:9,\\u3000c=1')]
)
def test_a_wide_space_in_an_option_is_shown_or_escaped(shell, environment, shown):
    words = ('move', 'tictactoe', '--bot', 'mcts:9,\u3000c=1')
    code, out, err = shell(*words, **environment)
    assert (code, err) == (0, '')
    assert f'bot         {shown}\n' in out


def test_an_undecodable_wide_space_is_bad_input(refused, shell):
    words = 'move', 'tictactoe', '--bot', 'mcts:9,\u3000c=1'
    complaint = refused(*words, run=partial(shell, **C_LOCALE))
    assert r"bot 'mcts:9,\udce3\udc80\udc80c=1': unknown option " in complaint


@pytest.mark.parametrize('length', [LONGEST, LONGEST + 1])
def test_the_longest_accepted_line(process, length):
    done = process(*PLAY, stdin='4' * length + '\nquit\n')
    assert ('the entry has more than' in done.out) == (length > LONGEST)
    assert done.out.count('legal moves') == 1
