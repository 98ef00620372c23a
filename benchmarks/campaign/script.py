"""A case as Python code that shows the difference by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import fields

from campaign.cases import Case, Step, position_of
from campaign.compare import Difference
from fmcts import Search
from fmcts import rng as rngs
from fmcts.games import GAMES
from fmcts.search.schedules import SequentialHalving

__all__ = ['as_code']


def as_code(case: Case, found: Difference) -> str:
    """Lines of Python that end in assertions, one of which fails as long as the engines differ."""
    body = '\n'.join(lines_of(case, found))
    names = ['Search', 'analyse']
    names += [n for n in ('Player', 'SplitMix', 'StdGen', 'reroot') if re.search(rf'\b{n}\b', body)]
    imports = [f'from fmcts import {", ".join(sorted(names))}']
    if case.game in GAMES:
        imports.append(f'from fmcts.games.{case.game} import {type(position_of(case)).__name__}')
    else:
        imports.append(f'from campaign.games import {case.game}')
    imports.append('from fmcts.search.tree import plant')
    if 'Formula(' in body:
        imports.append('from fmcts.testing import Formula')
    if 'pickle.' in body:
        imports.insert(0, 'import pickle')
    return '\n'.join((*imports, '', body))


def lines_of(case: Case, found: Difference) -> Iterator[str]:
    """What follows the imports."""
    yield f'state = {state_as_code(case)}'
    yield f'rng = {rngs.parse(case.rng).unwrap()!r}'
    for number, step in enumerate(case.steps[: found.step + 1]):
        yield from step_as_code(case, step, number, found.engines)
        if number < found.step:
            yield f'ones{number}, twos{number}, rng = one.tree, two.tree, one_rng'
    yield 'assert (one.move, one.iterations) == (two.move, two.iterations)'
    yield 'assert one.stats == two.stats'
    yield 'assert (one.tree, one.digest) == (two.tree, two.digest)'
    yield 'assert one_rng == two_rng'


def state_as_code(case: Case) -> str:
    """The position, as its class writes it."""
    return (
        repr(position_of(case))
        .replace("<Player.X: 'X'>", 'Player.X')
        .replace("<Player.O: 'O'>", 'Player.O')
    )


def step_as_code(case: Case, step: Step, made: int, engines: tuple[str, str]) -> Iterator[str]:
    """One search by both engines."""
    given = {field.name: getattr(step.search, field.name) for field in fields(Search)}
    names = {SequentialHalving(): 'halving'}
    options = ', '.join(
        f'{field.name}={names.get(given[field.name], given[field.name])!r}'
        for field in fields(Search)
        if given[field.name] != field.default
    )
    for place, (name, engine) in enumerate(zip(('one', 'two'), engines, strict=True)):
        if step.back and made:
            version = made - min(step.back, made)
            source = (place + step.shift) % 2
            tree = f'{("ones", "twos")[source]}{version}'
            if step.reroot is not None:
                tree = f'reroot({tree}, {tree}.state.moves[{step.reroot} % len({tree}.moves)])'
            if step.pickled:
                tree = f'pickle.loads(pickle.dumps({tree}))'
        else:
            moves = None
            if step.root_moves is not None:
                legal = position_of(case).moves
                moves = {legal[index % len(legal)] for index in step.root_moves}
            tree = f'plant(state, {moves!r})' if moves else 'plant(state)'
        yield f'tree = {tree}'
        yield (
            f'{name}, {name}_rng = analyse(tree.state, rng, Search({options}), tree=tree, '
            f'engine={engine!r})'
        )
