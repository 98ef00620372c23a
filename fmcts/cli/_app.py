"""The group of all commands, and the end of each: an exit code, and one line if it failed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Final

import click

from fmcts import __version__, errors
from fmcts._arguments import cut
from fmcts.cli._named import in_own_code
from fmcts.cli._screen import complain, let_go, prepare as prepare_stream
from fmcts.cli._types import BAD_INPUT, NEGATIVE, EndedError, in_lines
from fmcts.games import GAMES
from fmcts.notices import listening

INTERRUPTED: Final = 130  # 128 + SIGINT
NO_READER: Final = 141  # 128 + SIGPIPE
LONGEST: Final = 200  # characters of an error message from another library
OUT_OF_MEMORY: Final = 'out of memory: use fewer iterations, or max_nodes=N in SPEC'

COMMANDS: Final = {
    'move': 'move',
    'play': 'play',
    'match': 'match',
    'tournament': 'match',
    'curve': 'sweep',
    'sweep': 'sweep',
    'verify': 'verify',
    'show': 'show',
    'tree': 'tree',
    'hunt': 'hunt',
    'explore': 'explore',
    'compare': 'compare',
    'check': 'check',
    'reach': 'reach',
    'bots': 'bots',
    'prepare': 'prepare',
}
"""The commands, in the order of --help, each with the module that defines it."""

LACKING: Final = (errors.FinishedGameError, errors.MethodError, errors.MissingLibraryError)
"""Errors that are bad input; if they passed through the user's code, its place is named."""

REFUSALS: Final = tuple(
    it for it in vars(errors).values() if isinstance(it, type) and it not in LACKING
)
"""Errors that only the search finds, or that a user's bot raises: bad input, in their own words."""


class Commands(click.Group):
    """A group that loads a command when it is used, as others take time to load."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """Return the names of the commands."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        """Return a command."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(
            import_module(f'fmcts.cli._{COMMANDS[cmd_name]}'), f'{cmd_name}_command'
        )
        return found

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; print notices meanwhile, and end in one line if it fails."""
        with listening(complain), in_one_line():
            code = super().invoke(ctx)
            sys.stdout.flush()
            return code


@click.group(
    cls=Commands,
    no_args_is_help=False,
    subcommand_metavar='COMMAND [ARGS]...',
    context_settings={'help_option_names': ['-h', '--help'], 'max_content_width': 100},
    epilog=in_lines(
        'fmcts move connect4 --moves 3,3,2 --bot mcts:2000',
        'fmcts play othello --first human --second mcts:1000',
        'fmcts show tictactoe --moves 4,0,2',
    ),
    help=f"""Monte-Carlo tree search as a value: reproducible moves and games.

    GAME is {', '.join(GAMES)}, another name such as pig or mnk:4,4,3, or MODULE:NAME
    for one of your own. The same command gives the same result; --seed or --rng changes it.

    'fmcts COMMAND --help' lists the options of a command, 'fmcts bots' the bots.""",
)
@click.version_option(__version__, prog_name='fmcts', message='%(prog)s %(version)s')
def fmcts() -> None:
    """Do nothing before the command."""


@contextmanager
def in_one_line() -> Iterator[None]:
    """Turn what can end a command into an error of click, with a message and an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        raise EndedError(INTERRUPTED, 'interrupted') from None
    except MemoryError:
        raise EndedError(NEGATIVE, OUT_OF_MEMORY) from None
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except (Exception, SystemExit) as error:
        end = _end_of(error)
        if end is None:
            raise
        raise end from None


def _end_of(error: BaseException) -> EndedError | None:
    """Return the end of a run by a refused search, an error of the user's code or a lack.

    An error of the system, such as a full disk, is of our own writing if no user's code raised it.
    """
    where = None if isinstance(error, REFUSALS) else in_own_code(error)
    if where is not None or isinstance(error, (*REFUSALS, *LACKING)):
        return EndedError(BAD_INPUT, where or str(error))
    if isinstance(error, BrokenPipeError):
        return EndedError(NO_READER)
    if isinstance(error, OSError):
        name = '' if error.filename is None else f' {error.filename}'
        why = f'cannot write{name}: {error.strerror}' if error.strerror else str(error)
        return EndedError(NEGATIVE, why)
    if not isinstance(error, ImportError):
        return None
    first: BaseException = error  # for example for lack of memory; libraries wrap it in long ones
    while before := first.__cause__ or first.__context__:
        first = before
    return EndedError(NEGATIVE, f'cannot load a library: {cut(str(first), LONGEST)}')


def run(words: Sequence[str]) -> int:
    """Run the command line with these words and return the exit code."""
    if sys.stdout is None:  # closed by the shell
        complain('standard output is closed')
        return BAD_INPUT
    prepare_stream(sys.stdout)
    try:
        with in_one_line():
            code = fmcts.main([*words], prog_name='fmcts', standalone_mode=False)
            return int(code or 0)
    except click.ClickException as error:
        if error.message or not isinstance(error, EndedError):
            complain(error.format_message(), on_new_line=error.exit_code == INTERRUPTED)
        return error.exit_code
    except click.Abort:  # an interrupt before the command
        complain('interrupted')
        return INTERRUPTED
    finally:
        let_go(sys.stdout)
