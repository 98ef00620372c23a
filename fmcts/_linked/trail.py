"""What histories ask of the loop: the trail of a search, and trees with one other outcome.

A row of the trail is an iteration, `ROW` integers: the index of the leaf's visits in the tree's
array, the same for its parent, the leaf's index among its siblings with the side that chose it, its
number of moves (if it is new), and as a double the worth of the iteration to X.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from fmcts._linked.engine import TRAIL as ROW, Compiled, begin
from fmcts._linked.statuses import Fault
from fmcts._linked.tree.store import ROOT, VISITS, cell
from fmcts.rng import Rng
from fmcts.search import Node, Search

HOME: Final = cell(ROOT, 1, VISITS, 0)  # of the root


class Trail(NamedTuple):
    """The iterations as columns, with nodes numbered in order of creation.

    `leaves`, `outcomes` and `made` have a number for each iteration; `parents`, `indexes`, `moves`
    and `movers` have one for each new node. `fmcts.history._log.Log` defines them.
    """

    leaves: npt.NDArray[np.int64]
    outcomes: npt.NDArray[np.float64]
    made: npt.NDArray[np.int64]
    parents: npt.NDArray[np.int64]
    indexes: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    movers: npt.NDArray[np.int64]


def trail_of(
    root: Node, rng: Rng, search: Search, steps: Iterable[tuple[int, int | None]]
) -> Trail | None:
    """Return the trail of a search after some steps; `None` if machine code cannot make them.

    A step is a number of iterations, and the index of the root's move that they take, or `None`.
    """
    session = begin(root, rng, search)
    known = _known_places(session)
    session.trail = np.empty(ROW, np.int32)
    try:
        for iterations, forced in steps:
            session.run(iterations, forced)
    except Fault:
        return None
    rows = session.trail[: ROW * session.made].reshape(-1, ROW)
    places = rows[:, 0]
    first = np.zeros(len(rows), bool)
    first[np.unique(places, return_index=True)[1]] = True
    numbers = np.full(session.arena.used, -1, np.int64)
    numbers[known] = np.arange(len(known))
    first &= numbers[places] < 0
    new = rows[first]
    numbers[new[:, 0]] = len(known) + np.arange(len(new))
    outcomes = np.ascontiguousarray(rows[:, 4:]).view(np.float64).ravel()
    return Trail(
        numbers[places],
        outcomes,
        first.astype(np.int64),
        numbers[new[:, 1]],
        new[:, 2].astype(np.int64) >> 1,
        new[:, 3].astype(np.int64),
        new[:, 2].astype(np.int64) & 1,
    )


def _known_places(session: Compiled[Any]) -> list[int]:
    """Return the places of a session's initial nodes, level by level."""
    store, found = session.arena.store(session.structure), [HOME]
    for block in store.blocks(store.first):
        places = enumerate(store.row(block, VISITS), cell(block, store.cells[block], VISITS, 0))
        found += (place for place, visits in places if visits >= 0)
    return found


def altered(
    root: Node, rng: Rng, search: Search, cases: Iterable[tuple[int, float]]
) -> Iterator[Node]:
    """Yield the trees of a search in which the playout of one iteration is worth another number.

    A case is the number of the iteration, from 1, and the worth to X. The whole search is made for
    each; an iteration without a playout stays as it is.

    :raises Fault: a user's function would have raised an error.
    """
    for iteration, worth in cases:
        session = begin(root, rng, search)
        session.state.altered, session.state.altered_worth = iteration, worth
        session.run(search.iterations)
        yield session.finish()[0]
