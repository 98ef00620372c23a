"""The canonical serialisation of a graph, from which its digest is computed in every engine.

It is UTF-8 text, version 1, with one line for each of:

- the header: `fmcts-graph-1`, the rule (`sound` or `naive`), and the names of the columns that
  moves have, if any;
- then every state, in the order in which a walk from the root meets them (preorder, moves in
  canonical order, each state once): numbers with a space between,

    - the side to move, `X` or `O`; how many moves there are, at the root those to choose among (0:
      the game is over); how many iterations ended at the state, and what each was worth to X; its
      visits, and the sum of their rewards for X;
    - for each move that was tried, a triple with colons between: the index of the move, the place
      of the state that it leads to in this order (the root: 0), how often it was chosen;
    - the numbers of its columns, column by column;

- then, when the root was to choose among only some of its legal moves, the indices of these.

Whole numbers are in decimals, all others as Python's `float.hex` writes them. The digest is the
first 32 bytes of BLAKE2b, in hexadecimal, as that of a tree is (`fmcts.search._digest`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

from fmcts._engines.graph.entry import Entry
from fmcts._engines.graph.values import ROOT, Graph, below

HEADER: Final = 'fmcts-graph-1'


def serialise(graph: Graph, number: int = ROOT) -> bytes:
    """Return the canonical serialisation of the graph at and below the state of that number."""
    entries = graph.entries
    places = {old: new for new, old in enumerate(below(entries, number))}
    root = entries[number]
    lines = [' '.join((HEADER, graph.rule, *root.columns.names.moves))]
    lines += [_line(entries[each], places) for each in places]
    legal = root.state.moves
    if len(root.moves) < len(legal):
        lines.append(' '.join(str(legal.index(move)) for move in root.moves))
    return ''.join(f'{line}\n' for line in lines).encode()


def _line(entry: Entry, places: Mapping[int, int]) -> str:
    """Return the line of one state."""
    numbers = (
        str(entry.state.player),
        str(len(entry.moves)),
        str(entry.own),
        float(entry.worth).hex(),
        str(entry.visits),
        float(entry.total).hex(),
    )
    index, edges = 0, []
    for move, to, visits in entry.edges:
        while entry.moves[index] != move:
            index += 1
        edges.append(f'{index}:{places[to]}:{visits}')
    columns = (float(number).hex() for number in chain.from_iterable(entry.columns.moves))
    return ' '.join((*numbers, *edges, *columns))
