import shlex
import subprocess
import sys
from importlib.metadata import entry_points, version

import pytest

from fmcts.bots._spec import RECIPES
from fmcts.cli import _app as app, main
from fmcts.games import FAMILIES, GAMES


def python(code):
    return subprocess.run(
        [sys.executable, '-c', code], capture_output=True, text=True, check=False, timeout=600
    )


def test_version_option(here):
    assert here('--version') == (0, f'fmcts {version("fmcts")}\n', '')


def test_the_script_runs_the_command_line():
    (script,) = entry_points(group='console_scripts', name='fmcts')
    assert script.load() is main


@pytest.mark.parametrize('option', ['-h', '--help'])
def test_help_names_commands_games_and_examples(here, option):
    code, out, err = here(option)
    assert (code, err) == (0, '')
    assert all(name in out for name in (*app.COMMANDS, *GAMES))
    assert 'Examples:' in out


def test_shell_completion_of_games(process):
    words = {'COMP_WORDS': 'fmcts move o', 'COMP_CWORD': '2'}
    done = process(_FMCTS_COMPLETE='zsh_complete', **words)
    assert done.out.split() == ['plain', 'othello', '_', 'plain', 'othello:6', '_']


@pytest.mark.parametrize('name', ['move', 'play', 'show', 'compare'])
def test_help_names_every_family(here, name):
    out = here(name, '--help').out
    assert all(f'{family.pattern} ' in out for family in FAMILIES.values())
    assert 'MODULE:NAME' in out


OWN = """from fmcts import Search, random_bot as bot
from fmcts.games.tictactoe import start
search = Search(500)
"""


@pytest.mark.parametrize('name', app.COMMANDS)
def test_examples_in_the_help_are_accepted(here, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', [str(tmp_path), *sys.path])
    for module in ('mygame', 'mymodule'):
        (tmp_path / f'{module}.py').write_text(OWN)
        monkeypatch.delitem(sys.modules, module, raising=False)
    code, out, _ = here(name, '--help')
    assert code == 0
    examples = out.partition('Examples:\n')[2].replace('\\\n', ' ').splitlines()
    assert len(examples) >= 3
    for line in examples:
        words = shlex.split(line.partition('|')[0])
        if words[0] == 'fmcts':
            assert words[1] == name
            words = words[: words.index('>')] if '>' in words else words
            app.fmcts.get_command(None, name).make_context(name, words[2:])
    for module in ('mygame', 'mymodule'):
        sys.modules.pop(module, None)


@pytest.mark.parametrize('name', app.COMMANDS)
def test_help_is_short_and_refers_to_fmcts_bots(here, name):
    """It names them; `fmcts bots` says what each is and takes."""
    out = here(name, '--help').out
    assert out.count('\n') <= 66
    if 'Bots (SPEC)' in out:
        assert {bot.strip(',') for bot in out.split()} >= RECIPES.keys()
        assert "'fmcts bots' describes each one" in out
        assert 'in-order, random, full, selected or jump' not in out
    assert 'in-order, random, full, selected or jump' in here('bots').out


@pytest.mark.parametrize('missing', [['click'], ['rich'], ['click', 'rich']])
def test_without_the_extra_one_line_says_what_to_install(missing):
    blocked = ''.join(f'sys.modules[{name!r}] = None; ' for name in missing)
    done = python(f'import sys; {blocked}from fmcts.cli import main; sys.exit(main(["show"]))')
    assert (done.returncode, done.stdout) == (2, '')
    assert done.stderr == (
        f'fmcts: the command line needs {" and ".join(missing)}: install fmcts[cli]\n'
    )


def loaded_after(code):
    done = python(f'import sys; {code}; print(*sys.modules, file=sys.stderr)')
    assert done.returncode == 0
    return set(done.stderr.split())


def test_the_extra_is_loaded_only_when_used():
    assert not {'click', 'rich'} & loaded_after('import fmcts, fmcts.cli')
    in_a_pipe = loaded_after('from fmcts.cli import main; main(["move", "tictactoe"])')
    assert 'click' in in_a_pipe  # so this way of looking can find something
    assert 'rich' not in in_a_pipe


def test_an_interrupt_is_one_line(here, monkeypatch):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr('fmcts.cli._show.picture', interrupted)
    assert here('show', 'tictactoe') == (130, '', 'fmcts: interrupted\n')
    monkeypatch.setattr(app.fmcts, 'make_context', interrupted)
    code, _, err = here('show', 'tictactoe')
    assert (code, err.strip()) == (130, 'fmcts: interrupted')
