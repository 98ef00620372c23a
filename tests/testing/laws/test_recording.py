"""A generator that records what is drawn from it."""

import pytest
from attrs import frozen

from fmcts import SplitMix
from fmcts.testing._laws.recording import recorded

RNG = SplitMix.from_seed(1)


@pytest.fixture
def noting():
    return recorded(RNG)


def test_results_equal_the_inner_generator_s(noting):
    number, after = noting.uniform(0, 99)
    assert (number, after.inner) == RNG.uniform(0, 99)
    assert tuple(half.inner for half in noting.split()) == RNG.split()
    assert noting.child(3).inner == RNG.child(3)
    assert after.record is noting.child(3).record is noting.split()[0].record is noting.record


def test_equality_includes_the_record(noting):
    noting.uniform(0, 1)
    assert noting.record != recorded(RNG.child(0)).record
    assert recorded(RNG).record != recorded(RNG).record
    assert noting == recorded(RNG)
    assert hash(noting) == hash(recorded(RNG))
    assert noting != recorded(RNG.child(0))
    assert 'ecord=' not in repr(noting)


def test_a_generator_is_used_once_drawn_from(noting):
    assert not noting.record.is_used(RNG)
    _, after = noting.uniform(0, 99)
    assert noting.record.is_used(RNG)
    assert not noting.record.is_used(after.inner)
    after.uniform(0, 99)
    assert noting.record.is_used(after.inner)


def test_a_generator_returned_unchanged_is_not_used():
    """A range of one number needs no draw."""

    @frozen
    class Constant:
        def uniform(self, low, _high):
            return low, self

    noting = recorded(Constant())
    noting.uniform(3, 3)
    assert not noting.record.is_used(noting.inner)


DERIVED = {
    'left': lambda rng: rng.split()[0],
    'right': lambda rng: rng.split()[1],
    'child': lambda rng: rng.child(2),
    'far': lambda rng: rng.split()[1].child(5).split()[0],
}


@pytest.mark.parametrize('name', DERIVED)
def test_using_a_derived_generator_uses_its_origin(name, noting):
    """It would come of it again."""
    derived = DERIVED[name](noting)
    assert not noting.record.is_used(RNG)
    derived.uniform(0, 99)
    assert noting.record.is_used(RNG)
    assert noting.record.is_used(derived.inner)
    others = {other: make(RNG) for other, make in DERIVED.items() if other != name}
    used = {other for other, rng in others.items() if noting.record.is_used(rng)}
    assert used == ({'right'} if name == 'far' else set())


def test_derived_generators_are_recorded(noting):
    for index in range(3):
        noting.child(index)
    noting.split()
    noting.split()
    two, left = noting.child(1), noting.split()[0]
    two.uniform(0, 99)
    assert noting.record.is_used(RNG)
    assert not noting.record.is_used(left.inner)
    assert not noting.record.is_used(RNG.child(0))


def test_circular_derivations_terminate():
    @frozen
    class Circle:
        place: int = 0

        def child(self, _index):
            return Circle(1 - self.place)

    noting = recorded(Circle())
    assert noting.child(0).child(0) == noting
    assert not noting.record.is_used(Circle())
