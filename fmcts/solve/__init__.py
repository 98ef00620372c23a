"""Perfect play: alpha-beta for any game, proofs, and who checks them.

In reading order: `description` (what is asked for), `scores` (outcomes and distances as numbers),
`questions` (what is asked until the answer is exact), `interpreted` and `compiled` (who answers),
`engines` (which of them), `solution` (the answer), `proof` (a strategy taken out of it), `checker`
(whether a proof holds, by the rules alone), `searched` (proofs out of a tree with a solver).
"""

from fmcts.solve.checker import check_proof
from fmcts.solve.description import AlphaBeta
from fmcts.solve.proof import Proof, gather, prove
from fmcts.solve.searched import searched_proofs
from fmcts.solve.solution import MoveValue, Solution, move_values, solve

__all__ = [
    'AlphaBeta',
    'MoveValue',
    'Proof',
    'Solution',
    'check_proof',
    'gather',
    'move_values',
    'prove',
    'searched_proofs',
    'solve',
]
