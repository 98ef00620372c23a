"""Tests of the tiers: what the default run leaves out of what `pytest --all` runs."""

import pytest
from hypothesis import given, settings, strategies as st

from tiers import FAST, ROOT, WIDE, draw_fewer, in_turns


@pytest.mark.parametrize(('stated', 'drawn'), [(8, 4), (7, 4), (1, 1)])
def test_a_tier_draws_a_part_of_the_examples(stated, drawn):
    seen = []

    @settings(max_examples=stated, database=None)
    @given(st.integers())
    def test(number):
        seen.append(number)

    draw_fewer([test], 2)
    test()
    assert len(seen) == drawn


def test_a_product_in_turns_keeps_every_one_and_every_other():
    cases = in_turns('abc', (1, 2))
    assert len(cases) == 6
    assert [case for case in cases if type(case) is tuple] == [('a', 1), ('b', 2), ('c', 1)]


@pytest.mark.parametrize('lines', [FAST, WIDE], ids=['fast', 'wide'])
def test_lists_of_tests_name_tests_that_exist(lines):
    gone = []
    for line in lines:
        file, _, name = line.partition('::')
        text = (ROOT / file).read_text('utf-8')
        # Those of documents are not written out, nor those of the laws of `returns`.
        made = not file.startswith('tests/') or name.endswith('_law')
        if not made and any(it not in text for it in name.partition('[')[0].split('::')):
            gone.append(line)
    assert gone == []
