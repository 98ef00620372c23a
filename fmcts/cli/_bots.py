"""`fmcts bots`: the available bots, their options and their sources."""

from __future__ import annotations

from fmcts.bots import RECIPES, choices
from fmcts.cli import _types as types
from fmcts.cli._screen import answer
from fmcts.view import Listing


@types.command(
    'bots',
    'List the bots, their options and sources.',
    'fmcts bots',
    'fmcts bots --json',
    'fmcts bots | grep baeldung',
)
@types.json
def bots_command(*, as_json: bool) -> int:
    """List every bot that SPEC may name, with its number, its options and its source.

    A SPEC is NAME:NUMBER,OPTION=VALUE,... where all but the name may be left out.
    """
    values = [
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
    return answer(lambda: {'bots': values}, listings, as_json=as_json)


def listings() -> tuple[Listing, ...]:
    """Return the bots, the options of each, and how those from a text differ from it."""
    bots = tuple(
        (
            name,
            recipe.number or '-',
            '-' if recipe.default is None else str(recipe.default),
            recipe.about,
            recipe.source or '-',
        )
        for name, recipe in RECIPES.items()
    )
    options = tuple((name, option, words) for name in RECIPES for option, words in choices(name))
    differences = tuple((name, it.differs) for name, it in RECIPES.items() if it.differs)
    return (
        Listing(('bot', 'number', 'by default', 'description', 'source'), bots, prose=True),
        Listing(('bot', 'option', 'accepted'), options, prose=True),
        Listing(('bot', 'how it differs from its text'), differences, prose=True),
    )
