"""`fmcts bots`: the available bots, their options and their sources."""

from __future__ import annotations

import click

from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import choices
from fmcts.cli import _options as options
from fmcts.cli._screen import answer
from fmcts.view._parts import Listing

EXAMPLES = options.examples(
    'fmcts bots',
    'fmcts bots --json',
    'fmcts bots | grep baeldung',
)


@click.command('bots', short_help='List the bots, their options and sources.', epilog=EXAMPLES)
@options.json
def command(*, as_json: bool) -> int:
    """List every bot that SPEC may name, with its number, its options and its source.

    A SPEC is NAME:NUMBER,OPTION=VALUE,... where all but the name may be left out.
    """
    return answer(
        lambda: {'bots': in_json()},
        lambda: (bots(), accepted_options(), differences()),
        as_json=as_json,
    )


def bots() -> Listing:
    """Return one row for each bot."""
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
    return Listing(('bot', 'number', 'by default', 'description', 'source'), rows, prose=True)


def accepted_options() -> Listing:
    """Return one row for each option of each bot."""
    rows = tuple((name, option, words) for name in RECIPES for option, words in choices(name))
    return Listing(('bot', 'option', 'accepted'), rows, prose=True)


def differences() -> Listing:
    """Return one row for each bot from a text: how it differs, or what the text leaves open."""
    rows = tuple((name, recipe.differs) for name, recipe in RECIPES.items() if recipe.differs)
    return Listing(('bot', 'how it differs from its text'), rows, prose=True)


def in_json() -> list[dict[str, object]]:
    """Return all bots as values for JSON."""
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
