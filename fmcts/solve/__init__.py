"""Perfect play: alpha-beta for any game, proofs, and an independent checker of proofs.

In reading order: `description` (`AlphaBeta`), `scores` (outcomes and distances as integers),
`questions` (windows asked until the answer is exact), `interpreted` and `linked` (the two
searches; the loop of the second is `fmcts/_linked/solve.c`), `engines` (the choice between them),
`solution` (`solve`), `proof` (a strategy taken from a solution), `checker` (verifies a proof by the
rules alone), `searched` (proofs taken from a tree that was searched with a solver), `expectation`
(exact values where there is chance, or other players than two).
"""

from fmcts.solve._checker import check_proof
from fmcts.solve._description import AlphaBeta
from fmcts.solve._expectation import Expectation, check_expectation, expectation
from fmcts.solve._proof import Proof, gather, prove
from fmcts.solve._searched import searched_proofs
from fmcts.solve._solution import MoveValue, Solution, move_values, solve

__all__ = [
    'AlphaBeta',
    'Expectation',
    'MoveValue',
    'Proof',
    'Solution',
    'check_expectation',
    'check_proof',
    'expectation',
    'gather',
    'move_values',
    'prove',
    'searched_proofs',
    'solve',
]
