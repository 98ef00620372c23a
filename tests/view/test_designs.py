"""The report of a comparison of designs (`fmcts.view._designs`)."""

from functools import cache

import pytest
from attrs import evolve
from returns.unsafe import unsafe_perform_io

from fmcts import Player, Search, SplitMix
from fmcts.compare import Difference, Refusal, compare_designs
from fmcts.games import connect4, othello
from fmcts.rng import format as format_rng
from fmcts.view._designs import figures, values_in_words, verdict

RNG = SplitMix.from_seed(0)


@cache
def compared():
    return unsafe_perform_io(
        compare_designs(connect4.start, RNG, Search(50), engines=['inplace', 'persistent'])
    )


def differing(**fields):
    difference = Difference(('one', 'two'), 7, (3, 2), 'reward', (0.5, 1.0))
    return evolve(compared(), difference=evolve(difference, **fields))


def test_figures_have_units():
    design = evolve(compared().designs[0], seconds=0.5, peak_bytes=1_234_567_890, objects=1_234_567)
    (row,) = figures(evolve(compared(), designs=(design,))).rows
    digest = design.analysis.digest[:12]
    assert row == ('inplace', '0.500', '100', '1,234.57 MB', '1,234,567', digest)


def test_a_missing_figure_is_explained_in_the_caption():
    design = evolve(compared().designs[0], peak_bytes=None)
    listing = figures(evolve(compared(), designs=(design, compared().designs[1])))
    assert listing.rows[0][3] == 'n/a'
    assert listing.rows[1][3].endswith(' MB')
    assert listing.caption.endswith('peak memory: not measured, as this Python has no tracemalloc')
    assert 'tracemalloc' not in figures(compared()).caption


@pytest.mark.parametrize(('path', 'node'), [((), 'the root'), (None, '-'), ((6,), '6')])
def test_nodes_are_named_by_path(path, node):
    assert ('node', node) in verdict(differing(path=path), connect4).pairs


def test_a_refusal_is_reported_with_the_reason():
    comparison = evolve(compared(), refused=(Refusal('poor', 'it has no solver'),))
    assert verdict(comparison, connect4).pairs[-1] == ('poor', 'not compared: it has no solver')


@pytest.mark.parametrize(
    ('field', 'values', 'words'),
    [
        ('move', (19, 64), ('d3', 'pass')),
        ('move', (19, 'x'), ('d3', "'x'")),
        ('moves', ((19, 26), ()), ('d3,c4', 'none')),
        ('children', ((), (19,)), ('none', 'd3')),
        ('mover', ('X', 'O'), ('X', 'O')),
        ('visits', (1, 2), ('1', '2')),
        ('reward', (0.1 + 0.2, 0.3), ('0.30000000000000004', '0.3')),
        ('generator', (RNG, 'none'), (format_rng(RNG), "'none'")),
        ('visits', (1, True), ('1', 'True')),
        ('mover', ('X', Player.X), ("'X'", "<Player.X: 'X'>")),
        ('state', (othello.start, 'none'), (' / '.join(str(othello.start).splitlines()), "'none'")),
    ],
)
def test_values_use_the_game_s_notation_and_stay_distinguishable(field, values, words):
    difference = differing(field=field, values=values).difference
    assert values_in_words(difference, othello) == words
