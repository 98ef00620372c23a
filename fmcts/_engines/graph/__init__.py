"""Graph search: equal states are one node, whichever moves reach them.

A tree holds a state once for every way to it, and searches each separately. A graph holds it once:
`Search(transpositions='sound')`. It cannot be a path-copied tree (a node updated through one parent
would be stale below the other), so it is two tables: from a state to its number, and from a number
to its statistics, with the visits of each move stored on the move.

In reading order: `nodes` (the graph as a value, seen as a tree, and its digest), `ways` (what a
descent sees of it), `engine` (an iteration, which selects, expands and simulates as in trees and
has two rules of backup; how the tables are stored: here `inplace` differs from `persistent` and
`monadic`, which are one). In C the iteration is `fmcts/_linked/graph.h`.

The two rules that `transpositions` names:

- `sound`: "Monte-Carlo Graph Search from First Principles" (D. Wu, KataGo's documentation, 2023),
  after J. Czech, P. Korus and K. Kersting, "Monte-Carlo graph search for AlphaZero" (2020). The
  value of a state is recomputed whenever an iteration passes it, from its own playout and from the
  current values of its moves' states, in proportion to how often each *move* was chosen. On a game
  without transpositions it equals the tree to the bit.
- `naive`: as sketched in the third part of the French series ("Graph ?"): states in a map, several
  parents, and the score goes up from each parent. A playout is counted once for every known way up,
  so numbers grow far beyond the iterations, and states with many ways to them outweigh all others.
  It is here for comparison, not for play.

No state may come again in a game: if one does, the search raises `GameError`. With a horizon a
state is told apart by how many moves led to it, as what follows depends on how many are left.
"""

from fmcts._engines.graph.engine import (
    CREDITING as CREDITING,
    begin as begin,
    credited as credited,
    graph_of_rows as graph_of_rows,
    raise_levels as raise_levels,
    rows_of as rows_of,
    unsupported as unsupported,
)
from fmcts._engines.graph.nodes import (
    Edge as Edge,
    Entry as Entry,
    Graph as Graph,
    GraphNode as GraphNode,
    Rewards as Rewards,
    graph_of as graph_of,
    new_states as new_states,
    passed as passed,
    root_node as root_node,
    serialise as serialise,
)
from fmcts._engines.graph.ways import state_node as state_node
