"""Sets of more than 64 cells against Python's own sets."""

from hypothesis import given, strategies as st

from fmcts.games._rules import cells

SIZE = 250
some = st.frozensets(st.integers(0, SIZE - 1))
WIDTH = cells.words_for(SIZE)


def words_of(members):
    words = (0,) * WIDTH
    for cell in members:
        words = cells.with_cell(words, cell)
    return words


@given(some, st.integers(0, SIZE - 1))
def test_membership(members, cell):
    words = words_of(members)
    assert all(0 <= word < 1 << cells.WIDTH for word in words)
    assert [at for at in range(SIZE) if cells.holds(words, at)] == sorted(members)
    assert cells.with_cell(words, cell) == words_of(members | {cell})
    assert cells.without_cell(words, cell) == words_of(members - {cell})


@given(some)
def test_counting_and_picking(members):
    words = words_of(members)
    assert cells.cardinality(words) == len(members)
    assert [cells.picked(words, index) for index in range(len(members))] == sorted(members)
    assert cells.picked(words, len(members)) == -1


def test_every_cell():
    for size in (1, 59, 60, 61, 120, 121, SIZE):
        words = cells.every(size)
        assert len(words) == cells.words_for(size) == len(cells.fields('x', size))
        assert cells.cardinality(words) == size
        assert cells.picked(words, size - 1) == size - 1
