"""What the page of the C course's tail says, from the study's files and one of its searches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import islice
from typing import Any, Final

import tail_search
from tables import constant, read
from tail_hypotheses import BANDS, NARROWER, SINGLE, SMALL, WIDE
from texts import COURSE

from fmcts import Player, SplitMix, analyse, probabilities, trees
from fmcts.bots._spec import parse_bot
from fmcts.game import reward
from fmcts.games import tictactoe
from fmcts.search._tree import Node
from fmcts.solve import move_values
from fmcts.view.descents import descended, numbered

__all__ = ['figures']

LOST, TOGETHER = COURSE.lost, COURSE.games
SHOWN: Final = ('10', '30', '60', '100')  # of the single budgets
PLAYED: Final = {f'{low}-{high}': len(range(low, high + 1, step)) for low, high, step in BANDS}
LAST: Final = list(PLAYED)[-1]
SINGLE_BUDGETS: Final = range(SINGLE[0], SINGLE[1] + 1, SINGLE[2])
TEXTBOOK: Final = 0.5  # the least constant of the textbooks
CLEAR, BORDER = 0.01, 0.05  # chances: excluded below the one, in agreement from the other on
WRONG: Final = 5, 6  # X's losing move, and O's answer that wins
POINT: Final = (*WRONG, 3, 4)  # where O's win is missed
FIRST: Final = 320  # iterations that are followed one by one
TINY, MANY = tail_search.CONSTANTS


def figures() -> dict[str, Any]:
    """Return what the page says."""
    rows = read('tail')
    constants = [it for it in rows if it['hypothesis'].startswith('the constant')]
    others = [it for it in rows if it not in constants]
    return {
        'small': constant(TINY),
        'wide': constant(MANY),
        'small_doubled': constant(2 * TINY),
        'worth': {name: reward(winner, Player.X) for name, winner in WINNERS.items()},
        'course_row': [cell(course(name)) for name in SHOWN]
        + [cell(course(name), 2) for name in PLAYED],
        'columns': [*SHOWN, *(f'{low:,}-{high:,}' for low, high, _ in BANDS)],
        'bands': BANDS,
        'games_each': max(int(it['games']) for it in rows),
        'cells': len(SINGLE_BUDGETS) + len(PLAYED),
        'rows': [(label(it), *cells(it)) for it in constants],
        'by_chance': by_chance(constants),
        'textbook': TEXTBOOK,
        'late': late(constants),
        'lost_late': sum(lost for at, lost in LOST.items() if at >= BANDS[-1][0]),
        'games_late': TOGETHER * len([at for at in COURSE.budgets if at >= BANDS[-1][0]]),
        'tails': tails([it for it in others if it['options'].startswith(WIDE)]),
        'details': by_chance([it for it in others if it['options'].startswith(SMALL)]),
        'no_logarithm': float(
            next(it for it in others if it['options'].startswith(NARROWER))['chance']
        ),
        'narrower': NARROWER.removeprefix('c='),
        'position': position(read('tail_position')),
        'board': board(),
        'line': tail_search.LINE,
        'lasting': read('tail_lasting'),
        'still_losing': sum(
            int(it[tail_search.LASTING_COLUMNS[-1]]) in board()['losing']
            for it in read('tail_lasting')
        ),
        'lasting_from': tail_search.LASTING[0],
        'lasting_to': tail_search.LASTING[-1],
        'seeds': tail_search.SEEDS,
        'cures': cures(read('tail_cures')),
        'cured': tail_search.CURED,
        'at': max(LOST),
        'long': long(read('tail_960')),
        'commands': commands(),
        'seed': tail_search.SEED,
        'depth': dict(zip(*[iter(tail_search.TREES['tail_tree.svg'])] * 2, strict=True))['--depth'],
        **one_search(),
    }


WINNERS: Final = {'loss': Player.O, 'draw': None, 'win': Player.X}


def commands() -> list[str]:
    """Return the commands that show the search and draw its tree."""
    words = ' '.join(tail_search.WORDS)
    return [f'fmcts move {words}'] + [
        f'fmcts tree {words} \\\n    {" ".join(more)} --out {name}'
        for name, more in tail_search.TREES.items()
    ]


def by_chance(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Return what agrees with the course's counts, is at the border, and is excluded."""
    found: dict[str, list[str]] = {'agree': [], 'border': [], 'excluded': []}
    for it in rows:
        chance = float(it['chance'])
        where = 'agree' if chance >= BORDER else 'border' if chance >= CLEAR else 'excluded'
        alone = ' ' not in it['options']
        c = constant(float(it['options'].removeprefix('c='))) if alone else ''
        found[where].append(c or it['hypothesis'])
    return found


