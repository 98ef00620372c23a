"""The commands together, and how every run of them ends.

Bad input ends in one line on standard error and exit code 2, an interrupt in one line and 130, a
reader that went away without a word in 141: the codes that shells use for the two signals.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from fmcts.arguments import cut, shown
from fmcts.cli import compare, move, play, show
from fmcts.cli.ending import BAD_INPUT, BROKEN_OFF
from fmcts.cli.interrupts import interruptible
from fmcts.cli.options import EXPECTED, examples
from fmcts.cli.screen import complain
from fmcts.games import GAMES
from fmcts.search.checks import did_you_mean
from fmcts.search.notices import heard_by

__all__ = ['run']

COMMANDS: Final = {
    module.command.name or '': module.command
    for module in (
        move,
        play,
        show,
        compare,
    )
}

INTERRUPTED: Final = 130  # 128 + SIGINT
LONGEST: Final = 200  # characters of a complaint about arguments, which quotes them
NO_READER: Final = 141  # 128 + SIGPIPE


class Commands(click.Group):
    """A group that names its commands when it is given another, and survives the two signals."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names."""
        if args[0] not in COMMANDS:
            names = tuple(COMMANDS)
            ctx.fail(
                f'unknown command {shown(args[0])}{did_you_mean(args[0].lower(), names)}: '
                f'accepted are {", ".join(names)}'
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and see its output out of the house."""
        try:
            with heard_by(complain):
                code = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                click.echo(err=True)  # the terminal has just shown ^C
            complain('interrupted')
            return INTERRUPTED
        except BrokenPipeError:
            _forget_output()
            return NO_READER
        except OSError as error:  # a full disk
            complain(f'cannot write: {error.strerror or error}')
            _forget_output()
            return BROKEN_OFF
        return code


def _forget_output() -> None:
    """Send what is left to be written nowhere, so that closing the stream cannot fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@click.group(
    cls=Commands,
    commands=COMMANDS,
    invoke_without_command=True,
    subcommand_metavar='COMMAND [ARGS]...',
    context_settings={'help_option_names': ['-h', '--help'], 'max_content_width': 100},
    epilog=examples(
        'fmcts move connect4 --moves 3,3,2 --bot mcts:2000',
        'fmcts play othello --first human --second mcts:1000',
        'fmcts show tictactoe --moves 4,0,2',
    ),
    help=f"""Monte-Carlo tree search as a value: reproducible moves and games.

    GAME is {', '.join(GAMES)}. A run is the same every time; --seed or --rng make another one.

    'fmcts COMMAND --help' tells the options of a command and the bots that there are.""",
)
@click.version_option(package_name='fmcts', prog_name='fmcts', message='%(prog)s %(version)s')
@click.pass_context
def fmcts(ctx: click.Context) -> None:
    """Refuse to do nothing; the help is told above."""
    if ctx.invoked_subcommand is None:
        ctx.fail(f'missing command: accepted are {", ".join(COMMANDS)}; fmcts --help tells more')


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these words; gives the exit code."""
    if sys.stderr is None:  # closed by the shell: complain to nobody
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        complain('standard output is closed')
        return BAD_INPUT
    try:
        with interruptible():
            code = fmcts.main(list(arguments), prog_name='fmcts', standalone_mode=False)
    except click.Abort:
        complain('interrupted')
        return INTERRUPTED
    except click.ClickException as error:
        complain(in_one_line(error))
        return BAD_INPUT
    return int(code or 0)


def in_one_line(error: click.ClickException) -> str:
    """What click complains about, with what is accepted instead."""
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
