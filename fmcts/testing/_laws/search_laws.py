"""The laws of searches, one function each that describes a breach."""

from __future__ import annotations

from typing import Any, Final

from fmcts._arguments import amount, shown
from fmcts.errors import EngineError
from fmcts.game import has_rewards
from fmcts.search._tree import Node, walk
from fmcts.testing._laws.asking import Raised
from fmcts.testing._laws.law import Law
from fmcts.testing._laws.searchcase import NOT_SEARCHED, Found, SearchCase


def _ends_with_a_move(case: SearchCase) -> str | None:
    if isinstance(case.whole, Raised):
        return case.whole.text
    analysis = case.analysis
    if analysis is None:
        return str(case.whole)
    if analysis.move not in case.state.moves:
        return f'the move found is {shown(analysis.move)}, which is not legal'
    child = analysis.tree.child(analysis.move)
    if child is None or not child.visits:
        return f'the move found is {shown(analysis.move)}, which was never tried'
    return None


def _draws_from_no_other(case: SearchCase) -> str | None:
    return case.drawn


def _may_end_sooner(case: SearchCase) -> bool:
    """Return whether the search may end before all iterations are made."""
    search = case.search
    return search.resolution is not None or bool(search.max_nodes or search.stop)


def _conserves(case: SearchCase) -> str | None:
    analysis, search = case.analysis, case.search
    if analysis is None or search.transpositions == 'naive':
        return None
    made, wanted = analysis.iterations, search.iterations
    if made > wanted or (made < wanted and not _may_end_sooner(case)):
        return f'{amount(made, "iteration")} made, not {wanted}'
    return _sums(analysis.tree, made, inside=search.transpositions is None)


def _sums(root: Node, made: int, *, inside: bool) -> str | None:
    """Return where visits do not add up; `inside`: also below the root."""
    if root.visits != made:
        return f'after {amount(made, "iteration")} the root has {amount(root.visits, "visit")}'
    below = sum(child.visits for child in root.children)
    if below != made:
        return f'the root has {amount(made, "visit")}, and its children {below}'
    for node in walk(root) if inside else ():
        below = sum(child.visits for child in node.children)
        if node.children and not below <= node.visits <= below + 1:
            return f'a node has {amount(node.visits, "visit")}, and its children {below}'
    return None


def _within_bounds(case: SearchCase) -> str | None:
    if case.analysis is None:
        return None
    halves = case.search.transpositions is None and (
        case.search.reward is None
        and case.search.evaluate is None
        and not has_rewards(case.analysis.tree.state)
    )
    for node in walk(case.analysis.tree):
        wrong = _wrong_statistics(node, halves=halves)
        if wrong is not None:
            return f'a node has {wrong}'
    return None


def _wrong_statistics(node: Node, *, halves: bool) -> str | None:
    visits, reward, value = node.visits, node.reward, node.value
    if not 0 <= reward <= visits:
        return f'{amount(visits, "visit")} and the reward {reward}'
    if halves and (2 * reward) % 1:
        return f'the reward {reward}, which is not a sum of wins and draws'
    if halves and value != (reward / visits if visits else 0.0):
        return f'{amount(visits, "visit")}, the reward {reward} and the value {value}'
    if not 0 <= value <= 1:
        return f'the value {value}'
    return None


def _names_every_move(case: SearchCase) -> str | None:
    if case.analysis is None:
        return None
    moves = tuple(row.move for row in case.analysis.stats)
    if moves != tuple(case.state.moves):
        return f'the statistics are of {shown(moves)}, the moves {shown(case.state.moves)}'
    for row in case.analysis.stats:
        if (row.value is None) != (row.visits == 0):
            visits = amount(row.visits, 'visit')
            return f'the move {shown(row.move)} has {visits} and the value {row.value}'
    return None


def _differ(one: Any, two: Any, when: str) -> str | None:
    """Return how the result of a second search differs from the first, in words."""
    if one == two:
        return None
    if isinstance(two, Raised):
        return f'{when} it {two.text}'
    if not isinstance(one, Found) or not isinstance(two, Found):
        return f'found {shown(one)}, and {when} {shown(two)}'
    for name, first, second in zip(Found._fields, one, two, strict=True):
        if first != second:
            return f'the {name} found is {shown(first)}, and {when} {shown(second)}'
    return None


def _finds_the_same_again(case: SearchCase) -> str | None:
    return _differ(case.found, case.again, 'searched again')


def _is_the_sum_of_its_parts(case: SearchCase) -> str | None:
    if case.search.schedule is not None:
        return None
    first, rest = case.parts
    when = f'in parts of {first} and {amount(rest, "iteration")}'
    if isinstance(case.gone_on, Raised):
        return f'{when} it {case.gone_on.text}'
    return _differ(case.found, case.gone_on.found, when)


def _leaves_older_trees(case: SearchCase) -> str | None:
    if case.search.schedule is not None or isinstance(case.gone_on, Raised):
        return None
    before, after = case.gone_on.before, case.gone_on.after
    if before[1] != after[1]:
        changed = [new for old, new in zip(before[1], after[1], strict=False) if old != new]
        nodes = amount(max(1, len(changed)), 'node')
        return f'{nodes} of the first tree changed in the second search'
    if before[0] != after[0]:
        return 'the first tree has another digest after the second search'
    return None


def _same_by_all(case: SearchCase) -> str | None:
    differ = (
        _differ(case.found, found, f'by the engine {name}, where {case.engines[0]} was first,')
        for name, found in case.by_engine
        if not isinstance(found, EngineError)
    )
    return next((how for how in differ if how), None)


def _same_elsewhere(case: SearchCase) -> str | None:
    if case.elsewhere is NOT_SEARCHED:
        return None
    return _differ(case.found, case.elsewhere, 'in a second process')


CONSERVED: Final = Law(
    'visits are conserved',
    'The root has a visit for each iteration, and its children have all of them; any other node '
    'has as many as its children, or one more: that by which it was made.',
    _conserves,
)
PREFIX: Final = Law(
    'n iterations and m more are n + m',
    'A search continued from its own tree equals one search of as many iterations, bit for bit.',
    _is_the_sum_of_its_parts,
)
OLDER: Final = Law(
    'older trees stay as they are',
    'Continuing a tree does not change it.',
    _leaves_older_trees,
)
ENGINES_AGREE: Final = Law(
    'every engine finds the same',
    'Every engine that is able finds the same move, tree, statistics and generator.',
    _same_by_all,
)
ELSEWHERE: Final = Law(
    'another process finds the same',
    'A second Python, with other hashes, finds the same.',
    _same_elsewhere,
)
AT_ONCE: Final[tuple[Law[SearchCase], ...]] = (
    Law(
        'a search ends with a move',
        'A search of a position that is not over finds a move that is legal and was tried.',
        _ends_with_a_move,
    ),
    Law(
        'a search draws from its generator alone',
        "A search leaves random's and NumPy's global generators alone.",
        _draws_from_no_other,
    ),
    Law(
        'a search can be made again',
        'The same search of the same state with the same generator finds the same.',
        _finds_the_same_again,
    ),
    CONSERVED,
    Law(
        'statistics lie within bounds',
        'Rewards lie between 0 and the visits, values are their means; without an evaluation '
        'rewards are sums of halves.',
        _within_bounds,
    ),
    Law(
        'statistics name every move',
        'The statistics of the root are those of its moves, in their order; those with visits have '
        'a value.',
        _names_every_move,
    ),
    PREFIX,
    OLDER,
    ENGINES_AGREE,
)
"""The laws that are checked in one position."""
