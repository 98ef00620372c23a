"""Bots as text, as the command line takes them.

A spec is `random`, `human`, or `name:number,option=value,...` such as `mc:300` or
`mcts:1000,c=0.5,expansion=random`. The number is the bot's budget; the number and every option may
be left out. The names are in `fmcts.bots._presets`.
"""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from returns.result import Failure, Result, Success

from fmcts._arguments import did_you_mean, shown
from fmcts.bots._presets import RECIPES, SELECTIONS_WITH, AnyBot, Human, Recipe
from fmcts.bots._treesearch import MctsBot
from fmcts.bots.montecarlo import MonteCarlo
from fmcts.bots.printed import PrintedBot
from fmcts.search import Search
from fmcts.search.methods import METHODS
from fmcts.search.policies import POLICIES
from fmcts.search.schedules import SCHEDULES

DEFAULT_BOT: Final = 'mcts:1000'
SPEC_SHOWN: Final = 120  # characters of a spec to quote; a spec with every option is shorter
DIGITS: Final = 18  # of a whole number at most

WORDS: Final = {
    'selection': tuple(METHODS),
    'playout': tuple(POLICIES),
    'schedule': tuple(SCHEDULES),
    'solver': ('on', 'off', 'exact'),
}
"""The words accepted by options that may also hold something else than a word."""

SWITCH: Final = {'on': True, 'off': False}


def parse_bot(text: str) -> Result[AnyBot | Human, str]:
    """Return the bot that `text` names, or one line that says what was wrong and what is accepted.

    >>> parse_bot('mc:300,count=wins').unwrap() == MonteCarlo(300, count='wins')
    True
    >>> parse_bot('mtcs:300').failure().partition(':')[0]
    "unknown bot 'mtcs' (did you mean mcts?)"
    >>> parse_bot('mcts:0').failure()
    "bot 'mcts:0': iterations must be a whole number of at least 1, not 0"
    """
    name, colon, rest = text.strip().partition(':')
    if name not in RECIPES:
        return Failure(
            f'unknown bot {shown(name)}{did_you_mean(name.lower(), tuple(RECIPES))}: '
            f'accepted are {", ".join(RECIPES)}'
        )
    recipe = RECIPES[name]
    try:
        given = _settings(name, recipe, rest.split(',') if colon else [])
        # Of flat Monte-Carlo it is an option of the same bot; of a search it stands for another
        # program.
        printed = isinstance(recipe.pattern, Search) and bool(given.pop('as_printed', False))
        return Success(recipe.bot(given, printed=printed))
    except ValueError as error:
        return Failure(f'bot {shown(text.strip(), SPEC_SHOWN)}: {error}')


def _settings(name: str, recipe: Recipe, items: list[str]) -> dict[str, Any]:
    """Return the values that the comma-separated items set.

    :raises ValueError: an item is neither `option=value` nor, in the first place, a number; or its
        option is unknown or given twice; or its value is not of the option's type.
    """
    if items and not recipe.number:
        raise ValueError(f'{name} takes no number and no options: write only {name}')
    options = ', '.join(recipe.options + recipe.numbers)
    accepted = f'{name} takes a number' + (f' and the options {options}' if options else ' only')
    given: dict[str, Any] = {}
    for place, item in enumerate(items):
        key, equals, value = (part.strip() for part in item.partition('='))
        if not equals and place == 0:
            key, value = recipe.number, key
        elif not equals:
            raise ValueError(f'expected option=value, not {shown(item)}; {accepted}')
        if key not in recipe.settings:
            close = did_you_mean(key.lower(), recipe.settings)
            raise ValueError(f'unknown option {shown(key)}{close}; {accepted}')
        if key in given:
            raise ValueError(f'{key} is given twice: give it once')
        given[key] = _value(key, _kind(recipe, key), value)
    return given


def _kind(recipe: Recipe, option: str) -> object:
    """Return the type of an option: of several the first, leaving out `None`; `str` for words."""
    if option in recipe.numbers:
        return float
    if option in WORDS:
        return Literal[WORDS[option]]
    if option == 'as_printed':
        return bool
    kind = get_type_hints(type(recipe.pattern))[option]
    kinds = [each for each in get_args(kind) if each is not NoneType]
    return kinds[0] if get_origin(kind) in (Union, UnionType) else kind


def _value(key: str, kind: object, text: str) -> object:
    """Return `text` as a value of the type `kind`, which validators have yet to check.

    :raises ValueError: it is not a text of such a value.
    """
    if kind is int:
        digits = text.removeprefix('-')
        if not (digits.isascii() and digits.isdecimal()):
            raise ValueError(f'{key} must be a whole number, not {shown(text)}')
        # More would not fit 64 bits; of thousands Python's own `int` complains, in other words.
        if len(digits) > DIGITS:
            raise ValueError(f'{key} must have at most {DIGITS} digits, not {len(digits)}')
        return int(text)
    if kind is bool:
        if text not in SWITCH:
            raise ValueError(f'{key} must be on or off, not {shown(text)}')
        return SWITCH[text]
    if kind is float:
        try:
            # Python also reads 1_0 and digits of other scripts, which nobody means in a spec.
            return float(text if text.isascii() and '_' not in text else 'no number')
        except ValueError:
            raise ValueError(f'{key} must be a number, not {shown(text)}') from None
    if key == 'solver':
        if text not in WORDS[key]:
            raise ValueError(f'{key} must be {_either(WORDS[key])}, not {shown(text)}')
        return SWITCH.get(text, text)
    return text


def choices(name: str) -> tuple[tuple[str, str], ...]:
    """Return the options of the bot called `name`, each with a description of what it accepts.

    >>> choices('mc')[0]
    ('count', 'scores or wins')
    """
    recipe = RECIPES[name]
    described = {int: 'a whole number', bool: 'on or off', float: 'a number'}

    def words(option: str) -> str:
        kind = _kind(recipe, option)
        if option in recipe.numbers and 'selection' in recipe.options:
            return f'a number, with selection {_either(SELECTIONS_WITH[option])}'
        return described[kind] if kind in described else _either(get_args(kind))

    return tuple((option, words(option)) for option in recipe.options + recipe.numbers)


def _either(words: tuple[str, ...]) -> str:
    *others, last = words
    return f'{", ".join(others)} or {last}' if others else last


def with_number(text: str, number: int) -> str:
    """Return the spec `text` with another number.

    A bot that is named by its module and its own name has the number after that.

    >>> with_number('mcts:50,c=0.5', 812), with_number('mcts:c=0.5,iterations=7', 812)
    ('mcts:812,c=0.5', 'mcts:812,c=0.5')
    >>> with_number('mymodule:bot', 812), with_number('mymodule:bot:7,c=2', 812)
    ('mymodule:bot:812', 'mymodule:bot:812,c=2')
    """
    name, _, rest = text.strip().partition(':')
    if name not in RECIPES:
        place, comma, options = rest.partition(',')
        return f'{name}:{place.partition(":")[0]}:{number}{comma}{options}'
    items = [item.strip() for item in rest.split(',') if '=' in item]
    # The number may stand there by its name, and would then be given twice.
    own = [item for item in items if item.partition('=')[0].strip() != RECIPES[name].number]
    return f'{name}:{",".join([str(number), *own])}'


def budget(bot: AnyBot) -> int | None:
    """Return how many playouts `bot` makes for a move; `None` if that is not known in advance."""
    match bot:
        case MctsBot(search=search) | PrintedBot(search=search):
            return search.iterations
        case MonteCarlo(playouts=playouts):
            return playouts
    return None
