"""What the course's program may do otherwise than the text says, as options of tail.c.

A row: what it is, the options, and how many times the usual number of games.
"""

from __future__ import annotations

__all__ = ['BANDS', 'CONSTANTS', 'CURVES', 'HYPOTHESES', 'SINGLE', 'SMALL', 'WIDE']

# Budgets from, to, and every how many of them are played here; those of a band are taken together.
SINGLE = (10, 100, 10)
BANDS = ((110, 200, 30), (210, 400, 60), (410, 1000, 145))

WIDE, HALF, NARROWER, SMALL = 'c=1.4142135623730951', 'c=0.5', 'c=0.4', 'c=0.2'

Row = tuple[str, tuple[str, ...], int]


def _rows(*rows: tuple[str, str], c: str = WIDE) -> tuple[Row, ...]:
    return tuple((label, (c, *options.split()), 1) for label, options in rows)


HYPOTHESES: tuple[Row, ...] = (
    *_rows(
        ('generator: rand() % n', 'generator=rand'),
        ("generator: the C standard's example, % n", 'generator=ansi'),
        ('generator: low bits of a linear congruence', 'generator=low-bits'),
        ('untried moves at random', 'untried=random'),
        ('ties to the last', 'ties=last'),
        ('ties at random', 'ties=random'),
        ('the perfect player takes the last of equals', 'perfect=last'),
        ('logarithm of all descents', 'total=descents'),
        ('final choice by mean', 'choice=mean'),
        ('of most visits the best mean', 'choice=visits-then-mean'),
        ('final choice by score', 'choice=score'),
        ('a draw is worth nothing to both', 'draw_x=0 draw_o=0'),
        ('a draw is a loss for X', 'draw_x=0 draw_o=1'),
        ('a draw is a win for X', 'draw_x=1 draw_o=0'),
        ('means in whole numbers', 'mean=integer'),
        ('only the last link is credited', 'credited=last'),
        ('the tree does not see wins', 'ends=missed'),
        ("O's bonus with the wrong sign", 'opponent=mistaken-sign'),
        ('O has no bonus', 'opponent=no-bonus'),
        ('O chooses what is best for X', 'opponent=of-x'),
        ('500 nodes for a game', 'pool=500'),
        ('1,000 nodes for a game', 'pool=1000'),
        ('the tree is kept from move to move', 'kept=yes'),
    ),
    *_rows(
        ("O's bonus with the wrong sign", 'opponent=mistaken-sign'),
        ('O has no bonus', 'opponent=no-bonus'),
        c=HALF,
    ),
    *_rows(
        ("O's bonus with the wrong sign", 'opponent=mistaken-sign'),
        ('O has no bonus', 'opponent=no-bonus'),
        ('final choice by score', 'choice=score'),
        ('final choice by mean', 'choice=mean'),
        ('of most visits the best mean', 'choice=visits-then-mean'),
        ('untried moves at random', 'untried=random'),
        ('ties at random', 'ties=random'),
        ('the perfect player takes the last of equals', 'perfect=last'),
        ('logarithm of all descents', 'total=descents'),
        ('generator: rand() % n', 'generator=rand'),
        ('the tree is kept from move to move', 'kept=yes'),
        c=SMALL,
    ),
    *_rows(('no logarithm in the bonus', 'total=none'), c=NARROWER),
)

CONSTANTS: tuple[Row, ...] = tuple(
    (f'the constant {c:.3g}', (f'c={c!r}',), 3)
    for c in (0.1, 0.15, 0.18, 0.2, 0.22, 0.25, 0.3, 0.5, 0.7, 2**0.5)
)

# Of these the games lost are drawn.
CURVES = {SMALL: 'c = 0.2', HALF: 'c = 0.5', WIDE: 'c = √2'}
