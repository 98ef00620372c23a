"""The digest of a graph: its serialisation spelled out, and pinned."""

import pytest

from fmcts import Search, SplitMix, analyse
from fmcts._engines.graph.nodes import serialise
from fmcts.games import tictactoe
from fmcts.search._digest import name_of

RNG = SplitMix.from_seed(1)
NEAR_THE_END = tictactoe.parse('XOXXO.O..').unwrap()


def found(iterations, state=NEAR_THE_END, **options):
    return analyse(state, RNG, Search(iterations, transpositions='sound', **options))[0]


def test_the_serialisation_matches_its_description():
    """X to move at 5, 7 and 8: after one iteration at each, by hand from the entries."""
    analysis = found(3)
    lines = serialise(analysis.tree.graph).decode().splitlines()
    assert lines[0] == 'fmcts-graph-1 sound'
    root = analysis.tree.entry
    assert lines[1] == f'X 3 0 {(0.0).hex()} 3 {root.total.hex()} 0:1:1 1:2:1 2:3:1'
    for line, edge in zip(lines[2:], root.edges, strict=True):
        entry = analysis.tree.graph.entries[edge.to]
        assert line == (f'O {len(entry.moves)} 1 {entry.worth.hex()} 1 {entry.total.hex()}')
    assert analysis.digest == name_of(serialise(analysis.tree.graph))


def test_columns_and_root_moves_change_the_digest():
    plain, priors = found(50), found(50, selection='puct')
    assert serialise(priors.tree.graph).startswith(b'fmcts-graph-1 sound prior\n')
    assert plain.digest != priors.digest
    some, _ = analyse(NEAR_THE_END, RNG, Search(50, transpositions='sound'), root_moves=[5, 8])
    assert serialise(some.tree.graph).decode().splitlines()[-1] == '0 2'


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace', 'compiled'])
def test_golden_digests(engine):
    """Version 1, on every platform."""
    digests = {
        rule: analyse(tictactoe.start, RNG, Search(500, transpositions=rule), engine=engine)[
            0
        ].digest
        for rule in ('sound', 'naive')[: 1 if engine == 'compiled' else 2]
    }
    assert digests == {rule: PINNED[rule] for rule in digests}


PINNED = {
    'sound': 'ce92eb35f7688df146b6497db139030f0fd02dff5e83cf8fd946161b8cbe96e6',
    'naive': 'abbc566ead5539873e47a5c58863d08765166d20044f51418915dc4e19df1619',
}


def test_the_digest_of_a_child_covers_its_subgraph():
    analysis = found(200)
    child = analysis.tree.children[0]
    assert name_of(serialise(child.graph, child.number)) == name_of(
        serialise(child.as_root().graph)
    )
