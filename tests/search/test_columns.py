"""Columns: names and numbers."""

from fmcts.search._columns import NONE, ColumnNames, Columns


def test_column_names_are_false_only_if_empty():
    assert not ColumnNames()
    assert ColumnNames(('squares',))
    assert ColumnNames((), ('prior',))
    assert ColumnNames(('squares',), ('prior',))
    assert [bool(ColumnNames(('a',))), bool(ColumnNames())] == [True, False]


def test_plain_search_has_no_columns():
    assert (
        NONE
        == Columns()
        == Columns(ColumnNames(), (), ())
        == Columns(names=ColumnNames(), own=(), moves=())
    )
