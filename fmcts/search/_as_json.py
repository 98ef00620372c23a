"""Analyses and trees as JSON, for pages and programs in other languages.

`SCHEMA` (JSON Schema, draft 2020-12) describes the text. It has no column but proofs: to store a
tree and continue it later, pickle the analysis instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from fmcts._arguments import shown, whole_number
from fmcts.search._tree import Node
from fmcts.search.resolution.solver import Proven, proof_at

FORMAT: Final = 'fmcts-analysis-1'
PLAIN: Final = (str, int, type(None))

FormatMove = Callable[[Any], Any]


def _plain(move: Any) -> Any:
    """Return a move as JSON has it: a text, a whole number, or a list of these.

    :raises TypeError: it is something else.
    """
    if isinstance(move, tuple | list):
        return [*map(_plain, move)]
    if isinstance(move, PLAIN):
        return move
    raise TypeError(
        f'the move {shown(move)} has no form in JSON: give format_move, a function from a move to '
        'text or a whole number'
    )


def analysis_as_json(
    analysis: Any, depth: int | None, min_visits: int, format_move: FormatMove | None
) -> str:
    """Return an analysis as one line of JSON; see `Analysis.to_json`.

    :raises TypeError: a move is neither text nor number, and there is no `format_move`.
    :raises ValueError: `depth` or `min_visits` is not a whole number of at least 0.
    """
    write = format_move or _plain
    head = {
        'format': FORMAT,
        'move': write(analysis.move),
        'iterations': analysis.iterations,
        'nodes': analysis.nodes,
        'value': analysis.value,
        'proof': _proof(analysis.proof),
        'principal_variation': [write(move) for move in analysis.principal_variation],
        'digest': analysis.digest,
    }
    tree = tree_as_json(analysis.tree, depth, min_visits, write)
    return f'{json.dumps(head, allow_nan=False)[:-1]}, "tree": {tree}}}'


def tree_as_json(
    root: Node, depth: int | None, min_visits: int, format_move: FormatMove | None = None
) -> str:
    """Return a tree as JSON; arguments and errors as in `analysis_as_json`."""
    most = None if depth is None else whole_number('depth', depth, least=0)
    least = whole_number('min_visits', min_visits, least=0)
    return ''.join(_texts(root, most, least, format_move or _plain))


def _texts(root: Node, depth: int | None, least: int, write: FormatMove) -> Iterator[str]:
    """Yield the text of a tree in parts; nothing recurses, as trees may be deep."""
    waiting: list[tuple[Node, int] | str] = [(root, 0)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        node, level = item
        children = [it for it in node.children if it.visits >= least] if level != depth else []
        facts = {
            'move': None if node.move is None else write(node.move),
            'mover': str(node.mover),
            'player': None if node.state.over else str(node.state.player),
            'visits': node.visits,
            'reward': node.reward,
            'value': node.value,
            'proof': _proof(proof_at(node)),
            'moves': len(node.moves),
            'hidden': len(node.children) - len(children),
        }
        yield f'{json.dumps(facts, allow_nan=False)[:-1]}, "children": ['
        waiting.append(']}')
        for place, child in enumerate(reversed(children), 1):
            waiting.append((child, level + 1))
            if place < len(children):
                waiting.append(', ')


def _proof(proof: Proven | None) -> dict[str, Any] | None:
    return None if proof is None else {'outcome': proof.outcome, 'plies': proof.plies}


def _object(title: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        'title': title,
        'type': 'object',
        'properties': properties,
        'required': [*properties],
        'additionalProperties': False,
    }


_MOVE: Final = {'$ref': '#/$defs/move'}
_COUNT: Final = {'type': 'integer', 'minimum': 0}
_VALUE: Final = {'type': 'number'}  # beyond 0 and 1 with rewards on the way
_MAYBE_PROOF: Final = {'anyOf': [{'type': 'null'}, {'$ref': '#/$defs/proof'}]}

SCHEMA: Final[dict[str, Any]] = {
    '$schema': 'https://json-schema.org/draft/2020-12/schema',
    '$defs': {
        'move': {
            'description': 'a move, as the game writes it',
            'anyOf': [
                {'type': ['string', 'integer', 'null']},
                {'type': 'array', 'items': _MOVE},
            ],
        },
        'proof': _object(
            'what a solver has proven, for the side to move there',
            {
                'outcome': {'type': 'string', 'pattern': '^(win|draw|loss|worth .+)$'},
                'plies': {'type': ['integer', 'null'], 'minimum': 0},
            },
        ),
        'node': _object(
            'a node; reward and value are those of its mover',
            {
                'move': {'description': 'the move that led here; null at a root', **_MOVE},
                'mover': {
                    'description': 'who played it: X, O or a player by name',
                    'type': 'string',
                },
                'player': {
                    'description': 'who is to move; null at an end',
                    'type': ['string', 'null'],
                },
                'visits': _COUNT,
                'reward': {'description': 'sum over the visits', 'type': 'number'},
                'value': {'description': 'reward / visits; 0 without visits', **_VALUE},
                'proof': _MAYBE_PROOF,
                'moves': {'description': 'how many moves there are', **_COUNT},
                'hidden': {'description': 'how many children are left out here', **_COUNT},
                'children': {'type': 'array', 'items': {'$ref': '#/$defs/node'}},
            },
        ),
    },
    **_object(
        'an analysis by fmcts',
        {
            'format': {'const': FORMAT},
            'move': {'description': 'the move chosen', **_MOVE},
            'iterations': _COUNT,
            'nodes': _COUNT,
            'value': {'description': 'for the side to move at the root', **_VALUE},
            'proof': _MAYBE_PROOF,
            'principal_variation': {'type': 'array', 'items': _MOVE},
            'digest': {'type': 'string', 'pattern': '^[0-9a-f]{64}$'},
            'tree': {'$ref': '#/$defs/node'},
        },
    ),
}
