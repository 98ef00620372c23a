"""Perfect play: alpha-beta for any game, proofs, and an independent checker of proofs.

In reading order: `description` (`AlphaBeta`), `scores` (outcomes and distances as integers),
`interpreted` and `linked` (the two searches; the loop of the second is `fmcts/_linked/solve.c`),
`asked` (the choice between them, and windows asked until the answer is exact), `solution`
(`solve`), `proof` (strategies, from a solution or from a tree searched with a solver), `checker`
(verifies a proof by the rules alone), `expectation` (exact values where there is chance, or other
players than two). What is imported here `as` itself is for other rooms of the library.
"""

from fmcts.solve._checker import check_proof, rank as rank
from fmcts.solve._description import (
    ENTRIES as ENTRIES,
    AlphaBeta,
    check_alphabeta as check_alphabeta,
)
from fmcts.solve._expectation import Expectation, check_expectation, expectation
from fmcts.solve._proof import Proof, gather, prove, searched_proofs
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
