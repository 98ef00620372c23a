"""Equal halves and children of a generator."""

from itertools import count

import pytest
from attrs import frozen

from fmcts.testing._laws.generators import INDICES
from looking_at_generators import CHILDREN, HALVES, INDEX, found
from zoo_generators import ChildrenInTurn, EightBitChildren, EqualHalves, LeftIsParent, Right


class Family(Right):
    """Whose halves and children are as they are told to be."""

    def split(self):
        return self.halves(self)

    def child(self, index):
        return self.children(self, index)


def family(halves=Right.split, children=Right.child):
    return type(
        'Family', (Family,), {'halves': staticmethod(halves), 'children': staticmethod(children)}
    )()


SELF, ONE = 'the generator and', 'are equal: Family(state=1)'


def swapped(self):
    left, right = Right.split(self)
    return right, left


def by_index(of):
    """A generator whose child `index` is the right one of `of(index)`."""
    return family(children=lambda self, index: Right.child(self, of(index)))


def own_if(own, which):
    """A generator whose child `which` is `own(self)`."""
    return family(
        children=lambda self, index: own(self) if index == which else Right.child(self, index)
    )


@pytest.mark.parametrize(
    ('law', 'generator', 'words'),
    [
        (HALVES, family(lambda _: [1, 2]), 'split() gave [1, 2], which is not a pair'),
        (HALVES, family(lambda _: (1, 2, 3)), 'split() gave (1, 2, 3), which is not a pair'),
        (HALVES, family(lambda _: (1,)), 'split() gave (1,), which is not a pair'),
        (HALVES, EqualHalves(), 'its left half and its right half are equal: '),
        (HALVES, LeftIsParent(), f'{SELF} its left half are equal: LeftIsParent(state=1)'),
        (HALVES, family(lambda self: (Right.split(self)[0], self)), f'{SELF} its right half {ONE}'),
        (HALVES, family(swapped), None),
        (CHILDREN, own_if(lambda self: self, 0), f'{SELF} child(0) {ONE}'),
        (CHILDREN, own_if(lambda self: self.child(0), 12), None),
        *(
            (CHILDREN, generator, f'{pair} are equal: ')
            for generator, pair in (
                (family(lambda it: (it.child(5), it.child(99))), 'its left half and child(5)'),
                (family(lambda it: (it.child(99), it.child(11))), 'its right half and child(11)'),
                (EightBitChildren(), 'child(0) and child(1048576)'),
                (by_index(lambda index: index % (2**31 - 1)), 'child(0) and child(2147483647)'),
                (by_index(lambda index: index % 997), 'child(3) and child(1000)'),
                (by_index(lambda index: index % 11), 'child(0) and child(11)'),
                (by_index(lambda it: min(it, 2**20)), 'child(1048576) and child(2147483647)'),
            )
        ),
    ],
    ids=count(),
)
def test_equal_generators_of_a_family_are_reported(law, generator, words):
    told = found(law, generator)
    assert told is None if words is None else told.startswith(words)


@frozen
class Coloured(Right):
    """Two that differ, and draw the same."""

    colour: str = ''

    def split(self):
        left, _ = super().split()
        return left, Coloured(left.state, 'red')


def test_equal_streams_are_reported():
    assert found(HALVES, Coloured()) == (
        'its left half and its right half differ, and draw the same numbers'
    )


def test_a_child_must_depend_on_its_index_alone():
    told = found(INDEX, ChildrenInTurn())
    assert told.startswith('child(0) was ChildrenInTurn(')
    assert ', and after other children and draws ChildrenInTurn(' in told
    for name in ('uniform', 'split'):
        assert found(INDEX, after(name)).startswith('child(0) was ')
    assert found(INDEX, after('child', INDICES[-1])).startswith('child(0) was ')


def after(name, *given):
    """A generator whose children are others after this was asked."""
    asked = []

    def method(self, *arguments):
        if arguments[-len(given) :] == given or not given:
            asked.append(name)
        if name == 'child':
            return Right.child(self, arguments[0] + 100 * (len(asked) > 1))
        return getattr(Right, name)(self, *arguments)

    def child(self, index):
        return Right.child(self, index + 100 * bool(asked))

    methods = {'child': child, name: method}
    return type('After', (Right,), methods)()
