"""One search of one position, repeated in every way that laws need."""

import random

import pytest

from fmcts import EngineError, Search, SplitMix, analyse
from fmcts._running.registry import ENGINES, Engine
from fmcts.games import tictactoe
from fmcts.search._digest import digest
from fmcts.search._tree import walk
from fmcts.testing._laws import searches
from fmcts.testing._laws.law import Raised
from fmcts.testing._laws.searches import NOT_SEARCHED, Found, SearchCase, found_by_engine, outcome

RNG = SplitMix.from_seed(4)
STATE = tictactoe.parse('XO.......').unwrap()
SEARCH = Search(21)
CASE = SearchCase(SEARCH, STATE, RNG, ('inplace', 'persistent', 'monadic'))


def analysed(iterations=21, rng=RNG, **given):
    return analyse(STATE, rng, Search(iterations), **given)


ANALYSIS, AFTER = analysed()
FOUND = Found(ANALYSIS.move, digest(ANALYSIS.tree), ANALYSIS.stats, AFTER)


def fails(_edge, _parent):
    raise ValueError('no')


@pytest.fixture
def searched(monkeypatch):
    """The searches that are made: their iterations, engine, and whether they go on from a tree."""
    made = []

    def noted(state, rng, search, *, engine, tree=None):
        made.append((search.iterations, engine, tree is not None))
        return analyse(state, rng, search, engine=engine, tree=tree)

    monkeypatch.setattr(searches, 'analyse', noted)
    return made


def fresh(search=SEARCH, **given):
    return SearchCase(search, STATE, RNG, CASE.engines, **given)


def test_whole_equals_the_search(searched):
    case = fresh()
    assert searched == []
    assert case.whole == (ANALYSIS, AFTER)
    assert case.analysis is case.whole[0]
    assert case.found == outcome(SEARCH, 'monadic', STATE, RNG) == FOUND
    assert case.elsewhere is NOT_SEARCHED
    assert case.drawn is None
    assert searched == [(21, 'inplace', False), (21, 'monadic', False)]


def test_cases_compare_by_identity():
    assert fresh() != fresh()
    assert len({fresh(), fresh()}) == 2


def test_repetitions_and_other_engines_are_searched_once(searched):
    case = fresh()
    for _ in range(2):
        assert case.found == case.again == FOUND
        assert case.by_engine == (('persistent', FOUND), ('monadic', FOUND))
    assert searched == [
        (21, engine, False) for engine in ('inplace', 'inplace', 'persistent', 'monadic')
    ]


def test_the_second_part_continues_the_first_part_s_tree(searched):
    case = fresh()
    one, _ = analysed(10)
    picture = (
        digest(one.tree),
        [(node.facts(), node.value, len(node.children)) for node in walk(one.tree)],
    )
    assert case.parts == (10, 11)
    assert case.continued.found == FOUND
    assert case.continued.before == case.continued.after == picture
    assert case.continued is case.continued
    assert searched == [(10, 'inplace', False), (11, 'inplace', True)]


def test_even_numbers_are_split_in_half():
    assert fresh(Search(2)).parts == (1, 1)
    assert fresh(Search(8)).parts == (4, 4)


def test_changes_of_the_first_tree_are_visible(monkeypatch):
    def changing(state, rng, search, *, engine, tree=None):
        if tree is not None:
            object.__setattr__(tree.tree.children[0], 'value', 0.125)
        return analyse(state, rng, search, engine=engine, tree=tree)

    monkeypatch.setattr(searches, 'analyse', changing)
    before, after = fresh().continued[1:]
    assert before[0] == after[0]  # a value follows from visits and reward, so digests leave it out
    changed = [place for place, old in enumerate(before[1]) if old != after[1][place]]
    assert changed == [1]
    assert after[1][1][1] == 0.125


def test_an_error_replaces_the_result():
    case = fresh(Search(21, selection=fails))
    assert isinstance(case.whole, Raised)
    assert case.whole.text.endswith('ValueError: no')
    assert case.analysis is None
    assert case.found == case.again == case.continued == case.whole
    assert case.by_engine == (('persistent', case.whole), ('monadic', case.whole))


def refuses(_root, _rng, _search):
    return 'everything here'


def test_an_engine_that_refuses_is_distinguished_from_an_error(monkeypatch):
    monkeypatch.setitem(ENGINES, 'monadic', Engine('monadic', ENGINES['monadic'].run, refuses))
    case = SearchCase(SEARCH, STATE, RNG, ('monadic', 'inplace'))
    assert isinstance(case.whole, EngineError)
    assert str(case.found).startswith('the engine monadic does not support everything here')
    assert case.analysis is None
    assert case.by_engine == (('inplace', FOUND),)
    (_, refused), _ = SearchCase(SEARCH, STATE, RNG, ('inplace', 'monadic', 'inplace')).by_engine
    assert str(refused) == str(case.found)
    assert isinstance(found_by_engine(SEARCH, 'monadic', STATE, RNG), EngineError)


def test_draws_from_generators_of_the_process_are_reported():
    def draws(edge, _parent):
        return edge.value + random.random()  # noqa: S311 - the mistake

    assert fresh(Search(21, selection=draws)).drawn == (
        "the global generator of Python's module random was drawn from or seeded"
    )


def test_another_process_makes_the_same_call():
    assert fresh().asking(STATE, RNG) == FOUND
    assert fresh().asking.args == (SEARCH, 'inplace')
    assert NOT_SEARCHED.text == 'it was not searched'
