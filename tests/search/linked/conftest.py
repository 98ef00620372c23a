"""Fixtures for the tests of the compiled engine: a user's games."""

from typing import ClassVar, NamedTuple

import pytest
from attrs import evolve, frozen

import typed_bots
from fmcts import Player
from fmcts._running import automatic, entry_points
from fmcts.rules import IntegerRules


class HeapPosition(NamedTuple):
    left: int
    turn: int


@frozen
class Heap(typed_bots.Heap):
    """The subtraction game, with rules on integers."""

    compiled: ClassVar[IntegerRules] = IntegerRules(
        pack=lambda heap: HeapPosition(heap.left, 0 if heap.player is Player.X else 1),
        menu=lambda position: min(position.left, 3),
        count=int,
        pick=lambda _menu, index: index + 1,
        play=lambda position, taken: HeapPosition(position.left - taken, 1 - position.turn),
        side=lambda position: position.turn,
        winner=lambda position: 1 - position.turn,
    )


@pytest.fixture
def willing(monkeypatch):
    """`auto` links before the first iteration, or playout."""
    monkeypatch.setattr(automatic, 'PAYS', -1.0)
    monkeypatch.setattr(entry_points, 'MANY', 0)


@pytest.fixture(scope='session')
def position():
    """The class of that game's positions."""
    return HeapPosition


@pytest.fixture(scope='session')
def heap():
    """The class of a user's game that compiles."""
    return Heap


@pytest.fixture(scope='session')
def with_rules():
    """`with_rules(...)`: a class of the same game with other rules on integers."""

    def change(**changed):
        return type('Heap', (Heap,), {'compiled': evolve(Heap.compiled, **changed)})

    return change
