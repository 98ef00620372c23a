"""A game against a person: entries, editing, help, unusual input, and the game as a value."""

import re
import sys
from functools import partial, reduce

import pytest
from hypothesis import given, strategies as st

from fmcts import SplitMix
from fmcts.cli._human import COMMANDS, Session, respond
from fmcts.cli._types import StartPosition
from fmcts.games import othello, tictactoe
from fmcts.view import Sentence

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
def test_words_that_quit_the_game(word, here):
    done = here(*GAME, stdin=f'{word}\n'.encode())
    assert done.code == 0
    assert 'The game so far' in done.out


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


# ---- the game as a value ----


RNG = SplitMix.from_seed(0)
START = Session(StartPosition(tictactoe, tictactoe.start), RNG)


def said(session, entry):
    return [part.text for part in respond(session, entry)[1] if isinstance(part, Sentence)]


def played(session, *entries):
    return reduce(lambda so_far, entry: respond(so_far, entry)[0], entries, session)


def test_a_move_returns_a_new_session():
    after = played(START, ' 4\n')
    state = tictactoe.start.play(4)
    assert after == Session(StartPosition(tictactoe, state, (4,), tictactoe.start), RNG)
    assert after.before is START
    assert START.position == StartPosition(tictactoe, tictactoe.start)


@pytest.mark.parametrize(
    ('entry', 'why'),
    [
        ('', 'type a move, or help'),
        ('9', "unknown cell '9': expected a number from 0 to 8, or help"),
        ('hnit', "unknown cell 'hnit': expected a number from 0 to 8 (did you mean hint?)"),
        ('0', '0 is illegal: the legal moves are 1, 2, 3, 4, 5, 6, 7, 8'),
    ],
)
def test_an_invalid_entry_gives_one_line_and_changes_nothing(entry, why):
    session = played(START, '0')
    assert respond(session, entry) == (session, (Sentence(why),), '')


def test_moves_command():
    assert said(START, 'moves')[0] == 'moves so far: none'
    told = ['moves so far: 4,0', 'legal moves: 1, 2, 3, 5, 6, 7, 8']
    assert said(played(START, '4', '0'), 'moves') == told
    assert respond(START, 'board')[1][0] == START.position.board()
    assert said(START, '?') == said(START, 'help')


def test_help_names_every_command():
    text = '\n'.join(said(START, 'help'))
    assert all(name in text and about in text for name, about in COMMANDS.items())


def test_undo_restores_state_and_generator():
    drawn = RNG.split()[0]
    own_turn = START.after(4, RNG).after(0, drawn)  # O was a bot that used the generator
    assert said(own_turn, 'undo') == ['taken back']
    assert played(own_turn, 'undo') is START
    assert said(START, 'undo') == ['you have no earlier turn to take back to']


def test_undo_after_a_pass():
    rows = '..XXXXOX XXXXX.OX XOXOXXOX XOXXOXOX XOOOXOOX XOXOOXOX XOOOOOXX XOOXXXXX'
    state = othello.parse(rows.replace(' ', '') + ' O').unwrap()
    first = Session(StartPosition(othello, state), RNG)
    passing = played(first, 'f2')
    third = played(passing, 'pass')
    assert third.position.state.player is state.player
    assert third.taken_back() is first
    assert passing.taken_back() is None


@given(st.lists(st.sampled_from([*'012345678', 'undo', 'zz', 'moves']), max_size=40))
def test_the_moves_always_lead_to_the_state(entries):
    session = START
    for entry in entries:
        if session.position.state.over:
            break
        mover = session.position.state.player
        session = played(session, entry)
        state = reduce(lambda s, m: s.play(m), session.position.moves, tictactoe.start)
        assert session.position.state == state
        if entry == 'undo':
            assert state.player is mover
