"""Select, expand, simulate, backup: each verb of the search as a small function for numba.

A factory makes the verb for a game's rules or for an option, so that what differs between searches
is fixed when the code is compiled. `words` and `path` are pointers; `layout` says what lies where.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fmcts.rules import IntegerRules
from fmcts.search.compiled.generators import draw
from fmcts.search.compiled.columns import column
from fmcts.search.compiled.layout import HALVES, HEADER, MOVE, VISITS, cell
from fmcts.search.compiled.machine import get, get_real, inlined, int64, put, put_real
from fmcts.search.compiled.positions import settled
from fmcts.search.compiled.teach import teach
from fmcts.search.description import Expansion
from fmcts.search.methods import Method
from fmcts.search.methods.method import edge_type

__all__ = [
    'BAD_MENU',
    'BAD_WINNER',
    'NO_END',
    'WIDE_MOVE',
    'backup_by',
    'expansion',
    'failed',
    'simulation',
    'stride_of',
    'updating',
]

Verb: TypeAlias = Callable[..., Any]

# What wrong rules may do: statuses that compiled code comes back with.
WIDE_MOVE: Final = 4
BAD_MENU: Final = 5
BAD_WINNER: Final = 6
NO_END: Final = 7

# What `simulate` gives instead of a winner.
_IS_NONE: Final = -1  # the rules name a winner that is none
_IS_ENDLESS: Final = -2


@inlined
def failed(won: Any) -> Any:
    """The status for what `simulate` gave instead of a winner."""
    return NO_END if won == _IS_ENDLESS else BAD_WINNER


def expansion(rules: IntegerRules, kind: Expansion) -> Verb:  # noqa: C901 - three small verbs
    """`expand(words, block, total, tried, options, chosen, rng)`: make children, as it is called.

    `chosen` is the index of the move that selection chose, where it does. It gives the index of the child to simulate and the next generator.
    """
    pick = rules.pick

    @inlined
    def make(words: Any, block: Any, total: Any, options: Any, index: Any) -> None:
        """The child of one more move, not visited yet."""
        put(words, cell(block, total, VISITS, index), 0)
        put(words, cell(block, total, MOVE, index), int64(pick(options, index)))

    @inlined
    def nth_untried(words: Any, block: Any, nth: Any) -> Any:
        index = 0
        while True:
            if get(words, cell(block, 0, VISITS, index)) < 0:
                if nth == 0:
                    return index
                nth -= 1
            index += 1

    @inlined
    def in_order(words: Any, block: Any, total: Any, tried: Any, options: Any, chosen: Any, rng: Any) -> Any:
        make(words, block, total, options, tried)
        following = tried + 1  # `tried` is where the first gap is
        while following < total and get(words, cell(block, total, VISITS, following)) >= 0:
            following += 1
        put(words, block + 1, following)
        return tried, rng

    @inlined
    def random(words: Any, block: Any, total: Any, tried: Any, options: Any, chosen: Any, rng: Any) -> Any:
        nth, rng = draw(rng, total - tried)
        index = nth_untried(words, block, nth)
        make(words, block, total, options, index)
        put(words, block + 1, tried + 1)
        return index, rng

    @inlined
    def selected(words: Any, block: Any, total: Any, tried: Any, options: Any, chosen: Any, rng: Any) -> Any:
        make(words, block, total, options, chosen)
        put(words, block + 1, tried + 1)
        return chosen, rng

    @inlined
    def full(words: Any, block: Any, total: Any, tried: Any, options: Any, chosen: Any, rng: Any) -> Any:
        nth, rng = draw(rng, total - tried)
        index = nth_untried(words, block, nth)
        for other in range(total):
            if get(words, cell(block, total, VISITS, other)) < 0:
                make(words, block, total, options, other)
        put(words, block + 1, total)
        return index, rng

    verbs: dict[Expansion, Verb] = {
        'in-order': in_order,
        'random': random,
        'full': full,
        'selected': selected,
    }
    return verbs[kind]


def simulation(rules: IntegerRules) -> Verb:
    """`simulate(position, options, rng, max_plies)`: a uniform playout's winner, and the generator.

    `options` is the menu of `position`. Instead of a winner comes a number below 0, which `failed`
    knows, when the rules name none or the game is not over after `max_plies` plies.
    """
    menu, count, pick, play, winner = rules.menu, rules.count, rules.pick, rules.play, rules.winner

    @inlined
    def simulate(position: Any, options: Any, rng: Any, max_plies: Any) -> Any:
        plies = 0
        while options != 0:
            if plies == max_plies:
                return int64(_IS_ENDLESS), rng
            index, rng = draw(rng, int64(count(options)))
            position = settled(play(position, int64(pick(options, index))))
            options = int64(menu(position))
            plies += 1
        won = int64(winner(position))
        return (won if 0 <= won <= 2 else int64(_IS_NONE)), rng

    return simulate


def stride_of(method: Method) -> int:
    """How many integers a level of the path takes; see `loop`."""
    return 3 if method.columns else 2


def backup_by(method: Method) -> Verb:
    """`backup(words, path, depth, won, parameters)`: one visit and its reward more on the path."""
    stride, columns = stride_of(method), bool(method.columns)
    update = updating(method)

    @inlined
    def backup(words: Any, path: Any, depth: Any, won: Any, parameters: Any) -> None:
        for level in range(depth - 1, -1, -1):
            place = int64(get(path, stride * level))
            shape = int64(get(path, stride * level + 1))
            total, mover = shape >> 1, shape & 1
            gained = 1 if won == 2 else 2 if won == mover else 0
            if columns:
                index = int64(get(path, stride * level + 2))
                update(words, place - index - HEADER, total, index, 0.5 * gained, parameters)
            put(words, place, get(words, place) + 1)
            place += (HALVES - VISITS) * total
            put(words, place, get(words, place) + gained)

    return backup


def updating(method: Method) -> Verb:
    """`update(words, block, total, index, reward, parameters)`: a child's own columns, written."""
    formula, edge, rows = type(method).update, edge_type(method.own_names), len(method.columns)
    if not rows:
        return inlined(lambda words, block, total, index, reward, parameters: None)
    teach(formula)
    # One source a number of columns, as a tuple's length must be known to numba.
    own = ', '.join(f'get_real(words, column(block, total, {row}, index))' for row in range(rows))
    names: dict[str, Any] = {'column': column, 'get_real': get_real, 'put_real': put_real}
    exec(  # noqa: S102 - see above
        f'def own(words, block, total, index):\n    return ({own},)\n'
        'def keep(words, block, total, index, new):\n'
        + ''.join(
            f'    put_real(words, column(block, total, {row}, index), float(new[{row}]))\n'
            for row in range(rows)
        ),
        names,
    )
    own_columns, keep = inlined(names['own']), inlined(names['keep'])

    @inlined
    def update(
        words: Any, block: Any, total: Any, index: Any, reward: Any, parameters: Any
    ) -> None:
        visits = float(get(words, cell(block, total, VISITS, index)))
        sum_of_rewards = 0.5 * get(words, cell(block, total, HALVES, index))
        value = sum_of_rewards / visits if visits > 0.0 else 0.0
        told = edge(visits, sum_of_rewards, value, *own_columns(words, block, total, index))
        keep(words, block, total, index, formula(parameters, told, reward))

    return update
