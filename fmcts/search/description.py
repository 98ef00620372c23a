"""`Search`: everything that describes a search, as one frozen value."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, get_args

from attrs import field, frozen

from fmcts.arguments import shown
from fmcts.game import MAX_PLIES
from fmcts.search.checks import as_float, finite, one_of, positive_count, positive_count_or_none

Expansion: TypeAlias = Literal['in-order', 'random', 'full']
FinalChoice: TypeAlias = Literal['robust', 'first-robust', 'max', 'ucb']


@frozen
class Search:
    """A search, described: the same description, state and generator give the same tree.

    `iterations`: how many times the tree is grown, one playout each.
    `max_nodes`: the search ends before the iteration that would make the tree larger than that
    (root included); `None` sets no bound.
    `c`: the exploration constant of UCB1, for rewards on [0, 1].
    `expansion`: how a node gets children. `in-order` makes one child an iteration, the first
    untried move's; `random` draws among the untried; `full` makes all that are untried and draws
    one of them to simulate.
    `final`: how the move is chosen. `robust` has the most visits, then the higher mean, then comes
    first; `first-robust` has the most visits, the first of equals; `max` has the highest mean, then
    the most visits, then comes first; `ucb` has the highest UCB1 value, then comes first.
    `max_plies`: the most plies of one playout; a game that is not over by then is an error. It
    changes nothing that is found.

    :raises ValueError: a value outside what is accepted; the message names it and what is.

    >>> Search(iterations=0)
    Traceback (most recent call last):
    ValueError: iterations must be a whole number of at least 1, not 0
    """

    iterations: int = field(default=1000, validator=positive_count)
    c: float = field(default=math.sqrt(2), converter=as_float, validator=finite)
    expansion: Expansion = field(default='in-order', validator=one_of(*get_args(Expansion)))
    final: FinalChoice = field(default='robust', validator=one_of(*get_args(FinalChoice)))
    max_nodes: int | None = field(default=None, validator=positive_count_or_none)
    max_plies: int = field(default=MAX_PLIES, validator=positive_count)


def check_search(search: object) -> None:
    """Accept a `Search`.

    :raises TypeError: anything else.
    """
    if not isinstance(search, Search):
        number = isinstance(search, int) and not isinstance(search, bool)
        meant = f' (did you mean Search({shown(search)})?)' if number else ''
        raise TypeError(f'search must be a Search, not {shown(search)}{meant}')
