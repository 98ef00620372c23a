"""Random draws of real numbers: noise for a root, Gumbel numbers, a move by its visits.

Each function takes a generator and returns the result with the next generator. The same generator
gives the same numbers on every machine: they are computed from integers by operations that IEEE 754
defines exactly.
"""

from __future__ import annotations

import math
from typing import Final

from fmcts._arguments import is_number, shown
from fmcts._arithmetic import gumbels, logarithm, real
from fmcts.bots import by_visits, shares
from fmcts.rng import R
from fmcts.search import Node, freeze_in_place

__all__ = ['by_visits', 'dirichlet', 'gumbels', 'real', 'with_noise']

LEAST: Final = 1e-300  # of `alpha`
LARGEST: Final = 1e9


def _normal(rng: R) -> tuple[float, R]:
    """Draw a standard normal number (G. Marsaglia's polar method, 1964)."""
    while True:
        u, rng = real(rng)
        v, rng = real(rng)
        x, y = 2.0 * u - 1.0, 2.0 * v - 1.0
        square = x * x + y * y
        if square < 1.0:
            return x * math.sqrt(-2.0 * logarithm(square) / square), rng


def _log_gamma_number(rng: R, alpha: float) -> tuple[float, R]:
    """Draw the logarithm of a number from the gamma distribution with shape `alpha`.

    G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", ACM Transactions
    on Mathematical Software 26, 2000; their remark on shapes below 1 is applied to every shape.
    """
    d = alpha + 1.0 - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x, rng = _normal(rng)
        cube = 1.0 + c * x
        if cube <= 0.0:
            continue
        cube = cube * cube * cube
        u, rng = real(rng)
        if logarithm(u) < 0.5 * x * x + d - d * cube + d * logarithm(cube):
            break
    u, rng = real(rng)
    # As a logarithm: for a small shape the number itself is often too small for a double, and all
    # of a root's numbers would be 0.
    return logarithm(d * cube) + logarithm(u) / alpha, rng


def dirichlet(rng: R, alpha: float, count: int) -> tuple[tuple[float, ...], R]:
    """Draw `count` numbers that add up to 1, from the symmetric Dirichlet distribution.

    :raises ValueError: `alpha` is not a number from 1e-300 to 1e9.
    """
    if not is_number(alpha) or not LEAST <= alpha <= LARGEST:
        raise ValueError(f'alpha must be a number from 1e-300 to 1e9, not {shown(alpha)}')
    logs = []
    for _ in range(count):
        number, rng = _log_gamma_number(rng, float(alpha))
        logs.append(number)
    return shares(logs), rng


def with_noise(root: Node, rng: R, *, alpha: float = 0.3, share: float = 0.25) -> tuple[Node, R]:
    """Return a root whose priors are mixed with noise, and the generator to use next.

    Each prior p becomes `(1 - share) * p + share * d` with d from a Dirichlet distribution
    (D. Silver and others, "Mastering the game of Go without human knowledge", Nature 550, 2017).
    Pass the root to `analyse` as `tree`; `fmcts.selfplay.root_of` makes one.

    :raises ValueError: the tree has no priors, `alpha` is not from 1e-300 to 1e9, or `share` not
        from 0 to 1.
    """
    if not is_number(share) or not 0.0 <= share <= 1.0:
        raise ValueError(f'share must be a number from 0 to 1, not {shown(share)}')
    columns = root.columns
    if columns.names.moves != ('prior',):
        raise ValueError('noise needs a root with priors, and this tree has none')
    noise, rng = dirichlet(rng, alpha, len(root.moves))
    (priors,) = columns.moves
    mixed = tuple((1.0 - share) * p + share * d for p, d in zip(priors, noise, strict=True))
    draft = root.mutable_copy(root.places)
    draft.columns = columns._replace(moves=(mixed,))
    return freeze_in_place(draft), rng
