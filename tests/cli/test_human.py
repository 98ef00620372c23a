"""Unusual input from people and programs: accents, wide spaces, long lines."""

import pytest

from fmcts.cli._session import LONGEST

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


def test_an_undecodable_wide_space_is_bad_input(shell):
    code, out, err = shell('move', 'tictactoe', '--bot', 'mcts:9,\u3000c=1', **C_LOCALE)
    assert (code, out) == (2, '')
    assert err.startswith(r"fmcts: bot 'mcts:9,\udce3\udc80\udc80c=1': unknown option ")
    assert err.count('\n') == 1


def test_an_overlong_line_is_an_invalid_entry(process):
    done = process(*PLAY, stdin='4' * (3 * LONGEST) + '\n4\nquit\n')
    assert (done.code, done.err) == (0, '')
    assert f'the entry has more than {LONGEST} characters: type a move, or help' in done.out
    assert done.out.count('the entry has more than') == 1
    assert 'moves  4\n' in done.out


@pytest.mark.parametrize('length', [LONGEST, LONGEST + 1])
def test_the_longest_accepted_line(process, length):
    done = process(*PLAY, stdin='4' * length + '\nquit\n')
    assert ('the entry has more than' in done.out) == (length > LONGEST)
    assert done.out.count('legal moves') == 1


def test_an_endless_line_is_refused(shell):
    endless = "head -c 300000000 /dev/zero | tr '\\0' 4 |"
    code, _, err = shell(*PLAY, before=f'{endless} (ulimit -v 100000;', streams=')')
    why = 'a line has more than 1,000,000 characters: expected moves, one on a line'
    assert (code, err) == (2, f'fmcts: standard input: {why}\n')
