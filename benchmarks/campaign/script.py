"""A case as Python code that shows the difference by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import fields

from campaign.cases import MEMBERS, Case, Step, line_of, noise_of
from campaign.compare import Difference
from drawn_searches import FUNCTIONS
from fmcts import Search, rng as rngs
from fmcts._content.described import usual_option
from fmcts.games import GAMES
from fmcts.search import methods, policies, schedules

__all__ = ['as_code']

NAMES: Final[Mapping[str, Sequence[str]]] = MappingProxyType(
    {
        'campaign.cases': ('decisions',),
        'campaign.games': ('Heap',),
        'fmcts': ('STOP', 'Search', 'SplitMix', 'StdGen', 'analyse', 'reroot'),
        'fmcts.games': tuple(GAMES),
        'fmcts.games.families': ('FAMILIES',),
        'fmcts.rules': ('OnPositions',),
        'fmcts._engines.plan': ('fitted',),
        'fmcts.search._watch': ('chunks_by_count',),
        'fmcts.search.gumbel_halving': ('GumbelHalving',),
        'fmcts.search.methods': [name for name, it in vars(methods).items() if callable(it)],
        'fmcts.search.policies': [name for name, it in vars(policies).items() if callable(it)],
        'fmcts.search.schedules': [name for name, it in vars(schedules).items() if callable(it)],
        'fmcts.search._tree': ('plant',),
        'fmcts.selfplay.draws': ('with_noise',),
        'fmcts.testing': ('Formula',),
        'drawn_games': ('Maze', 'fewer_ways'),
        'drawn_searches': [
            each.__name__ for each in FUNCTIONS if each.__module__ == 'drawn_searches'
        ],
    }
)
"""What code may name, by module."""


def as_code(case: Case, found: Difference) -> str:
    """Lines of Python that end in assertions, one of which fails as long as the engines differ."""
    body = '\n'.join(lines_of(case, found))
    words = {*re.findall(r"(?<!['\w])\w+", body)}  # what is quoted is no name
    imports = [*(['import pickle'] if 'pickle' in words else []), 'import campaign']
    for module, known in NAMES.items():
        names = sorted(words & {*known})
        if names:
            imports.append(f'from {module} import {", ".join(names)}')
    return '\n'.join((*imports, '', body))


def lines_of(case: Case, found: Difference) -> Iterator[str]:
    """What follows the imports."""
    yield f'state = {start_as_code(case)}'
    _, line = line_of(case)
    yield from (f'state = state.play({move!r})' for move in line)
    yield f'rng = {rngs.parse(case.rng).unwrap()!r}'
    for number, step in enumerate(case.steps[: found.step + 1]):
        yield from step_as_code(step, number, found.engines)
        if number < found.step:
            yield f'ones{number}, twos{number}, rng = one.tree, two.tree, one_rng'
    yield 'assert (one.move, one.iterations) == (two.move, two.iterations)'
    yield 'assert one.stats == two.stats'
    yield 'assert (one.tree, one.digest) == (two.tree, two.digest)'
    yield 'assert one_rng == two_rng'


def start_as_code(case: Case) -> str:
    """The start of the game."""
    if case.game in MEMBERS:
        name, size = case.game.split(':')
        return f'FAMILIES[{name!r}].make({size}).start'
    if case.game in GAMES:
        return f'{case.game}.start'
    return f'{case.game}{case.sizes}'


def search_as_code(search: Search) -> str:
    """The options that are not as usual; functions by their names."""
    named = {schedules.SequentialHalving(): 'halving', schedules.SHOT(): 'shot'}
    given = {field.name: getattr(search, field.name) for field in fields(Search)}
    given['schedule'] = named.get(search.schedule, search.schedule)
    options = ', '.join(
        f'{field.name}={given[field.name]!r}'
        for field in fields(Search)
        if getattr(search, field.name) != usual_option(search, field)
    )
    return 'Search({})'.format(re.sub(r'<function (\w+) at 0x\w+>', r'\1', options))


def step_as_code(step: Step, made: int, engines: tuple[str, str]) -> Iterator[str]:
    """One search by both engines."""
    more = ''
    if step.stop_at is not None:
        more = f', watch=lambda done: STOP if done >= {step.stop_at} else None'
    for place, (name, engine) in enumerate(zip(('one', 'two'), engines, strict=True)):
        yield f'tree = {tree_as_code(step, made, place)}'
        search: Any = (
            f'{name}, {name}_rng = analyse(tree.state, rng, {search_as_code(step.search)}, '
            f'tree=tree, engine={engine!r}{more})'
        )
        yield f'with chunks_by_count():\n    {search}' if more else search


def tree_as_code(step: Step, made: int, place: int) -> str:
    """The tree that one of both engines is given."""
    if not (step.back and made):
        root = 'plant(state)'
        if step.root_moves is not None:
            chosen = [f'state.moves[{index} % len(state.moves)]' for index in step.root_moves]
            root = f'plant(state, {{{", ".join(chosen)}}})'
        if noise_of(step):
            root = f'fitted({root}, {search_as_code(step.search)})'
            root = f'with_noise({root}, rng, share={step.noise})[0]'
        return root
    version = made - min(step.back, made)
    tree = f'{("ones", "twos")[(place + step.shift) % 2]}{version}'
    if step.reroot is not None:
        tree = f'reroot({tree}, {tree}.state.moves[{step.reroot} % len({tree}.state.moves)])'
    return f'pickle.loads(pickle.dumps({tree}))' if step.pickled else tree
