"""What the page of the C course's tail says, from the study's files and one of its searches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

import tail_search
from attrs import evolve
from course import LOST
from tables import read

from fmcts import Player, SplitMix, analyse, probabilities, trees
from fmcts.bots.spec import parse_bot
from fmcts.search.tree import Node
from fmcts.view.descents import descended
from fmcts.view.trees import numbered

__all__ = ['figures']

TOGETHER: Final = 200  # games a budget, in the course
SINGLE: Final = ('10', '30', '60', '100')
BANDS: Final = {'110-200': 4, '210-400': 4, '410-1000': 5}  # budgets played here, of each band
WIDE, SMALL, NARROWER = 'c=1.4142135623730951', 'c=0.2', 'c=0.4'
NAMES: Final = {WIDE: 'c = √2', SMALL: 'c = 0.2', NARROWER: 'c = 0.4', 'c=0.5': 'c = 0.5'}
WRONG: Final = 5, 6  # X's losing move, and O's answer that wins
POINT: Final = (*WRONG, 3, 4)  # where O's win is missed
FIRST: Final = 320  # iterations that are followed one by one


def figures() -> dict[str, Any]:
    """Return what the page says."""
    rows = read('tail')
    constants = [it for it in rows if it['hypothesis'].startswith('the constant')]
    return {
        'course': [cell(course(name)) for name in SINGLE]
        + [cell(course(name), 2) for name in BANDS],
        'rows': [
            (label(it), *cells(it))
            for it in (*constants, *(it for it in rows if it not in constants))
        ],
        'late': late(constants),
        'lost_late': sum(lost for at, lost in LOST.items() if at > 400),
        'games_late': TOGETHER * 60,
        'position': position(read('tail_position')),
        'lasting': read('tail_lasting'),
        'cures': read('tail_cures'),
        'puct': next(
            it['lost of 1000 at 1,000'] for it in read('tail_cures') if 'puct' in it['search']
        ),
        'long': {it['board']: it for it in read('tail_960')},
        **one_search(),
    }


def course(name: str) -> float:
    """The share of games that the course's UCT loses at a budget, or at those of a band."""
    low, high = (int(it) for it in (name.split('-') * 2)[:2])
    budgets = range(low, high + 1, 10)
    return sum(LOST.get(at, 0) for at in budgets) / (TOGETHER * len(budgets))


def cell(share: float, digits: int = 1) -> str:
    """A share in per cent."""
    return f'{100 * share:.{digits}f}'


def label(row: Mapping[str, str]) -> str:
    """What a row of the table is called."""
    name = row['hypothesis']
    constant, *more = row['options'].split()
    if not more:
        found = float(constant.removeprefix('c='))
        text = NAMES.get(constant, f'c = {found:g}')
        return f'**{text}**' if constant == SMALL else text
    return f'{NAMES[constant]}: {name}'


def cells(row: Mapping[str, str]) -> tuple[str, ...]:
    """Shares lost at single budgets and in bands, deviance and chance."""
    games, chance = int(row['games']), float(row['chance'])
    return (
        *(cell(int(row[name]) / games) for name in SINGLE),
        *(cell(int(row[name]) / (games * count), 2) for name, count in BANDS.items()),
        f'{float(row["deviance"]):,.0f}',
        '< 0.001' if chance < 0.001 else f'{chance:.2g}',
    )


def late(constants: Sequence[Mapping[str, str]]) -> tuple[int, int]:
    """Games lost, and played, from 410 descents on with constants of 1/2 and more."""
    large = [it for it in constants if float(it['options'].removeprefix('c=')) >= 0.5]
    lost = sum(int(it['410-1000']) for it in large)
    return lost, BANDS['410-1000'] * sum(int(it['games']) for it in large)


def position(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The shares of searches that choose a losing move."""
    shares = {
        (int(it['descents']), it['c']): int(it['losing']) / int(it['searches']) for it in rows
    }
    return {
        'descents': sorted({descents for descents, _ in shares}),
        'constants': list(dict.fromkeys(it['c'] for it in rows)),
        'share': shares,
        'settled': tuple(
            sum(
                int(it[column])
                for it in rows
                if float(it['c']) >= 0.5 and int(it['descents']) >= 1000
            )
            for column in ('losing', 'searches')
        ),
    }


def one_search() -> dict[str, Any]:
    """The search with the seed of the page: its replies, and when they were visited."""
    state = tail_search.position()
    search = parse_bot('mehat-uct:10000,c=0.2').unwrap().search
    rng = SplitMix.from_seed(tail_search.SEED)
    before: Node | None = None
    visits: dict[tuple[int, ...], list[int]] = {WRONG: [], POINT: []}
    lines = {}
    for number, (tree, numbers) in enumerate(
        islice(numbered(tree for tree, _ in trees(state, rng, search)), FIRST), 1
    ):
        path = tuple(descended(before, tree))
        for line, found in visits.items():
            if path[: len(line)] == line:
                found.append(number)
        lines[number] = line_of_root(number, path, tree, numbers)
        before = tree
    last, end = (
        analyse(state, rng, evolve(search, iterations=number))[0].tree
        for number in (search.iterations - 1, search.iterations)
    )
    lines[search.iterations] = line_of_root(
        search.iterations, tuple(descended(last, end)), end, numbers
    )
    wrong = at(end, WRONG)
    best = max(at(end, WRONG[:1]).children, key=lambda child: child.visits)
    distance = best.value - wrong.value
    point = state
    for move in POINT:
        point = point.play(move)
    ever = [it for it in read('tail_search') if (it['c'], it['moves']) == ('0.2', '5 6')]
    unlucky = [probabilities(it)[Player.X] for it in (point, point.play(2))]
    return {
        'lines': [lines[number] for number in (8, 100, 300, search.iterations)],
        'numbers': {name: numbers[line] for name, line in (('wrong', WRONG), ('point', POINT))}
        | {'answer': numbers[POINT[:-1]]},
        'wrong': wrong,
        'visited': visits,
        'distance': distance,
        'needed': {name: wrong.visits * (distance / c) ** 2 for name, c in CS.items()},
        'powers': {
            name: wrong.visits * (distance / c) ** 2 / math.log(10) for name, c in CS.items()
        },
        'for_ever': max(int(it['descents']) for it in ever),
        'visits_for_ever': max(int(it['visits']) for it in ever),
        'unlucky': unlucky,
        'both': unlucky[0] * unlucky[1],
    }


CS: Final = {'small': 0.2, 'wide': math.sqrt(2)}


def at(tree: Node, line: Sequence[int]) -> Node:
    """The node that the moves lead to."""
    for move in line:
        below = tree.child(move)
        assert below is not None  # noqa: S101 - it was visited
        tree = below
    return tree


def line_of_root(
    number: int, path: Sequence[int], tree: Node, numbers: Mapping[tuple[int, ...], int]
) -> str:
    """A line of `fmcts tree --each`, its path cut after three moves."""
    moves = ' '.join(map(str, path[:3])) + (' ...' if len(path) > 3 else '')
    children = (
        f'{child.move}: #{numbers[child.move,]} {child.visits} {child.value:.3f}'
        for child in tree.children
    )
    return f'{number:6}  {moves:9}  ' + '  '.join(f'{it:17}' for it in children).rstrip()
