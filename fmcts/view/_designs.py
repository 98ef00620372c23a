"""A comparison of designs as parts of a page: the cost of each, and whether they agree."""

from __future__ import annotations

from typing import Any

from fmcts.compare import Comparison, Difference
from fmcts.rng import format as format_rng
from fmcts.view._parts import Facts, Listing, Notation, join_moves

HEADINGS = ('engine', 'seconds', 'iterations/s', 'peak memory', 'objects', 'digest')
SHORT = 12  # digits of a digest that are shown, enough to tell two apart at a glance


def figures(comparison: Comparison[int]) -> Listing:
    """Return a table with time, memory, objects and the start of the digest of each design."""
    rows = tuple(
        (
            design.engine,
            f'{design.seconds:.3f}',
            f'{design.iterations_per_second:,.0f}',
            'n/a' if design.peak_bytes is None else f'{design.peak_bytes / 1e6:,.2f} MB',
            f'{design.objects:,}',
            design.analysis.digest[:SHORT],
        )
        for design in comparison.designs
    )
    caption = (
        'each measured in a separate run; seconds: of the processor; '
        'objects: nodes, states, generators, actions made'
    )
    if any(design.peak_bytes is None for design in comparison.designs):
        caption += '; peak memory: not measured, as this Python has no tracemalloc'
    return Listing(HEADINGS, rows, caption)


def verdict(comparison: Comparison[int], game: Notation) -> Facts:
    """Return whether the designs agree, with their result or the first difference."""
    difference = comparison.difference
    if difference is None:
        design = comparison.designs[0]
        facts: tuple[tuple[str, str], ...] = (
            ('agree', 'yes, to the bit'),
            ('move', _in_words('move', design.analysis.move, game)),
            ('iterations', str(design.analysis.iterations)),
            ('digest', design.analysis.digest),
            ('rng', format_rng(design.rng)),
        )
    else:
        (one, two), path = difference.engines, difference.path
        facts = (
            ('agree', f'no: {two} differs from {one}'),
            ('iteration', str(difference.iteration)),
            ('node', '-' if path is None else join_moves(game, path) or 'the root'),
            ('field', difference.field),
            *zip(difference.engines, values_in_words(difference, game), strict=True),
        )
    return Facts((*facts, *((it.engine, f'not compared: {it.why}') for it in comparison.refused)))


def values_in_words(difference: Difference, game: Notation) -> tuple[str, ...]:
    """Return the values of the two designs, on one line each, as texts that differ."""
    values = tuple(_in_words(difference.field, value, game) for value in difference.values)
    return values if len({*values}) > 1 else tuple(map(repr, difference.values))


def _in_words(field: str, value: Any, game: Notation) -> str:
    """Return the value of a field on one line; its `repr` if there is no better text."""
    try:
        match field:
            case 'move':
                return game.format_move(value)
            case 'moves' | 'children':
                return join_moves(game, value) or 'none'
            case 'state':
                return ' / '.join(game.format(value).splitlines())
            case 'generator':
                return format_rng(value)
            case 'mover':
                return str(value)
    except (AttributeError, TypeError, ValueError):
        pass  # a faulty engine may leave any value there
    return repr(value)
