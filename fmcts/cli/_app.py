"""The group of all commands; `ending` turns errors into exit codes."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, Final

import click

from fmcts import __version__
from fmcts._arguments import cut, shown
from fmcts.cli._ending import (
    BAD_INPUT,
    NEGATIVE,
    OUT_OF_MEMORY,
    EndedError,
    ending_early,
    errors_in_clean_up,
    interruptible,
    no_silent_end,
)
from fmcts.cli._options import EXPECTED, examples
from fmcts.cli._screen import complain, let_go, prepare as prepare_stream
from fmcts.cli._starting import INTERRUPTED
from fmcts.games import GAMES
from fmcts.notices import listening
from fmcts.search._checks import did_you_mean

COMMANDS: Final = (
    'move',
    'play',
    'match',
    'tournament',
    'curve',
    'sweep',
    'verify',
    'show',
    'tree',
    'hunt',
    'explore',
    'compare',
    'check',
    'bots',
    'prepare',
)
"""The commands, in the order of --help; each is `command` of the module of its name."""

LONGEST: Final = 200  # characters of an error about arguments, which quotes them


class Commands(click.Group):
    """A group that loads a command on demand; for an unknown command it lists all.

    Interrupts, closed pipes and the like become `EndedError`, because click would handle some of
    them itself.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """Return the names of the commands."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        """Return a command; its module is loaded only now, as others take time to load."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f'fmcts.cli._{cmd_name}').command
        return command

    def make_context(self, *given: Any, **options: Any) -> click.Context:
        """Parse the arguments; --help and --version are answered here."""
        with ending_early():
            return super().make_context(*given, **options)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names."""
        if args[0] not in COMMANDS:
            ctx.fail(
                f'unknown command {shown(args[0])}{did_you_mean(args[0].lower(), COMMANDS)}: '
                f'accepted are {", ".join(COMMANDS)}'
            )
        for name, value in pairwise((*args, 'end')):
            empty = name.endswith('=') if '=' in name else not value
            if name.startswith('--') and empty and name.rstrip('=') != '--moves':
                ctx.fail(f'{name.rstrip("=")} must not be empty')
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with ending_early():
            return super().invoke(ctx)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar='COMMAND [ARGS]...',
    context_settings={'help_option_names': ['-h', '--help'], 'max_content_width': 100},
    epilog=examples(
        'fmcts move connect4 --moves 3,3,2 --bot mcts:2000',
        'fmcts play othello --first human --second mcts:1000',
        'fmcts show tictactoe --moves 4,0,2',
    ),
    help=f"""Monte-Carlo tree search as a value: reproducible moves and games.

    GAME is {', '.join(GAMES)}, a family with sizes such as mnk:4,4,3, or MODULE:NAME
    for one of your own. The same command gives the same result; --seed or --rng changes it.

    'fmcts COMMAND --help' lists the options of a command, 'fmcts bots' the bots.""",
)
@click.version_option(__version__, prog_name='fmcts', message='%(prog)s %(version)s')
@click.pass_context
def fmcts(ctx: click.Context) -> None:
    """Fail if no command is given; `Commands` handles --help."""
    if ctx.invoked_subcommand is None:
        ctx.fail(f'missing command: accepted are {", ".join(COMMANDS)}; see fmcts --help')


@errors_in_clean_up()
def run(arguments: Sequence[str]) -> int:
    """Run the command line with these words and return the exit code."""
    if sys.stderr is None:  # closed by the shell, so there is nowhere to report errors
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        complain('standard output is closed')
        return BAD_INPUT
    prepare_stream(sys.stdout)
    try:
        with interruptible(), no_silent_end(), ending_early():
            with listening(complain):
                code = int(
                    fmcts.main(list(arguments), prog_name='fmcts', standalone_mode=False) or 0
                )
            sys.stdout.flush()
            return code
    except EndedError as end:
        code, complaint = end.code, end.complaint
    except MemoryError:  # too little memory to build the message here
        code, complaint = NEGATIVE, OUT_OF_MEMORY
    except click.Abort:
        code, complaint = INTERRUPTED, 'interrupted'
    except click.ClickException as error:
        code, complaint = BAD_INPUT, in_one_line(error)
    # The failed command's frames, and the memory they held, are released by now.
    if complaint is not None:
        complain(complaint, on_new_line=code == INTERRUPTED)
    let_go(sys.stdout)
    return code


def in_one_line(error: click.ClickException) -> str:
    """Return click's error in one line, with the accepted values."""
    context = getattr(error, 'ctx', None)
    match error:
        case click.NoSuchOption(option_name=name) if context:
            names = tuple(
                option
                for parameter in context.command.get_params(context)
                if isinstance(parameter, click.Option)
                for option in parameter.opts
                if option.startswith('--')
            )
            close = did_you_mean(name, names)
            return f'unknown option {shown(name)}{close}: accepted are {", ".join(names)}'
        case click.MissingParameter(param=parameter) if parameter is not None:
            name = str(parameter.name)
            written = parameter.opts[0] if isinstance(parameter, click.Option) else name.upper()
            return f'missing {written}: expected {EXPECTED[name]}'
        case click.BadOptionUsage():
            return _lowered(error.message)
        case click.UsageError() if context and context.parent:
            usage = context.command.get_usage(context)
            return f'{_lowered(error.message)}; {_lowered(usage)}'
    return error.format_message()


def _lowered(sentence: str) -> str:
    return cut(sentence[:1].lower() + sentence[1:].rstrip('.'), LONGEST)
