"""`fmcts bots`: the bots that there are, what each takes, and where it comes from."""

from __future__ import annotations

import click

from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import choices
from fmcts.cli import _options as options
from fmcts.cli._ending import DONE
from fmcts.cli._screen import Screen, print_json
from fmcts.view._parts import Listing

__all__ = ['command']

EXAMPLES = options.examples(
    'fmcts bots',
    'fmcts bots --json',
    'fmcts bots | grep baeldung',
)


@click.command('bots', short_help='List the bots, their options and sources.', epilog=EXAMPLES)
@options.json
def command(*, as_json: bool) -> int:
    """List every bot that SPEC may name: its number and options, and the text it comes from.

    A SPEC is NAME:NUMBER,OPTION=VALUE,... where all but the name may be left out.
    """
    if as_json:
        print_json({'bots': in_json()})
    else:
        Screen.of_output().page(bots(), taken(), differences())
    return DONE


def bots() -> Listing:
    """One row a bot."""
    rows = tuple(
        (
            name,
            recipe.number or '-',
            '-' if recipe.default is None else str(recipe.default),
            recipe.about,
            recipe.source or '-',
        )
        for name, recipe in RECIPES.items()
    )
    return Listing(('bot', 'number', 'by default', 'what it is', 'source'), rows, prose=True)


def taken() -> Listing:
    """One row for each option of each bot."""
    rows = tuple((name, option, words) for name in RECIPES for option, words in choices(name))
    return Listing(('bot', 'option', 'accepted'), rows, prose=True)


def differences() -> Listing:
    """Return one row for each bot of a text: how it differs, or what the text leaves open."""
    rows = tuple((name, recipe.differs) for name, recipe in RECIPES.items() if recipe.differs)
    return Listing(('bot', 'how it differs from its text'), rows, prose=True)


def in_json() -> list[dict[str, object]]:
    """The same as a tool reads it."""
    return [
        {
            'name': name,
            'about': recipe.about,
            'number': recipe.number or None,
            'default': recipe.default,
            'options': dict(choices(name)),
            'source': recipe.source or None,
            'differs': recipe.differs or None,
        }
        for name, recipe in RECIPES.items()
    ]