def tails(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return which rows lose no game in the last band, which do, and the nearest of these."""
    theirs = course(LAST)
    shares = {
        it['hypothesis']: int(it[LAST]) / (int(it['games']) * PLAYED[LAST]) / theirs for it in rows
    }
    some = {name: ratio for name, ratio in shares.items() if ratio}
    nearest = min(some, key=lambda name: some[name])
    return {
        'none': [name for name, ratio in shares.items() if not ratio],
        'some': [name for name in some if name != nearest],
        'nearest': nearest,
        'times': some[nearest],
    }


def board() -> dict[str, Any]:
    """Return the position of the study, drawn beside the numbers of its cells, and its moves."""
    state = tail_search.position()
    rows = tictactoe.format(state).splitlines()[:3]
    lost = tail_search.losing(state)
    first = tail_search.LINE[0]
    values = {row.move: row.value for row in move_values(tictactoe.start)}
    return {
        'rows': [
            f'{row}      {" ".join(str(3 * number + column) for column in range(3))}'
            for number, row in enumerate(rows)
        ],
        'losing': sorted(lost),
        'good': [move for move in state.moves if move not in lost],
        'edge': first % 2 == 1,
        'draws': values[first] == max(values.values()),
    }


def long(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return the games lost of a long run, and whether their positions are one, turned."""
    (total,) = (it for it in rows if not it['board'])
    boards = [it['board'] for it in rows if it['board']]
    return {
        'games': int(total['games']),
        'lost': int(total['count']),
        'alike': len({min(turned(it)) for it in boards}) == 1,
    }


def turned(board: str) -> set[str]:
    """Return the board as its eight symmetries show it."""
    found = set()
    for _ in range(4):
        board = ''.join(board[3 * (2 - column) + row] for row in range(3) for column in range(3))
        found |= {
            board,
            ''.join(board[3 * row + 2 - column] for row in range(3) for column in range(3)),
        }
    return found


def cures(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return the searches with what they lose, and which never err, err no longer, or still do."""
    counts = {it['search']: [int(it[name]) for name in tail_search.CURE_COLUMNS[1:]] for it in rows}
    return {
        'counts': counts,
        'never': [f'`{name}`' for name, found in counts.items() if not any(found)],
        'no_longer': [f'`{name}`' for name, found in counts.items() if found[0] and not found[-1]],
        'still': [f'`{name}`' for name, found in counts.items() if found[-1]],
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
    c = row['options']
    text = f'c = {constant(float(c.removeprefix("c=")))}'
    return f'**{text}**' if c == SMALL else text


def cells(row: Mapping[str, str]) -> tuple[str, ...]:
    """Shares lost at single budgets and in bands, deviance and chance."""
    games, chance = int(row['games']), float(row['chance'])
    return (
        *(cell(int(row[name]) / games) for name in SHOWN),
        *(cell(int(row[name]) / (games * count), 2) for name, count in PLAYED.items()),
        f'{float(row["deviance"]):,.0f}',
        '< 0.001' if chance < 0.001 else f'{chance:.2g}',
    )


def late(constants: Sequence[Mapping[str, str]]) -> tuple[int, int]:
    """Games lost, and played, in the last band with the constants of the textbooks."""
    large = [it for it in constants if float(it['options'].removeprefix('c=')) >= TEXTBOOK]
    lost = sum(int(it[LAST]) for it in large)
    return lost, PLAYED[LAST] * sum(int(it['games']) for it in large)


def position(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return the shares of searches that choose a losing move, and from where on none does."""
    shares = {
        (int(it['descents']), it['c']): int(it['losing']) / int(it['searches']) for it in rows
    }
    descents = sorted({at for at, _ in shares})
    constants = list(dict.fromkeys(it['c'] for it in rows))
    large = [c for c in constants if float(c) >= TEXTBOOK]
    clean = min(
        at
        for at in descents
        if not any(shares[more, c] for c in large for more in descents if more >= at)
    )
    tiny = [c for c in constants if float(c) <= TINY]
    return {
        'descents': descents,
        'constants': constants,
        'names': {c: constant(MANY) if c == f'{MANY:.3g}' else c for c in constants},
        'share': shares,
        'clean_from': clean,
        'clean': tuple(
            sum(int(it[column]) for it in rows if it['c'] in large and int(it['descents']) >= clean)
            for column in ('losing', 'searches')
        ),
        'err_small': all(shares[at, c] for at in descents for c in tiny),
    }


def one_search() -> dict[str, Any]:
    """The search with the seed of the page: its replies, and when they were visited."""
    state = tail_search.position()
    search = parse_bot(f'mehat-uct:{tail_search.ITERATIONS},c={TINY}').unwrap().search
    rng = SplitMix.from_seed(tail_search.SEED)
    before: Node | None = None
    visits: dict[tuple[int, ...], list[int]] = {WRONG: [], POINT: []}
    continued = {WRONG: (), POINT: ()}
    found_trees = [*islice(numbered(tree for tree, _ in trees(state, rng, search)), FIRST)]
    numbers = found_trees[-1][1]
    for number, (tree, _) in enumerate(found_trees, 1):
        path = tuple(descended(before, tree))
        for line, found in visits.items():
            if path[: len(line)] == line:
                found.append(number)
                continued[line] = path[len(line) :]
        before = tree
    end = analyse(state, rng, search)[0].tree
    wrong = at(end, WRONG)
    best = max(at(end, WRONG[:1]).children, key=lambda child: child.visits)
    distance = best.value - wrong.value
    before_point, point = (
        reduce(lambda it, move: it.play(move), line, state) for line in (POINT[:-1], POINT)
    )
    (missed,) = continued[POINT]
    replies = {row.move: row.value for row in move_values(before_point)}
    ever = [
        it
        for it in read('tail_search')
        if (it['c'], it['moves']) == (f'{TINY:.3g}', ' '.join(map(str, WRONG)))
    ]
    last_visit = visits[WRONG][-1]
    unlucky = [probabilities(it)[Player.X] for it in (point, point.play(missed))]
    return {
        'X': WRONG[0],
        'O': WRONG[1],
        'must': POINT[2],
        'wins': POINT[3],
        'draws': best.move,
        'misled': all(
            max(end.children, key=key).move == WRONG[0]
            for key in (lambda child: child.visits, lambda child: child.value)
        ),
        'others': [move for move in replies if move != POINT[3]],
        'others_worse': all(
            value < replies[POINT[3]] for move, value in replies.items() if move != POINT[3]
        ),
        'numbers': {name: numbers[line] for name, line in (('wrong', WRONG), ('point', POINT))}
        | {'answer': numbers[POINT[:-1]]},
        'wrong': wrong,
        'visited': {'wrong': visits[WRONG], 'point': visits[POINT]},
        'distance': distance,
        'needed': {name: wrong.visits * (distance / c) ** 2 for name, c in CS.items()},
        'digits': {
            name: math.floor(wrong.visits * (distance / c) ** 2 / math.log(10)) + 1
            for name, c in CS.items()
        },
        'last_visit': last_visit,
        'for_ever': max(int(it['descents']) for it in ever),
        'left': len({it['visits'] for it in ever if int(it['descents']) >= last_visit}) == 1,
        'unlucky': unlucky,
        'both': unlucky[0] * unlucky[1],
    }


CS: Final = {'small': TINY, 'wide': MANY}


def at(tree: Node, line: Sequence[int]) -> Node:
    """The node that the moves lead to."""
    for move in line:
        below = tree.child(move)
        assert below is not None  # noqa: S101 - it was visited
        tree = below
    return tree
