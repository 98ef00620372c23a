"""Bots as text, as the command line takes them.

A spec is `random`, `human`, or `name:number,option=value,...` such as `mc:300` or
`mcts:1000,c=0.5,expansion=random`. The number is the bot's budget; the number and every option may
be left out. The names are in `fmcts.bots._presets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs
from returns.result import Failure, Result, Success

from fmcts._arguments import shown
from fmcts.bots._presets import RECIPES, SELECTIONS_WITH, AnyBot, Human, Recipe, with_numbers
from fmcts.bots._treesearch import MctsBot
from fmcts.bots.montecarlo import MonteCarlo
from fmcts.bots.printed import PrintedBot
from fmcts.search._checks import did_you_mean
from fmcts.search.methods import METHODS
from fmcts.search.policies import POLICIES
from fmcts.search.schedules import SCHEDULES

DEFAULT_BOT: Final = 'mcts:1000'
REAL: Final = 'a number'
SPEC_SHOWN: Final = 120  # characters of a spec to quote; a spec with every option is shorter


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
    items = rest.split(',') if colon else []
    made = _settings(name, recipe, items).bind(lambda given: _make(recipe, given))
    return made.alt(lambda why: f'bot {shown(text.strip(), SPEC_SHOWN)}: {why}')


def _make(recipe: Recipe, given: Mapping[str, object]) -> Result[AnyBot | Human, str]:
    if recipe.pattern is None:
        return Success(recipe.bot(None))
    numbers: dict[str, Any] = {key: given[key] for key in given if key in recipe.numbers}
    others = {key: given[key] for key in given if key not in numbers}
    make = recipe.bot
    if recipe.printed is not None and others.pop('as_printed', False):
        make = recipe.printed
    try:  # the validators of the pattern check the values
        pattern = attrs.evolve(recipe.pattern, **others)
        return Success(make(with_numbers(pattern, numbers) if numbers else pattern))
    except ValueError as error:
        return Failure(str(error))


def _settings(name: str, recipe: Recipe, items: Iterable[str]) -> Result[Mapping[str, object], str]:
    """Return the fields and values that the comma-separated texts set."""

    def add(
        found: Result[Mapping[str, object], str], place_and_item: tuple[int, str]
    ) -> Result[Mapping[str, object], str]:
        place, item = place_and_item
        return found.bind(lambda given: _setting(name, recipe, item, given, first=place == 0))

    nothing: Result[Mapping[str, object], str] = Success({})
    return reduce(add, enumerate(items), nothing)


def _setting(
    name: str, recipe: Recipe, item: str, given: Mapping[str, object], *, first: bool
) -> Result[Mapping[str, object], str]:
    """Return `given` with the setting of `item`: `option=value`, or as `first` a number."""
    if not recipe.number:
        return Failure(f'{name} takes no number and no options: write only {name}')
    key, equals, value = (part.strip() for part in item.partition('='))
    if not equals and first:
        key, value = recipe.number, key
    elif not equals:
        return Failure(f'expected option=value, not {shown(item)}; {_accepted(name, recipe)}')
    if key not in recipe.settings:
        close = did_you_mean(key.lower(), recipe.settings)
        return Failure(f'unknown option {shown(key)}{close}; {_accepted(name, recipe)}')
    if key in given:
        return Failure(f'{key} is given twice: give it once')
    kind = float if key in recipe.numbers else _kinds(recipe)[key]
    return _value(key, kind, value).map(lambda known: {**given, key: known})


def _kinds(recipe: Recipe) -> Mapping[str, object]:
    """Return the types of the options that are not numbers of methods."""
    return {'as_printed': bool, **get_type_hints(type(recipe.pattern))}


def _accepted(name: str, recipe: Recipe) -> str:
    options = ', '.join(recipe.options + recipe.numbers)
    return f'{name} takes a number' + (f' and the options {options}' if options else ' only')


def _set(kind: object) -> object:
    """Return the type to read from text: the first of several, leaving out `None`."""
    kinds = [each for each in get_args(kind) if each is not NoneType]
    return kinds[0] if get_origin(kind) in (Union, UnionType) else kind


def _value(key: str, kind: object, text: str) -> Result[object, str]:
    """Return `text` as a value of the type `kind`, which validators have yet to check."""
    kind = _set(kind)
    if get_origin(kind) is Literal or key in _WORDS:
        return Success(text)
    _, read = _KINDS[cast('type', kind)]
    return read(key, text)


def _whole(key: str, text: str) -> Result[object, str]:
    digits = text.removeprefix('-')
    if not (digits.isascii() and digits.isdecimal()):
        return Failure(f'{key} must be a whole number, not {shown(text)}')
    if len(digits) > 18:
        return Failure(f'{key} must have at most 18 digits, not {len(digits)}')
    return Success(int(text))


def _real(key: str, text: str) -> Result[object, str]:
    try:
        if text.isascii() and '_' not in text:
            return Success(float(text))
    except ValueError:
        pass
    return Failure(f'{key} must be a number, not {shown(text)}')


def _switch(key: str, text: str) -> Result[object, str]:
    if text in ('on', 'off'):
        return Success(text == 'on')
    return Failure(f'{key} must be on or off, not {shown(text)}')


_KINDS: Final[Mapping[type, tuple[str, Callable[[str, str], Result[object, str]]]]] = (
    MappingProxyType(
        {int: ('a whole number', _whole), float: (REAL, _real), bool: ('on or off', _switch)}
    )
)
"""The types of options other than words: their description, and the function that reads them."""

_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {'selection': tuple(METHODS), 'playout': tuple(POLICIES), 'schedule': tuple(SCHEDULES)}
)
"""The words accepted by options that may also hold something else than a word."""


def choices(name: str) -> tuple[tuple[str, str], ...]:
    """Return the options of the bot called `name`, each with a description of what it accepts.

    >>> choices('mc')[0]
    ('count', 'scores or wins')
    """
    recipe = RECIPES[name]
    hints = _kinds(recipe)
    options = ((option, _in_words(option, hints[option])) for option in recipe.options)
    several = 'selection' in recipe.options
    numbers = (
        (name, f'a number, with selection {_either(SELECTIONS_WITH[name])}' if several else REAL)
        for name in recipe.numbers
    )
    return (*options, *numbers)


def _either(words: Sequence[str]) -> str:
    *others, last = words
    return f'{", ".join(others)} or {last}' if others else last


def _in_words(option: str, kind: object) -> str:
    kind = _set(kind)
    if get_origin(kind) is Literal or option in _WORDS:
        return _either(_WORDS.get(option, get_args(kind)))
    words, _ = _KINDS[cast('type', kind)]
    return words


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
