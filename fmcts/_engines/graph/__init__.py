"""Graph search: states that are equal are one, by whichever moves they are reached.

A tree holds a state once for every way to it, and searches it anew each time. A graph holds it
once: `Search(transpositions='sound')`. It cannot be a path-copied tree (a node updated through one
parent would stay as it was below the other), so it is two tables: from a state to its number, and
from a number to its statistics, with the visits of each move on the move.

In reading order: `entry` (what is known of a state, and what follows from its moves), `values` (the
graph as a value), `verbs` (one iteration, written once: select, expand, simulate), `crediting` (the
two rules by which it is backed up), `persistent`, `monadic` and `inplace` (how the tables are kept:
here the engines differ), `nodes` (a graph seen as a tree), `digest`.

The two rules that `transpositions` names:

- `sound`: "Monte-Carlo Graph Search from First Principles" (D. Wu, KataGo's documentation, 2023),
  after J. Czech, P. Korus and K. Kersting, "Monte-Carlo graph search for AlphaZero" (2020). What a
  state is worth is computed anew, whenever it is passed, from its own playout and from what its
  moves' states are worth by now, in proportion to how often each *move* was chosen. On a game
  without transpositions it is the tree to the bit.
- `naive`: as the third part of the French series sketches it ("Graph ?"): states in a map, several
  parents, and the score goes up from each parent. A playout is counted once for every way up that
  is known, so numbers grow far beyond the iterations, and states with many ways to them outweigh
  all others. It is here to be compared with, not to play by.

No state may come again in a game: where one follows from itself, a search says so (`GameError`).
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fmcts._engines.session import Session
    from fmcts.rng import Rng
    from fmcts.search._description import Search
    from fmcts.search._tree import Node

__all__ = ['begin', 'unsupported']

LIBRARY = 'pyrsistent'


def unsupported(_root: Node, _rng: Rng, search: Search) -> str | None:
    """What keeps a design with persistent tables from this search; `None`: nothing."""
    if search.transpositions is None or importlib.util.find_spec(LIBRARY):
        return None
    return f'{LIBRARY} here: install fmcts[graph]'


def begin(engine: str, root: Node, rng: Any, search: Search) -> Session:
    """The graph search of that root by the engine of that name, before its first iteration."""
    module = importlib.import_module(f'{__name__}.{engine}')  # of which some need the library
    return module.begin(root, rng, search)  # type: ignore[no-any-return]
