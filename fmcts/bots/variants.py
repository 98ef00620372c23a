"""The field's variants of tree search by name: what each is, and where it comes from."""

from __future__ import annotations

from typing import Final

from fmcts.search.description import Search

__all__ = ['VARIANTS']

VARIANTS: Final[tuple[tuple[str, str, Search, str], ...]] = (
    (
        'ucb1-tuned',
        'UCB1 with the variance of rewards',
        Search(selection='ucb1-tuned'),
        'Auer, Cesa-Bianchi and Fischer 2002',
    ),
    (
        'ucb-v',
        'a bound with the variance',
        Search(selection='ucb-v'),
        'Audibert, Munos and Szepesvari 2009',
    ),
    ('ucb1-fpu', 'UCB1, first-play urgency', Search(selection='ucb1-fpu'), 'Gelly and Wang 2006'),
    ('puct', 'priors and visits', Search(selection='puct'), 'Rosin 2011'),
    (
        'puct-reduced',
        'PUCT, untried moves by the parent',
        Search(selection='puct-reduced'),
        'Leela Chess Zero',
    ),
    ('widening', 'few moves first', Search(selection='widening'), 'Coulom 2007'),
    ('amaf', 'all moves as first', Search(selection='amaf'), 'Helmbold and Parker-Wood 2009'),
    ('rave', 'AMAF that fades', Search(selection='rave'), 'Gelly and Silver 2007'),
    ('rave-silver', 'AMAF by its bias', Search(selection='rave-silver'), 'Gelly and Silver 2011'),
    ('solver', 'proves what it can', Search(solver=True), 'Winands, Björnsson and Saito 2008'),
    ('halving', 'sequential halving', Search(schedule='halving'), 'Karnin and others 2013'),
    ('shot', 'sequential halving in the tree', Search(schedule='shot'), 'Cazenave 2014'),
    ('decisive', 'playouts take a win', Search(playout='decisive'), 'Teytaud and Teytaud 2010'),
    (
        'anti-decisive',
        'playouts take a win and avoid a loss',
        Search(playout='anti-decisive'),
        'Teytaud and Teytaud 2010',
    ),
    (
        'mast',
        'playouts by the means of moves',
        Search(playout='mast'),
        'Finnsson and Björnsson 2008',
    ),
    (
        'nst',
        'playouts by the means of moves and replies',
        Search(playout='nst'),
        'Tak, Winands and Björnsson 2012',
    ),
    (
        'last-good-reply',
        'playouts by replies that won',
        Search(playout='last-good-reply'),
        'Drake 2009',
    ),
)
"""Name, what it is, the search, and the source; the numbers of its method can be set."""
