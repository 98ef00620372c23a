"""Options that exclude transpositions, and engines that do not support them."""

import importlib.util

import pytest

from fmcts import EngineError, Search, SplitMix, analyse, trees
from fmcts.games import tictactoe

RNG = SplitMix.from_seed(1)


def test_a_graph_is_continued_only_by_the_same_kind_of_search():
    kinds = (None, 'sound', 'naive')
    found = {
        kind: analyse(tictactoe.start, RNG, Search(20, transpositions=kind))[0] for kind in kinds
    }
    for one in kinds:
        for other in kinds:
            search = Search(20, transpositions=other)
            if one == other:
                assert analyse(tictactoe.start, RNG, search, tree=found[one])[0].iterations == 40
                continue
            message = f'keeps transpositions={one}, the search transpositions={other}'
            with pytest.raises(ValueError, match=message):
                analyse(tictactoe.start, RNG, search, tree=found[one])


def test_without_pyrsistent_only_inplace_is_available(monkeypatch):
    """The third needs no persistent tables, and `auto` takes it."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, 'find_spec', lambda name: None if name == 'pyrsistent' else find(name)
    )
    search = Search(10, transpositions='sound')
    assert analyse(tictactoe.start, RNG, search)[0].iterations == 10
    for engine in ('persistent', 'monadic'):
        message = (
            f'the engine {engine} does not support transpositions without pyrsistent: '
            'install fmcts.graph.; use one of: inpl'
        )
        with pytest.raises(EngineError, match=message):
            analyse(tictactoe.start, RNG, search, engine=engine)
    with pytest.raises(
        EngineError,
        match='the engine persistent does not support transpositions without pyrsistent',
    ):
        next(trees(tictactoe.start, RNG, search))
    assert analyse(tictactoe.start, RNG, Search(10), engine='persistent')[0].iterations == 10
