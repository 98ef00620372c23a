"""Faulty designs: the reference search, spoiled from a certain iteration on."""

import pytest
from attrs import evolve

from fmcts._running.registry import ENGINES
from fmcts.search._tree import freeze_in_place
from fmcts.search._watch import ignore


def spoiled_after(iteration, spoil):
    """A design that is right but for `spoil(root, rng)`, done once after that iteration."""

    def run(root, rng, search, watch):
        before = min(iteration, search.iterations)
        root, rng = ENGINES['persistent'](root, rng, evolve(search, iterations=before), watch)
        if before == iteration:
            root, rng = spoil(root, rng)
        if search.iterations > iteration:
            rest = evolve(search, iterations=search.iterations - iteration)
            root, rng = ENGINES['persistent'](root, rng, rest, ignore)
        return root, rng

    return run


def changed_at(path, change):
    """A function that applies `change` to a draft of the node at `path`, and to no other."""

    def rebuilt(node, path):
        if not path:
            draft = node.mutable_copy(node.places)
            change(draft)
            return freeze_in_place(draft)
        places = (
            rebuilt(child, path[1:]) if child and child.move == path[0] else child
            for child in node.places
        )
        return freeze_in_place(node.mutable_copy(tuple(places)))

    return lambda root, rng: (rebuilt(root, path), rng)


def add_half(draft):
    draft.reward += 0.5


@pytest.fixture(scope='session')
def half_too_much():
    """A design that adds half a reward to one node: `half_too_much(iteration, path)`."""
    return lambda iteration, path: spoiled_after(iteration, changed_at(path, add_half))


@pytest.fixture(scope='session')
def spoiled():
    """A design in error: `spoiled(iteration, spoil)`."""
    return spoiled_after


@pytest.fixture(scope='session')
def changed():
    """A change of one node: `changed(path, change)`."""
    return changed_at
